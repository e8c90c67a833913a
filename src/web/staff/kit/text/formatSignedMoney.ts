import { formatMoney } from '../../../../base/formatMoney.ts';

/** Amount with a plus or minus sign: +1,200.00, −3.50, 0.00. */
export const formatSignedMoney = (cents: number): string =>
  cents === 0 ? formatMoney(0) : `${cents < 0 ? '−' : '+'}${formatMoney(Math.abs(cents))}`;

/** Amount with a minus sign if negative, and no sign otherwise: 1,200.00, −3.50. */
export const formatMoneyWithMinus = (cents: number): string => `${cents < 0 ? '−' : ''}${formatMoney(Math.abs(cents))}`;
