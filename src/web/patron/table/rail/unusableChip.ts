import { freeCredit } from '../../app/slipSignals.ts';
import { offeredSpots } from '../viewSignals.ts';

/**
 * Why a chip cannot be used: it is above the maximum of every spot, or the credit does not cover it. Null if it can be
 * used.
 */
export function unusableChipReason(amount: number): 'aboveAll' | 'notAfforded' | null {
  const highest = Math.max(0, ...offeredSpots.value.map(({ maximum }) => maximum));
  if (amount > highest) return 'aboveAll';
  return amount > freeCredit.value ? 'notAfforded' : null;
}
