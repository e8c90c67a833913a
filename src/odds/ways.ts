import { type Composition } from './composition.ts';
import { type CountingPlan, type SidePlan } from './plan.ts';

/** How many cards of each class a shoe has left. */
export const classCounts = ({ classes }: CountingPlan, { counts }: Composition): readonly number[] =>
  classes.map(({ cards }) => cards.reduce((sum, card) => sum + counts[card]!, 0));

/** In how many orders two cards of these classes can be drawn. */
const orderedDraws = (n: readonly number[], a: number, b: number): number =>
  a === b ? n[a]! * (n[a]! - 1) : 2 * n[a]! * n[b]!;

/**
 * In how many ways four cards make a Player hand of one kind and a Banker hand of another, for all pairs of kinds, at
 * player kind * banker kinds + banker kind.
 *
 * The ways of the Banker hand are a polynomial in the cards that the Player hand has taken: a constant, a part that is
 * linear in them, and a part for the case that both hands draw on the same classes. Summed over the Player hands of a
 * kind, each part is a short sum over the classes of the kind.
 */
export function waysOfFour(plan: CountingPlan, n: readonly number[]): Float64Array {
  const { player, banker } = plan;
  const width = banker.kinds.length;
  const ways = new Float64Array(player.kinds.length * width);
  const hands = banker.kinds.map((kind) => slopesOf(kind.pairs, n));
  const takenByClass = new Float64Array(n.length);
  player.kinds.forEach(({ pairs }, index) => {
    const row = index * width;
    takenByClass.fill(0);
    let all = 0;
    for (const { a, b } of pairs) {
      const f = orderedDraws(n, a, b);
      all += f;
      takenByClass[a]! += f;
      takenByClass[b]! += f;
      addShared(ways, row, banker, n.length, a, b, f);
    }
    hands.forEach(({ constant, classes, slopes }, other) => {
      let lostWays = 0;
      for (let k = 0; k < classes.length; k++) lostWays += takenByClass[classes[k]!]! * slopes[k]!;
      ways[row + other]! += all * constant - lostWays;
    });
  });
  return ways;
}

/** The part for hands that draw on the same classes: {a, b} against itself, against {a, a} and against {b, b}. */
function addShared(
  ways: Float64Array,
  row: number,
  { kindOf }: SidePlan,
  classes: number,
  a: number,
  b: number,
  f: number,
): void {
  if (a === b) {
    ways[row + kindOf[a * classes + a]!]! += 4 * f;
    return;
  }
  ways[row + kindOf[a * classes + b]!]! += 2 * f;
  ways[row + kindOf[a * classes + a]!]! += f;
  ways[row + kindOf[b * classes + b]!]! += f;
}

/** Of a kind of hand: its ways in the whole shoe, and how many of them each card of a class takes along. */
function slopesOf(pairs: readonly { readonly a: number; readonly b: number }[], n: readonly number[]) {
  const slopes = new Map<number, number>();
  let constant = 0;
  const add = (of: number, slope: number): Map<number, number> => slopes.set(of, (slopes.get(of) ?? 0) + slope);
  for (const { a, b } of pairs) {
    constant += orderedDraws(n, a, b);
    if (a === b) add(a, 2 * n[a]! - 1);
    else {
      add(a, 2 * n[b]!);
      add(b, 2 * n[a]!);
    }
  }
  return { constant, classes: [...slopes.keys()], slopes: [...slopes.values()] };
}
