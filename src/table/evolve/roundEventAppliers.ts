import { type EventAppliers } from './eventAppliers.ts';
import { ownValue } from '../../base/ownValue.ts';
import { type Table } from '../state.ts';
import {
  applyCardDealt,
  applyRoundEnd,
  applyBetsOpened,
  applyRoundResettled,
  requireRound,
  countSeenCard,
  applySlip,
  requireShoe,
  applySlipVoided,
} from './rounds.ts';

export const roundEventAppliers = {
  BetsOpened(table, event) {
    applyBetsOpened(table, event);
  },
  BetsExtended(table, event) {
    requireRound(table).closesAt = event.closesAt;
  },
  ClosingCalled(table, event) {
    table.phase = 'closing';
    requireRound(table).deadline = event.deadline;
  },
  BetsClosed(table) {
    table.phase = 'dealing';
  },
  SlipSet(table, event) {
    applySlip(requireRound(table), event.terminal, event.slip);
  },
  CardDealt(table, event) {
    applyCardDealt(table, event);
  },
  CardTakenBack(table, event) {
    const shoe = requireShoe(table);
    const round = requireRound(table);
    round.cards.pop();
    round.came.pop();
    round.lastEntry = null;
    countSeenCard(shoe, event.card, -1);
    if (event.carried) shoe.carried = true;
    else shoe.drawn -= 1;
  },
  RoundSettled(table, event) {
    applyRoundEnd(table, event.at, { results: event.results });
  },
  RoundVoided(table, event) {
    applyRoundEnd(table, event.at, { voidBy: event.by });
  },
  SlipVoided(table, event) {
    applySlipVoided(table, event);
  },
  RoundResettled(table, event) {
    applyRoundResettled(table, event);
  },
  SettlementPosted(table, event) {
    const index = table.pendingSettlements.findIndex(({ settlement }) => settlement === event.settlement);
    table.pendingSettlements[index]!.done += event.count;
    if (event.last) table.pendingSettlements.splice(index, 1);
    for (const [terminal, amount] of Object.entries(event.shortfalls ?? {})) {
      setShortfall(
        table,
        terminal,
        event.round,
        (ownValue(ownValue(table.shortfalls, terminal) ?? {}, event.round) ?? 0) + amount,
      );
    }
  },
  WagerReported(table, event) {
    const { kind, place, wager, amount, by, at } = event;
    requireRound(table).chips.push({ kind, place, wager, amount, by, at });
  },
  TerminalsDisconnected(table, event) {
    for (const terminal of event.terminals) markDisconnected(table, terminal, event.closed);
  },
  TerminalsReconnected(table, event) {
    for (const terminal of event.terminals) {
      const disconnected = ownValue(table.disconnected, terminal);
      // A terminal that reconnects before bets are closed takes part in the round like any other, so its entry is
      // deleted.
      if (table.phase === 'betting' || table.phase === 'closing') delete table.disconnected[terminal];
      else if (disconnected) disconnected.back = true;
    }
  },
  ShortfallCollected(table, event) {
    setShortfall(table, event.terminal, event.round, event.left);
  },
  ShortfallWrittenOff(table, event) {
    setShortfall(table, event.terminal, event.round, event.left);
  },
} satisfies Partial<EventAppliers>;

/** Marks a terminal as disconnected. While the terminal is marked, a second report changes nothing. */
function markDisconnected({ disconnected }: Table, terminal: string, closed: boolean): void {
  const before = ownValue(disconnected, terminal);
  if (!before || before.back) disconnected[terminal] = { closed, back: false };
}

function setShortfall({ shortfalls }: Table, terminal: string, round: string, amount: number): void {
  const owed = (shortfalls[terminal] ??= {});
  if (amount > 0) owed[round] = amount;
  else delete owed[round];
  if (Object.keys(owed).length === 0) delete shortfalls[terminal];
}
