/** Token bucket: a rate limit that allows bursts of up to `capacity`. */
export class TokenBucket {
  readonly #capacity: number;
  readonly #perSecond: number;
  #tokens: number;
  #updatedAt: number;

  constructor(capacity: number, perSecond: number, at: number) {
    this.#capacity = this.#tokens = capacity;
    this.#perSecond = perSecond;
    this.#updatedAt = at;
  }

  /** Takes `amount` tokens and returns true. If there are too few tokens, takes no token and returns false. */
  take(amount: number, at: number): boolean {
    this.#tokens = Math.min(
      this.#capacity,
      this.#tokens + (Math.max(0, at - this.#updatedAt) / 1000) * this.#perSecond,
    );
    this.#updatedAt = at;
    if (this.#tokens < amount) return false;
    this.#tokens -= amount;
    return true;
  }

  isFull(at: number): boolean {
    return this.#tokens + (Math.max(0, at - this.#updatedAt) / 1000) * this.#perSecond >= this.#capacity;
  }
}

const pruneEveryMs = 1_000;

/** Token buckets by key. Full buckets are deleted to save memory. */
export class KeyedTokenBuckets {
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #byKey = new Map<string, TokenBucket>();
  #pruneAt = 0;

  constructor(capacity: number, perSecond: number) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
  }

  take(key: string, at: number): boolean {
    if (at >= this.#pruneAt) {
      this.#pruneAt = at + pruneEveryMs;
      for (const [unused, bucket] of this.#byKey) if (bucket.isFull(at)) this.#byKey.delete(unused);
    }
    const bucket = this.#byKey.get(key) ?? new TokenBucket(this.#capacity, this.#perSecond, at);
    this.#byKey.set(key, bucket);
    return bucket.take(1, at);
  }
}
