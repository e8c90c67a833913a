import { type Actor, isSameActor } from '../../access/actor.ts';
import { assert } from '../../base/assert.ts';
import { type EventOf, type TableEvent } from '../schema/events.ts';
import { closeIrregularities, closeLeadingIrregularity, openIrregularity, stopTable } from './irregularities.ts';
import { applyReconstructedCards, applyCorrectedCard } from './cards.ts';
import {
  applyCardDealt,
  applyRoundEnd,
  applyBetsOpened,
  requireKeptRound,
  replaceCards,
  applyRoundResettled,
  requireRound,
  countCard,
  applySlip,
  requireShoe,
  applySlipVoided,
} from './rounds.ts';
import { isCardToBurn, isFoundBySystem, irregularitiesOfReferral, remainingReferrals } from '../irregularities.ts';
import { type ShoeState, type Table } from '../state.ts';
import { ownValue } from '../../base/ownValue.ts';

/**
 * The table after an event. It only writes down what the event says and asks no rule, so that old records replay the
 * same under new code. It owns the table it is given and changes it in place: a copy of all slips for each slip would
 * make the work per slip grow with the number of terminals.
 */
export function evolve(table: Table | undefined, event: TableEvent): Table {
  if (event.type === 'TableOpened') return openedTable(event);
  assert(table !== undefined, 'a table is opened before anything else happens at it');
  table.at = event.at;
  applyEvent(table, event);
  return table;
}

const openedTable = ({ at, setting }: EventOf<'TableOpened'>): Table => ({
  setting,
  at,
  phase: 'idle',
  shoe: null,
  sealed: [],
  differences: [],
  shoes: [],
  day: '',
  round: null,
  history: [],
  pendingSettlements: [],
  openIrregularities: [],
  referrals: [],
  referred: 0,
  decided: [],
  stoppedSince: null,
  proposal: null,
  proposals: 0,
  disconnected: {},
  shortfalls: {},
  call: null,
  closed: false,
});

