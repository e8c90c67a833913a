import { type Time } from './time.ts';

/** Wrong numbers of one who tries: how many since when, and until when no more are looked at. */
type Trier = { tries: number; since: number; until: number; bars: number };

/** So many pauses, each twice as long as the one before; then they grow no longer. */
const mostBars = 7;

/**
 * Slows down whoever tries numbers of tickets: after so many wrong ones none is looked at for a while, and for twice as long
 * each further time. Whoever has long been quiet begins anew.
 */
export class Tries {
  readonly #most: number;
  readonly #pause: number;
  readonly #triers = new Map<string, Trier>();
  #forgotAt = 0;

  constructor(most: number, pause: number) {
    this.#most = most;
    this.#pause = pause;
  }

  isBarred(who: string, at: number): boolean {
    return at < (this.#triers.get(who)?.until ?? 0);
  }

  /** One more was wrong; what is to be told of it where that was one too many. */
  wrong(who: string, at: number): { readonly tries: number; readonly since: number } | undefined {
    this.#forget(at);
    let trier = this.#triers.get(who);
    if (trier === undefined) this.#triers.set(who, (trier = { tries: 0, since: at, until: 0, bars: 0 }));
    if (trier.tries === 0) trier.since = at;
    trier.tries += 1;
    if (trier.tries < this.#most) return undefined;
    const { tries, since } = trier;
    trier.until = at + this.#pause * 2 ** trier.bars;
    trier.bars = Math.min(trier.bars + 1, mostBars);
    trier.tries = 0;
    return { tries, since };
  }

  /** A pause that is over is remembered for as long as the longest may be. */
  #forget(at: number): void {
    if (at < this.#forgotAt + this.#pause) return;
    this.#forgotAt = at;
    const long = this.#pause * 2 ** mostBars;
    for (const [who, { since, until }] of this.#triers) {
      if (at > Math.max(since, until) + long) this.#triers.delete(who);
    }
  }
}

/** So often wrong numbers are told of at most, in milliseconds. */
const tellEvery = 60_000;

/** Sums up the wrong numbers of all who try, so that no number of them fills the record. */
export class Tried {
  readonly #after: Time['after'];
  readonly #tell: (tries: number, since: number) => void;
  #tries = 0;
  #since = 0;
  #isDue = false;
  /** Stops the wait until more may be told. */
  #stop: (() => void) | undefined;

  constructor(after: Time['after'], tell: (tries: number, since: number) => void) {
    this.#after = after;
    this.#tell = tell;
  }

  add(at: number): void {
    if (this.#tries === 0) this.#since = at;
    this.#tries += 1;
  }

  /** They are to be told of: now, or once the last time is long enough ago. */
  due(): void {
    this.#isDue = true;
    if (this.#stop === undefined) this.#tellNow();
  }

  /** Tells what is due without waiting any longer. */
  close(): void {
    this.#stop?.();
    if (this.#isDue) this.#tellNow();
    this.#stop?.();
  }

  #tellNow(): void {
    const tries = this.#tries;
    this.#isDue = false;
    this.#tries = 0;
    this.#stop = this.#after(tellEvery, () => {
      this.#stop = undefined;
      if (this.#isDue) this.#tellNow();
    });
    this.#tell(tries, this.#since);
  }
}
