/** A mark of a derived road: red for a regular pattern, blue for an irregular one. Not Banker and Player. */
export type Mark = 'r' | 'b';

/** The three derived roads and how many columns back each of them looks. */
export const derivedRoads = { bigEye: 1, small: 2, cockroach: 3 } as const;
export type DerivedRoad = keyof typeof derivedRoads;
export const derivedNames = Object.keys(derivedRoads) as readonly DerivedRoad[];

/**
 * The mark that the entry in row `row` of the last logical column gives; `lengths` are the lengths of all logical
 * columns, that entry included. Only lengths count: how the big road is drawn changes nothing.
 */
export function markOf(lengths: readonly number[], row: number, back: number): Mark | undefined {
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
