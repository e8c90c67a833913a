import { countText } from '../../../base/countText.ts';
import { type Card, parseCard } from '../../../rules/card.ts';
import { nextSlot } from '../../../rules/play.ts';
import { isRefused } from '../../../base/refusal.ts';
import { type CommandOf } from '../../schema/commands.ts';
import { type TableEvent } from '../../schema/events.ts';
import { type AmountsByTerminal } from '../../schema/fieldTypes.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from '../../schema/refusals.ts';
import { gameByName } from '../../schema/settings.ts';
import {
  type EarlierRound,
  type Round,
  type RoundRecord,
  type ShoeState,
  type Table,
  isPlaying,
  findRound,
} from '../../state.ts';
import { ownValue } from '../../../base/ownValue.ts';
import { type TableDecision, type EventStamp, rulebookOfRound, clausesOfTable, replayCards } from '../decision.ts';
import { isCorrectableRound } from './correctableRounds.ts';
import { rulingRefusal } from './rulingRefusal.ts';
import { rulingEffectOrRefusal, extraCardEvents, withoutIrregularities, shoeOfRound } from './rulings.ts';
import { resettlementEvents, slipsOfRoundOrRefusal } from '../settlement.ts';

/** Replays the round with the cards of the command, in the order in which they left the shoe. [READING 17, 18] */
export function decideReconstructRound(
  command: CommandOf<'ReconstructRound'>,
  stamp: EventStamp,
  table: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const effect = rulingEffectOrRefusal(table, 'reconstruct');
  if (isRefused(effect)) return effect;
  const round = table.round!;
  const cards: Card[] = [];
  for (const text of command.cards) {
    const card = parseCard(text, gameByName(round.game).deck);
    if (isRefused(card)) return tableRefusalWithClause(card, effect.by);
    cards.push(card);
  }
  const missing = cardMissingFrom(round.cards, cards);
  if (missing !== undefined || cards.length > maxCardsDrawn) {
    return refuseAtTable(
      'wrong-cards',
      effect.by,
      missing === undefined
        ? `The list has ${cards.length} cards, but at most ${maxCardsDrawn} cards leave the shoe for a round; give only those.`
        : `The recorded card ${missing} is not in the list; give every card that left the shoe, or correct the scan first.`,
    );
  }
  const shoe = shoeOfRound(table, round);
  if (command.unseen && shoe === null) return refuseWithoutShoe(effect.by);
  const refusal = shoe === null ? undefined : addedCardsRefusal(command, effect.by, round, shoe);
  if (refusal !== undefined) return refusal;
  return replayEvents(
    stamp,
    table,
    round,
    cards,
    credits,
    ({ used, surplus, phase }) => ({
      type: 'RoundReconstructed',
      ...stamp,
      round: round.id,
      by: effect.by,
      before: round.cards,
      after: used,
      surplus: command.unseen ? 'carried' : surplus.length > 0 ? 'burned' : 'none',
      burned: surplus,
      phase,
      reason: command.reason,
    }),
    effect.by,
  );
}

/** Maximum number of cards that left the shoe for one round: six of the round and two drawn by mistake. */
const maxCardsDrawn = 8;

/**
 * Refusal of a list of cards that cannot be true: it needs more cards than the shoe holds, or it leaves out the carried
 * card, which left the shoe face down. Undefined for a possible list. [READING 18, 67]
 */
function addedCardsRefusal(
  { cards, unseen }: CommandOf<'ReconstructRound'>,
  by: string,
  round: Round,
  { size, drawn, carried }: ShoeState,
): TableRefusal | undefined {
  const left = size - drawn;
  const added = cards.length + Number(unseen) - round.cards.length - Number(carried);
  if (added < 0) {
    return refuseAtTable(
      'wrong-cards',
      by,
      'A card that left the shoe face down is not in the list; add it, or set "unseen".',
    );
  }
  return added <= left
    ? undefined
    : refuseAtTable(
        'wrong-cards',
        rulebookOfRound(round).irregularities['too-few-cards'].by,
        `The list has ${countText(added, 'card')} beyond those on record, but the shoe held only ${left}; give only cards that left the shoe.`,
      );
}

const refuseWithoutShoe = (by: string): TableRefusal =>
  refuseAtTable('too-late', by, 'The round needs a shoe that is no longer at the table; refer the round.');

/** The first card of which the first list has more copies than the second; undefined if there is none. */
function cardMissingFrom(cards: readonly Card[], others: readonly Card[]): Card | undefined {
  const remaining = [...others];
  return cards.find((card) => {
    const place = remaining.indexOf(card);
    remaining.splice(place, 1);
    return place === -1;
  });
}

type ReplayResult = {
  readonly used: readonly Card[];
  readonly surplus: readonly Card[];
  readonly phase: 'dealing' | 'result' | 'settled';
};

/**
 * The events that replace the cards of the round in play, or of the round that just ended. If the table of play needs
 * another card, play continues. Otherwise a round that was settled is settled again.
 */
