import { formatMoney } from '../../../../base/formatMoney.ts';

/** Signed amount: +1,200.00, −3.50, 0.00. */
export const formatSignedMoney = (cents: number): string =>
  cents === 0 ? formatMoney(0) : `${cents < 0 ? '−' : '+'}${formatMoney(Math.abs(cents))}`;

/** Amount with a minus sign only. */
export const formatMoneyWithMinus = (cents: number): string => `${cents < 0 ? '−' : ''}${formatMoney(Math.abs(cents))}`;
