import { type CommandName } from '../schema/commands.ts';
import { commandsToRule } from '../decide/irregularities/rulingRefusal.ts';
import { isCuttingCardDue } from '../decide/shoeEnd.ts';
import { noCardAvailableRefusal } from '../decide/cards.ts';
import { isShoeInspectionDue, shoeVerificationRefusal } from '../decide/shoePreparation.ts';
import { isSettlementBlocked, irregularityToRuleOn } from '../irregularities.ts';
import { type Table, isShoeEmpty } from '../state.ts';

/** Names of the commands that move the table on from its present state. */
export function nextCommands(table: Table): readonly CommandName[] {
  const irregularity = irregularityToRuleOn(table);
  if (irregularity !== undefined) return commandsToRule(irregularity, table);
  if (table.referrals.length > 0) return ['DecideReferral'];
  switch (table.phase) {
    case 'idle':
      return betweenRounds(table);
    case 'betting':
      return ['CallClose', 'ExtendBets'];
    case 'closing':
      return ['CloseBets'];
    case 'dealing':
      return noCardAvailableRefusal(table) === undefined ? ['DealCard'] : ['ReportIrregularity', 'Refer'];
    case 'result':
      return table.pendingSettlements.some((job) => !isSettlementBlocked(job, table)) ? ['PostSettlement'] : ['Settle'];
  }
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
    return [
      ...(isShoeInspectionDue(shoe) ? (['InspectCards'] as const) : []),
      'CountCards',
      'ShuffleShoe',
      'CutShoe',
      ...(shoeVerificationRefusal(shoe, table) === undefined ? (['VerifyShoe'] as const) : []),
    ];
  }
  if (shoe.lockedBy !== null || shoe.roundsLeft === 0 || isShoeEmpty(shoe)) return endCommands;
  if (settings.burn === 'first-card' && !shoe.burned) return ['BurnCards'];
  if (isCuttingCardDue(shoe)) return ['ReportCuttingCard', 'CorrectCut', 'ReportIrregularity', ...endCommands];
  return ['OpenBets', ...endCommands];
}
