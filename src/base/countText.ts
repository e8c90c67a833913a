/** The noun for a count: "card" for 1, else "cards". */
export const pluralNoun = (count: number | bigint, one: string, many = `${one}s`): string =>
  Number(count) === 1 ? one : many;

/** A count with its noun: "1 card", "6 cards", "1 entry", "6 entries". */
export const countText = (count: number | bigint, one: string, many = `${one}s`): string =>
  `${count} ${pluralNoun(count, one, many)}`;
