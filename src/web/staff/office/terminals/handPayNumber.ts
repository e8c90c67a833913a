import { type SignedHandPay } from '../../../../wire/staff/cageTypes.ts';

/** Number of a signed hand-pay, as on paper and on screen: HP-T7-1. */
export const handPayNumber = ({ terminal, signature }: Pick<SignedHandPay, 'terminal' | 'signature'>): string =>
  `HP-${terminal}-${signature}`;
