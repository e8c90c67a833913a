/** What a server takes before it says no. Times are in milliseconds. */
export type ServerLimits = {
  /** Connections of any kind, whatever they say: in all, and from one address. A page needs some beside its socket. */
  readonly lines: number;
  readonly linesPerAddress: number;
  /** So long may a request take to come, and a connection say nothing before it and between two. */
  readonly request: number;
  /** Requests that wait for their answer on one connection; a browser sends one after the other. */
  readonly requests: number;
  /** Sockets: in all, and from one address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** New terminals from one address in a minute. */
  readonly seatsPerMinute: number;
  /** Terminals that nobody has bet at yet: in all, and of one address; and how long one is kept once nobody sits there. */
  readonly seats: number;
  readonly seatsPerAddress: number;
  readonly seatTime: number;
  /** The longest message, in bytes, and the fragments that it may come in. */
  readonly frame: number;
  readonly fragments: number;
  /** So long may a message take to come, and hello. */
  readonly message: number;
  /** Messages of one connection: so many at once, and so many a second in the long run. */
  readonly burst: number;
  readonly perSecond: number;
  /** Slips of one terminal for one round. */
  readonly slipsPerRound: number;
  /** What is written for one address, slips above all: so many at once, and so many a second in the long run. */
  readonly writes: number;
  readonly writesPerSecond: number;
  /** Wrong numbers of tickets, of one terminal and of one address, before none is looked at for a while. */
  readonly tries: number;
  readonly triesPerAddress: number;
  readonly triesPause: number;
  /** So often one is looked at all the same for an address that has to wait. */
  readonly triesEvery: number;
  /** So long a session that has nothing left goes on before it ends by itself; its break is not counted. */
  readonly idle: number;
  /** Secrets of staff that are tried from one address: so many at once, and so many a second in the long run. */
  readonly signIns: number;
  readonly signInsPerSecond: number;
  /** Pages of past rounds for one address: so many at once, and so many a second in the long run. */
  readonly recalls: number;
  readonly recallsPerSecond: number;
  /** Bytes that may wait for a reader before it is dropped. */
  readonly unread: number;
  /** So often everybody is asked whether they are still there; who has not answered by the next time is not. */
  readonly ping: number;
};

export const usualLimits: ServerLimits = {
  lines: 5_000,
  linesPerAddress: 600,
  request: 5_000,
  requests: 8,
  connections: 4_000,
  connectionsPerAddress: 500,
  seatsPerMinute: 300,
  seats: 20_000,
  seatsPerAddress: 2_000,
  seatTime: 600_000,
  frame: 8_192,
  fragments: 16,
  message: 10_000,
  burst: 40,
  perSecond: 15,
  slipsPerRound: 100,
  writes: 3_000,
  writesPerSecond: 100,
  tries: 5,
  triesPerAddress: 25,
  triesPause: 60_000,
  triesEvery: 5_000,
  idle: 600_000,
  signIns: 60,
  signInsPerSecond: 1,
  recalls: 50,
  recallsPerSecond: 5,
  unread: 1 << 20,
  ping: 5_000,
};

/** So much at once, and so much a second in the long run. */
export class TokenBucket {
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

/** How often allowances are looked through for those that need not be remembered, in milliseconds. */
const tidyEvery = 1_000;

/** An allowance for each of many; one that is full is not remembered. */
export class Allowances {
  readonly #most: number;
  readonly #perSecond: number;
  readonly #of = new Map<string, TokenBucket>();
  #tidyAt = 0;

  constructor(most: number, perSecond: number) {
    this.#most = most;
    this.#perSecond = perSecond;
  }

  /** Whether somebody has one left; then it is spent. */
  spend(who: string, at: number): boolean {
    if (at >= this.#tidyAt) {
      this.#tidyAt = at + tidyEvery;
      for (const [other, allowance] of this.#of) if (allowance.isFull(at)) this.#of.delete(other);
    }
    const allowance = this.#of.get(who) ?? new TokenBucket(this.#most, this.#perSecond, at);
    this.#of.set(who, allowance);
    return allowance.spend(1, at);
  }
}
