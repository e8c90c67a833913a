import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The files of a folder, as they were listed at the start: a name from outside never reaches the disk. Each is read once,
 * however many ask for it, and all of them are answered with the same bytes.
 */
export class Files {
  readonly #files: ReadonlyMap<string, string>;
  readonly #contents = new Map<string, Promise<Buffer>>();
  readonly #read: (file: string) => Promise<Buffer>;

  constructor(folder: string, read: (file: string) => Promise<Buffer> = readFile) {
    const names = globSync('**/*.*', { cwd: folder });
    this.#files = new Map(names.map((name) => [`/${name.replaceAll('\\', '/')}`, join(folder, name)]));
    this.#read = read;
  }

  /** What a file holds, by its name from the folder on; undefined where there is none, or no more. */
  async named(name: string): Promise<Buffer | undefined> {
    const file = this.#files.get(name);
    if (file === undefined) return undefined;
    let content = this.#contents.get(name);
    if (content === undefined) {
      content = this.#read(file);
      this.#contents.set(name, content);
      // Whoever asks after a failure tries again.
      content.catch(() => this.#contents.delete(name));
    }
    try {
      return await content;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
