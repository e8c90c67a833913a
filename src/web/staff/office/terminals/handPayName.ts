import { type SignedHandPay } from '../../../../wire/staff/cageTypes.ts';

/** What a signed hand-pay is called on paper and at the desk: HP-T7-1. */
export const slipName = ({ terminal, signature }: Pick<SignedHandPay, 'terminal' | 'signature'>): string =>
  `HP-${terminal}-${signature}`;
