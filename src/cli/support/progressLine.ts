import { type Pipes } from './command.ts';

/** Where a terminal does not tell its width. */
const defaultWidth = 80;
const maxBar = 30;
const minBar = 10;

/** Milliseconds between two updates: on a terminal the line is replaced, elsewhere each one is a line of its own. */
const terminalMs = 100;
const plainMs = 5_000;

/** `part` is 0 to 1. Of the texts, which say the same at less and less length, the first that fits is shown. */
export type Progress = { readonly part: number; readonly texts: readonly string[] };

/** Shows on standard error how far a command is. */
export class ProgressLine {
  readonly #errors: Pipes['errors'];
  readonly #clock: () => number;
  #shownAt: number;
  #isOver = false;

  constructor(errors: Pipes['errors'], clock = (): number => performance.now()) {
    this.#errors = errors;
    this.#clock = clock;
    this.#shownAt = clock();
  }

  show(progress: () => Progress): void {
    if (this.#isOver) return;
    const { isTTY = false, columns } = this.#errors;
    const now = this.#clock();
    if (now - this.#shownAt < (isTTY ? terminalMs : plainMs)) return;
    this.#shownAt = now;
    // The width is read each time: a window may be resized in between.
    this.#errors.write(isTTY ? `\r${fitted(progress(), columns || defaultWidth)}\u001B[K` : `${progress().texts[0]}\n`);
  }

  /** Removes the line for good: work that is still in flight shows none again. */
  clear(): void {
    this.#isOver = true;
    if (this.#errors.isTTY) this.#errors.write('\r\u001B[K');
  }
}

/** One line that leaves the last column free, since many terminals wrap there. */
function fitted({ part, texts }: Progress, width: number): string {
  const room = Math.max(0, width - 1);
  const text = texts.find(({ length }) => length <= room) ?? texts.at(-1)!.slice(0, room);
  const bar = Math.min(maxBar, room - text.length - '[] '.length);
  return bar < minBar ? text : `[${'='.repeat(Math.floor(bar * part)).padEnd(bar)}] ${text}`;
}
