import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const noCompiler = '  skipped: the comparison with C needs a C compiler, and this machine has no cc';

/** A C program of bench/reference, built for one bench. */
export class Reference {
  readonly #folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  readonly #program: string;

  private constructor(name: string) {
    this.#program = join(this.#folder, name);
  }

  /** Nothing where the machine has no compiler. */
  static build(name: 'simulate' | 'exact'): Reference | undefined {
    const reference = new Reference(name);
    const source = fileURLToPath(new URL(`../reference/${name}.c`, import.meta.url));
    const built = spawnSync('cc', ['-O3', '-o', reference.#program, source], { encoding: 'utf8' });
    if (built.status === 0) return reference;
    reference.remove();
    const error: NodeJS.ErrnoException | undefined = built.error;
    if (error?.code === 'ENOENT') return undefined;
    throw new Error(`cc could not build ${name}.c: ${built.stderr}`, { cause: error });
  }

  /** The figure that it prints. */
  measure(count: number): number {
    const { error, status, stdout } = spawnSync(this.#program, [String(count)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The C reference ended with ${status}.`, { cause: error });
    return Number(stdout);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
