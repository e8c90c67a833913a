import { freeCredit } from '../../app/slipSignals.ts';
import { offeredSpots } from '../viewSignals.ts';

/**
 * Why a chip cannot be used: its amount is above the maximum of every spot, or above the credit. Null if the chip can
 * be used.
 */
export function unusableChipReason(amount: number): 'aboveAll' | 'notAfforded' | null {
  const highest = Math.max(0, ...offeredSpots.value.map(({ maximum }) => maximum));
  if (amount > highest) return 'aboveAll';
  return amount > freeCredit.value ? 'notAfforded' : null;
}
