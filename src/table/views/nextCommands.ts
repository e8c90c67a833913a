import { type CommandName } from '../schema/commands.ts';
import { commandByRuling } from '../schema/commandByRuling.ts';
import { isFeltUnconfirmed } from '../decide/irregularities/interruptions.ts';
import { isCuttingCardDue } from '../decide/shoeEnd.ts';
import { needsInspection } from '../decide/shoePreparation.ts';
import { isDismissible, isSettlementBlocked, leadingIrregularity } from '../irregularities.ts';
import { type OpenIrregularity, type Table } from '../state.ts';

/** Names of the commands that move the table on from its present state. */
export function nextCommands(table: Table): readonly CommandName[] {
  const irregularity = leadingIrregularity(table);
  if (irregularity !== undefined) return rulingCommandNames(irregularity, table);
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

function rulingCommandNames(irregularity: OpenIrregularity, table: Table): readonly CommandName[] {
  if (irregularity.kind === 'interruption') {
    if (isFeltUnconfirmed(irregularity, table)) return ['EnterCard', 'ConfirmFelt', 'Refer'];
    const mayEnterCard = irregularity.rulings.includes('enter') && table.phase === 'dealing';
    return ['ConfirmRuling', ...(mayEnterCard ? (['EnterCard'] as const) : []), 'Refer'];
  }
  const commands = irregularity.rulings.map((ruling) => commandByRuling[ruling as keyof typeof commandByRuling]);
  return [...commands, ...(isDismissible(irregularity, table) ? (['DismissReport'] as const) : []), 'Refer'];
}

function betweenRounds(table: Table): readonly CommandName[] {
  const { pendingSettlements, shoe, settings, closed } = table;
  const isVirtualShoe = settings.dealing === 'virtual';
  if (pendingSettlements.length > 0) return ['PostSettlement'];
  if (closed) return ['ReopenTable'];
  if (shoe === null) return [isVirtualShoe ? 'CommitShoe' : 'BringShoe'];
  const endCommands = isVirtualShoe ? (['EndShoe'] as const) : (['EndShoe', 'SealShoe'] as const);
  if (!shoe.ready) {
    if (isVirtualShoe) return ['ChooseCutPosition'];
    const inspectCommands = needsInspection(shoe) ? (['InspectCards'] as const) : [];
    return [...inspectCommands, 'CountCards', 'ShuffleShoe', 'CutShoe', 'VerifyShoe'];
  }
  const isEmpty = shoe.drawn >= shoe.size && !shoe.carried;
  if (shoe.lockedBy !== null || shoe.roundsLeft === 0 || isEmpty) return endCommands;
  if (settings.burn === 'first-card' && !shoe.burned) return ['BurnCards'];
  if (isCuttingCardDue(shoe)) return ['ReportCuttingCard', 'CorrectCut', 'ReportIrregularity', ...endCommands];
  return ['OpenBets', ...endCommands];
}
