/** Parses an amount into cents; undefined unless it is positive with at most two decimals. */
export function moneyOf(text: string): number | undefined {
  const found = /^(\d{1,9})(?:\.(\d{0,2}))?$/.exec(text);
  if (found === null) return undefined;
  const amount = Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'));
  return amount > 0 ? amount : undefined;
}
