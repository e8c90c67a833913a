import { assert } from '../../base/assert.ts';
import { type Card } from '../../rules/card.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { type EventOf } from '../schema/events.ts';
import { type Slip, type SlipsByTerminal } from '../schema/fieldTypes.ts';
import { isAboutCardToBurn, unrecordedCardCount } from '../irregularities.ts';
import { type RoundOutcome, keysInPostingOrder } from '../payouts.ts';
import {
  type EarlierRound,
  type PendingSettlement,
  type OpenIrregularity,
  type Phase,
  type Round,
  type RoundRecord,
  type ShoeState,
  type Table,
  outcomePaidBefore,
} from '../state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { cardProvenance } from './cards.ts';
import { closeIrregularities } from './irregularities.ts';

// Functions that change the rounds of a table and its shoe in place, for the event appliers.

export function requireShoe({ shoe }: Table): ShoeState {
  assert(shoe !== null, 'the table has a shoe');
  return shoe;
}

export function requireRound({ round }: Table): Round {
  assert(round !== null, 'the table has a round');
  return round;
}

export function countSeenCard(shoe: ShoeState, card: string, times: number): void {
  shoe.seen[card] = (ownValue(shoe.seen, card) ?? 0) + times;
}

export function applyBetsOpened(table: Table, event: EventOf<'BetsOpened'>): void {
  const shoe = requireShoe(table);
  if (table.round !== null) table.history.push(toEarlierRound(table.round));
  if (event.day > table.day) {
    table.day = event.day;
    table.shoes = [shoe.id];
  }
  table.history = table.history.filter((round) => round.day === event.day || round.shoe === shoe.id);
  shoe.rounds = event.number;
  if (shoe.roundsLeft !== null) shoe.roundsLeft -= 1;
  table.phase = 'betting';
  table.round = {
    id: event.round,
    number: event.number,
    day: event.day,
    shoe: shoe.id,
    game: event.game,
    decks: event.decks,
    virtual: shoe.root !== null,
    cards: [],
    ending: null,
    settlements: 0,
    slipsVoided: 0,
    totals: {},
    terminals: 0,
    openedAt: event.at,
    closesAt: event.closesAt,
    deadline: null,
    resultAt: null,
    reopenedBy: null,
    slips: {},
    voided: {},
    begun: false,
    came: [],
    chips: [],
    lastEntry: null,
    proofs: [],
  };
  for (const [terminal, lost] of Object.entries(table.disconnected)) {
    // A terminal that stayed disconnected for a whole round is taken to have left the table.
    if (lost.back || lost.before) delete table.disconnected[terminal];
    else table.disconnected[terminal] = { closed: false, back: false, before: true };
  }
}

const toEarlierRound = (round: Round): EarlierRound => ({
  id: round.id,
  number: round.number,
  day: round.day,
  shoe: round.shoe,
  game: round.game,
  decks: round.decks,
  virtual: round.virtual,
  cards: round.cards,
  ending: round.ending,
  settlements: round.settlements,
  slipsVoided: round.slipsVoided,
  slipsHash: hashOf(round.slips),
});

export function applySlip(round: Round, terminal: string, slip: Slip): void {
  const before = ownValue(round.slips, terminal);
  if (before) {
    round.terminals -= 1;
    addToTotals(round, before, -1);
  }
  if (Object.keys(slip).length === 0) delete round.slips[terminal];
  else {
    round.slips[terminal] = slip;
    round.terminals += 1;
    addToTotals(round, slip, 1);
  }
}

function addToTotals({ totals }: Round, slip: Slip, sign: 1 | -1): void {
  for (const wager of Object.keys(slip)) {
    const total = (totals[wager] ??= { stake: 0, bettors: 0 });
    total.stake += sign * slip[wager]!;
    total.bettors += sign;
  }
}

