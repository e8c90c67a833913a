import { type Card, type DeckId, cardsOfDeck, pointsOf, suitOf } from '../rules/card.ts';
import { sideToDraw } from '../rules/play.ts';
import { freshShoe } from '../odds/composition.ts';
import { countSixCardDraws, factDistributionOf } from '../odds/distribution.ts';
import { fraction, fractionToNumber } from '../odds/fraction.ts';
import { allCardsOfShoe, type ShoeDecks } from '../rules/shoe.ts';
import { type FindingCollector } from './findings.ts';

/** Shuffles a fresh shoe. A card is its index in the fresh shoe, in which the decks lie one after another. */
export type ShoeShuffle = (cards: readonly number[]) => readonly number[];

/**
 * Every pair among this number of first cards is tested, because a round has at most six cards. In the rest of the
 * shoe, only pairs of neighbours are tested.
 */
const firstCards = 6;
/** Number of rounds whose first four cards are each tested against the same card of the next round. */
const laggedRounds = 10;
/** Numbers of the rounds whose results are compared with the exact odds. Even a shoe of four decks reaches round 30. */
const testedRounds = [1, 5, 10, 20, 30];
const maxLag = 10;

const winners = ['player', 'banker', 'tie'] as const;

/** Points and colour of each card of a deck, by index. */
const deckTables = (deck: DeckId) => ({
  points: Uint8Array.from(cardsOfDeck(deck), pointsOf),
  // The suits of the Elements deck have no colour, so this test counts two of the five suits as red.
  red: Uint8Array.from(cardsOfDeck(deck), (card: Card) => Number('HD12'.includes(suitOf(card)))),
});

/**
 * Shuffles shoes and tests the positions of the cards. Every expectation is exact, although the length of a round
 * depends on its cards. The share of each card among the remaining cards is a martingale, so the next card is
 * distributed as in a fresh shoe.
 */
export function testShuffledShoes(
  shoe: ShoeDecks,
  shuffle: ShoeShuffle,
  shoes: number,
  findings: FindingCollector,
): void {
  const kinds = cardsOfDeck(shoe.deck).length;
  const fresh = allCardsOfShoe(shoe).map((_, index) => index);
  const size = fresh.length;
  const { points, red } = deckTables(shoe.deck);
  const square = kinds * kinds;
  const table = (count: number, cells: number): Uint32Array[] =>
    Array.from({ length: count }, () => new Uint32Array(cells));

  const countsByOrigin = table(size, size);
  const countsByCard = table(size, kinds);
  const neighbours = table(size - 1, square);
  const firstPairs = pairsOf(firstCards).filter(([a, b]) => b > a + 1);
  const pairs = table(firstPairs.length, square);
  const nextRound = table(4 * laggedRounds, square);
  const nextShoe = table(firstCards, square);
  const results = table(testedRounds.length, 3);
  const products = new Float64Array(maxLag);
  const centre = (kinds - 1) / 2;
  let [colourRuns, tenRuns] = [0, 0];
  let before: readonly number[] = [];

  for (let n = 0; n < shoes; n++) {
    const order = shuffle(fresh);
    order.forEach((from, at) => countsByOrigin[at]![from]!++);
    const cards = order.map((from) => from % kinds);
    countsByCard[0]![cards[0]!]!++;
    let [colours, tens] = [1, 1];
    for (let at = 1; at < size; at++) {
      const [last, card] = [cards[at - 1]!, cards[at]!];
      countsByCard[at]![card]!++;
      neighbours[at - 1]![last * kinds + card]!++;
      colours += red[last]! ^ red[card]!;
      tens += Number((points[last] === 0) !== (points[card] === 0));
    }
    colourRuns += colours;
    tenRuns += tens;
    for (let lag = 1; lag <= maxLag; lag++) {
      let sum = 0;
      for (let at = 0, partner = lag; at < size; at++, partner = partner + 1 === size ? 0 : partner + 1) {
        sum += (cards[at]! - centre) * (cards[partner]! - centre);
      }
      products[lag - 1]! += sum;
    }
    firstPairs.forEach(([a, b], pair) => pairs[pair]![cards[a]! * kinds + cards[b]!]!++);
    if (n % 2 === 1) {
      for (let at = 0; at < firstCards; at++) nextShoe[at]![before[at]! * kinds + cards[at]!]!++;
    }
    before = cards;
    dealRounds(cards, points, (round, start, winner, lastStart) => {
      const testedIndex = testedRounds.indexOf(round);
      if (testedIndex >= 0) results[testedIndex]![winner]!++;
      if (round < 2 || round > laggedRounds + 1) return;
      for (let slot = 0; slot < 4; slot++) {
        nextRound[(round - 2) * 4 + slot]![cards[lastStart + slot]! * kinds + cards[start + slot]!]!++;
      }
    });
  }

  /** Expected count of a pair of cards over all shoes. The second card is drawn without replacement. */
  const expectedPair = (cell: number): number => {
    const same = Math.floor(cell / kinds) === cell % kinds;
    return (shoes / kinds) * ((shoe.decks - Number(same)) / (size - 1));
  };
  countsByOrigin.forEach((counts, at) =>
    findings.chiSquare('position by place before', `card ${at + 1} of the shoe`, counts, () => shoes / size),
  );
  countsByCard.forEach((counts, at) =>
    findings.chiSquare('position by card', `card ${at + 1} of the shoe`, counts, () => shoes / kinds),
  );
  neighbours.forEach((counts, at) =>
    findings.chiSquare('pairs of positions', `cards ${at + 1} and ${at + 2}`, counts, expectedPair),
  );
  firstPairs.forEach(([a, b], pair) =>
    findings.chiSquare('pairs of positions', `cards ${a + 1} and ${b + 1}`, pairs[pair]!, expectedPair),
  );
  nextRound.forEach((counts, at) => {
    const round = Math.floor(at / 4) + 1;
    const name = `${['P1', 'B1', 'P2', 'B2'][at % 4]} of rounds ${round} and ${round + 1}`;
    findings.chiSquare('from round to round', name, counts, expectedPair);
  });
  nextShoe.forEach((counts, at) =>
    findings.chiSquare(
      'from shoe to shoe',
      `card ${at + 1} of a shoe and of the next`,
      counts,
      () => Math.floor(shoes / 2) / square,
    ),
  );
  const odds = winnerOdds(shoe);
  testedRounds.forEach((round, at) =>
    findings.chiSquare(
      'results of rounds',
      `Player, Banker, Tie in round ${round}`,
      results[at]!,
      (cell) => shoes * odds[cell]!,
    ),
  );
  const reds = fresh.filter((index) => red[index % kinds] === 1).length;
  const tensCount = fresh.filter((index) => points[index % kinds] === 0).length;
  addRuns(findings, 'runs of colours in a shoe', colourRuns, shoes, reds, size - reds);
  addRuns(findings, 'runs of tens and pictures in a shoe', tenRuns, shoes, tensCount, size - tensCount);
  const [mean, variance] = correlationOf(fresh.map((index) => (index % kinds) - centre));
  products.forEach((sum, lag) =>
    findings.normal('serial correlation', `cards, ${lag + 1} apart`, sum, shoes * mean, shoes * variance),
  );
}

