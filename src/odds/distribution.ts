import { assert } from '../base/assert.ts';
import { type FactName, type Facts } from '../rules/facts.ts';
import { type FirstFourFacts } from '../rules/hand.ts';
import { sideToDraw } from '../rules/play.ts';
import { type Composition } from './composition.ts';
import { type CountingPlan, type PointHand, countingPlanFor } from './countingPlan.ts';
import { cardClassCounts, waysOfFirstFour } from './ways.ts';

/**
 * Deals that the used facts do not tell apart. `ways` is the number of ordered draws of six cards that lead to these
 * facts.
 */
export type FactsCount = { readonly facts: Facts; readonly ways: bigint };

/** Number of outcome cells: 100 pairs of totals for each of the hand sizes 2+2, 2+3, 3+2 and 3+3. */
export const outcomeCellCount = 400;

/**
 * Index of the first outcome cell of the rounds in which only the Banker draws a third card, only the Player draws one,
 * or both draw one.
 */
export const [bankerDrewOffset, playerDrewOffset, bothDrewOffset] = [100, 200, 300];

/**
 * Index of the first counter of rounds that still need a sixth card. There is one counter per pair of totals, at offset
 * Player total * 10 + Banker two-card total.
 */
const awaitingSixth = outcomeCellCount;

/** Look-up table: 1 where the Player draws a third card; the index is Player total * 10 + Banker total. */
const playerDraws = byTotals((player, banker) => Number(sideToDraw(player, banker) === 'player'));
/** Look-up table: 1 where the Player stands and the Banker draws; the index is Player total * 10 + Banker total. */
const bankerDraws = byTotals((player, banker) => Number(sideToDraw(player, banker) === 'banker'));
/**
 * Look-up table: one bit for each value of the Player's third card on which the Banker draws. The index is Player
 * total * 10 + Banker total.
 */
const bankerDrawsOnThird = byTotals((player, banker) => {
  let bits = 0;
  for (let third = 0; third < 10; third++) if (sideToDraw(player, banker, third) === 'banker') bits |= 1 << third;
  return bits;
});

function byTotals(make: (player: number, banker: number) => number): Uint16Array {
  return Uint16Array.from({ length: 100 }, (_, index) => make(Math.trunc(index / 10), index % 10));
}

/** Look-up table: the last digit of a sum of two totals or points; the index is the sum. */
const digit = Uint8Array.from({ length: 20 }, (_, sum) => sum % 10);

const plans = new Map<string, CountingPlan>();

function memoizedPlan(deck: Composition['deck'], usedFacts: ReadonlySet<FactName>): CountingPlan {
  const key = `${deck} ${[...usedFacts].toSorted().join(' ')}`;
  let plan = plans.get(key);
  if (plan === undefined) plans.set(key, (plan = countingPlanFor(deck, usedFacts)));
  return plan;
}

export function countSixCardDraws({ size }: Composition): bigint {
  let all = 1n;
  for (let out = 0; out < 6; out++) all *= BigInt(size - out);
  return all;
}

/** Exact distribution of the used facts over all draws of six cards from a shoe, without replacement. */
export function factDistributionOf(shoe: Composition, usedFacts: ReadonlySet<FactName>): readonly FactsCount[] {
  assert(shoe.size >= 6, 'a shoe has at least six cards');
  const plan = memoizedPlan(shoe.deck, usedFacts);
  const waysAfterFour = waysOfFirstFour(plan, cardClassCounts(plan, shoe));
  return plan.playsOut ? sharesPlayedOut(plan, shoe, waysAfterFour) : sharesAfterFour(plan, shoe, waysAfterFour);
}

/** The distribution when no outcome fact is used: third cards do not matter. */
function sharesAfterFour(
  plan: CountingPlan,
  { size }: Composition,
  waysAfterFour: Float64Array,
): readonly FactsCount[] {
  const sums = new Float64Array(plan.traits.length);
  waysAfterFour.forEach((ways, index) => (sums[plan.traitOf[index]!]! += ways));
  const rest = BigInt(size - 4) * BigInt(size - 5);
  return plan.traits
    .map((trait, index) => ({ facts: { ...anyOutcome, ...trait }, ways: toExactBigInt(sums[index]!) * rest }))
    .filter(({ ways }) => ways > 0n);
}

function sharesPlayedOut(plan: CountingPlan, shoe: Composition, waysAfterFour: Float64Array): readonly FactsCount[] {
  const { traits, traitOf, player, banker } = plan;
  const left = pointCounts(plan, shoe);
  const width = banker.kinds.length;
  const tallies = traits.map(() => new Float64Array(outcomeCellCount + 100));
  const weights = new Float64Array(traits.length);
  for (const p of player.byPoints) {
    left[p.low]!--;
    left[p.high]!--;
    for (const b of banker.byPoints) {
      left[b.low]!--;
      left[b.high]!--;
      for (const playerKind of p.kinds) {
        for (const bankerKind of b.kinds) {
          const index = playerKind * width + bankerKind;
          weights[traitOf[index]!]! += waysAfterFour[index]!;
        }
      }
      for (let trait = 0; trait < weights.length; trait++) {
        const ways = weights[trait]!;
        if (ways === 0) continue;
        weights[trait] = 0;
        drawThirds(ways, p, b, left, tallies[trait]!);
      }
      left[b.low]!++;
      left[b.high]!++;
    }
    left[p.low]!++;
    left[p.high]!++;
  }
  const all = pointCounts(plan, shoe);
  for (const tally of tallies) drawLast(tally, all);
  return traits.flatMap((_, trait) => sharesOf(plan, trait, tallies[trait]!, shoe.size));
}

