/**
 * A mark of a derived road: `r` (red) for a regular pattern, `b` (blue) for an irregular one. The colours do not stand
 * for Banker and Player.
 */
export type DerivedRoadMark = 'r' | 'b';

/** How many columns of the big road each derived road looks back. */
export const lookBackColumns = { bigEye: 1, small: 2, cockroach: 3 } as const;
export type DerivedRoad = keyof typeof lookBackColumns;
export const derivedRoadNames = Object.keys(lookBackColumns) as readonly DerivedRoad[];

/**
 * The mark for the entry in `row` of the last column; undefined while there are too few columns to compare. A column is
 * one run of wins here, even if the drawn run turns right. `lengths` are the lengths of all columns, in which the entry
 * is already counted.
 */
export function derivedRoadMarkOf(lengths: readonly number[], row: number, back: number): DerivedRoadMark | undefined {
  const last = lengths.length - 1;
  if (row === 1) {
    const before = lengths[last - 1];
    const compared = lengths[last - 1 - back];
    if (compared === undefined) return undefined;
    return before === compared ? 'r' : 'b';
  }
  const compared = lengths[last - back];
  if (compared === undefined) return undefined;
  return row === compared + 1 ? 'b' : 'r';
}
