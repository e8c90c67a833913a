import { type Refusal, quoteForMessage, refuse } from '../base/refusal.ts';

const numbers = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'] as const;

/**
 * The ranks and suits of the two decks. Both decks list their ranks in the same order, so that the index of a rank
 * gives its points.
 */
export const decks = {
  /** 52 cards: clubs, diamonds, hearts, spades. */
  french: { ranks: [...numbers, 'J', 'Q', 'K'], suits: ['C', 'D', 'H', 'S'] },
  /** 65 cards: five suits with neutral names; Sau, Luk and Fuk are the pictures. [ELM 2.1, ELM 3.3.2, READING 32] */
  elements: { ranks: [...numbers, 'S', 'L', 'F'], suits: ['1', '2', '3', '4', '5'] },
} as const;

export type DeckId = keyof typeof decks;
export type Rank = (typeof decks)[DeckId]['ranks'][number];
export type Suit = (typeof decks)[DeckId]['suits'][number];
/** A card as two characters, rank and suit: KD, TH, L3. The event log stores the same text. */
export type Card = {
  [D in DeckId]: `${(typeof decks)[D]['ranks'][number]}${(typeof decks)[D]['suits'][number]}`;
}[DeckId];

export const isDeckId = (value: unknown): value is DeckId => typeof value === 'string' && Object.hasOwn(decks, value);

export const rankOf = (card: Card): Rank => card[0] as Rank;
export const suitOf = (card: Card): Suit => card[1] as Suit;

/** The cards of one deck, each card once, suit by suit. */
export const cardsOfDeck = (deck: DeckId): readonly Card[] => cardsByDeck[deck];

const cardsByDeck: { readonly [D in DeckId]: readonly Card[] } = {
  french: listCards('french'),
  elements: listCards('elements'),
};

function listCards(deck: DeckId): readonly Card[] {
  const { ranks, suits } = decks[deck];
  return suits.flatMap((suit) => ranks.map((rank) => `${rank}${suit}` as Card));
}

/** The deck of a card. The decks have no suit in common. */
export const deckOfCard = (card: Card): DeckId => (card[1]! <= '5' ? 'elements' : 'french');

/** Points of a card: 1 for an Ace, the number itself for 2 to 9, and 0 for all other cards. [BAC 3.3, ELM 3.3] */
export const pointsOf = (card: Card): number => points[card]!;

const points: { readonly [card: string]: number } = Object.fromEntries(
  (['french', 'elements'] as const).flatMap((deck) =>
    cardsByDeck[deck].map((card) => {
      const place = (decks[deck].ranks as readonly Rank[]).indexOf(rankOf(card));
      return [card, place < 9 ? place + 1 : 0];
    }),
  ),
);

/** Every accepted spelling of each card: upper or lower case, and 10 for T. */
const spellings: ReadonlyMap<string, Card> = new Map(
  [...cardsByDeck.french, ...cardsByDeck.elements].flatMap((card) => {
    const ranks = rankOf(card) === 'T' ? ['T', '10'] : [rankOf(card)];
    return ranks.flatMap((rank) =>
      [rank, rank.toLowerCase()].flatMap((r) =>
        [suitOf(card), suitOf(card).toLowerCase()].map((s) => [`${r}${s}`, card] as const),
      ),
    );
  }),
);

const notation: { readonly [D in DeckId]: string } = {
  french: 'a rank A, 2-9, T, J, Q or K and a suit C, D, H or S, such as KD or TH',
  elements: 'a rank A, 2-9, T, S, L or F and a suit 1 to 5, such as L3 or T2',
};

export const unknownDeckRefusal = (deck: unknown): Refusal =>
  refuse('wrong-deck', `There is no deck ${quoteForMessage(deck)}; use "french" or "elements".`);

/** Parses a card of the given deck. Lower case is accepted, and 10 for T: kd, 10H. */
export function parseCard(text: unknown, deck: DeckId): Card | Refusal {
  if (!isDeckId(deck)) return unknownDeckRefusal(deck);
  const card = typeof text === 'string' ? spellings.get(text) : undefined;
  if (card === undefined) {
    return refuse('unknown-card', `${quoteForMessage(text)} is not a card; write ${notation[deck]}.`);
  }
  if (deckOfCard(card) !== deck) {
    return refuse('wrong-deck', `${card} is not in the ${deck} deck of this game; write ${notation[deck]}.`);
  }
  return card;
}
