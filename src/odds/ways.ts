import { type Composition } from './composition.ts';
import { type CountingPlan, type SideCountingPlan } from './countingPlan.ts';

/** How many cards of each card class a shoe has left. */
export const cardClassCounts = ({ classes }: CountingPlan, { counts }: Composition): readonly number[] =>
  classes.map(({ cards }) => cards.reduce((sum, card) => sum + counts[card]!, 0));

/**
 * The number of ordered draws of two cards, one from class `a` and one from class `b`, in either order. `n` counts the
 * cards per class.
 */
const orderedDraws = (n: readonly number[], a: number, b: number): number =>
  a === b ? n[a]! * (n[a]! - 1) : 2 * n[a]! * n[b]!;

/**
 * Number of ways in which four cards form a Player hand of one class and a Banker hand of another. The index is player
 * class * number of banker classes + banker class. The function does not try every pair of hands. It takes the Banker
 * hands of the whole shoe, subtracts the hands that the two Player cards make impossible (`slopesOf`), and corrects the
 * result where both hands share card classes (`addShared`).
 */
export function waysOfFirstFour(plan: CountingPlan, n: readonly number[]): Float64Array {
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

/**
 * Adds the correction for hands that share card classes: a Player hand {a, b} against the Banker hands {a, b}, {a, a}
 * and {b, b}.
 */
function addShared(
  ways: Float64Array,
  row: number,
  { kindOf }: SideCountingPlan,
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

/**
 * For one hand class: its number of ways in a whole shoe and, for each card class, by how many ways this number falls
 * when one card of the class is taken out.
 */
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