/**
 * Deals the third cards of the `ways` rounds that begin with the same two hands. `left` counts the remaining cards per
 * point value. `drawLast` deals the sixth card for all rounds at once, as if from the whole shoe. So this function
 * subtracts the ways in which one of the first five cards would be dealt again.
 */
function drawThirds(ways: number, p: PointHand, b: PointHand, left: Float64Array, tally: Float64Array): void {
  const [player, banker] = [p.total, b.total];
  const index = player * 10 + banker;
  if (playerDraws[index] === 1) {
    const drawingThirds = bankerDrawsOnThird[index]!;
    for (let third = 0; third < 10; third++) {
      const drawn = ways * left[third]!;
      const row = digit[player + third]! * 10;
      if ((drawingThirds & (1 << third)) === 0) {
        tally[playerDrewOffset + row + banker]! += drawn;
        continue;
      }
      tally[awaitingSixth + row + banker]! += drawn;
      const last = bothDrewOffset + row;
      tally[last + digit[banker + third]!]! -= drawn;
      tally[last + digit[banker + p.low]!]! -= drawn;
      tally[last + digit[banker + p.high]!]! -= drawn;
      tally[last + digit[banker + b.low]!]! -= drawn;
      tally[last + digit[banker + b.high]!]! -= drawn;
    }
  } else if (bankerDraws[index] === 1) {
    const row = bankerDrewOffset + player * 10;
    for (let third = 0; third < 10; third++) tally[row + digit[banker + third]!]! += ways * left[third]!;
  } else tally[index]! += ways;
}

/** Deals the sixth card of all rounds that need one. `all` counts the cards of the whole shoe per point value. */
function drawLast(tally: Float64Array, all: Float64Array): void {
  for (let index = 0; index < 100; index++) {
    const ways = tally[awaitingSixth + index]!;
    const banker = index % 10;
    const row = bothDrewOffset + index - banker;
    for (let last = 0; last < 10; last++) tally[row + digit[banker + last]!]! += ways * all[last]!;
  }
}

function pointCounts(plan: CountingPlan, shoe: Composition): Float64Array {
  const points = new Float64Array(10);
  cardClassCounts(plan, shoe).forEach((count, index) => (points[plan.classes[index]!.points]! += count));
  return points;
}

function sharesOf(plan: CountingPlan, trait: number, tally: Float64Array, size: number): readonly FactsCount[] {
  const shares: FactsCount[] = [];
  // A round of fewer than six cards counts once for each draw of six that begins with it.
  const five = BigInt(size - 5);
  const rest = [BigInt(size - 4) * five, five, five, 1n];
  for (let cell = 0; cell < outcomeCellCount; cell++) {
    const ways = tally[cell]!;
    if (ways !== 0)
      shares.push({
        facts: factsOfCell(plan.traits[trait]!, cell),
        ways: toExactBigInt(ways) * rest[Math.trunc(cell / 100)]!,
      });
  }
  return shares;
}

const factsByTrait = new WeakMap<FirstFourFacts, Facts[]>();

/** The facts of an outcome cell together with the facts of the first four cards. The result is cached. */
export function factsOfCell(trait: FirstFourFacts, cell: number): Facts {
  const cached = factsByTrait.get(trait) ?? [];
  factsByTrait.set(trait, cached);
  const outcome = (): Outcome =>
    outcomeOf(
      Math.trunc((cell % 100) / 10),
      cell % 10,
      cell < playerDrewOffset ? 2 : 3,
      cell % 200 < bankerDrewOffset ? 2 : 3,
    );
  return (cached[cell] ??= { ...trait, ...outcome() });
}

/** Converts a count to bigint. Sums of integers in a double are exact below 2^53. */
function toExactBigInt(count: number): bigint {
  assert(Number.isSafeInteger(count), 'a count is exact');
  return BigInt(count);
}

type Outcome = Omit<Facts, keyof FirstFourFacts>;

function outcomeOf(player: number, banker: number, playerCards: 2 | 3, bankerCards: 2 | 3): Outcome {
  return {
    winner: player === banker ? 'tie' : player > banker ? 'player' : 'banker',
    margin: Math.abs(player - banker) as Facts['margin'],
    playerTotal: player as Facts['playerTotal'],
    bankerTotal: banker as Facts['bankerTotal'],
    playerCards,
    bankerCards,
    playerNatural: playerCards === 2 && player >= 8,
    bankerNatural: bankerCards === 2 && banker >= 8,
  };
}

/** Outcome facts for a plan that uses no outcome fact. Their values mean nothing. */
const anyOutcome = outcomeOf(0, 0, 2, 2);
