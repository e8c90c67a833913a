import { type Terminals } from '../../runtime/terminals/terminals.ts';
import { Allowances, type ServerLimits } from '../limits/serverLimits.ts';

/**
 * Terminals that somebody has sat down at and nobody has bet at. Nothing of them is written: they are kept while somebody
 * sits there, and for a while after.
 */
export class Seats {
  readonly #terminals: Terminals;
  readonly #limits: ServerLimits;
  readonly #clock: () => number;
  readonly #allowances: Allowances;
  readonly #taken = new Set<string>();
  /** With the time until which each is kept, the first to go first. */
  readonly #empty = new Map<string, number>();
  /** The address that each was given to, and how many each has. */
  readonly #givenTo = new Map<string, string>();
  readonly #had = new Map<string, number>();

  constructor(terminals: Terminals, limits: ServerLimits, clock: () => number) {
    this.#terminals = terminals;
    this.#limits = limits;
    this.#clock = clock;
    this.#allowances = new Allowances(limits.seatsPerMinute, limits.seatsPerMinute / 60);
  }

  /** The terminal that a secret leads to; a seat is taken again. */
  back(secretHash: string): string | undefined {
    this.#tidy();
    const terminal = this.#terminals.of(secretHash);
    if (terminal === undefined) return undefined;
    this.#empty.delete(terminal);
    if (this.#terminals.isReserved(terminal)) this.#taken.add(terminal);
    return terminal;
  }

  /** A seat for a secret that has none; undefined where its address, or everyone together, has had too many. */
  take(secretHash: string, address: string): string | undefined {
    this.#tidy();
    if (this.#taken.size + this.#empty.size >= this.#limits.seats) return undefined;
    const had = this.#had.get(address) ?? 0;
    if (had >= this.#limits.seatsPerAddress) return undefined;
    if (!this.#allowances.spend(address, this.#clock())) return undefined;
    const terminal = this.#terminals.reserve(secretHash);
    this.#taken.add(terminal);
    this.#givenTo.set(terminal, address);
    this.#had.set(address, had + 1);
    return terminal;
  }

  /** Nobody sits there any more. One that is in the record by now is kept there. */
  left(terminal: string): void {
    if (!this.#taken.delete(terminal)) return;
    if (!this.#terminals.isReserved(terminal)) this.#giveBack(terminal);
    else this.#empty.set(terminal, this.#clock() + this.#limits.seatTime);
  }

  #tidy(): void {
    const now = this.#clock();
    for (const [terminal, until] of this.#empty) {
      if (until > now) return;
      this.#empty.delete(terminal);
      this.#terminals.release(terminal);
      this.#giveBack(terminal);
    }
  }

  /** It is no longer one of those that its address holds. */
  #giveBack(terminal: string): void {
    const address = this.#givenTo.get(terminal)!;
    const had = this.#had.get(address)! - 1;
    this.#givenTo.delete(terminal);
    if (had === 0) this.#had.delete(address);
    else this.#had.set(address, had);
  }
}
