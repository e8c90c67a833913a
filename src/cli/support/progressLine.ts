import { type CommandStreams } from './commandLine.ts';

/** Width in characters if the terminal window does not report its width. */
const defaultWidth = 80;
const maxBar = 30;
const minBar = 10;

/** Minimum milliseconds between two updates in a terminal window, where each update overwrites the line. */
const terminalMs = 100;
/** Minimum milliseconds between two updates outside a terminal window, where each update is a new line. */
const plainMs = 5_000;

/**
 * Progress of a task. `part` is how much of the task is completed, from 0 to 1. `texts` say the same in different
 * lengths, the longest first; the first text that fits is shown.
 */
export type Progress = { readonly part: number; readonly texts: readonly string[] };

/** Progress bar on standard error, or plain lines if standard error is not a terminal window. */
export class ProgressLine {
  readonly #errors: CommandStreams['errors'];
  readonly #clock: () => number;
  #shownAt: number;
  #isOver = false;

  constructor(errors: CommandStreams['errors'], clock = (): number => performance.now()) {
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
    // The width is read at each update, because the window may have been resized.
    this.#errors.write(
      isTTY ? `\r${formatProgress(progress(), columns || defaultWidth)}\u001B[K` : `${progress().texts[0]}\n`,
    );
  }

  /** Removes the progress bar. Later calls of `show` do nothing. */
  clear(): void {
    this.#isOver = true;
    if (this.#errors.isTTY) this.#errors.write('\r\u001B[K');
  }
}

/**
 * Formats bar and text in one line. The last column stays empty: many terminal windows begin a new line after a
 * character there.
 */
function formatProgress({ part, texts }: Progress, width: number): string {
  const maxLength = Math.max(0, width - 1);
  const text = texts.find(({ length }) => length <= maxLength) ?? texts.at(-1)!.slice(0, maxLength);
  const barLength = Math.min(maxBar, maxLength - text.length - '[] '.length);
  return barLength < minBar ? text : `[${'='.repeat(Math.floor(barLength * part)).padEnd(barLength)}] ${text}`;
}
