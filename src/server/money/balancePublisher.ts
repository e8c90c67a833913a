import { type TerminalBalance } from '../../wire/terminalBalance.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type Connection, sendAll } from '../socket/patronConnection.ts';
import { type CreditTransferHandler } from './creditTransferHandler.ts';
import { type Scheduler } from '../operations/serverClock.ts';

type Parts = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  /** So long a session that has nothing left goes on. */
  readonly idle: number;
  readonly money: CreditTransferHandler;
  /** Everyone at a terminal. */
  readonly at: (terminal: string) => Iterable<Connection>;
  readonly gauges: Metrics;
  readonly trouble: (what: string, error: unknown) => void;
};

/** Tells terminals of their money, whenever it has changed and wherever they sit. */
export class BalancePublisher {
  readonly #parts: Parts;
  /** Those who were told last that a stake of theirs stands at a table. */
  readonly #standingAt = new Map<string, Set<string>>();
  readonly #refilling = new Set<string>();
  /** Terminals whose session has nothing left, with how it stands, and what keeps it from ending. */
  readonly #empty = new Map<string, { readonly stands: string; readonly stay: () => void }>();

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
    const { money, at, gauges } = this.#parts;
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
      const message = `{"type":"purse","version":${connection.purseVersion},${text}`;
      gauges.viewed('purse', 'whole', sendAll([connection], message));
    }
    this.#watch(purse);
    await this.#refill(purse);
  }

  /** A session that has nothing left ends by itself, unless something happens in it or its patron is taking a break. */
  #watch({ terminal, session, credit, collect, limits }: TerminalBalance): void {
    const isEmpty = session !== null && credit === 0 && collect === null;
    const stands = JSON.stringify([session, limits]);
    const watched = this.#empty.get(terminal);
    if (isEmpty && watched?.stands === stands) return;
    watched?.stay();
    this.#empty.delete(terminal);
    if (!isEmpty) return;
    const { clock, after, idle, money, trouble } = this.#parts;
    const stay = after(Math.max(0, (limits.pausedUntil ?? 0) - clock()) + idle, () => {
      this.#empty.delete(terminal);
      money.leave(terminal).catch((error: unknown) => trouble(`the money of ${terminal}`, error));
    });
    this.#empty.set(terminal, { stands, stay });
  }

  /** Nothing more ends by itself. */
  close(): void {
    for (const { stay } of this.#empty.values()) stay();
    this.#empty.clear();
  }

  #remember({ terminal, standing }: TerminalBalance): void {
    for (const terminals of this.#standingAt.values()) terminals.delete(terminal);
    for (const { table } of standing) {
      const terminals = this.#standingAt.get(table) ?? new Set();
      this.#standingAt.set(table, terminals.add(terminal));
    }
  }

  /** In a demo credit comes again, with a word about it. */
  async #refill(purse: TerminalBalance): Promise<void> {
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
