import { type CommandOf } from '../schema/commands.ts';
import { type Slip } from '../schema/fieldTypes.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { ownValue } from '../../base/ownValue.ts';

/** Checks a slip that stakes `hold` more against the session limits. Lowering a stake is never refused. */
export function sessionLimitRefusal(
  { at, slip, sessionLimits }: CommandOf<'SetSlip'>,
  before: Slip,
  { total, hold }: { readonly total: number; readonly hold: number },
): TableRefusal | undefined {
  if (sessionLimits === undefined) return undefined;
  const { stake, loss } = sessionLimits;
  const pausedUntil = sessionLimits.until ?? 0;
  if (at < pausedUntil && Object.keys(slip).some((wager) => slip[wager]! > (ownValue(before, wager) ?? 0))) {
    return refuseAtTable('on-a-break', null, `You are on a break until ${pausedUntil}; bet again then.`, {
      until: pausedUntil,
    });
  }
  if (stake !== null && hold > 0 && total > stake) {
    return refuseAtTable('over-stake-limit', null, `You have limited your stakes in a round to ${stake}; stake less.`, {
      maximum: stake,
    });
  }
  if (loss !== null && hold > loss) {
    const message = `Your limit on losses leaves ${loss} to be staked, and the slip asks for ${hold} more; stake less.`;
    return refuseAtTable('over-loss-limit', null, message, { left: loss });
  }
  return undefined;
}
