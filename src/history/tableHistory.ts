import { tableDecider } from '../deciders/deciders.ts';
import { type Account } from '../ledger/accounts.ts';
import { type Meters, meter, noMeters } from '../ledger/meters.ts';
import { assert } from '../base/assert.ts';
import { type EventOf, type TableEvent, tableEvents } from '../table/schema/events.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type Table } from '../table/state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type BalanceChange, type RecordedEntry, assertNext, balanceChanges } from './entry.ts';
import {
  type RecallProjection,
  type RecallLine,
  emptyRecallProjection,
  projectSettlement,
  projectSlip,
} from './recall.ts';
import {
  type RoundHistory,
  type RoundsById,
  addCard,
  projectResettlement,
  projectRoundEnd,
  projectReplacedCards,
  projectRoundOpened,
  projectPosting,
  roundNamed,
  removeLastCard,
} from './rounds.ts';
import { roundOfEvent, timelineStep } from './roundTimeline.ts';

/**
 * Projection of one table: its rounds with timelines, the recall of each terminal, and its meters. Plain JSON, derived from the
 * entries alone: it can be saved, dropped and rebuilt.
 */
export type TableHistory = {
  readonly stream: string;
  /** Last projected entry. */
  sequence: number;
  /** State of the table at that entry. */
  table: Table | null;
  readonly rounds: RoundsById;
  readonly recall: RecallProjection;
  readonly meters: Meters;
  /** Round of the open proposal. */
  proposed: string | null;
};

export const tableHistory = (stream: string, recallDepth: number): TableHistory => ({
  stream,
  sequence: 0,
  table: null,
  rounds: {},
  recall: emptyRecallProjection(recallDepth),
  meters: noMeters(),
  proposed: null,
});

/** Projects one entry, in place. Entries come in order, each exactly once. */
export function projectTableEntry(history: TableHistory, entry: RecordedEntry): TableHistory {
  assertNext(history, entry);
  const event = tableDecider.parseEvent(entry.event);
  assert(Object.hasOwn(tableEvents, event.type), `${event.type} is an event of a table`);
  const before = history.table;
  if (event.type !== 'TableOpened') {
    assert(before !== null, 'a table is opened before anything else happens at it');
    project(history, event, balanceChanges(entry.postings), before);
    addTimelineStep(history, event);
  }
  history.table = evolve(before ?? undefined, event);
  history.sequence = entry.sequence;
  return history;
}

/** `table` is the state before the event. */
function project(
  { rounds, recall, meters }: TableHistory,
  event: Exclude<TableEvent, EventOf<'TableOpened'>>,
  changes: ReadonlyMap<Account, BalanceChange>,
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
      projectSlip(recall, event, changes, table);
      return;
    case 'CardDealt':
      addCard(roundNamed(rounds, event.round), event);
      return;
    case 'CardTakenBack':
      removeLastCard(roundNamed(rounds, event.round));
      return;
    case 'RoundReconstructed':
    case 'CardCorrected':
      projectReplacedCards(roundNamed(rounds, event.round), event.after);
      return;
    case 'RoundSettled':
      projectRoundEnd(roundNamed(rounds, event.round), event, { results: event.results }, table);
      return;
    case 'RoundVoided':
      projectRoundEnd(roundNamed(rounds, event.round), event, { voidBy: event.by, reason: event.reason }, table);
      return;
    case 'RoundResettled':
      projectResettlement(roundNamed(rounds, event.round), event);
      return;
    case 'SettlementPosted':
      projectPosting(roundNamed(rounds, event.round), event);
      projectSettlement(recall, event, changes, table);
      meter(meters, event, table);
      return;
    // A void slip appears in the timeline; its payment is posted like any settlement.
    case 'SlipVoided':
    case 'SettingsChanged':
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
    case 'CountInvestigated':
    case 'FeltConfirmed':
    case 'SupervisorCalled':
    case 'CallAnswered':
    case 'NoteAdded':
    case 'ShoeCut':
    case 'ShoeVerified':
    case 'ShoeCommitted':
    case 'CutPositionChosen':
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
    case 'TerminalsDisconnected':
    case 'TerminalsReconnected':
    case 'Referred':
    case 'ReferralDecided':
    case 'Proposed':
    case 'Approved':
    case 'ProposalWithdrawn':
      return;
  }
}

/** Slips are left out: there may be thousands. */
function addTimelineStep(history: TableHistory, event: TableEvent): void {
  if (event.type === 'SlipSet') return;
  const isAnswer = event.type === 'Approved' || event.type === 'ProposalWithdrawn';
  const round = isAnswer ? history.proposed : roundOfEvent(event);
  if (event.type === 'Proposed') history.proposed = round;
  if (round !== null) roundNamed(history.rounds, round).timeline.push(timelineStep(event));
}

/** Recall of a terminal over all tables, newest first. */
export const recallOf = (
  histories: readonly TableHistory[],
  terminal: string,
  depth: number,
): readonly { readonly line: RecallLine; readonly round: RoundHistory }[] =>
  histories
    .flatMap(({ recall, rounds }) =>
      (ownValue(recall.terminals, terminal) ?? []).map((line) => ({ line, round: rounds[line.round]! })),
    )
    .toSorted((a, b) => b.line.version - a.line.version)
    .slice(0, depth);