function replayEvents(
  stamp: EventStamp,
  table: Table,
  round: Round,
  cards: readonly Card[],
  credits: AmountsByTerminal | undefined,
  event: (replay: ReplayResult) => TableEvent,
  by: string,
): TableDecision {
  const { used, surplus, complete } = replayCards(cards);
  if (!complete) {
    if (table.closed && !isPlaying(table)) {
      return refuseAtTable(
        'table-closed',
        by,
        'The round needs another card, but the table is closed; reopen the table first.',
      );
    }
    const shoe = shoeOfRound(table, round);
    if (shoe === null) return refuseWithoutShoe(by);
    if (shoe.lockedBy !== null) {
      return refuseAtTable(
        'shoe-locked',
        shoe.lockedBy,
        'The round needs another card, but its shoe is locked; refer the round.',
      );
    }
  }
  const isSettledAgain = complete && round.ending !== null;
  const correctedEvent = event({ used, surplus, phase: isSettledAgain ? 'settled' : complete ? 'result' : 'dealing' });
  const overflow = overflowEvents(stamp, table, round, [...used, ...surplus]);
  if (!isSettledAgain) return [correctedEvent, ...overflow];
  const settled = resettlementEvents(stamp, withoutIrregularities(table), round, used, by, round.slips, credits);
  return isRefused(settled) ? settled : [correctedEvent, ...settled, ...overflow];
}

function overflowEvents(
  stamp: EventStamp,
  table: Table,
  round: RoundRecord,
  cards: readonly Card[],
): readonly TableEvent[] {
  const { shoe, settings } = table;
  if (shoe?.id !== round.shoe) return [];
  const times = (list: readonly string[], card: string): number => list.filter((one) => one === card).length;
  const extra = [...new Set([...cards, ...Object.keys(shoe.seen)])].find(
    (card) => (ownValue(shoe.seen, card) ?? 0) - times(round.cards, card) + times(cards, card) > settings.decks,
  );
  return extra === undefined ? [] : extraCardEvents(stamp, table, extra);
}

/** Corrects a card that was recorded wrongly: the card that was dealt replaces it. [ETG 6.3, HOUSE 9, READING 28] */
export function decideCorrectCard(
  command: CommandOf<'CorrectCard'>,
  stamp: EventStamp,
  table: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const refusal = table.openIrregularities.length > 0 ? rulingRefusal('CorrectCard', table) : undefined;
  if (refusal !== undefined) return refusal;
  const round = correctable(command.round, stamp, table);
  if (isRefused(round)) return round;
  const { correction } = rulebookOfRound(round).clauses;
  if (round.virtual) {
    return refuseAtTable('card-proven', correction, 'A card of a virtual shoe is proven; there is no scan to correct.');
  }
  const card = parseCard(command.card, gameByName(round.game).deck);
  if (isRefused(card)) return tableRefusalWithClause(card, correction);
  const was = round.cards[command.place - 1];
  if (was === undefined || was === card) {
    return refuseAtTable(
      'no-such-card',
      correction,
      was === undefined
        ? `The round has no card ${command.place}; it has ${countText(round.cards.length, 'card')}.`
        : `Card ${command.place} is already recorded as ${card}; there is nothing to correct.`,
    );
  }
  const cards = round.cards.with(command.place - 1, card);
  const correctedEvent = ({ used, surplus, phase }: ReplayResult): TableEvent => ({
    type: 'CardCorrected',
    ...stamp,
    round: round.id,
    by: correction,
    place: command.place,
    was,
    card,
    after: used,
    burned: surplus,
    phase,
    reason: command.reason,
  });
  const slips = slipsOfRoundOrRefusal(command.slips, round, correction);
  if ('slips' in round) {
    return isRefused(slips) ? slips : replayEvents(stamp, table, round, cards, credits, correctedEvent, correction);
  }
  if (!haveSameSlots(round.cards, cards)) {
    return refuseAtTable(
      'too-late',
      correction,
      'The corrected card changes which hand draws, and later rounds have been dealt; refer the round.',
    );
  }
  if (isRefused(slips)) return slips;
  const settled = resettlementEvents(stamp, table, round, cards, correction, slips, credits);
  if (isRefused(settled)) return settled;
  const overflow = overflowEvents(stamp, table, round, cards);
  return [correctedEvent({ used: cards, surplus: [], phase: 'settled' }), ...settled, ...overflow];
}

/**
 * True when every card has the same slot as before. Then the corrected card does not change which hand draws. [READING
 * 28]
 */
const haveSameSlots = (before: readonly Card[], after: readonly Card[]): boolean =>
  nextSlot(after) === undefined &&
  before.every((_, place) => nextSlot(before.slice(0, place)) === nextSlot(after.slice(0, place)));

/** The round with this id if it may be corrected: the current round, or a settled one of this gaming day. */
function correctable(id: string, stamp: EventStamp, table: Table): Round | EarlierRound | TableRefusal {
  const round = findRound(table, id);
  if (round === undefined || !isCorrectableRound(round, stamp.at, table)) {
    return refuseAtTable(
      'no-such-round',
      clausesOfTable(table).refer,
      'No round of this gaming day with that id can be corrected; check the id, or refer the round.',
    );
  }
  return round;
}
