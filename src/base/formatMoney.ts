/** Minor units as people read them: 123456 are 1,234.56. In whole numbers, so that every amount is right to the cent. */
export function formatMoney(cents: number): string {
  const rest = cents % 100;
  return `${groupThousands((cents - rest) / 100)}.${String(rest).padStart(2, '0')}`;
}

/** The same without empty decimals, where there is little room. */
export const formatShortMoney = (cents: number): string =>
  cents % 100 === 0 ? groupThousands(cents / 100) : formatMoney(cents);

const groupThousands = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
