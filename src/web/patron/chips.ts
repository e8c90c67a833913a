/** A stake as chips on the felt: the largest of the tray that is not above it, and how many chips it takes in all. */
export function stackOf(stake: number, tray: readonly number[]): { readonly place: number; readonly chips: number } {
  let left = stake;
  let chips = 0;
  let place = 0;
  for (const [n, amount] of [...tray.entries()].toSorted(([, one], [, other]) => other - one)) {
    const rest = left % amount;
    if (chips === 0) place = n;
    chips += (left - rest) / amount;
    left = rest;
  }
  return { place, chips: Math.max(chips, 1) };
}
