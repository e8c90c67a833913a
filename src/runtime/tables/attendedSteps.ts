import { isSettlementBlocked } from '../../table/irregularities.ts';
import { type Table } from '../../table/state.ts';
import { type TableAutomation } from './stepScheduler.ts';
import { type DueStep, floorPost } from './pacing.ts';

/** What runs by itself where people deal: the second step of a close, and the chunks of a settlement. */
export const service: Pick<TableAutomation, 'next'> = { next: serviceStep };

function serviceStep(table: Table): DueStep | undefined {
  const { phase, round, setting, pendingSettlements: jobs, openIrregularities: held, referrals } = table;
  if (jobs.some((job) => !isSettlementBlocked(job, table)))
    return { at: table.at, asked: { type: 'PostSettlement', who: floorPost } };
  if (phase !== 'closing' || held.length > 0 || referrals.length > 0) return undefined;
  return { at: round!.deadline! + setting.grace, asked: { type: 'CloseBets', who: floorPost } };
}
