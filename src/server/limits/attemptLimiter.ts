type Attempts = { count: number; since: number; blockedUntil: number; blocks: number; lastAt: number };

/** The block time doubles at most this many times. */
const maxDoublings = 7;

/**
 * Attempt limiter: a key is blocked after `max` failures, and each further block of the key is twice as long as the one
 * before. During a block, one attempt per `probeEveryMs` milliseconds is still allowed.
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
   * Counts a failure. If this failure blocks the key, returns how many failures led to the block, and the time of the
   * first of them.
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
   * Deletes a key when the maximum block time has passed since two times: the end of its last block, and the first
   * failure that counts towards its next block.
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
