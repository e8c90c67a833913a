import { assert } from '../base/assert.ts';
import { type Card } from '../rules/card.ts';
import { type Facts } from '../rules/facts.ts';
import { totalOf } from '../rules/hand.ts';
import { handsOf, nextSlot } from '../rules/play.ts';
import { type EventOf } from '../table/schema/events.ts';
import { type WagerResults } from '../table/schema/fieldTypes.ts';
import { type Round, type Table } from '../table/state.ts';
import { omitFields } from './entry.ts';
import { type TimelineStep } from './roundTimeline.ts';

/**
 * A dealt card. For a card of a virtual shoe, it has the proof that the card is the committed one; for a card entered
 * by hand, it has the way of entry.
 */
type DealtCard = Omit<EventOf<'CardDealt'>, (typeof eventOnlyFields)[number]>;
const eventOnlyFields = ['type', 'v', 'at', 'actor', 'second', 'round', 'complete'] as const;

/** One settlement of a round. A correction or a later void adds another. */
export type RoundSettlement = {
  readonly settlement: string;
  readonly at: number;
  /** Id of the settlement that this one replaces; null for the first. */
  readonly reverses: string | null;
  readonly cards: readonly string[];
  readonly ending: { readonly results: WagerResults } | { readonly voidBy: string; readonly reason: string | null };
  /**
   * Time at which the payments of the last slip were posted. Null until then; always null for a round without slips.
   */
  postedAt: number | null;
};

export type RoundCards = {
  cards: readonly DealtCard[];
  totals: { readonly player: number; readonly banker: number };
  /** The winner; null until the deal is complete. */
  winner: Facts['winner'] | null;
};

/** A round: its cards as last corrected, all its settlements, and its timeline. */
export type RoundHistory = RoundCards & {
  readonly id: string;
  readonly number: number;
  readonly day: string;
  readonly shoe: string;
  readonly game: string;
  readonly gameHash: string;
  readonly decks: number;
  readonly openedAt: number;
  closedAt: number | null;
  /** Total stake of each wager when the round ended; empty until then. */
  staked: Round['totals'];
  /** The settlements of the round; the last one counts. Empty until the round ends. */
  readonly ends: RoundSettlement[];
  readonly timeline: TimelineStep[];
};

export type RoundsById = { [id: string]: RoundHistory };

export function projectBetsOpened(rounds: RoundsById, event: EventOf<'BetsOpened'>, { shoe }: Table): void {
  assert(shoe !== null, 'a round is dealt from a shoe');
  rounds[event.round] = {
    id: event.round,
    number: event.number,
    day: event.day,
    shoe: shoe.id,
    game: event.game,
    gameHash: event.hash,
    decks: event.decks,
    openedAt: event.at,
    closedAt: null,
    cards: [],
    totals: { player: 0, banker: 0 },
    winner: null,
    staked: {},
    ends: [],
    timeline: [],
  };
}

export function roundById(rounds: RoundsById, id: string): RoundHistory {
  assert(Object.hasOwn(rounds, id), 'a round is opened before anything else happens to it');
  return rounds[id]!;
}

export const addDealtCard = (round: RoundCards, event: EventOf<'CardDealt'>): void =>
  setCards(round, [...round.cards, omitFields(event, eventOnlyFields)]);

export const removeLastDealtCard = (round: RoundCards): void => setCards(round, round.cards.slice(0, -1));

/** Replaces the cards of a round. A card that stays in its slot keeps its proof. */
export function projectReplacedCards(round: RoundCards, cards: readonly string[]): void {
  const before = round.cards;
  setCards(
    round,
    cards.map((card, index) => {
      const slot = nextSlot(cards.slice(0, index) as readonly Card[]);
      assert(slot !== undefined, 'every card of a round has a slot');
      return before[index]?.card === card && before[index].slot === slot ? before[index] : { slot, card };
    }),
  );
}

function setCards(round: RoundCards, dealt: readonly DealtCard[]): void {
  const cards = dealt.map(({ card }) => card as Card);
  const { player, banker } = handsOf(cards);
  const totals = { player: totalOf(player), banker: totalOf(banker) };
  round.cards = dealt;
  round.totals = totals;
  round.winner = nextSlot(cards) === undefined ? winnerOf(totals) : null;
}

const winnerOf = ({ player, banker }: RoundCards['totals']): Facts['winner'] =>
  player === banker ? 'tie' : player > banker ? 'player' : 'banker';

export function projectRoundEnd(
  round: RoundHistory,
  { at, settlement }: EventOf<'RoundSettled'> | EventOf<'RoundVoided'>,
  ending: RoundSettlement['ending'],
  table: Table,
): void {
  assert(table.round?.id === round.id, 'the round that ends is the one at the table');
  round.staked = structuredClone(table.round.totals);
  round.ends.push({ settlement, at, reverses: null, cards: cardNamesOf(round), ending, postedAt: null });
}

export function projectResettlement(round: RoundHistory, event: EventOf<'RoundResettled'>): void {
  projectReplacedCards(round, event.cards);
  round.ends.push({
    settlement: event.settlement,
    at: event.at,
    reverses: event.reverses,
    cards: cardNamesOf(round),
    ending: event.results === undefined ? { voidBy: event.by, reason: null } : { results: event.results },
    postedAt: null,
  });
}

const cardNamesOf = ({ cards }: RoundHistory): readonly string[] => cards.map(({ card }) => card);

export function projectSettlementPosted(
  round: RoundHistory,
  { at, settlement, last }: EventOf<'SettlementPosted'>,
): void {
  for (const end of round.ends) if (last && end.settlement === settlement) end.postedAt = at;
}
