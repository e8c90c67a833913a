import { tableDecider } from '../deciders/deciders.ts';
import { type Account } from '../ledger/accounts.ts';
import { type Meters, meter, noMeters } from '../ledger/meters.ts';
import { assert } from '../base/assert.ts';
import { type EventOf, type TableEvent, events } from '../table/schema/events.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type Table } from '../table/state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type Moved, type RecordedEntry, assertNext, movedBy } from './entry.ts';
import { type RecallProjection, type RecallLine, noRecall, recallSettlement, recallSlip } from './recall.ts';
import { type RoundHistory, type RoundsById, dealTo, endAgain, endRound, layAgain, projectRoundOpened, postRound, roundNamed, takeBackFrom } from './rounds.ts';
import { roundOfEvent, timelineStep } from './roundTimeline.ts';

/**
 * What the entries of one table come to: its rounds with their stories, the last rounds of each terminal, its meters.
 * Plain JSON that follows from the entries alone: it can be saved at any entry, dropped, and made again.
 */
export type TableHistory = {
  readonly stream: string;
  /** The last entry that was taken. */
  sequence: number;
  /** The table by that entry. */
  table: Table | null;
  readonly rounds: RoundsById;
  readonly recall: RecallProjection;
  readonly meters: Meters;
  /** The round that the open proposal speaks of. */
  proposed: string | null;
};

export const tableHistory = (stream: string, recallDepth: number): TableHistory => ({
  stream,
  sequence: 0,
  table: null,
  rounds: {},
  recall: noRecall(recallDepth),
  meters: noMeters(),
  proposed: null,
});

/** The history after one more entry; changed in place. Entries come in order, each once. */
export function projectTableEntry(history: TableHistory, entry: RecordedEntry): TableHistory {
  assertNext(history, entry);
  const event = tableDecider.eventFrom(entry.event);
  assert(Object.hasOwn(events, event.type), `${event.type} is an event of a table`);
  const before = history.table;
  if (event.type !== 'TableOpened') {
    assert(before !== null, 'a table is opened before anything else happens at it');
    add(history, event, movedBy(entry.postings), before);
    tell(history, event);
  }
  history.table = evolve(before ?? undefined, event);
  history.sequence = entry.sequence;
  return history;
}

/** What an event adds, given the table as it was before. */
function add(
  { rounds, recall, meters }: TableHistory,
  event: Exclude<TableEvent, EventOf<'TableOpened'>>,
  moved: ReadonlyMap<Account, Moved>,
  table: Table,
): void {
  switch (event.type) {
    case 'BetsOpened':
      projectRoundOpened(rounds, event, table);
      return;
    case 'BetsClosed':
      roundNamed(rounds, event.round).closedAt = event.at;
      return;
    case 'SlipSet':
      recallSlip(recall, event, moved, table);
      return;
    case 'CardDealt':
      dealTo(roundNamed(rounds, event.round), event);
      return;
    case 'CardTakenBack':
      takeBackFrom(roundNamed(rounds, event.round));
      return;
    case 'RoundReconstructed':
    case 'CardCorrected':
      layAgain(roundNamed(rounds, event.round), event.after);
      return;
    case 'RoundSettled':
      endRound(roundNamed(rounds, event.round), event, { results: event.results }, table);
      return;
    case 'RoundVoided':
      endRound(roundNamed(rounds, event.round), event, { voidBy: event.by, reason: event.reason }, table);
      return;
    case 'RoundResettled':
      endAgain(roundNamed(rounds, event.round), event);
      return;
    case 'SettlementPosted':
      postRound(roundNamed(rounds, event.round), event);
      recallSettlement(recall, event, moved, table);
      meter(meters, event, table);
      return;
    // One slip that is void is told in the story; what it pays is posted as any settlement is.
    case 'SlipVoided':
    case 'SettingChanged':
    case 'TableClosed':
    case 'TableReopened':
    case 'CutCorrected':
    case 'ShortfallCollected':
    case 'ShortfallWrittenOff':
    case 'ShoeBrought':
    case 'CardsCounted':
    case 'ShoeShuffled':
    case 'CardsInspected':
    case 'ShoeSealed':
    case 'SealedShoeCounted':
    case 'CountLookedInto':
    case 'FeltConfirmed':
    case 'SupervisorCalled':
    case 'CallAnswered':
    case 'NoteAdded':
    case 'ShoeCut':
    case 'ShoeVerified':
    case 'ShoeCommitted':
    case 'TurnChosen':
    case 'CardsBurned':
    case 'CuttingCardOut':
    case 'ShoeLocked':
    case 'ShoeEnded':
    case 'BetsExtended':
    case 'ClosingCalled':
    case 'IrregularityFound':
    case 'ReportDismissed':
    case 'OrderRestored':
    case 'CardBurned':
    case 'WagerReported':
    case 'Interrupted':
    case 'InterruptionLogged':
    case 'RoundResumed':
    case 'TerminalsLost':
    case 'TerminalsBack':
    case 'Referred':
    case 'ReferralDecided':
    case 'Proposed':
    case 'Approved':
    case 'ProposalWithdrawn':
      return;
  }
}

/** Adds a step to the story of the round that an event speaks of. Slips are no part of it: there may be thousands. */
function tell(history: TableHistory, event: TableEvent): void {
  if (event.type === 'SlipSet') return;
  const answers = event.type === 'Approved' || event.type === 'ProposalWithdrawn';
  const round = answers ? history.proposed : roundOfEvent(event);
  if (event.type === 'Proposed') history.proposed = round;
  if (round !== null) roundNamed(history.rounds, round).story.push(timelineStep(event));
}

/** The last rounds of a terminal at all its tables, newest first, each with the round itself. */
export const recallOf = (
  histories: readonly TableHistory[],
  terminal: string,
  depth: number,
): readonly { readonly line: RecallLine; readonly round: RoundHistory }[] =>
  histories
    .flatMap(({ recall, rounds }) =>
      (ownValue(recall.terminals, terminal) ?? []).map((line) => ({ line, round: rounds[line.round]! })),
    )
    .toSorted((one, other) => other.line.version - one.line.version)
    .slice(0, depth);