function applyEvent(table: Table, event: Exclude<TableEvent, EventOf<'TableOpened'>>): void {
  switch (event.type) {
    case 'SettingChanged':
      table.setting = event.setting;
      return;
    case 'TableClosed':
      table.closed = true;
      return;
    case 'TableReopened':
      table.closed = false;
      return;
    case 'ShoeBrought':
      placeShoe(table, {
        ...newShoe(event.shoe, event.size, event.who),
        seal: event.seal,
        decks: event.decks ?? null,
        backs: event.backs ?? null,
      });
      return;
    case 'CardsInspected':
      recordPreparer(table, event.who).inspected = event.match;
      return;
    case 'ShoeCommitted':
      placeShoe(table, {
        ...newShoe(event.shoe, event.size, event.who),
        counted: true,
        shuffled: true,
        behindCut: event.behind,
        root: event.root,
      });
      return;
    case 'CardsCounted':
      recordPreparer(table, event.who).counted = event.counted === event.expected;
      return;
    case 'ShoeShuffled':
      recordPreparer(table, event.who).shuffled = true;
      return;
    case 'ShoeCut':
      recordPreparer(table, event.who).behindCut = event.behind;
      return;
    case 'CutCorrected':
      requireShoe(table).behindCut = event.behind;
      return;
    case 'ShoeVerified':
      requireShoe(table).ready = true;
      return;
    case 'TurnChosen': {
      const shoe = recordPreparer(table, event.who);
      shoe.turn = event.turn;
      shoe.ready = true;
      return;
    }
    case 'CardsBurned': {
      const shoe = requireShoe(table);
      shoe.burned = true;
      shoe.drawn += 1 + event.count;
      countCard(shoe, event.card, 1);
      return;
    }
    case 'CuttingCardOut':
      requireShoe(table).roundsLeft = event.roundsLeft;
      return;
    case 'ShoeLocked':
      requireShoe(table).lockedBy = event.by;
      // What was about the shoe alone is out of the way with it; a loose card is still laid aside.
      closeIrregularities(
        table,
        event.at,
        (irregularity) => irregularity.round === null && !isCardToBurn(irregularity),
      );
      return;
    case 'ShoeEnded':
      table.shoe = null;
      recordCountDifference(table, event);
      if (table.proposal?.act.type === 'EndShoe') table.proposal = null;
      return;
    case 'ShoeSealed':
      applyShoeSealed(table, event);
      return;
    case 'SealedShoeCounted':
      table.sealed = table.sealed.filter(({ id }) => id !== event.shoe);
      recordCountDifference(table, event);
      return;
    case 'CountLookedInto':
      table.differences = table.differences.filter(({ shoe }) => shoe !== event.shoe);
      return;
    case 'BetsOpened':
      applyBetsOpened(table, event);
      return;
    case 'BetsExtended':
      requireRound(table).closesAt = event.closesAt;
      return;
    case 'ClosingCalled':
      table.phase = 'closing';
      requireRound(table).deadline = event.deadline;
      return;
    case 'BetsClosed':
      table.phase = 'dealing';
      return;
    case 'SlipSet':
      applySlip(requireRound(table), event.terminal, event.slip);
      return;
    case 'CardDealt':
      applyCardDealt(table, event);
      return;
    case 'CardTakenBack': {
      const shoe = requireShoe(table);
      const round = requireRound(table);
      round.cards.pop();
      round.came.pop();
      round.lastEntry = null;
      countCard(shoe, event.card, -1);
      if (event.carried) shoe.carried = true;
      else shoe.drawn -= 1;
      return;
    }
    case 'RoundSettled':
      applyRoundEnd(table, event.at, { results: event.results });
      return;
    case 'RoundVoided':
      applyRoundEnd(table, event.at, { voidBy: event.by });
      return;
    case 'SlipVoided':
      applySlipVoided(table, event);
      return;
    case 'RoundResettled':
      applyRoundResettled(table, event);
      return;
    case 'SettlementPosted': {
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
      return;
    }
    case 'IrregularityFound':
      if (!event.stops) return;
      openIrregularity(
        table,
        event.at,
        areDrawnTogether(event.kind) ? { ...event, place: event.place ?? nextCardPlace(table) } : event,
        event.who,
      );
      if (table.referrals.length > 0) table.openIrregularities[0]!.beforeReferrals = true;
      return;
    case 'ReportDismissed':
    case 'OrderRestored':
    case 'RoundResumed':
      closeLeadingIrregularity(table, event.at);
      return;
    case 'CardBurned': {
      const shoe = requireShoe(table);
      // A card that lay ready has left the shoe already. [READING 18]
      if (shoe.carried) shoe.carried = false;
      else shoe.drawn += 1;
      countCard(shoe, event.card, 1);
      closeLeadingIrregularity(table, event.at);
      return;
    }
    case 'RoundReconstructed': {
      const isCarried = event.surplus === 'carried';
      // The order of the cards is established, whatever was asked about it.
      replaceCards(
        table,
        event.before,
        event,
        ({ round, rulings }) => round === event.round && rulings.includes('reconstruct'),
      );
      applyReconstructedCards(table, event);
      const { shoe } = table;
      if (shoe === null || (!isCarried && !shoe.carried)) return;
      // A card that lay ready is among those given, unless it still lies there.
      shoe.drawn += Number(isCarried) - Number(shoe.carried);
      shoe.carried = isCarried;
      return;
    }
    case 'CardCorrected': {
      // A card too many by count was a wrong scan, in whatever round; one that was reported is a card of its own round.
      const [leading] = table.openIrregularities;
      const isCountedExtra = leading !== undefined && isFoundBySystem(leading, table);
      applyCorrectedCard(table, event);
      replaceCards(
        table,
        requireKeptRound(table, event.round).cards,
        event,
        ({ rulings, round }, index) =>
          index === 0 && rulings.includes('correct') && (isCountedExtra || round === event.round),
      );
      return;
    }
    case 'Interrupted':
      openIrregularity(table, event.since, { ...event, kind: 'interruption' }, event.who, event.below);
      return;
    case 'FeltConfirmed':
      applyFeltConfirmed(table, event);
      return;
    case 'TerminalsLost':
      for (const terminal of event.terminals) markDisconnected(table, terminal, event.closed);
      return;
    case 'TerminalsBack':
      for (const terminal of event.terminals) {
        const disconnected = ownValue(table.disconnected, terminal);
        // Back while bets are open, it takes part like any other.
        if (table.phase === 'betting' || table.phase === 'closing') delete table.disconnected[terminal];
        else if (disconnected) disconnected.back = true;
      }
      return;
    case 'Referred':
      applyReferred(table, event);
      return;
    case 'ReferralDecided':
      applyReferralDecided(table, event);
      return;
    case 'ShortfallCollected':
    case 'ShortfallWrittenOff':
      setShortfall(table, event.terminal, event.round, event.left);
      return;
    case 'Proposed':
      table.proposals += 1;
      table.proposal = {
        id: event.proposal,
        act: event.act,
        hash: event.hash,
        since: event.at,
        who: event.who,
        expires: event.expires,
      };
      return;
    case 'Approved':
    case 'ProposalWithdrawn':
      table.proposal = null;
      return;
    case 'WagerReported': {
      const { kind, place, wager, amount, by, at } = event;
      requireRound(table).chips.push({ kind, place, wager, amount, by, at });
      return;
    }
    case 'SupervisorCalled':
      table.call = { at: event.at, who: event.who, reason: event.reason };
      return;
    case 'CallAnswered':
      table.call = null;
      return;
    case 'InterruptionLogged':
    case 'NoteAdded':
      return;
  }
}

const areDrawnTogether = (kind: string): boolean => kind === 'drawn-together' || kind === 'third-cards-together';

