/** Parses an amount into cents; undefined unless it is positive and has at most two decimals. */
export function parseMoney(text: string): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{0,2}))?$/.exec(text);
  if (match === null) return undefined;
  const amount = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return amount > 0 ? amount : undefined;
}
