import { isSettlementBlocked } from '../../table/irregularities.ts';
import { type Table } from '../../table/state.ts';
import { type TableAutomation } from './tableAutomation.ts';
import { type DueStep } from './pacing.ts';
import { floorActor } from '../../access/actor.ts';

/** Automation of an attended table: it closes bets after the grace time, and posts settlements in chunks. */
export const attendedTableAutomation: Pick<TableAutomation, 'next'> = { next: nextAttendedStep };

function nextAttendedStep(table: Table): DueStep | undefined {
  const {
    phase,
    round,
    settings,
    pendingSettlements: settlements,
    openIrregularities: irregularities,
    referrals,
  } = table;
  if (settlements.some((settlement) => !isSettlementBlocked(settlement, table)))
    return { at: table.at, request: { type: 'PostSettlement', actor: floorActor } };
  if (phase !== 'closing' || irregularities.length > 0 || referrals.length > 0) return undefined;
  return { at: round!.deadline! + settings.grace, request: { type: 'CloseBets', actor: floorActor } };
}
