import { applyEventsWithPostings, terminalDecider } from '../../deciders/deciders.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Account, terminalAccount } from '../../ledger/accounts.ts';
import { type TransferMeters, addToTransferMeters, emptyTransferMeters } from '../../ledger/terminalPostings.ts';
import { type TableMeters, addToTableMeters, emptyTableMeters } from '../../ledger/meters.ts';
import { type Posting } from '../../ledger/tablePostings.ts';
import { assert } from '../../base/assert.ts';
import { type EventOf } from '../../table/schema/events.ts';
import { type TableSettings } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { type TerminalCommand } from '../../terminal/commands.ts';
import { type TerminalState } from '../../terminal/state.ts';

/** Totals of a patron in `punto play`. Amounts are in minor units. */
export type PlayTotals = {
  /** Number of rounds with a stake. */
  readonly rounds: number;
  readonly staked: number;
  readonly returned: number;
  readonly loaded: number;
  readonly credit: number;
};

/** Account balances and meters of one table, in memory. Only postings change a balance. */
export class MemoryLedger {
  readonly #balances = new Map<Account, number>();
  readonly #meters: TableMeters = emptyTableMeters();
  readonly #transfers: TransferMeters = emptyTransferMeters();
  #terminal: TerminalState | undefined;

  applyPostings(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      this.#balances.set(from, this.#balance(from) - amount);
      this.#balances.set(to, this.#balance(to) + amount);
    }
  }

  submit(command: TerminalCommand): void {
    const decision = terminalDecider.decide(command, this.#terminal);
    assert(!isRefused(decision), 'the only terminal accepts any credit');
    const { entries, state } = applyEventsWithPostings(terminalDecider, decision, this.#terminal);
    this.#terminal = state;
    for (const { event, postings } of entries) {
      this.applyPostings(postings);
      addToTransferMeters(this.#transfers, event);
    }
  }

  /** Adds a settlement to the meters. `before` is the state of the table before the settlement. */
  addToMeters(event: EventOf<'SettlementPosted'>, before: Table): void {
    addToTableMeters(this.#meters, event, before);
  }

  /** Credit of the terminal in minor units, without its open stakes. */
  credit(settings: TableSettings, terminal: string): number {
    const credit = this.#balance(terminalAccount(settings, terminal));
    assert(credit >= 0, 'the credit of a terminal is never below zero');
    return credit;
  }

  totals(settings: TableSettings, terminal: string): PlayTotals {
    const meters = this.#meters.terminals[terminal];
    return {
      rounds: meters?.played ?? 0,
      staked: meters?.coinIn ?? 0,
      returned: meters?.coinOut ?? 0,
      loaded: this.#transfers.in.promotion,
      credit: this.credit(settings, terminal),
    };
  }

  #balance(account: Account): number {
    return this.#balances.get(account) ?? 0;
  }
}
