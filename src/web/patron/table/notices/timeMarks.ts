// The seconds left that are read out to whoever does not see the ring.

const marks = [10, 5, 0] as const;
export type TimeMark = (typeof marks)[number];

/** The mark that is passed between two looks at the seconds left, which are null where bets are not open. */
export function markPassed(before: number | null, left: number | null): TimeMark | undefined {
  if (left === null) return before === null || before === 0 ? undefined : 0;
  return marks.findLast((mark) => left === mark || (before !== null && before > mark && left < mark));
}
