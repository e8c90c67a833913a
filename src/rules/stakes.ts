export function hasSameStakes(
  one: { readonly [wager: string]: number },
  other: { readonly [wager: string]: number },
): boolean {
  const wagers = Object.keys(one);
  return (
    wagers.length === Object.keys(other).length &&
    wagers.every((wager) => Object.hasOwn(other, wager) && one[wager] === other[wager])
  );
}
