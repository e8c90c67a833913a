/** What a server takes before it says no. */
export type Limits = {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** New terminals from one address in a minute. */
  readonly seatsPerMinute: number;
  /** The longest message, in bytes. */
  readonly frame: number;
  /** Messages of one connection: so many at once, and so many a second in the long run. */
  readonly burst: number;
  readonly perSecond: number;
  /** Bytes that may wait for a reader before it is dropped. */
  readonly unread: number;
};

export const usualLimits: Limits = {
  connections: 4_000,
  connectionsPerAddress: 500,
  seatsPerMinute: 300,
  frame: 8_192,
  burst: 40,
  perSecond: 15,
  unread: 1 << 20,
};

/** So much at once, and so much a second in the long run. */
export class Allowance {
  readonly #most: number;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  constructor(most: number, perSecond: number, at: number) {
    this.#most = this.#left = most;
    this.#perSecond = perSecond;
    this.#at = at;
  }

  /** Whether there is as much left; then it is spent. */
  spend(amount: number, at: number): boolean {
    this.#left = Math.min(this.#most, this.#left + (Math.max(0, at - this.#at) / 1000) * this.#perSecond);
    this.#at = at;
    if (this.#left < amount) return false;
    this.#left -= amount;
    return true;
  }

  /** Nothing has been spent lately. */
  isFull(at: number): boolean {
    return this.#left + (Math.max(0, at - this.#at) / 1000) * this.#perSecond >= this.#most;
  }
}
