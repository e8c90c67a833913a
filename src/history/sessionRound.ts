import { tableDecider } from '../deciders/deciders.ts';
import { terminalAccount } from '../ledger/accounts.ts';
import { assert } from '../base/assert.ts';
import { type VersionedEvent } from '../base/upcast.ts';
import { type EventOf, type TableEvent } from '../table/schema/events.ts';
import { type Slip } from '../table/schema/fieldTypes.ts';
import { type RoundOutcome, type StakeResult, totalStake } from '../table/payouts.ts';
import { type TableSettings } from '../table/schema/settings.ts';
import { ownValue } from '../base/ownValue.ts';
import { type ProjectionEntry, balanceChangeOf } from './entry.ts';
import { stakeResultsInPostingOrder } from './recall.ts';
import { type RoundCards, addDealtCard, projectReplacedCards, removeLastDealtCard } from './rounds.ts';

// One round of one credit session, projected from the entries of the round and of the session's slips. The recall of
// the table would give the same result, but it needs all entries of the table.

type SettledSlip = {
  readonly settlement: string;
  /** Time at which the settlement was decided. The money may be posted later. */
  readonly at: number;
  readonly paid: readonly StakeResult[];
  /** Shortfall in cents: the part of the amount to take back that the credit did not cover. */
  readonly short: number;
};

export type SessionRound = RoundCards & {
  readonly id: string;
  readonly number: number;
  readonly game: string;
  readonly openedAt: number;
  readonly slip: Slip;
  /** Credit in cents before the first stake of the round. */
  readonly creditBefore: number;
  /** Credit in cents after the last posting for this round so far. */
  readonly creditAfter: number;
  readonly settled: readonly SettledSlip[];
  /** Clause by which the round or the slip was voided; null if round and slip count. */
  readonly voidBy: string | null;
  /** Reason given for the void; null without a void, and for a void by correction. */
  readonly reason: string | null;
  /** True when the slip was settled more than once. The last settlement counts. */
  readonly isCorrected: boolean;
};

/**
 * True for a slip that has stakes and does not replace other stakes: the first slip of the session in the round, or the
 * first after an empty slip. The debit of such a slip is its whole stake.
 */
export function isFirstSlipWithStakes({ event }: ProjectionEntry): boolean {
  const { slip, debit } = tableDecider.parseEvent(event) as EventOf<'SlipSet'>;
  return debit > 0 && debit === totalStake(slip);
}

export const isEmptySlip = ({ event }: ProjectionEntry): boolean =>
  totalStake((tableDecider.parseEvent(event) as EventOf<'SlipSet'>).slip) === 0;

type Owner = Pick<TableSettings, 'property' | 'currency'>;

/**
 * A settlement of the round for one session. `isReached` is true when the settlement took effect for this session: it
 * moved the credit of the session, or it was posted completely before another settlement replaced it.
 */
type SessionSettlement = {
  readonly settlement: string;
  readonly at: number;
  readonly after: RoundOutcome;
  readonly reason: string | null;
  short: number;
  isReached: boolean;
};

/**
 * Projects one round of one session. `roundEntries` are all entries of the round. `slipEntries` are entries of slips
 * that the session set, in order: at least the first, the last, and the last that moved credit.
 */
export function projectSessionRound(
  roundEntries: readonly ProjectionEntry[],
  slipEntries: readonly ProjectionEntry[],
  owner: Owner,
): SessionRound {
  const events = roundEntries.map(({ event }) => tableDecider.parseEvent(event));
  const [opened] = events;
  assert(opened?.type === 'BetsOpened', 'a round is opened before anything else happens to it');
  const { terminal, slip } = tableDecider.parseEvent(slipEntries.at(-1)!.event) as EventOf<'SlipSet'>;
  const account = terminalAccount(owner, terminal);
  const paidEvents = new Map(
    roundEntries.flatMap(({ event, postings }) => {
      const change = event.type === 'SettlementPosted' ? balanceChangeOf(postings, account) : undefined;
      return change ? [[event, change] as const] : [];
    }),
  );
  const creditChanges = [
    ...slipEntries.flatMap(({ postings }) => balanceChangeOf(postings, account) ?? []),
    ...paidEvents.values(),
  ].toSorted((a, b) => a.version - b.version);
  const settlements = settlementsOf(roundEntries, (event) => paidEvents.has(event), terminal).filter(
    ({ isReached }) => isReached,
  );
  const last = settlements.at(-1);
  return {
    ...cardsOf(events),
    id: opened.round,
    number: opened.number,
    game: opened.game,
    openedAt: opened.at,
    slip,
    creditBefore: creditChanges[0]!.before,
    creditAfter: creditChanges.at(-1)!.after,
    settled: settlements.map(({ settlement, at, after, short }) => ({
      settlement,
      at,
      paid: stakeResultsInPostingOrder(slip, after),
      short,
    })),
    voidBy: last && 'voidBy' in last.after ? last.after.voidBy : null,
    reason: last?.reason ?? null,
    isCorrected: settlements.length > 1,
  };
}

function cardsOf(events: readonly TableEvent[]): RoundCards {
  const round: RoundCards = { cards: [], totals: { player: 0, banker: 0 }, winner: null };
  for (const event of events) {
    if (event.type === 'CardDealt') addDealtCard(round, event);
    else if (event.type === 'CardTakenBack') removeLastDealtCard(round);
    else if (event.type === 'RoundReconstructed' || event.type === 'CardCorrected')
      projectReplacedCards(round, event.after);
    else if (event.type === 'RoundResettled') projectReplacedCards(round, event.cards);
  }
  return round;
}

/**
 * The settlements of the round for one session, in order. After the slip is voided, no further settlement concerns the
 * session.
 */
function settlementsOf(
  roundEntries: readonly ProjectionEntry[],
  hasMovedCredit: (event: VersionedEvent) => boolean,
  session: string,
): readonly SessionSettlement[] {
  const settlements: SessionSettlement[] = [];
  let isSlipVoid = false;
  for (const { event: stored } of roundEntries) {
    const event = tableDecider.parseEvent(stored);
    if (event.type === 'SettlementPosted') {
      const settlement = settlements.find((candidate) => candidate.settlement === event.settlement);
      if (settlement === undefined) continue;
      settlement.short += ownValue(event.shortfalls ?? {}, session) ?? 0;
      if (hasMovedCredit(stored) || (event.last && settlement === settlements.at(-1))) settlement.isReached = true;
      continue;
    }
    const settlement = isSlipVoid ? undefined : settlementBy(event, session);
    if (settlement === undefined) continue;
    settlements.push(settlement);
    isSlipVoid = event.type === 'SlipVoided';
  }
  return settlements;
}

function settlementBy(event: TableEvent, session: string): SessionSettlement | undefined {
  const settlementOf = (settlement: string, after: RoundOutcome, reason: string | null = null): SessionSettlement => ({
    settlement,
    at: event.at,
    after,
    reason,
    short: 0,
    isReached: false,
  });
  if (event.type === 'RoundSettled') return settlementOf(event.settlement, { results: event.results });
  if (event.type === 'RoundVoided') return settlementOf(event.settlement, { voidBy: event.by }, event.reason);
  if (event.type === 'RoundResettled') {
    return settlementOf(event.settlement, event.results ? { results: event.results } : { voidBy: event.by });
  }
  return event.type === 'SlipVoided' && event.terminal === session
    ? settlementOf(event.settlement, { voidBy: event.by }, event.reason)
    : undefined;
}
