import { assert } from '../base/assert.ts';
import { type Card, type DeckId, cardsOfDeck, rankOf } from './card.ts';
import { parseDeal } from './deal.ts';
import { type FactName, type Facts } from './facts.ts';
import { type Side, handColourOf, isPair, preciousPairTierOf, totalOf } from './hand.ts';
import { nextSlot } from './play.ts';
import { type Wager, factsUsed, payLineIndexFor } from './wager.ts';

/**
 * Bit set: bit i is set when pay line i may still settle the wager. The bit after the last pay line stands for a loss.
 */
export type PossiblePayLines = number;

/** Maximum number of pay lines of a wager: a bit set of 32 bits holds 30 lines and the bit for a loss. */
export const maxPayLines = 30;

/** The pay lines that settle the wager for at least one of the given `Facts`. */
export const possiblePayLinesOf = (wager: Wager, facts: readonly Facts[]): PossiblePayLines =>
  facts.reduce((lines, one) => lines | (1 << payLineIndexFor(wager, one)), 0);

/**
 * The facts of every deal that begins with the given cards, which must be at least four. Third cards matter only by
 * their points, so one card per point value is tried. Any card of the deck may come, even if the shoe has no copy
 * left. [READING 11]
 */
export function possibleFactsAfterFourCards(deck: DeckId, cards: readonly Card[]): readonly Facts[] {
  if (nextSlot(cards) !== undefined) {
    return oneCardPerPoint(deck).flatMap((card) => possibleFactsAfterFourCards(deck, [...cards, card]));
  }
  const deal = parseDeal(cards, { deck, decks: 10 });
  assert('facts' in deal, 'a deal that was played out is complete');
  return [deal.facts];
}

/** `possibleFactsAfterFourCards` with a cache. The deck is not part of the cache key, so use one cache per deck. */
export function possibleFactsCache(): typeof possibleFactsAfterFourCards {
  const memo = new Map<string, readonly Facts[]>();
  return (deck, cards) => {
    const key = cards.join('');
    let facts = memo.get(key);
    if (facts === undefined) memo.set(key, (facts = possibleFactsAfterFourCards(deck, cards)));
    return facts;
  };
}

/** Returns the pay lines that are still possible after up to four cards. */
export type PossiblePayLinesAfter = (cards: readonly Card[]) => PossiblePayLines;

/**
 * Builds a function that gives the pay lines still possible after up to four cards. The first two cards of a hand
 * matter only by their total and the facts that the wager uses. So hands fall into a few classes, and each pair of
 * classes is played out only once.
 */
export function buildPossiblePayLinesAfter(
  deck: DeckId,
  wager: Wager,
  after = possibleFactsAfterFourCards,
): PossiblePayLinesAfter {
  assert(wager.lines.length <= maxPayLines, `a wager has at most ${maxPayLines} pay lines`);
  const usedFacts = factsUsed(wager);
  const alphabet = alphabetOf(deck, usedFacts);
  const player = handClassesOf('player', alphabet, usedFacts);
  const banker = handClassesOf('banker', alphabet, usedFacts);
  const afterFour = player.all.map((p) =>
    banker.all.map((b) => possiblePayLinesOf(wager, after(deck, [p.cards[0], b.cards[0], p.cards[1], b.cards[1]]))),
  );

  return (cards) => {
    const bankerClasses = banker.from(cards[1], cards[3]);
    let lines = 0;
    for (const p of player.from(cards[0], cards[2])) {
      for (const b of bankerClasses) lines |= afterFour[p.index]![b.index]!;
    }
    return lines;
  };
}

const suitFacts: readonly FactName[] = ['playerColour', 'bankerColour', 'playerPreciousPair', 'bankerPreciousPair'];

/** One card of each kind that the wager can tell apart: every card if suits matter, else one card per rank. */
function alphabetOf(deck: DeckId, usedFacts: ReadonlySet<FactName>): readonly Card[] {
  const cards = cardsOfDeck(deck);
  return suitFacts.some((fact) => usedFacts.has(fact)) ? cards : cards.slice(0, 13);
}

const oneCardPerPoint = (deck: DeckId): readonly Card[] => cardsOfDeck(deck).slice(0, 10);

/**
 * A class of two-card hands that the wager cannot tell apart. `cards` is one hand of the class; `index` is the number
 * of the class.
 */
type HandClass = { readonly index: number; readonly cards: readonly [Card, Card] };

type HandClasses = {
  readonly all: readonly HandClass[];
  /** The classes that a hand can still belong to, given no card, its first card, or its first two cards. */
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
      const handClass = byTraits.get(traits) ?? { index: byTraits.size, cards: [first, second] };
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

/** The total and the used facts of a two-card hand as one text. Hands with the same text are in the same class. */
function traitsOf(hand: readonly [Card, Card], side: Side, usedFacts: ReadonlySet<FactName>): string {
  return [
    totalOf(hand),
    usedFacts.has(`${side}Pair`) && isPair(hand),
    usedFacts.has(`${side}PreciousPair`) && preciousPairTierOf(hand),
    usedFacts.has(`${side}Colour`) && handColourOf(hand),
    usedFacts.has('tigerPair') && isPair(hand) && rankOf(hand[0]),
  ].join(' ');
}
