import { type Scheduler } from '../operations/serverClock.ts';

/** Secrets of staff that were tried in vain since it was last told, by code; never whose, or which. */
export type Failures = { readonly [code: string]: number };

type Parts = {
  readonly after: Scheduler['after'];
  readonly tell: (failures: Failures) => void;
};

/** Refusals that tell of a secret that was wrong, or that nobody looked at since too many were. */
const counted: ReadonlySet<string> = new Set([
  'wrong-secret',
  'wrong-code',
  'sign-in-locked',
  'codes-locked',
  'too-many-tries',
]);

/** So long nothing is told after something was, in milliseconds: whoever guesses does not fill the log. */
const tellEvery = 60_000;

/** Counts sign-ins that fail, and tells of them: the first at once, further ones together. */
export class SignInFailures {
  readonly #parts: Parts;
  #counts: { [code: string]: number } = {};
  #stop: (() => void) | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Something was refused to staff; what is no matter of secrets is passed over. */
  refused(code: string): void {
    if (!counted.has(code)) return;
    this.#counts[code] = (this.#counts[code] ?? 0) + 1;
    if (this.#stop === undefined) this.#tell();
  }

  /** Tells what is left. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    if (Object.keys(this.#counts).length > 0) this.#parts.tell(this.#counts);
    this.#counts = {};
  }

  #tell(): void {
    this.#parts.tell(this.#counts);
    this.#counts = {};
    this.#stop = this.#parts.after(tellEvery, () => {
      this.#stop = undefined;
      if (Object.keys(this.#counts).length > 0) this.#tell();
    });
  }
}
