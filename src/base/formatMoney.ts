/**
 * Formats cents for display: 123456 becomes "1,234.56". `cents` must not be negative. Integer arithmetic keeps every
 * amount exact.
 */
export function formatMoney(cents: number): string {
  const rest = cents % 100;
  return `${groupThousands((cents - rest) / 100)}.${String(rest).padStart(2, '0')}`;
}

/** Formats cents for small spaces, without decimals if they are zero: 120000 becomes "1,200". */
export const formatShortMoney = (cents: number): string =>
  cents % 100 === 0 ? groupThousands(cents / 100) : formatMoney(cents);

const groupThousands = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
