import { assert } from '../base/assert.ts';
import { type Card } from '../rules/card.ts';
import { type Facts } from '../rules/facts.ts';
import { totalOf } from '../rules/hand.ts';
import { handsOf, nextSlot } from '../rules/play.ts';
import { type EventOf } from '../table/schema/events.ts';
import { type WagerResults } from '../table/schema/fieldTypes.ts';
import { type Round, type Table } from '../table/state.ts';
import { without } from './entry.ts';
import { type TimelineStep } from './roundTimeline.ts';

/** A card of a round, with what proves it or how it came in. */
type DealtCard = Omit<EventOf<'CardDealt'>, (typeof notOfCard)[number]>;
const notOfCard = ['type', 'v', 'at', 'who', 'second', 'round', 'complete'] as const;

/** One end of a round. A round that is settled again or voided later has another one after it. */
export type RoundSettlement = {
  readonly settlement: string;
  readonly at: number;
  /** The settlement that it takes the place of. */
  readonly reverses: string | null;
  readonly cards: readonly string[];
  readonly ending: { readonly results: WagerResults } | { readonly voidBy: string; readonly reason: string | null };
  /** When the last slip was paid; null until then, and for a round without slips. */
  postedAt: number | null;
};

/** The cards of a round, and what they come to. */
export type RoundCards = {
  cards: readonly DealtCard[];
  totals: { readonly player: number; readonly banker: number };
  /** Null until the deal is complete. */
  winner: Facts['winner'] | null;
};

/** All that is known of a round, as it stands. */
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
  /** What was at stake when it ended. */
  staked: Round['totals'];
  /** The last one counts; none while it is played. */
  readonly ends: RoundSettlement[];
  readonly story: TimelineStep[];
};

export type RoundsById = { [id: string]: RoundHistory };

export function projectRoundOpened(rounds: RoundsById, event: EventOf<'BetsOpened'>, { shoe }: Table): void {
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
    story: [],
  };
}

/** A round that was opened. */
export function roundNamed(rounds: RoundsById, id: string): RoundHistory {
  assert(Object.hasOwn(rounds, id), 'a round is opened before anything else happens to it');
  return rounds[id]!;
}

export const dealTo = (round: RoundCards, event: EventOf<'CardDealt'>): void =>
  lay(round, [...round.cards, without(event, notOfCard)]);

export const takeBackFrom = (round: RoundCards): void => lay(round, round.cards.slice(0, -1));

/** Other cards, or the same in other places; one that stays where it was keeps what is known of it. */
export function layAgain(round: RoundCards, cards: readonly string[]): void {
  const before = round.cards;
  lay(
    round,
    cards.map((card, place) => {
      const slot = nextSlot(cards.slice(0, place) as readonly Card[]);
      assert(slot !== undefined, 'every card of a round has its slot');
      return before[place]?.card === card && before[place].slot === slot ? before[place] : { slot, card };
    }),
  );
}

function lay(round: RoundCards, dealt: readonly DealtCard[]): void {
  const cards = dealt.map(({ card }) => card as Card);
  const { player, banker } = handsOf(cards);
  const totals = { player: totalOf(player), banker: totalOf(banker) };
  round.cards = dealt;
  round.totals = totals;
  round.winner = nextSlot(cards) === undefined ? winnerOf(totals) : null;
}

const winnerOf = ({ player, banker }: RoundCards['totals']): Facts['winner'] =>
  player === banker ? 'tie' : player > banker ? 'player' : 'banker';

/** The first end of a round, with what was at stake. */
export function endRound(
  round: RoundHistory,
  { at, settlement }: EventOf<'RoundSettled'> | EventOf<'RoundVoided'>,
  ending: RoundSettlement['ending'],
  table: Table,
): void {
  assert(table.round?.id === round.id, 'the round that ends is the one at the table');
  round.staked = structuredClone(table.round.totals);
  round.ends.push({ settlement, at, reverses: null, cards: namesOf(round), ending, postedAt: null });
}

export function endAgain(round: RoundHistory, event: EventOf<'RoundResettled'>): void {
  layAgain(round, event.cards);
  round.ends.push({
    settlement: event.settlement,
    at: event.at,
    reverses: event.reverses,
    cards: namesOf(round),
    ending: event.results === undefined ? { voidBy: event.by, reason: null } : { results: event.results },
    postedAt: null,
  });
}

const namesOf = ({ cards }: RoundHistory): readonly string[] => cards.map(({ card }) => card);

export function postRound(round: RoundHistory, { at, settlement, last }: EventOf<'SettlementPosted'>): void {
  for (const end of round.ends) if (last && end.settlement === settlement) end.postedAt = at;
}
