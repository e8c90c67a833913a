import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { KeyedTokenBuckets } from '../limits/tokenBucket.ts';

/**
 * Reserved terminals: ids of terminals that have no entries in the event log yet. A reservation is kept while its
 * terminal is connected, and for `seatMs` milliseconds afterwards.
 */
export class TerminalReservations {
  readonly #terminals: Terminals;
  readonly #limits: ServerLimits;
  readonly #clock: () => number;
  readonly #rateLimit: KeyedTokenBuckets;
  readonly #occupied = new Set<string>();
  /** By disconnected terminal: the time at which its reservation expires. The earliest time is first. */
  readonly #expiries = new Map<string, number>();
  readonly #addressOf = new Map<string, string>();
  readonly #countByAddress = new Map<string, number>();

  constructor(terminals: Terminals, limits: ServerLimits, clock: () => number) {
    this.#terminals = terminals;
    this.#limits = limits;
    this.#clock = clock;
    this.#rateLimit = new KeyedTokenBuckets(limits.seatsPerMinute, limits.seatsPerMinute / 60);
  }

  /**
   * Returns the terminal of a secret; undefined if the secret belongs to no terminal. If the terminal is reserved, its
   * reservation no longer expires.
   */
  reclaim(secretHash: string): string | undefined {
    this.#releaseExpired();
    const terminal = this.#terminals.terminalOf(secretHash);
    if (terminal === undefined) return undefined;
    this.#expiries.delete(terminal);
    if (this.#terminals.isReserved(terminal)) this.#occupied.add(terminal);
    return terminal;
  }

  /**
   * Reserves a new terminal for a secret. Gives undefined if one of three limits is reached: reserved terminals in
   * total, per client address, or new terminals per minute.
   */
  reserve(secretHash: string, address: string): string | undefined {
    this.#releaseExpired();
    if (this.#occupied.size + this.#expiries.size >= this.#limits.maxSeats) return undefined;
    const count = this.#countByAddress.get(address) ?? 0;
    if (count >= this.#limits.maxSeatsPerAddress) return undefined;
    if (!this.#rateLimit.take(address, this.#clock())) return undefined;
    const terminal = this.#terminals.reserve(secretHash);
    this.#occupied.add(terminal);
    this.#addressOf.set(terminal, address);
    this.#countByAddress.set(address, count + 1);
    return terminal;
  }

  /**
   * Call when a terminal has disconnected. If the terminal still has no entries, its reservation expires after `seatMs`
   * milliseconds.
   */
  vacate(terminal: string): void {
    if (!this.#occupied.delete(terminal)) return;
    if (!this.#terminals.isReserved(terminal)) this.#forget(terminal);
    else this.#expiries.set(terminal, this.#clock() + this.#limits.seatMs);
  }

  #releaseExpired(): void {
    const now = this.#clock();
    for (const [terminal, until] of this.#expiries) {
      if (until > now) return;
      this.#expiries.delete(terminal);
      this.#terminals.release(terminal);
      this.#forget(terminal);
    }
  }

  #forget(terminal: string): void {
    const address = this.#addressOf.get(terminal)!;
    const count = this.#countByAddress.get(address)! - 1;
    this.#addressOf.delete(terminal);
    if (count === 0) this.#countByAddress.delete(address);
    else this.#countByAddress.set(address, count);
  }
}