export function applyCardDealt(table: Table, event: EventOf<'CardDealt'>): void {
  const { at, card, complete, index, salt, proof } = event;
  const shoe = requireShoe(table);
  const round = requireRound(table);
  round.cards.push(card as Card);
  round.came.push(cardProvenance(event, table.settings));
  round.begun = true;
  clearFeltConfirmation(table);
  // A card entered by two persons cannot be taken back.
  round.lastEntry = event.second !== undefined ? null : event.carried ? 'carried' : 'drawn';
  if (index !== undefined && salt !== undefined && proof !== undefined) round.proofs.push({ index, salt, proof });
  countSeenCard(shoe, card, 1);
  if (shoe.carried) shoe.carried = false;
  else shoe.drawn += 1;
  // The next card has now been recorded, so no unreadable card is left.
  closeRoundIrregularities(table, at, ({ kind }) => kind === 'unreadable-card');
  enterPhase(table, complete ? 'result' : 'dealing', at);
}

function closeRoundIrregularities(
  table: Table,
  at: number,
  isClosed: (irregularity: OpenIrregularity) => boolean,
): void {
  const { id } = requireRound(table);
  closeIrregularities(table, at, (irregularity) => irregularity.round === id && isClosed(irregularity));
}

/** Kinds of irregularity about a card that is due; a complete deal ends them. */
const cardDueKinds: ReadonlySet<string> = new Set(['unreadable-card', 'too-few-cards']);

/** Cancels the confirmation of the felt, since the cards have changed. [READING 61] */
function clearFeltConfirmation({ openIrregularities }: Table): void {
  for (const irregularity of openIrregularities) delete irregularity.felt;
}

/**
 * Sets the phase after a card. After a complete deal, the pause before settlement starts now; if the table is stopped,
 * it starts when the table resumes.
 */
function enterPhase(table: Table, phase: Phase, at: number): void {
  if (phase === 'result') closeRoundIrregularities(table, at, ({ kind }) => cardDueKinds.has(kind));
  table.phase = phase;
  requireRound(table).resultAt = phase === 'result' ? (table.stoppedSince ?? at) : null;
}

export function applyRoundEnd(table: Table, at: number, ending: RoundOutcome): void {
  const round = requireRound(table);
  round.ending = ending;
  round.settlements += 1;
  table.phase = 'idle';
  closeIrregularitiesOfRound(table, at, round.id);
  queueSettlement(table, round, null, round.slips);
}

/**
 * Counts the unrecorded cards of an ended round as drawn from the shoe. How many they are follows from the open
 * irregularities of the round.
 */
export function discardUnrecordedCards(table: Table, ended: string): void {
  const { round, shoe, openIrregularities } = table;
  if (round!.id !== ended || shoe?.id !== round!.shoe) return;
  // Two reports may be about the same card. So the highest number counts, not the sum.
  const loose = Math.max(
    0,
    ...openIrregularities.filter((one) => one.round === ended).map((one) => unrecordedCardCount(one, table)),
  );
  if (loose === 0) return;
  // A carried card was counted as drawn when it left the shoe. It must not be counted twice. [READING 18]
  shoe.drawn = Math.min(shoe.size, shoe.drawn + loose - Number(shoe.carried));
  shoe.carried = false;
}

/**
 * Closes the irregularities of a round that has ended. An irregularity about a card to burn stays open, but no longer
 * belongs to the round.
 */
function closeIrregularitiesOfRound(table: Table, at: number, round: string): void {
  discardUnrecordedCards(table, round);
  for (const irregularity of table.openIrregularities)
    if (irregularity.round === round && isAboutCardToBurn(irregularity)) irregularity.round = null;
  closeIrregularities(table, at, (irregularity) => irregularity.round === round);
}

