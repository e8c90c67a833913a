import { assert } from '../base/assert.ts';
import { type Card, type DeckId, cardsOf, rankOf } from './card.ts';
import { dealOf } from './deal.ts';
import { type FactName, type Facts } from './facts.ts';
import { type Side, handColourOf, isPair, preciousPairTierOf, totalOf } from './hand.ts';
import { nextSlot } from './play.ts';
import { type Wager, factsUsed, payLineIndexFor } from './wager.ts';

/** Bit set of the lines that may still settle a wager; the bit after the last line means that it loses. */
export type PossibleLines = number;

/** A bit set of 32 bits holds 30 lines and the losing bit. */
export const maxPayLines = 30;

/** The outlook when each of these facts is possible. */
export const possibleLinesOf = (wager: Wager, facts: readonly Facts[]): PossibleLines =>
  facts.reduce((outlook, one) => outlook | (1 << payLineIndexFor(wager, one)), 0);

/**
 * The facts of every deal that begins with at least four given cards. Third cards count by points alone, so one card
 * per point value is enough. Any card of the deck may come, not only what this shoe has left. [READING 11]
 */
export function possibleFactsAfter(deck: DeckId, cards: readonly Card[]): readonly Facts[] {
  if (nextSlot(cards) !== undefined) {
    return oneCardPerPoint(deck).flatMap((card) => possibleFactsAfter(deck, [...cards, card]));
  }
  const deal = dealOf(cards, { deck, decks: 10 });
  assert('facts' in deal, 'a deal that was played out is whole');
  return [deal.facts];
}

/** Memoized `factsAfter` for one deck; wagers with the same hand classes share it. */
export function memoizedPossibleFactsAfter(): typeof possibleFactsAfter {
  const memo = new Map<string, readonly Facts[]>();
  return (deck, cards) => {
    const key = cards.join('');
    let facts = memo.get(key);
    if (facts === undefined) memo.set(key, (facts = possibleFactsAfter(deck, cards)));
    return facts;
  };
}

/** The outlook of a wager after up to four cards, for any cards that may follow. */
export type PossibleLinesAfter = (cards: readonly Card[]) => PossibleLines;

/**
 * Exhaustive but fast: two first cards matter only by their total and the facts that the wager uses. So hands fall into
 * a few classes, and each pair of classes is played out once.
 */
export function possibleLinesAfterFor(deck: DeckId, wager: Wager, after = possibleFactsAfter): PossibleLinesAfter {
  assert(wager.lines.length <= maxPayLines, 'a wager has few lines');
  const usedFacts = factsUsed(wager);
  const alphabet = alphabetOf(deck, usedFacts);
  const player = handClassesOf('player', alphabet, usedFacts);
  const banker = handClassesOf('banker', alphabet, usedFacts);
  const afterFour = player.all.map((p) =>
    banker.all.map((b) => possibleLinesOf(wager, after(deck, [p.cards[0], b.cards[0], p.cards[1], b.cards[1]]))),
  );

  return (cards) => {
    const bankerClasses = banker.from(cards[1], cards[3]);
    let outlook = 0;
    for (const p of player.from(cards[0], cards[2])) {
      for (const b of bankerClasses) outlook |= afterFour[p.place]![b.place]!;
    }
    return outlook;
  };
}

/** Facts that depend on suits; ranks always matter. */
const suitFacts: readonly FactName[] = ['playerColour', 'bankerColour', 'playerPreciousPair', 'bankerPreciousPair'];

/** All cards when suits matter, else one card of each rank. */
function alphabetOf(deck: DeckId, usedFacts: ReadonlySet<FactName>): readonly Card[] {
  const cards = cardsOf(deck);
  return suitFacts.some((fact) => usedFacts.has(fact)) ? cards : cards.slice(0, 13);
}

const oneCardPerPoint = (deck: DeckId): readonly Card[] => cardsOf(deck).slice(0, 10);

/** Two-card hands that are equal for a wager, with one of them as the sample. */
type HandClass = { readonly place: number; readonly cards: readonly [Card, Card] };

type HandClasses = {
  readonly all: readonly HandClass[];
  /** The classes that a hand with these cards can still belong to. */
  readonly from: (first?: Card, second?: Card) => readonly HandClass[];
};

function handClassesOf(side: Side, alphabet: readonly Card[], usedFacts: ReadonlySet<FactName>): HandClasses {
  const bySuit = alphabet.length > 13;
  const representative = (card: Card): Card => (bySuit ? card : alphabet.find((one) => rankOf(one) === rankOf(card))!);

  const byTraits = new Map<string, HandClass>();
  const byCards = new Map<string, HandClass>();
  const byFirst = new Map<Card, readonly HandClass[]>();
  for (const first of alphabet) {
    const reached = new Set<HandClass>();
    for (const second of alphabet) {
      const traits = traitsOf([first, second], side, usedFacts);
      const handClass = byTraits.get(traits) ?? { place: byTraits.size, cards: [first, second] };
      byTraits.set(traits, handClass);
      byCards.set(first + second, handClass);
      reached.add(handClass);
    }
    byFirst.set(first, [...reached]);
  }
  const all = [...byTraits.values()];
  return {
    all,
    from: (first, second) => {
      if (first === undefined) return all;
      if (second === undefined) return byFirst.get(representative(first))!;
      return [byCards.get(representative(first) + representative(second))!];
    },
  };
}

/** Everything that drawing rules and used facts depend on in the first two cards. */
function traitsOf(hand: readonly [Card, Card], side: Side, usedFacts: ReadonlySet<FactName>): string {
  return [
    totalOf(hand),
    usedFacts.has(`${side}Pair`) && isPair(hand),
    usedFacts.has(`${side}PreciousPair`) && preciousPairTierOf(hand),
    usedFacts.has(`${side}Colour`) && handColourOf(hand),
    usedFacts.has('tigerPair') && isPair(hand) && rankOf(hand[0]),
  ].join(' ');
}
