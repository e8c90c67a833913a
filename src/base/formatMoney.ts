/** Minor units for people: 123456 is 1,234.56. Integer arithmetic, so every amount is exact to the cent. */
export function formatMoney(cents: number): string {
  const rest = cents % 100;
  return `${groupThousands((cents - rest) / 100)}.${String(rest).padStart(2, '0')}`;
}

/** The same without empty decimals, for small spaces. */
export const formatShortMoney = (cents: number): string =>
  cents % 100 === 0 ? groupThousands(cents / 100) : formatMoney(cents);

const groupThousands = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