/** Takes a voided slip out of its round. If the slip is not posted yet, takes it out of its settlement too. */
export function applySlipVoided(table: Table, event: EventOf<'SlipVoided'>): void {
  const { settlement, terminal, slip, by } = event;
  const round = requireKeptRound(table, event.round);
  const current = requireRound(table);
  if (current === round) {
    current.slips = { ...current.slips };
    applySlip(current, terminal, {});
    current.voided[terminal] = { slip, by };
  } else (round as EarlierRound).slipsHash = event.slipsHash!;
  round.slipsVoided += 1;
  const { ending: before } = round;
  const slips = { [terminal]: slip };
  const behind = takeOverUnposted(table, round.id, slips);
  const after = { voidBy: by };
  table.pendingSettlements.push({
    settlement,
    round: round.id,
    before,
    after,
    slips,
    order: [terminal],
    done: 0,
    behind,
  });
}

/**
 * Takes unposted slips out of earlier settlements of the round. Returns the outcome by which each of their terminals
 * was last paid. So each terminal waits in only one settlement of the round, and no settlement overtakes another.
 */
function takeOverUnposted(table: Table, round: string, slips: SlipsByTerminal): PendingSettlement['behind'] {
  const behind: PendingSettlement['behind'] = {};
  for (const pending of table.pendingSettlements.filter((one) => one.round === round)) {
    pending.order = pending.order.filter((terminal, place) => {
      const isKept = place < pending.done || !Object.hasOwn(slips, terminal);
      if (!isKept) behind[terminal] = outcomePaidBefore(pending, terminal);
      return isKept;
    });
  }
  table.pendingSettlements = table.pendingSettlements.filter(({ order, done }) => done < order.length);
  return behind;
}

function queueSettlement(table: Table, round: RoundRecord, before: RoundOutcome | null, slips: SlipsByTerminal): void {
  const order = keysInPostingOrder(slips);
  if (order.length === 0) return;
  const behind = takeOverUnposted(table, round.id, slips);
  table.pendingSettlements.push({
    settlement: `${round.id}#${round.settlements}`,
    round: round.id,
    before,
    after: round.ending!,
    slips,
    order,
    done: 0,
    behind,
  });
}

export function applyRoundResettled(table: Table, event: EventOf<'RoundResettled'>): void {
  const round = requireKeptRound(table, event.round);
  const before = round.ending;
  round.cards = [...event.cards] as Card[];
  round.ending = event.results === undefined ? { voidBy: event.by } : { results: event.results };
  round.settlements += 1;
  if (table.round === round) table.phase = 'idle';
  closeIrregularitiesOfRound(table, event.at, round.id);
  queueSettlement(table, round, before, event.slips ?? requireRound(table).slips);
}

export function requireKeptRound(table: Table, id: string): RoundRecord {
  const round = table.round?.id === id ? table.round : table.history.find((one) => one.id === id);
  assert(round !== undefined, 'the table still keeps a round that an event changes');
  return round;
}

/**
 * Replaces the cards of a round. Surplus cards count as burned. Closes the irregularities for which `isClosed` returns
 * true.
 */
export function replaceRoundCards(
  table: Table,
  before: readonly string[],
  event: EventOf<'RoundReconstructed'> | EventOf<'CardCorrected'>,
  isClosed: (irregularity: OpenIrregularity, place: number) => boolean,
): void {
  const round = requireKeptRound(table, event.round);
  const { shoe } = table;
  if (shoe?.id === round.shoe) {
    for (const card of before) countSeenCard(shoe, card, -1);
    for (const card of [...event.after, ...event.burned]) countSeenCard(shoe, card, 1);
    shoe.drawn += event.after.length + event.burned.length - before.length;
  }
  round.cards = [...event.after] as Card[];
  closeIrregularities(table, event.at, isClosed);
  clearFeltConfirmation(table);
  if (event.phase === 'settled') return;
  enterPhase(table, event.phase, event.at);
  const current = requireRound(table);
  current.begun = true;
  current.lastEntry = null;
  if (round.ending !== null) current.reopenedBy = event.by;
}
