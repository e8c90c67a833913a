import { ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Answers with files from memory. Each is read once, however many ask for it, and all of them are given the same bytes:
 * whoever does not read what they asked for holds no file open and no memory.
 */
export function fromMemory(
  read: (path: string) => Promise<Buffer> = readFile,
): (request: unknown, reply: unknown, payload: unknown) => Promise<unknown> {
  const kept = new Map<string, Promise<Buffer>>();
  return async (_, __, payload) => {
    if (!(payload instanceof ReadStream)) return payload;
    payload.destroy();
    const path = String(payload.path);
    let bytes = kept.get(path);
    if (bytes === undefined) {
      bytes = read(path);
      kept.set(path, bytes);
      // Whoever asks after a failure tries again.
      bytes.catch(() => kept.delete(path));
    }
    return bytes;
  };
}
