/** A mark of a derived road: red for a regular pattern, blue for an irregular one. Not Banker and Player. */
export type DerivedRoadMark = 'r' | 'b';

/** The derived roads, with the number of columns that each looks back. */
export const lookBackColumns = { bigEye: 1, small: 2, cockroach: 3 } as const;
export type DerivedRoad = keyof typeof lookBackColumns;
export const derivedRoadNames = Object.keys(lookBackColumns) as readonly DerivedRoad[];

/**
 * The mark of the entry in `row` of the last logical column. `lengths` includes that entry. Only lengths count; the
 * drawing of the big road does not.
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
