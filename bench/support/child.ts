import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { basename } from 'node:path';

/** A process of a bench that exchanges messages with it. */
export class Child<Request extends object | string, Report> {
  readonly #file: URL;
  readonly #child;
  readonly #reports;

  constructor(file: URL, args: readonly string[]) {
    this.#file = file;
    this.#child = fork(file, args);
    this.#reports = on(this.#child, 'message', { close: ['disconnect'] });
  }

  send(request: Request): void {
    this.#child.send(request);
  }

  /** Its next report; it fails when the process ends without one. */
  async next(): Promise<Report> {
    const { done, value } = await this.#reports.next();
    if (done === true) throw new Error(`The process ${basename(this.#file.pathname)} of the bench ended too early.`);
    return (value as [Report])[0];
  }

  async waitForExit(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.waitForExit();
  }
}

/** Called in such a process: it ends with the bench, also when the bench was killed. */
export function endWithBench(): void {
  if (!process.connected) process.exit();
  process.on('disconnect', () => process.exit());
}
