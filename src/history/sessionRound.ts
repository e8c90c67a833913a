import { tableDecider } from '../deciders/deciders.ts';
import { terminalAccount } from '../ledger/accounts.ts';
import { assert } from '../base/assert.ts';
import { type VersionedEvent } from '../base/upcast.ts';
import { type EventOf, type TableEvent } from '../table/schema/events.ts';
import { type Slip } from '../table/schema/fieldTypes.ts';
import { type RoundOutcome, type StakeResult, totalStake } from '../table/payouts.ts';
import { type TableSettings } from '../table/schema/settings.ts';
import { ownValue } from '../base/ownValue.ts';
import { type RecordedEntry, movedAt } from './entry.ts';
import { paidInOrder } from './recall.ts';
import { type RoundCards, dealTo, layAgain, takeBackFrom } from './rounds.ts';

// One round as one session played it, from the entries that speak of the round and those that set its stakes: it is the
// same as what a history of the whole table recalls, without reading the whole table.

/** What a settlement did to the slip. */
type Settled = {
  readonly settlement: string;
  /** When it was decided; slip by slip it may be posted later. */
  readonly at: number;
  readonly paid: readonly StakeResult[];
  /** What could not be taken back. */
  readonly short: number;
};

export type SessionRound = RoundCards & {
  readonly id: string;
  readonly number: number;
  readonly game: string;
  readonly openedAt: number;
  readonly slip: Slip;
  /** The credit before the first stake, and after all that the round has moved so far. */
  readonly creditBefore: number;
  readonly creditAfter: number;
  readonly settled: readonly Settled[];
  /** Why it is void, by which clause. */
  readonly voidBy: string | null;
  readonly reason: string | null;
  /** Settled more than once: what was paid first is not what counts. */
  readonly isCorrected: boolean;
};

/** Whether an entry sets stakes where there were none: a round begins with it, for its session. */
export function isFirstStake({ event }: RecordedEntry): boolean {
  const { slip, hold } = tableDecider.eventFrom(event) as EventOf<'SlipSet'>;
  return hold > 0 && hold === totalStake(slip);
}

/** Whether an entry leaves no stake. */
export const isTakenBack = ({ event }: RecordedEntry): boolean =>
  totalStake((tableDecider.eventFrom(event) as EventOf<'SlipSet'>).slip) === 0;

type Owner = Pick<TableSettings, 'property' | 'currency'>;

/** How a settlement ends the round for the session, and whether it has got there. */
type End = {
  readonly settlement: string;
  readonly at: number;
  readonly after: RoundOutcome;
  readonly reason: string | null;
  short: number;
  isReached: boolean;
};

/**
 * A round as its session played it: what speaks of it, and stakes of the session in order, at least the first, the last and
 * the last that has moved the credit.
 */
export function playedFrom(
  about: readonly RecordedEntry[],
  stakes: readonly RecordedEntry[],
  owner: Owner,
): SessionRound {
  const events = about.map(({ event }) => tableDecider.eventFrom(event));
  const [opened] = events;
  assert(opened?.type === 'BetsOpened', 'a round is opened before anything else happens to it');
  const { terminal, slip } = tableDecider.eventFrom(stakes.at(-1)!.event) as EventOf<'SlipSet'>;
  const account = terminalAccount(owner, terminal);
  const paid = new Map(
    about.flatMap(({ event, postings }) => {
      const moved = event.type === 'SettlementPosted' ? movedAt(postings, account) : undefined;
      return moved ? [[event, moved] as const] : [];
    }),
  );
  const credit = [...stakes.flatMap(({ postings }) => movedAt(postings, account) ?? []), ...paid.values()].toSorted(
    (one, other) => one.version - other.version,
  );
  const ends = endsOf(about, (event) => paid.has(event), terminal).filter(({ isReached }) => isReached);
  const last = ends.at(-1);
  return {
    ...cardsOf(events),
    id: opened.round,
    number: opened.number,
    game: opened.game,
    openedAt: opened.at,
    slip,
    creditBefore: credit[0]!.before,
    creditAfter: credit.at(-1)!.after,
    settled: ends.map(({ settlement, at, after, short }) => ({
      settlement,
      at,
      paid: paidInOrder(slip, after),
      short,
    })),
    voidBy: last && 'voidBy' in last.after ? last.after.voidBy : null,
    reason: last?.reason ?? null,
    isCorrected: ends.length > 1,
  };
}

function cardsOf(events: readonly TableEvent[]): RoundCards {
  const round: RoundCards = { cards: [], totals: { player: 0, banker: 0 }, winner: null };
  for (const event of events) {
    if (event.type === 'CardDealt') dealTo(round, event);
    else if (event.type === 'CardTakenBack') takeBackFrom(round);
    else if (event.type === 'RoundReconstructed' || event.type === 'CardCorrected') layAgain(round, event.after);
    else if (event.type === 'RoundResettled') layAgain(round, event.cards);
  }
  return round;
}

/**
 * The ends of a round for a session, one after another. One has reached it when it has moved its credit, or was posted to
 * its end before another took its place: in between nobody can tell, and nothing has come of it.
 */
function endsOf(
  about: readonly RecordedEntry[],
  moves: (event: VersionedEvent) => boolean,
  session: string,
): readonly End[] {
  const ends: End[] = [];
  let isOut = false;
  for (const { event: recorded } of about) {
    const event = tableDecider.eventFrom(recorded);
    if (event.type === 'SettlementPosted') {
      const end = ends.find(({ settlement }) => settlement === event.settlement);
      if (end === undefined) continue;
      end.short += ownValue(event.shortfalls ?? {}, session) ?? 0;
      if (moves(recorded) || (event.last && end === ends.at(-1))) end.isReached = true;
      continue;
    }
    const end = isOut ? undefined : endBy(event, session);
    if (end === undefined) continue;
    ends.push(end);
    isOut = event.type === 'SlipVoided';
  }
  return ends;
}

/** How an event ends the round for a session, if it does. */
function endBy(event: TableEvent, session: string): End | undefined {
  const end = (settlement: string, after: RoundOutcome, reason: string | null = null): End => ({
    settlement,
    at: event.at,
    after,
    reason,
    short: 0,
    isReached: false,
  });
  if (event.type === 'RoundSettled') return end(event.settlement, { results: event.results });
  if (event.type === 'RoundVoided') return end(event.settlement, { voidBy: event.by }, event.reason);
  if (event.type === 'RoundResettled') {
    return end(event.settlement, event.results ? { results: event.results } : { voidBy: event.by });
  }
  return event.type === 'SlipVoided' && event.terminal === session
    ? end(event.settlement, { voidBy: event.by }, event.reason)
    : undefined;
}
