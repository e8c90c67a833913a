/** How the record fails those who write to it, for whoever can do something about it. */
export type Outage = {
  readonly state: 'begun' | 'lasting' | 'over';
  /** The last failure. */
  readonly error: unknown;
  /** For so long, in milliseconds. */
  readonly lasted: number;
  /** How often something was tried in vain since it began. */
  readonly failures: number;
  /** Who waits for it to be over. */
  readonly waiting: readonly string[];
};

type Parts = {
  readonly clock: () => number;
  readonly after: (time: number, run: () => void) => () => void;
  readonly tell: (outage: Outage) => void;
};

/** What goes on failing is told so often, in milliseconds; and nothing else of it meanwhile but that it is over. */
const tellEvery = 60_000;

/** Counts failures that are got over, and tells of them: the first at once, further ones at intervals, and the end. */
export class Outages {
  readonly #parts: Parts;
  readonly #waiting = new Set<string>();
  /** When the first failure was that nobody was told of. */
  #since: number | undefined;
  /** When somebody began to wait after nobody did. */
  #begun = 0;
  /** When the last of those who waited was mended; what failed later began later. */
  #ended: number | undefined;
  #error: unknown;
  #failures = 0;
  /** Whoever is told knows that it has begun. */
  #isTold = false;
  /** Something was told a short while ago. */
  #isQuiet = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Somebody waits for it to be over. */
  get isFailing(): boolean {
    return this.#waiting.size > 0;
  }

  /** Somebody finds that it fails, and waits until it does not; unless it is over for him, and counts all the same. */
  failed(who: string, error: unknown, isOver = false): void {
    if (this.#waiting.size === 0) this.#begun = this.#parts.clock();
    this.#waiting.add(who);
    this.#since ??= this.#begun;
    this.#error = error;
    this.#failures += 1;
    if (!this.#isQuiet) this.#tell(this.#isTold ? 'lasting' : 'begun');
    if (isOver) this.mended(who);
  }

  mended(who: string): void {
    if (!this.#waiting.delete(who) || this.#waiting.size > 0) return;
    this.#ended = this.#parts.clock();
    if (this.#isTold) this.#tell('over');
  }

  #tell(state: Outage['state']): void {
    const { clock, after, tell } = this.#parts;
    if (state === 'begun') this.#since = this.#begun;
    const lasted = (state === 'over' ? this.#ended! : clock()) - this.#since!;
    tell({ state, error: this.#error, lasted, failures: this.#failures, waiting: [...this.#waiting] });
    this.#isTold = state !== 'over';
    if (state === 'over') {
      this.#since = undefined;
      this.#failures = 0;
    }
    if (this.#isQuiet) return;
    this.#isQuiet = true;
    after(tellEvery, () => {
      this.#isQuiet = false;
      // Also of what began meanwhile, be it over by now.
      if (this.#waiting.size > 0) this.#tell(this.#isTold ? 'lasting' : 'begun');
      else if (this.#failures > 0) this.#tell('over');
    });
  }
}
