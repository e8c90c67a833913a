import { type CommandName } from '../schema/commands.ts';
import { rulingCommands } from '../schema/rulingCommands.ts';
import { isFeltUnconfirmed } from '../decide/irregularities/interruptions.ts';
import { isCuttingCardDue, needsInspection } from '../decide/shoes.ts';
import { isDismissible, isSettlementBlocked, leadingIrregularity } from '../irregularities.ts';
import { type OpenIrregularity, type Table } from '../state.ts';

/** The commands that carry the table on as it stands. */
export function nextCommands(table: Table): readonly CommandName[] {
  const matter = leadingIrregularity(table);
  if (matter !== undefined) return waysOut(matter, table);
  if (table.referrals.length > 0) return ['DecideReferral'];
  switch (table.phase) {
    case 'idle':
      return betweenRounds(table);
    case 'betting':
      return ['CallClose', 'ExtendBets'];
    case 'closing':
      return ['CloseBets'];
    case 'dealing':
      return ['DealCard'];
    case 'result':
      return table.pendingSettlements.some((job) => !isSettlementBlocked(job, table)) ? ['PostSettlement'] : ['Settle'];
  }
}

function waysOut(matter: OpenIrregularity, table: Table): readonly CommandName[] {
  if (matter.kind === 'interruption') {
    if (isFeltUnconfirmed(matter, table)) return ['EnterCard', 'ConfirmFelt', 'Refer'];
    const enters = matter.rulings.includes('enter') && table.phase === 'dealing';
    return ['ConfirmRuling', ...(enters ? (['EnterCard'] as const) : []), 'Refer'];
  }
  const commands = matter.rulings.map((ruling) => rulingCommands[ruling as keyof typeof rulingCommands]);
  return [...commands, ...(isDismissible(matter, table) ? (['DismissReport'] as const) : []), 'Refer'];
}

function betweenRounds(table: Table): readonly CommandName[] {
  const { pendingSettlements: jobs, shoe, setting, closed } = table;
  const virtual = setting.dealing === 'virtual';
  if (jobs.length > 0) return ['PostSettlement'];
  if (closed) return ['ReopenTable'];
  if (shoe === null) return [virtual ? 'CommitShoe' : 'BringShoe'];
  const ends = virtual ? (['EndShoe'] as const) : (['EndShoe', 'SealShoe'] as const);
  if (!shoe.ready) {
    if (virtual) return ['ChooseTurn'];
    const inspects = needsInspection(shoe) ? (['InspectCards'] as const) : [];
    return [...inspects, 'CountCards', 'ShuffleShoe', 'CutShoe', 'VerifyShoe'];
  }
  const empty = shoe.drawn >= shoe.size && !shoe.carried;
  if (shoe.lockedBy !== null || shoe.roundsLeft === 0 || empty) return ends;
  if (setting.burn === 'first-card' && !shoe.burned) return ['BurnCards'];
  if (isCuttingCardDue(shoe)) return ['ReportCuttingCard', 'CorrectCut', 'ReportIrregularity', ...ends];
  return ['OpenBets', ...ends];
}
