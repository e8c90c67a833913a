import { tableDecider } from '../deciders/deciders.ts';
import { type Account } from '../ledger/accounts.ts';
import { type TableMeters, addToTableMeters, emptyTableMeters } from '../ledger/meters.ts';
import { assert } from '../base/assert.ts';
import { type EventOf, type TableEvent, tableEvents } from '../table/schema/events.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type Table } from '../table/state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type BalanceChange, type ProjectionEntry, assertNextEntry, balanceChanges } from './entry.ts';
import {
  type RecallProjection,
  type RecallRound,
  emptyRecallProjection,
  projectSettlementToRecall,
  projectSlipToRecall,
} from './recall.ts';
import {
  type RoundHistory,
  type RoundsById,
  addDealtCard,
  projectResettlement,
  projectRoundEnd,
  projectReplacedCards,
  projectBetsOpened,
  projectSettlementPosted,
  roundById,
  removeLastDealtCard,
} from './rounds.ts';
import { roundIdOfEvent, timelineStep } from './roundTimeline.ts';

/**
 * Projection of one table: its rounds with timelines, the recall of each terminal, and its meters. It is plain JSON
 * derived from entries alone, so it can be saved, deleted and rebuilt.
 */
export type TableHistory = {
  readonly stream: string;
  /** Sequence number of the last projected entry. */
  sequence: number;
  /** State of the table after the last projected entry; null before the table is opened. */
  table: Table | null;
  readonly rounds: RoundsById;
  readonly recall: RecallProjection;
  readonly meters: TableMeters;
  /** Id of the round that the last proposal is about; null without a proposal, or if the proposal is about no round. */
  proposed: string | null;
};

export const emptyTableHistory = (stream: string, recallDepth: number): TableHistory => ({
  stream,
  sequence: 0,
  table: null,
  rounds: {},
  recall: emptyRecallProjection(recallDepth),
  meters: emptyTableMeters(),
  proposed: null,
});

/** Projects one entry, in place. Entries must come in order, each exactly once. */
export function projectTableEntry(history: TableHistory, entry: ProjectionEntry): TableHistory {
  assertNextEntry(history, entry);
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

/** Projects one event. `table` is the state before the event. */
function project(
  { rounds, recall, meters }: TableHistory,
  event: Exclude<TableEvent, EventOf<'TableOpened'>>,
  changes: ReadonlyMap<Account, BalanceChange>,
  table: Table,
): void {
  switch (event.type) {
    case 'BetsOpened':
      projectBetsOpened(rounds, event, table);
      return;
    case 'BetsClosed':
      roundById(rounds, event.round).closedAt = event.at;
      return;
    case 'SlipSet':
      projectSlipToRecall(recall, event, changes, table);
      return;
    case 'CardDealt':
      addDealtCard(roundById(rounds, event.round), event);
      return;
    case 'CardTakenBack':
      removeLastDealtCard(roundById(rounds, event.round));
      return;
    case 'RoundReconstructed':
    case 'CardCorrected':
      projectReplacedCards(roundById(rounds, event.round), event.after);
      return;
    case 'RoundSettled':
      projectRoundEnd(roundById(rounds, event.round), event, { results: event.results }, table);
      return;
    case 'RoundVoided':
      projectRoundEnd(roundById(rounds, event.round), event, { voidBy: event.by, reason: event.reason }, table);
      return;
    case 'RoundResettled':
      projectResettlement(roundById(rounds, event.round), event);
      return;
    case 'SettlementPosted':
      projectSettlementPosted(roundById(rounds, event.round), event);
      projectSettlementToRecall(recall, event, changes, table);
      addToTableMeters(meters, event, table);
      return;
    // A voided slip adds only a step to the timeline here. As in any settlement, `SettlementPosted` returns its stakes.
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
    case 'ShoeCounted':
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

/**
 * Adds an event to the timeline of its round. An approval or withdrawal belongs to the round of the proposal. Slips
 * are left out, since there may be thousands.
 */
function addTimelineStep(history: TableHistory, event: TableEvent): void {
  if (event.type === 'SlipSet') return;
  const isAnswer = event.type === 'Approved' || event.type === 'ProposalWithdrawn';
  const round = isAnswer ? history.proposed : roundIdOfEvent(event);
  if (event.type === 'Proposed') history.proposed = round;
  if (round !== null) roundById(history.rounds, round).timeline.push(timelineStep(event));
}

/** Recall of a terminal over several tables, newest round first. */
export const recallOfTerminal = (
  histories: readonly TableHistory[],
  terminal: string,
  depth: number,
): readonly { readonly line: RecallRound; readonly round: RoundHistory }[] =>
  histories
    .flatMap(({ recall, rounds }) =>
      (ownValue(recall.terminals, terminal) ?? []).map((line) => ({ line, round: rounds[line.round]! })),
    )
    .toSorted((a, b) => b.line.version - a.line.version)
    .slice(0, depth);
