import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Runs the command as a person would, from a folder that is not the project's. */
export function punto(args: readonly string[], input: string | Buffer = ''): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: '/',
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 300_000,
  });
  return { status, stdout, stderr };
}

/** Standard output as JSON, line by line. */
export const answersIn = ({ stdout }: Ran): readonly unknown[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