const nextCardPlace = (table: Table): number => requireRound(table).cards.length + 1;

const newShoe = (id: string, size: number, who: Actor): ShoeState => ({
  id,
  size,
  seal: null,
  decks: null,
  backs: null,
  inspected: null,
  preparedBy: [who],
  counted: false,
  shuffled: false,
  behindCut: null,
  ready: false,
  root: null,
  turn: null,
  burned: false,
  drawn: 0,
  carried: false,
  seen: {},
  rounds: 0,
  roundsLeft: null,
  lockedBy: null,
});

/** What it was made of is told by the setting, which changes between shoes only. */
function applyShoeSealed(table: Table, { shoe: id, seal: under, to, at, who, second }: EventOf<'ShoeSealed'>): void {
  const { size } = requireShoe(table);
  const { game, decks } = table.setting;
  assert(second !== undefined, 'two persons seal a shoe');
  table.sealed.push({ id, seal: under, to: to ?? null, game, decks, size, since: at, by: [who, second] });
  table.shoe = null;
}

/** What is reported to the pit manager: any kind of card that was not there as often as it should be. [HOUSE 7] */
function recordCountDifference(table: Table, event: EventOf<'ShoeEnded'> | EventOf<'SealedShoeCounted'>): void {
  const { shoe, expected, seen, extra, missing, at } = event;
  if (Object.keys({ ...extra, ...missing }).length > 0) table.differences.push({ shoe, expected, seen, since: at });
}

/** A card that left the shoe unseen lies ready as the next one. [READING 18] */
function applyFeltConfirmed(table: Table, { unseen }: EventOf<'FeltConfirmed'>): void {
  for (const irregularity of table.openIrregularities)
    if (irregularity.kind === 'interruption') irregularity.felt = true;
  const shoe = requireShoe(table);
  if (!unseen || shoe.carried) return;
  shoe.drawn += 1;
  shoe.carried = true;
}

function placeShoe(table: Table, shoe: ShoeState): void {
  table.shoe = shoe;
  table.shoes.push(shoe.id);
}

function recordPreparer(table: Table, who: Actor): ShoeState {
  const shoe = requireShoe(table);
  if (!shoe.preparedBy.some((one) => isSameActor(one, who))) shoe.preparedBy.push(who);
  return shoe;
}

/** What a terminal showed when it went counts until it is back; reporting it twice changes nothing. */
function markDisconnected({ disconnected }: Table, terminal: string, closed: boolean): void {
  const before = ownValue(disconnected, terminal);
  if (!before || before.back) disconnected[terminal] = { closed, back: false };
}

function applyReferred(table: Table, event: EventOf<'Referred'>): void {
  table.referred += 1;
  table.referrals.push({
    id: event.referral,
    by: event.by,
    since: event.at,
    who: event.who,
    reason: event.reason,
    round: event.round ?? null,
    terminals: event.terminals ?? null,
    proposed:
      event.proposed === undefined || event.proposedBy === undefined
        ? null
        : { decision: event.proposed, by: event.proposedBy },
  });
  // What is referred itself waits for the decision.
  if (event.terminals === undefined) {
    for (const irregularity of table.openIrregularities)
      if (irregularity.round === (event.round ?? null)) delete irregularity.beforeReferrals;
  }
  stopTable(table, event.at);
}

/** So many decisions are looked back on. */
const maxDecidedKept = 10;

function applyReferralDecided(table: Table, event: EventOf<'ReferralDecided'>): void {
  const referral = table.referrals.find(({ id }) => id === event.referral);
  assert(referral !== undefined, 'what is decided was referred');
  table.referrals = remainingReferrals(table.referrals, referral, event.terminal);
  const { id, reason, round: about } = referral;
  const { decision, reason: why, by: clause, at, who } = event;
  table.decided = [{ id, reason, round: about, decision, why, by: clause, at, who }, ...table.decided].slice(
    0,
    maxDecidedKept,
  );
  if (event.decision === 'burn') {
    const { by, reason: note } = event;
    // Of a round that has ended meanwhile it is no card any more.
    const played = table.phase === 'idle' ? null : table.round!.id;
    const round = played === event.round ? played : null;
    openIrregularity(table, event.at, { kind: 'face-up-before', by, round, rulings: ['burn'], note }, event.who);
  }
  // What was reported of the round is left as it is.
  const leavesAsIs = event.decision === 'stand' && referral.terminals === null && event.terminal === undefined;
  const closed = leavesAsIs ? irregularitiesOfReferral(referral, table) : [];
  closeIrregularities(table, event.at, (irregularity) => closed.includes(irregularity));
}

/** What a terminal owes from a round. */
function setShortfall({ shortfalls }: Table, terminal: string, round: string, amount: number): void {
  const owed = (shortfalls[terminal] ??= {});
  if (amount > 0) owed[round] = amount;
  else delete owed[round];
  if (Object.keys(owed).length === 0) delete shortfalls[terminal];
}