const pairsOf = (count: number): readonly (readonly [number, number])[] =>
  Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (__, b) => [a, a + b + 1] as const),
  ).flat();

/**
 * Deals rounds by the table of play. Calls `onRound` with the number of the round, the index of its first card, its
 * winner (0 Player, 1 Banker, 2 Tie), and the index of the first card of the previous round.
 */
function dealRounds(
  cards: readonly number[],
  points: Uint8Array,
  onRound: (round: number, start: number, winner: number, lastStart: number) => void,
): void {
  let lastStart = 0;
  const last = Math.max(laggedRounds + 1, ...testedRounds);
  for (let round = 1, start = 0; round <= last; round++) {
    const pointsAt = (index: number): number => points[cards[start + index]!]!;
    let player = (pointsAt(0) + pointsAt(2)) % 10;
    let banker = (pointsAt(1) + pointsAt(3)) % 10;
    let used = 4;
    const first = sideToDraw(player, banker);
    if (first === 'player') {
      const third = pointsAt(used++);
      if (sideToDraw(player, banker, third)) banker = (banker + pointsAt(used++)) % 10;
      player = (player + third) % 10;
    } else if (first === 'banker') banker = (banker + pointsAt(used++)) % 10;
    onRound(round, start, player > banker ? 0 : player < banker ? 1 : 2, lastStart);
    lastStart = start;
    start += used;
  }
}

/** Exact probabilities of Player, Banker and Tie. */
function winnerOdds(shoe: ShoeDecks): readonly number[] {
  const composition = freshShoe(shoe);
  const ways = { player: 0n, banker: 0n, tie: 0n };
  for (const { facts, ways: more } of factDistributionOf(composition, new Set(['winner']))) ways[facts.winner] += more;
  return winners.map((winner) => fractionToNumber(fraction(ways[winner], countSixCardDraws(composition))));
}

/** Adds a Wald-Wolfowitz runs test for `a` cards of one kind and `b` of another. The mean is 1 + 2ab/n. */
function addRuns(findings: FindingCollector, name: string, sum: number, shoes: number, a: number, b: number): void {
  const [n, twice] = [a + b, 2 * a * b];
  const variance = (twice * (twice - n)) / (n * n * (n - 1));
  findings.normal('runs', name, sum, shoes * (1 + twice / n), shoes * variance);
}

/**
 * The values lie in a ring in random order; each value is multiplied by its neighbour, and the products are added.
 * Returns the mean and variance of this sum over all orders. The values must add up to zero.
 */
function correlationOf(values: readonly number[]): readonly [mean: number, variance: number] {
  const n = values.length;
  const squares = values.reduce((sum, value) => sum + value ** 2, 0);
  const fourths = values.reduce((sum, value) => sum + value ** 4, 0);
  const variance =
    (squares ** 2 - fourths) / (n - 1) +
    (squares ** 2 - 2 * fourths) / ((n - 1) * (n - 2)) -
    squares ** 2 / (n - 1) ** 2;
  return [-squares / (n - 1), variance];
}
