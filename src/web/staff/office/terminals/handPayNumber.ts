import { type SignedHandPay } from '../../../../wire/staff/cageTypes.ts';

/** Name of a signed hand-pay on paper and on screen: HP-T7-1. */
export const handPayNumber = ({ terminal, signature }: Pick<SignedHandPay, 'terminal' | 'signature'>): string =>
  `HP-${terminal}-${signature}`;
