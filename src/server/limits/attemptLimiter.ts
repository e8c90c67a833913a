/** Wrong numbers of one who tries: how many since when, until when no more are looked at, and when one was looked at last. */
type Trier = { tries: number; since: number; until: number; bars: number; last: number };

/** So many pauses, each twice as long as the one before; then they grow no longer. */
const mostBars = 7;

/**
 * Slows down whoever tries numbers of tickets: after so many wrong ones none is looked at for a while, or but one now and
 * then, and for twice as long each further time. Whoever has long been quiet begins anew.
 */
export class AttemptLimiter {
  readonly #most: number;
  readonly #pause: number;
  readonly #every: number;
  readonly #triers = new Map<string, Trier>();
  #forgotAt = 0;

  constructor(most: number, pause: number, every = Infinity) {
    this.#most = most;
    this.#pause = pause;
    this.#every = every;
  }

  isBarred(who: string, at: number): boolean {
    const trier = this.#triers.get(who);
    return trier !== undefined && at < trier.until && at < trier.last + this.#every;
  }

  /** One more was wrong; what is to be told of it where that was one too many. */
  wrong(who: string, at: number): { readonly tries: number; readonly since: number } | undefined {
    this.#forget(at);
    let trier = this.#triers.get(who);
    if (trier === undefined) this.#triers.set(who, (trier = { tries: 0, since: at, until: 0, bars: 0, last: at }));
    if (trier.tries === 0) trier.since = at;
    trier.last = at;
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
