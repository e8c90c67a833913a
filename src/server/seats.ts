import { type Terminals } from '../floor/terminals.ts';
import { Allowances, type Limits } from './limits.ts';

/**
 * Terminals that somebody has sat down at and nobody has bet at, by the hash of a secret. Nothing of them is written: they
 * are kept while somebody sits there, and for a while after.
 */
export class Seats {
  readonly #terminals: Terminals;
  readonly #limits: Limits;
  readonly #clock: () => number;
  readonly #allowances: Allowances;
  readonly #taken = new Map<string, string>();
  /** With the time until which each is kept, the first to go first. */
  readonly #empty = new Map<string, { readonly terminal: string; readonly until: number }>();

  constructor(terminals: Terminals, limits: Limits, clock: () => number) {
    this.#terminals = terminals;
    this.#limits = limits;
    this.#clock = clock;
    this.#allowances = new Allowances(limits.seatsPerMinute, limits.seatsPerMinute / 60);
  }

  /** The seat that a secret still has; it is taken again. */
  back(secretHash: string): string | undefined {
    this.#tidy();
    const terminal = this.#taken.get(secretHash) ?? this.#empty.get(secretHash)?.terminal;
    if (terminal === undefined) return undefined;
    this.#empty.delete(secretHash);
    this.#taken.set(secretHash, terminal);
    return terminal;
  }

  has(secretHash: string): boolean {
    return this.#taken.has(secretHash) || this.#empty.has(secretHash);
  }

  /** A seat for a secret that has none; undefined where its address, or everyone together, has had too many. */
  take(secretHash: string, address: string): string | undefined {
    this.#tidy();
    if (this.#taken.size + this.#empty.size >= this.#limits.seats) return undefined;
    if (!this.#allowances.spend(address, this.#clock())) return undefined;
    const terminal = this.#terminals.reserve(secretHash);
    this.#taken.set(secretHash, terminal);
    return terminal;
  }

  /** Nobody sits there any more. One that is in the record by now is kept there. */
  left(secretHash: string): void {
    const terminal = this.#taken.get(secretHash);
    if (terminal === undefined) return;
    this.#taken.delete(secretHash);
    if (this.#terminals.links.of(secretHash) !== undefined) return;
    this.#empty.set(secretHash, { terminal, until: this.#clock() + this.#limits.seatTime });
  }

  /** The seat is for another secret from now on. */
  renew(secretHash: string, next: string): void {
    const terminal = this.#taken.get(secretHash);
    if (terminal === undefined) return;
    this.#taken.delete(secretHash);
    this.#taken.set(next, terminal);
  }

  #tidy(): void {
    const now = this.#clock();
    for (const [secretHash, { until }] of this.#empty) {
      if (until > now) return;
      this.#empty.delete(secretHash);
      this.#terminals.release(secretHash);
    }
  }
}
