import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { run } from '../../../src/cli/run.ts';

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

export type RunResult = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Captures what is written to it. */
export class Kept extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(part: Buffer, _: BufferEncoding, done: () => void): void {
    this.#chunks.push(part);
    this.emit('kept');
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

/** Splits input into chunks, as a pipe does. */
function* chunksOf(bytes: Buffer, size = 65_536): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** Verification prints progress every two seconds, so the number of lines depends on the machine. */
export const withoutProgress = (stderr: string): string =>
  stderr.replaceAll(/^[\d,]+ of [\d,]+ entries checked\n/gm, '');

/** Runs a command in this process, with its own streams. */
export async function punto(args: readonly string[], input: string | Buffer = ''): Promise<RunResult> {
  const [output, errors] = [new Kept(), new Kept()];
  const status = await run(args, {
    input: Readable.from(chunksOf(Buffer.from(input))),
    output,
    errors,
    signals: new EventEmitter(),
  });
  return { status, stdout: output.text, stderr: withoutProgress(errors.text) };
}

/** Standard error of `punto serve` on a data folder when `puntoUntilSaid` stops it. */
export const stoppingLine = 'punto: SIGTERM received: no more bets are accepted; rounds in play are completed.\n';

/** Runs a command that needs a signal to stop; sends SIGTERM after its first output. */
export async function puntoUntilOutput(args: readonly string[]): Promise<RunResult> {
  const [output, errors, signals] = [new Kept(), new Kept(), new EventEmitter()];
  const firstOutput = once(output, 'kept');
  const ended = run(args, { input: Readable.from([]), output, errors, signals });
  await Promise.race([firstOutput, ended]);
  signals.emit('SIGTERM');
  return { status: await ended, stdout: output.text, stderr: errors.text };
}

/** Starts the program as a process, from a folder outside the project. */
export function startPunto(args: readonly string[], input = ''): RunResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: '/',
    input,
    encoding: 'utf8',
    timeout: 300_000,
  });
  return { status, stdout, stderr };
}

/** Parses standard output as JSON lines. */
export const answersIn = ({ stdout }: RunResult): readonly unknown[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
