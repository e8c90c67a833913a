import { assert } from '../base/assert.ts';
import { type Card, type DeckId, cardsOf, rankOf } from './card.ts';
import { dealOf } from './deal.ts';
import { type FactName, type Facts } from './facts.ts';
import { type Side, colourOf, isPair, preciousPairOf, totalOf } from './hand.ts';
import { nextSlot } from './play.ts';
import { type Wager, factsUsed, lineIndexFor } from './wager.ts';

/** The lines of a wager that may still settle it, as bits; the bit after the last line means that none does. */
export type Outlook = number;

/** As many lines as fit in an outlook beside the bit for none. */
export const maxLines = 30;

/** A wager's outlook when any of these facts may come about. */
export const outlookOf = (wager: Wager, facts: readonly Facts[]): Outlook =>
  facts.reduce((outlook, one) => outlook | (1 << lineIndexFor(wager, one)), 0);

/**
 * The facts of every deal that begins with these cards, four at least. Third cards matter by their points alone, so
 * that one card for each will do. Ten decks hold any six cards: what may come is any card of the deck, not what this
 * shoe has left. [READING 11]
 */
export function factsAfter(deck: DeckId, cards: readonly Card[]): readonly Facts[] {
  if (nextSlot(cards) !== undefined) {
    return oneCardPerPoint(deck).flatMap((card) => factsAfter(deck, [...cards, card]));
  }
  const deal = dealOf(cards, { deck, decks: 10 });
  assert('facts' in deal, 'a deal that was played out is whole');
  return [deal.facts];
}

/** The same, with what was played out once kept: wagers that cannot tell hands apart share it. For one deck. */
export function memoizedFactsAfter(): typeof factsAfter {
  const memo = new Map<string, readonly Facts[]>();
  return (deck, cards) => {
    const key = cards.join('');
    let facts = memo.get(key);
    if (facts === undefined) memo.set(key, (facts = factsAfter(deck, cards)));
    return facts;
  };
}

/** Tells a wager's outlook after up to four cards, whatever cards of the deck may follow. */
export type OutlookAfter = (cards: readonly Card[]) => Outlook;

/**
 * Exhaustive, and yet quick: of the two cards that begin a hand only their total and what the wager asks of them
 * matters, so that hands fall into a few kinds, and each pair of kinds is played out once, here.
 */
export function outlookAfterOf(deck: DeckId, wager: Wager, after = factsAfter): OutlookAfter {
  assert(wager.lines.length <= maxLines, 'a wager has few lines');
  const usedFacts = factsUsed(wager);
  const alphabet = alphabetOf(deck, usedFacts);
  const player = handClassesOf('player', alphabet, usedFacts);
  const banker = handClassesOf('banker', alphabet, usedFacts);
  const afterFour = player.all.map((p) =>
    banker.all.map((b) => outlookOf(wager, after(deck, [p.cards[0], b.cards[0], p.cards[1], b.cards[1]]))),
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

/** Whether suits matter to what is asked; ranks always do. */
const suitFacts: readonly FactName[] = ['playerColour', 'bankerColour', 'playerPreciousPair', 'bankerPreciousPair'];

/** All cards where suits matter, one of each rank where they do not. */
function alphabetOf(deck: DeckId, usedFacts: ReadonlySet<FactName>): readonly Card[] {
  const cards = cardsOf(deck);
  return suitFacts.some((fact) => usedFacts.has(fact)) ? cards : cards.slice(0, 13);
}

const oneCardPerPoint = (deck: DeckId): readonly Card[] => cardsOf(deck).slice(0, 10);

/** Hands of two cards that a wager cannot tell apart, with one of them to stand for all. */
type HandClass = { readonly place: number; readonly cards: readonly [Card, Card] };

type HandClasses = {
  readonly all: readonly HandClass[];
  /** The kinds that a hand with these cards, or none yet, can still be. */
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

/** All that drawing and the facts asked for can see of a hand's first two cards. */
function traitsOf(hand: readonly [Card, Card], side: Side, usedFacts: ReadonlySet<FactName>): string {
  return [
    totalOf(hand),
    usedFacts.has(`${side}Pair`) && isPair(hand),
    usedFacts.has(`${side}PreciousPair`) && preciousPairOf(hand),
    usedFacts.has(`${side}Colour`) && colourOf(hand),
    usedFacts.has('tigerPair') && isPair(hand) && rankOf(hand[0]),
  ].join(' ');
}
