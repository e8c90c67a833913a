// Countdown marks: the numbers of seconds left that are announced to screen readers.

const marks = [10, 5, 0] as const;
export type CountdownMark = (typeof marks)[number];

/**
 * The mark that the countdown has reached or passed since the reading `before`; undefined if there is none. A reading
 * is the number of seconds left, or null while bets are not open.
 */
export function passedCountdownMark(before: number | null, left: number | null): CountdownMark | undefined {
  if (left === null) return before === null || before === 0 ? undefined : 0;
  return marks.findLast((mark) => left === mark || (before !== null && before > mark && left < mark));
}
