import { type Card, type DeckId, cardsOfDeck, pointsOf, rankOf } from '../rules/card.ts';
import { type FactName } from '../rules/facts.ts';
import {
  type Side,
  type FirstFourFacts,
  handColourOf,
  isPair,
  preciousPairTierOf,
  firstFourFactsOf,
} from '../rules/hand.ts';

/** Outcome facts depend on points only. All other facts depend on ranks or suits of the first four cards. */
const outcomeFacts: ReadonlySet<FactName> = new Set<FactName>([
  'winner',
  'margin',
  'playerTotal',
  'bankerTotal',
  'playerCards',
  'bankerCards',
  'playerNatural',
  'bankerNatural',
]);

export const isOutcomeFact = (name: FactName): boolean => outcomeFacts.has(name);

/** Which facts a wager uses: outcome facts, facts of the first four cards, or both. */
export type FactCategory = 'outcome' | 'first four' | 'mixed';

export function factCategoryOf(usedFacts: ReadonlySet<FactName>): FactCategory {
  const outcomes = [...usedFacts].filter(isOutcomeFact).length;
  return outcomes === usedFacts.size ? 'outcome' : outcomes === 0 ? 'first four' : 'mixed';
}

/**
 * Class of cards that the used facts do not tell apart: a single card, all cards of one rank, or all cards of one point
 * value. `cards` are indexes into the deck.
 */
type CardClass = { readonly cards: readonly number[]; readonly points: number };

/** An unordered pair of card classes, by their indexes. */
type ClassPair = { readonly a: number; readonly b: number };

/** Class of two-card hands that the used facts do not tell apart. `sample` is one of these hands. */
type HandClass = {
  readonly pairs: readonly ClassPair[];
  /** The points of both cards as 10 * lower + higher; 0 when no outcome fact is used. */
  readonly points: number;
  readonly sample: readonly [Card, Card];
};

export type SideCountingPlan = {
  readonly kinds: readonly HandClass[];
  /**
   * Index into `kinds` of the hand class that the card classes a and b form, at index a * number of card classes + b.
   */
  readonly kindOf: Uint16Array;
  /** The hand classes grouped by the points of both cards. */
  readonly byPoints: readonly PointHand[];
};

/**
 * Two-card hands with the same two point values. The table of play treats these hands alike. `kinds` are the indexes of
 * their hand classes.
 */
export type PointHand = {
  readonly low: number;
  readonly high: number;
  readonly total: number;
  readonly kinds: readonly number[];
};

/** How to count the deals of a deck for a set of facts. A plan holds for any shoe of that deck. */
export type CountingPlan = {
  readonly deck: DeckId;
  readonly classes: readonly CardClass[];
  readonly player: SideCountingPlan;
  readonly banker: SideCountingPlan;
  /**
   * The combinations of used facts that the first four cards can have, each once. Facts that are not used may have any
   * value in an entry.
   */
  readonly traits: readonly FirstFourFacts[];
  /**
   * Index into `traits` of each pair of hand classes, at index player class * number of banker classes + banker class.
   */
  readonly traitOf: Uint16Array;
  /** True when an outcome fact is used, so that third cards must be dealt. */
  readonly playsOut: boolean;
};

const suitFacts: readonly FactName[] = ['playerColour', 'bankerColour', 'playerPreciousPair', 'bankerPreciousPair'];
const rankFacts: readonly FactName[] = ['playerPair', 'bankerPair', 'tigerPair'];

export function countingPlanFor(deck: DeckId, usedFacts: ReadonlySet<FactName>): CountingPlan {
  const playsOut = [...usedFacts].some(isOutcomeFact);
  const classes = classesOf(deck, usedFacts);
  const player = sidePlan('player', deck, classes, usedFacts, playsOut);
  const banker = sidePlan('banker', deck, classes, usedFacts, playsOut);

  const traits: FirstFourFacts[] = [];
  const indexByKey = new Map<string, number>();
  const traitOf = Uint16Array.from(
    player.kinds.flatMap((p) => banker.kinds.map((b) => [p, b] as const)),
    ([p, b]) => {
      const trait = firstFourFactsOf(p.sample, b.sample);
      const key = Object.entries(trait)
        .map(([name, value]) => (usedFacts.has(name as FactName) ? value : ''))
        .join(' ');
      let index = indexByKey.get(key);
      if (index === undefined) {
        index = traits.push(trait) - 1;
        indexByKey.set(key, index);
      }
      return index;
    },
  );
  return { deck, classes, player, banker, traits, traitOf, playsOut };
}

function classesOf(deck: DeckId, usedFacts: ReadonlySet<FactName>): readonly CardClass[] {
  const cards = cardsOfDeck(deck);
  const nameOf = suitFacts.some((fact) => usedFacts.has(fact))
    ? (card: Card): string => card
    : rankFacts.some((fact) => usedFacts.has(fact))
      ? (card: Card): string => rankOf(card)
      : (card: Card): string => String(pointsOf(card));
  const grouped = new Map<string, { cards: number[]; points: number }>();
  cards.forEach((card, index) => {
    const entry = grouped.get(nameOf(card)) ?? { cards: [], points: pointsOf(card) };
    entry.cards.push(index);
    grouped.set(nameOf(card), entry);
  });
  return [...grouped.values()];
}

function sidePlan(
  side: Side,
  deck: DeckId,
  classes: readonly CardClass[],
  usedFacts: ReadonlySet<FactName>,
  playsOut: boolean,
): SideCountingPlan {
  const cards = cardsOfDeck(deck);
  const kinds: { pairs: ClassPair[]; points: number; sample: readonly [Card, Card] }[] = [];
  const indexByKey = new Map<string, number>();
  const kindOf = new Uint16Array(classes.length ** 2);
  classes.forEach((first, a) => {
    for (let b = a; b < classes.length; b++) {
      const second = classes[b]!;
      const sample = [cards[first.cards[0]!]!, cards[second.cards[0]!]!] as const;
      const points = playsOut ? 10 * Math.min(first.points, second.points) + Math.max(first.points, second.points) : 0;
      const key = [
        points,
        usedFacts.has(`${side}Pair`) && isPair(sample),
        usedFacts.has(`${side}PreciousPair`) && preciousPairTierOf(sample),
        usedFacts.has(`${side}Colour`) && handColourOf(sample),
        usedFacts.has('tigerPair') && isPair(sample) && rankOf(sample[0]),
      ].join(' ');
      let index = indexByKey.get(key);
      if (index === undefined) {
        index = kinds.push({ pairs: [], points, sample }) - 1;
        indexByKey.set(key, index);
      }
      kinds[index]!.pairs.push({ a, b });
      kindOf[a * classes.length + b] = index;
      kindOf[b * classes.length + a] = index;
    }
  });
  return { kinds, kindOf, byPoints: pointHands(kinds) };
}

function pointHands(kinds: readonly HandClass[]): readonly PointHand[] {
  const grouped = new Map<number, number[]>();
  kinds.forEach(({ points }, index) => {
    const list = grouped.get(points);
    if (list) list.push(index);
    else grouped.set(points, [index]);
  });
  return [...grouped].map(([points, list]) => {
    const [low, high] = [Math.trunc(points / 10), points % 10];
    return { low, high, total: (low + high) % 10, kinds: list };
  });
}
