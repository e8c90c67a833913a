import { assert } from '../rules/assert.ts';
import { type FactName, type Facts } from '../rules/facts.ts';
import { drawsNext } from '../rules/play.ts';
import { type Composition } from './composition.ts';
import { type Plan, type Trait, planFor } from './plan.ts';
import { classCounts, waysOfFour } from './ways.ts';

/** Rounds that the question cannot tell apart: their facts, of which only those asked for mean anything, and how many
 * of all ordered draws of six cards give them. */
export type Share = { readonly facts: Facts; readonly ways: bigint };

/** Totals and numbers of cards of a finished round have a cell: 100 for each of 2+2, 2+3, 3+2 and 3+3 cards. */
const cells = 400;
const cellOf = (player: number, banker: number, playerCards: number, bankerCards: number): number =>
  (playerCards - 2) * 200 + (bankerCards - 2) * 100 + player * 10 + banker;

/** Who draws, from the one table of play: by Player total, Banker total and the Player's third card. */
const playerDraws = each(10, (p) => each(10, (b) => drawsNext(p, b) === 'player'));
const bankerDraws = each(10, (p) => each(10, (b) => drawsNext(p, b) === 'banker'));
const bankerAnswers = each(10, (p) => each(10, (b) => each(10, (third) => drawsNext(p, b, third) === 'banker')));

function each<T>(length: number, make: (n: number) => T): readonly T[] {
  return Array.from({ length }, (_, n) => make(n));
}

const plans = new Map<string, Plan>();

function planOf(deck: Composition['deck'], asked: ReadonlySet<FactName>): Plan {
  const key = `${deck} ${[...asked].toSorted().join(' ')}`;
  let plan = plans.get(key);
  if (plan === undefined) plans.set(key, (plan = planFor(deck, asked)));
  return plan;
}

/** All ordered draws of six cards. */
export function allDraws({ size }: Composition): bigint {
  let all = 1n;
  for (let out = 0; out < 6; out++) all *= BigInt(size - out);
  return all;
}

/** The exact distribution of some facts over all deals from a shoe, without replacement. */
export function distributionOf(shoe: Composition, asked: ReadonlySet<FactName>): readonly Share[] {
  assert(shoe.size >= 6, 'a round can be dealt');
  const plan = planOf(shoe.deck, asked);
  const four = waysOfFour(plan, classCounts(plan, shoe));
  return plan.playsOut ? playedOut(plan, shoe, four) : afterFour(plan, shoe, four);
}

/** Where third cards do not matter. */
function afterFour(plan: Plan, { size }: Composition, four: Float64Array): readonly Share[] {
  const sums = new Float64Array(plan.traits.length);
  four.forEach((ways, place) => (sums[plan.traitOf[place]!]! += ways));
  const rest = BigInt(size - 4) * BigInt(size - 5);
  return plan.traits
    .map((trait, place) => ({ facts: { ...anyOutcome, ...trait }, ways: exact(sums[place]!) * rest }))
    .filter(({ ways }) => ways > 0n);
}

function playedOut(plan: Plan, shoe: Composition, four: Float64Array): readonly Share[] {
  const points = pointCounts(plan, shoe);
  const width = plan.banker.kinds.length;
  const tallies = plan.traits.map(() => new Float64Array(cells));
  const bankerHands = byPoints(plan.banker.kinds);
  const weights = new Float64Array(plan.traits.length);
  for (const [playerPoints, playerKinds] of byPoints(plan.player.kinds)) {
    for (const [bankerPoints, bankerKinds] of bankerHands) {
      weights.fill(0);
      for (const p of playerKinds) {
        for (const b of bankerKinds) weights[plan.traitOf[p * width + b]!]! += four[p * width + b]!;
      }
      const hand = [
        Math.trunc(playerPoints / 10),
        playerPoints % 10,
        Math.trunc(bankerPoints / 10),
        bankerPoints % 10,
      ] as const;
      for (const value of hand) points[value]!--;
      for (let trait = 0; trait < weights.length; trait++) {
        if (weights[trait]! > 0)
          drawThirds(weights[trait]!, (hand[0] + hand[1]) % 10, (hand[2] + hand[3]) % 10, points, tallies[trait]!);
      }
      for (const value of hand) points[value]!++;
    }
  }
  return plan.traits.flatMap((trait, place) => sharesOf(tallies[place]!, trait, shoe.size));
}

/** Plays `ways` rounds on from four cards, `left` being the cards of each value that are left. */
function drawThirds(ways: number, player: number, banker: number, left: Float64Array, tally: Float64Array): void {
  if (playerDraws[player]![banker]!) {
    for (let third = 0; third < 10; third++) {
      const drawn = ways * left[third]!;
      if (drawn === 0) continue;
      const total = (player + third) % 10;
      if (!bankerAnswers[player]![banker]![third]!) {
        tally[cellOf(total, banker, 3, 2)]! += drawn;
        continue;
      }
      left[third]!--;
      for (let last = 0; last < 10; last++) tally[cellOf(total, (banker + last) % 10, 3, 3)]! += drawn * left[last]!;
      left[third]!++;
    }
  } else if (bankerDraws[player]![banker]!) {
    for (let third = 0; third < 10; third++) tally[cellOf(player, (banker + third) % 10, 2, 3)]! += ways * left[third]!;
  } else tally[cellOf(player, banker, 2, 2)]! += ways;
}

function pointCounts(plan: Plan, shoe: Composition): Float64Array {
  const points = new Float64Array(10);
  classCounts(plan, shoe).forEach((count, place) => (points[plan.classes[place]!.points]! += count));
  return points;
}

/** The kinds of a side by their two point values. */
function byPoints(kinds: readonly { readonly points: number }[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  kinds.forEach(({ points }, place) => {
    const list = found.get(points);
    if (list) list.push(place);
    else found.set(points, [place]);
  });
  return found;
}

function sharesOf(tally: Float64Array, trait: Trait, size: number): readonly Share[] {
  const shares: Share[] = [];
  tally.forEach((ways, cell) => {
    if (ways === 0) return;
    const playerCards = cell < 200 ? 2 : 3;
    const bankerCards = cell % 200 < 100 ? 2 : 3;
    const outcome = outcomeOf(Math.trunc((cell % 100) / 10), cell % 10, playerCards, bankerCards);
    // Rounds of fewer cards stand for all draws of six that begin with them.
    let draws = exact(ways);
    for (let out = playerCards + bankerCards; out < 6; out++) draws *= BigInt(size - out);
    shares.push({ facts: { ...trait, ...outcome }, ways: draws });
  });
  return shares;
}

/** A count that came about by adding whole numbers is exact as long as it is below 2^53. */
function exact(count: number): bigint {
  assert(Number.isSafeInteger(count), 'a count is exact');
  return BigInt(count);
}

type Outcome = Omit<Facts, keyof Trait>;

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

/** Stands in where nobody asks for the outcome. */
const anyOutcome = outcomeOf(0, 0, 2, 2);
