import { formatMoney } from '../../../../base/formatMoney.ts';

/** An amount with its sign: +1,200.00, −3.50, 0.00. */
export const signedMoney = (cents: number): string =>
  cents === 0 ? formatMoney(0) : `${cents < 0 ? '−' : '+'}${formatMoney(Math.abs(cents))}`;

/** The same without a plus, where a sum may be below zero. */
export const sumMoney = (cents: number): string => `${cents < 0 ? '−' : ''}${formatMoney(Math.abs(cents))}`;
