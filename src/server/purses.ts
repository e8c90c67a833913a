import { type Purse } from '../wire/purse.ts';
import { type Connection } from './connection.ts';
import { type Money } from './money.ts';

type Parts = {
  readonly money: Money;
  /** Everyone at a terminal. */
  readonly at: (terminal: string) => Iterable<Connection>;
  readonly trouble: (what: string, error: unknown) => void;
};

/** Tells terminals of their money, whenever it has changed and wherever they sit. */
export class Purses {
  readonly #parts: Parts;
  /** Those who were told last that a stake of theirs stands at a table. */
  readonly #standingAt = new Map<string, Set<string>>();
  readonly #refilling = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Tells everyone at a terminal; one of them once more, if it missed something. */
  tell(terminal: string, again?: Connection): void {
    this.#tell(terminal, again).catch((error: unknown) => this.#parts.trouble(`the money of ${terminal}`, error));
  }

  /** A round of a table was paid: whoever had a stake there is told, also those who got nothing. */
  paid(table: string): void {
    for (const terminal of this.#standingAt.get(table) ?? []) this.tell(terminal);
  }

  async #tell(terminal: string, again: Connection | undefined): Promise<void> {
    const { money, at } = this.#parts;
    // Whoever publishes what was written lets go of it right after: only then is nothing of it on its way any more.
    await Promise.resolve();
    const purse = money.purse(terminal);
    if (purse === undefined) return;
    this.#remember(purse);
    const text = JSON.stringify(purse).slice(1);
    for (const connection of at(terminal)) {
      if (connection.lastPurse === text && connection !== again) continue;
      connection.lastPurse = text;
      connection.purseVersion += 1;
      connection.send(`{"type":"purse","version":${connection.purseVersion},${text}`);
    }
    await this.#refill(purse);
  }

  #remember({ terminal, standing }: Purse): void {
    for (const terminals of this.#standingAt.values()) terminals.delete(terminal);
    for (const { table } of standing) {
      const terminals = this.#standingAt.get(table) ?? new Set();
      this.#standingAt.set(table, terminals.add(terminal));
    }
  }

  /** In a demo credit comes again, with a word about it. */
  async #refill(purse: Purse): Promise<void> {
    const { terminal } = purse;
    if (this.#refilling.has(terminal)) return;
    this.#refilling.add(terminal);
    try {
      const amount = await this.#parts.money.refill(purse);
      if (amount === undefined) return;
      for (const connection of this.#parts.at(terminal)) connection.tell({ type: 'refilled', amount });
    } finally {
      this.#refilling.delete(terminal);
    }
  }
}
