import { applyEvents, terminalDecider } from '../../deciders/deciders.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Account, terminalAccount } from '../../ledger/accounts.ts';
import { type Transfers, addTransfer, noTransfers } from '../../ledger/terminalPostings.ts';
import { type Meters, meter, noMeters } from '../../ledger/meters.ts';
import { type Posting } from '../../ledger/tablePostings.ts';
import { assert } from '../../base/assert.ts';
import { type EventOf } from '../../table/schema/events.ts';
import { type TableSettings } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { type TerminalCommand } from '../../terminal/commands.ts';
import { type TerminalState } from '../../terminal/state.ts';

/** What a terminal has done with its money so far, in whole minor units. */
export type PlayTotals = {
  /** Rounds in which it had a stake. */
  readonly rounds: number;
  readonly staked: number;
  readonly returned: number;
  readonly loaded: number;
  readonly credit: number;
};

/** The accounts and meters of one table, in memory. Every amount comes in as a posting and is kept nowhere else. */
export class MemoryLedger {
  readonly #balances = new Map<Account, number>();
  readonly #meters: Meters = noMeters();
  readonly #transfers: Transfers = noTransfers();
  #terminal: TerminalState | undefined;

  role(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      this.#balances.set(from, this.#balance(from) - amount);
      this.#balances.set(to, this.#balance(to) + amount);
    }
  }

  /** What is asked of the terminal's credit, away from the table. */
  ask(command: TerminalCommand): void {
    const decision = terminalDecider.decide(command, this.#terminal);
    assert(!isRefused(decision), 'a terminal of one’s own takes any credit');
    const { entries, state } = applyEvents(terminalDecider, decision, this.#terminal);
    this.#terminal = state;
    for (const { event, postings } of entries) {
      this.role(postings);
      addTransfer(this.#transfers, event);
    }
  }

  /** Counts a settlement, given the table as it was before it. */
  count(event: EventOf<'SettlementPosted'>, before: Table): void {
    meter(this.#meters, event, before);
  }

  /** What a terminal can still stake: what a table holds for it is not in it. */
  credit(setting: TableSettings, terminal: string): number {
    const credit = this.#balance(terminalAccount(setting, terminal));
    assert(credit >= 0, 'the credit of a terminal is never below zero');
    return credit;
  }

  figures(setting: TableSettings, terminal: string): PlayTotals {
    const own = this.#meters.terminals[terminal];
    return {
      rounds: own?.played ?? 0,
      staked: own?.coinIn ?? 0,
      returned: own?.coinOut ?? 0,
      loaded: this.#transfers.in.promotion,
      credit: this.credit(setting, terminal),
    };
  }

  #balance(account: Account): number {
    return this.#balances.get(account) ?? 0;
  }
}
