import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a C program of bench/reference prints, or undefined where there is no compiler. */
export function reference(name: 'simulate' | 'exact', ...args: readonly string[]): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  try {
    const program = join(folder, name);
    const source = fileURLToPath(new URL(`reference/${name}.c`, import.meta.url));
    if (spawnSync('cc', ['-O3', '-o', program, source], { stdio: 'ignore' }).status !== 0) return undefined;
    return Number(spawnSync(program, args, { encoding: 'utf8' }).stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const noCompiler = '  skipped: there is no C compiler (cc) for the reference';
