import { type CommandOf } from '../schema/commands.ts';
import { type Slip } from '../schema/fieldTypes.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { ownValue } from '../../base/ownValue.ts';

/**
 * Refuses a slip that breaks a session limit. `debit` is what the slip adds to the stakes. A slip that only lowers
 * stakes is never refused.
 */
export function sessionLimitRefusal(
  { at, slip, sessionLimits }: CommandOf<'SetSlip'>,
  before: Slip,
  { total, debit }: { readonly total: number; readonly debit: number },
): TableRefusal | undefined {
  if (sessionLimits === undefined) return undefined;
  const { stake, loss } = sessionLimits;
  const pausedUntil = sessionLimits.until ?? 0;
  if (at < pausedUntil && Object.keys(slip).some((wager) => slip[wager]! > (ownValue(before, wager) ?? 0))) {
    return refuseAtTable('on-a-break', null, `You are on a break until ${pausedUntil}; bet again then.`, {
      until: pausedUntil,
    });
  }
  if (stake !== null && debit > 0 && total > stake) {
    return refuseAtTable('over-stake-limit', null, `Your limit for the stakes in a round is ${stake}; stake less.`, {
      maximum: stake,
    });
  }
  if (loss !== null && debit > loss) {
    const message = `Your loss limit leaves ${loss} to stake, and the added bets need ${debit}; stake less.`;
    return refuseAtTable('over-loss-limit', null, message, { left: loss });
  }
  return undefined;
}
