import { type Account, terminalAccount } from '../ledger/accounts.ts';
import { jobOf } from '../ledger/tablePostings.ts';
import { assert } from '../base/assert.ts';
import { type EventOf } from '../table/schema/events.ts';
import { type Slip } from '../table/schema/fieldTypes.ts';
import { type RoundOutcome, type StakeResult, postingOrder, stakeResult } from '../table/payouts.ts';
import { type Table } from '../table/state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type Moved } from './entry.ts';

/** What a settlement did to a slip: what each wager paid and by which clause. Another one may follow and reverse it. */
type Settled = {
  readonly settlement: string;
  readonly at: number;
  readonly paid: readonly StakeResult[];
  /** What could not be taken back. */
  readonly short: number;
  readonly creditBefore: number;
  readonly creditAfter: number;
};

/** One round as a terminal played it, or plays it still. */
export type RecallLine = {
  readonly round: string;
  slip: Slip;
  /** How many postings the credit had seen with the first stake, which puts rounds at several tables in order. */
  readonly version: number;
  /** The credit before the first stake, and after all that this round has moved so far. */
  readonly creditBefore: number;
  creditAfter: number;
  readonly settled: Settled[];
};

/** The last rounds of each terminal, oldest first. */
export type RecallProjection = { readonly depth: number; readonly terminals: { [terminal: string]: RecallLine[] } };

/** Regulators ask for the last ten rounds at least. */
const leastRecall = 10;

export function noRecall(depth: number): RecallProjection {
  assert(Number.isInteger(depth) && depth >= leastRecall, `a recall holds ${leastRecall} rounds at least`);
  return { depth, terminals: {} };
}

/** A terminal's stakes as they are now. A slip that is taken back whole was never played. */
export function recallSlip(
  { terminals }: RecallProjection,
  { round, terminal, slip }: EventOf<'SlipSet'>,
  moved: ReadonlyMap<Account, Moved>,
  { setting }: Table,
): void {
  const lines = ownValue(terminals, terminal) ?? (terminals[terminal] = []);
  const last = lines.at(-1);
  const line = last?.round === round ? last : undefined;
  const credit = moved.get(terminalAccount(setting, terminal));
  if (Object.keys(slip).length === 0) {
    if (line) lines.pop();
    if (lines.length === 0) delete terminals[terminal];
  } else if (line) {
    line.slip = slip;
    line.creditAfter = credit?.after ?? line.creditAfter;
  } else {
    assert(credit !== undefined, 'the first stake of a round comes from the credit');
    const { before: creditBefore, after: creditAfter, version } = credit;
    lines.push({ round, slip, version, creditBefore, creditAfter, settled: [] });
  }
}

/** What a chunk of a settlement paid. A round that is no longer held is passed over. */
export function recallSettlement(
  { depth, terminals }: RecallProjection,
  event: EventOf<'SettlementPosted'>,
  moved: ReadonlyMap<Account, Moved>,
  table: Table,
): void {
  const { order, slips, after } = jobOf(event, table);
  for (const terminal of order.slice(event.from, event.from + event.count)) {
    const lines = terminals[terminal]!;
    const line = lines.findLast(({ round }) => round === event.round);
    if (line === undefined) continue;
    const credit = moved.get(terminalAccount(table.setting, terminal));
    const creditAfter = credit?.after ?? line.creditAfter;
    line.settled.push({
      settlement: event.settlement,
      at: event.at,
      paid: paidInOrder(slips[terminal]!, after),
      short: ownValue(event.shortfalls ?? {}, terminal) ?? 0,
      creditBefore: credit?.before ?? line.creditAfter,
      creditAfter,
    });
    line.creditAfter = creditAfter;
    while (lines.length > depth) lines.shift();
  }
}

/** What each stake of a slip comes to. */
export const paidInOrder = (slip: Slip, ending: RoundOutcome): readonly StakeResult[] =>
  postingOrder(slip).map((wager) => stakeResult(wager, slip[wager]!, ending));
