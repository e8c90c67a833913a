type Attempts = { count: number; since: number; blockedUntil: number; blocks: number; lastAt: number };

/** The block time doubles at most this many times. */
const maxDoublings = 7;

/**
 * Attempt limiter: after `max` failures a key is blocked, and each further block is twice as long. While a key is
 * blocked, one attempt per `probeEveryMs` milliseconds is still allowed.
 */
export class AttemptLimiter {
  readonly #max: number;
  readonly #blockMs: number;
  readonly #probeEveryMs: number;
  readonly #byKey = new Map<string, Attempts>();
  #prunedAt = 0;

  constructor(max: number, blockMs: number, probeEveryMs = Infinity) {
    this.#max = max;
    this.#blockMs = blockMs;
    this.#probeEveryMs = probeEveryMs;
  }

  isBlocked(key: string, at: number): boolean {
    const attempts = this.#byKey.get(key);
    return attempts !== undefined && at < attempts.blockedUntil && at < attempts.lastAt + this.#probeEveryMs;
  }

  /**
   * Counts a failure. If the failure blocks the key, returns the number of failures and the time of the first failure.
   */
  fail(key: string, at: number): { readonly attempts: number; readonly since: number } | undefined {
    this.#prune(at);
    let attempts = this.#byKey.get(key);
    if (attempts === undefined)
      this.#byKey.set(key, (attempts = { count: 0, since: at, blockedUntil: 0, blocks: 0, lastAt: at }));
    if (attempts.count === 0) attempts.since = at;
    attempts.lastAt = at;
    attempts.count += 1;
    if (attempts.count < this.#max) return undefined;
    const { count, since } = attempts;
    attempts.blockedUntil = at + this.#blockMs * 2 ** attempts.blocks;
    attempts.blocks = Math.min(attempts.blocks + 1, maxDoublings);
    attempts.count = 0;
    return { attempts: count, since };
  }

  /**
   * Deletes a key when the longest block time has passed since its first counted failure and since the end of its last
   * block.
   */
  #prune(at: number): void {
    if (at < this.#prunedAt + this.#blockMs) return;
    this.#prunedAt = at;
    const keepMs = this.#blockMs * 2 ** maxDoublings;
    for (const [key, { since, blockedUntil }] of this.#byKey) {
      if (at > Math.max(since, blockedUntil) + keepMs) this.#byKey.delete(key);
    }
  }
}
