import { freeCredit } from '../../app/slipSignals.ts';
import { offeredSpots } from '../viewSignals.ts';

/** Why a chip of the tray cannot be used: it is above every maximum, or the credit does not cover it. */
export function unusableChipReason(amount: number): 'aboveAll' | 'notAfforded' | null {
  const highest = Math.max(0, ...offeredSpots.value.map(({ maximum }) => maximum));
  if (amount > highest) return 'aboveAll';
  return amount > freeCredit.value ? 'notAfforded' : null;
}
