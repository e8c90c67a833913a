import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/cli/run.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Keeps what is written to it. */
export class Kept extends Writable {
  readonly #parts: Buffer[] = [];

  override _write(part: Buffer, _: BufferEncoding, done: () => void): void {
    this.#parts.push(part);
    this.emit('kept');
    done();
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString('utf8');
  }
}

/** Input comes in pieces, as through a pipe. */
function* pieces(bytes: Buffer, size = 65_536): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** A verification reports its progress every two seconds: how often that is depends on the machine alone. */
export const withoutProgress = (stderr: string): string =>
  stderr.replaceAll(/^[\d,]+ of [\d,]+ entries checked\n/gm, '');

/** Runs the command in this process, with pipes of its own. */
export async function punto(words: readonly string[], input: string | Buffer = ''): Promise<Ran> {
  const [output, errors] = [new Kept(), new Kept()];
  const status = await run(words, {
    input: Readable.from(pieces(Buffer.from(input))),
    output,
    errors,
    signals: new EventEmitter(),
  });
  return { status, stdout: output.text, stderr: withoutProgress(errors.text) };
}

/** What `punto serve` on a data folder writes to standard error when `puntoUntilSaid` ends it. */
export const stoppingLine =
  'punto: SIGTERM received: no more bets are taken; rounds that have begun are played to their end.\n';

/** Runs a command that goes on until it is told to stop: tells it so once it has said something, or takes its own end. */
export async function puntoUntilSaid(words: readonly string[]): Promise<Ran> {
  const [output, errors, signals] = [new Kept(), new Kept(), new EventEmitter()];
  const said = once(output, 'kept');
  const ended = run(words, { input: Readable.from([]), output, errors, signals });
  await Promise.race([said, ended]);
  signals.emit('SIGTERM');
  return { status: await ended, stdout: output.text, stderr: errors.text };
}

/** Starts the program as a person would, from a folder that is not the project's. */
export function startPunto(words: readonly string[], input = ''): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: '/',
    input,
    encoding: 'utf8',
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
