import { type Account, terminalAccount } from '../ledger/accounts.ts';
import { pendingSettlementOf } from '../ledger/tablePostings.ts';
import { assert } from '../base/assert.ts';
import { type EventOf } from '../table/schema/events.ts';
import { type Slip } from '../table/schema/fieldTypes.ts';
import { type RoundOutcome, type StakeResult, keysInPostingOrder, stakeResult } from '../table/payouts.ts';
import { type Table } from '../table/state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type BalanceChange } from './entry.ts';

/** One settlement of a slip. A later settlement may replace it. */
type SlipSettlement = {
  readonly settlement: string;
  readonly at: number;
  readonly paid: readonly StakeResult[];
  /** Shortfall in cents: the part of the amount to take back that the credit did not cover. */
  readonly short: number;
  readonly creditBefore: number;
  readonly creditAfter: number;
};

/** One round in the recall of a terminal. The round may still be open. */
export type RecallRound = {
  readonly round: string;
  slip: Slip;
  /**
   * Version of the credit account at the first stake. The version grows with each posting, so it gives the order of
   * rounds at several tables.
   */
  readonly version: number;
  /** Credit in cents before the first stake of the round. */
  readonly creditBefore: number;
  /** Credit in cents after the last posting for this round so far. */
  creditAfter: number;
  readonly settled: SlipSettlement[];
};

/**
 * Recall: the last rounds of each terminal, oldest first. After each settlement, only the last `depth` rounds of a
 * terminal are kept. The key of `terminals` is the terminal id of the slip; on a floor, this id is the credit session
 * id.
 */
export type RecallProjection = { readonly depth: number; readonly terminals: { [terminal: string]: RecallRound[] } };

/** Minimum number of rounds in the recall, as regulators require. */
const minRecallDepth = 10;

export function emptyRecallProjection(depth: number): RecallProjection {
  assert(Number.isInteger(depth) && depth >= minRecallDepth, `a recall keeps at least ${minRecallDepth} rounds`);
  return { depth, terminals: {} };
}

/** Projects a slip. An empty slip removes the round from the recall, since the terminal does not play that round. */
export function projectSlipToRecall(
  { terminals }: RecallProjection,
  { round, terminal, slip }: EventOf<'SlipSet'>,
  changes: ReadonlyMap<Account, BalanceChange>,
  { settings }: Table,
): void {
  const lines = ownValue(terminals, terminal) ?? (terminals[terminal] = []);
  const last = lines.at(-1);
  const line = last?.round === round ? last : undefined;
  const credit = changes.get(terminalAccount(settings, terminal));
  if (Object.keys(slip).length === 0) {
    if (line) lines.pop();
    if (lines.length === 0) delete terminals[terminal];
  } else if (line) {
    line.slip = slip;
    line.creditAfter = credit?.after ?? line.creditAfter;
  } else {
    assert(credit !== undefined, 'the first stake of a round is taken from the credit');
    const { before: creditBefore, after: creditAfter, version } = credit;
    lines.push({ round, slip, version, creditBefore, creditAfter, settled: [] });
  }
}

/** Projects a chunk of a settlement. Rounds that are no longer in the recall are skipped. */
export function projectSettlementToRecall(
  { depth, terminals }: RecallProjection,
  event: EventOf<'SettlementPosted'>,
  changes: ReadonlyMap<Account, BalanceChange>,
  table: Table,
): void {
  const { order, slips, after } = pendingSettlementOf(event, table);
  for (const terminal of order.slice(event.from, event.from + event.count)) {
    const lines = terminals[terminal]!;
    const line = lines.findLast(({ round }) => round === event.round);
    if (line === undefined) continue;
    const credit = changes.get(terminalAccount(table.settings, terminal));
    const creditAfter = credit?.after ?? line.creditAfter;
    line.settled.push({
      settlement: event.settlement,
      at: event.at,
      paid: stakeResultsInPostingOrder(slips[terminal]!, after),
      short: ownValue(event.shortfalls ?? {}, terminal) ?? 0,
      creditBefore: credit?.before ?? line.creditAfter,
      creditAfter,
    });
    line.creditAfter = creditAfter;
    while (lines.length > depth) lines.shift();
  }
}

export const stakeResultsInPostingOrder = (slip: Slip, outcome: RoundOutcome): readonly StakeResult[] =>
  keysInPostingOrder(slip).map((wager) => stakeResult(wager, slip[wager]!, outcome));
