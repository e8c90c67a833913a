import { type CommandName } from '../declare/commands.ts';
import { type Table, isFoundByTable } from '../table.ts';

const byRuling: { readonly [ruling: string]: CommandName } = {
  void: 'VoidRound',
  reconstruct: 'ReconstructRound',
  restore: 'RestoreOrder',
  correct: 'CorrectCard',
  enter: 'EnterCard',
  burn: 'BurnCard',
};

/** The commands that carry the table on as it stands. */
export function nextCommands(table: Table): readonly CommandName[] {
  const { held, referral, phase } = table;
  if (referral !== null) return ['DecideReferral'];
  if (held?.kind === 'interruption') return ['ConfirmRuling', 'Refer'];
  if (held !== null) {
    const dismissal: readonly CommandName[] = isFoundByTable(table) ? [] : ['DismissReport'];
    return [...held.rulings.map((ruling) => byRuling[ruling]!), ...dismissal, 'Refer'];
  }
  switch (phase) {
    case 'idle':
      return betweenRounds(table);
    case 'betting':
      return ['CallClose', 'ExtendBets'];
    case 'closing':
      return ['CloseBets'];
    case 'dealing':
      return ['DealCard'];
    case 'result':
      return ['Settle'];
  }
}

function betweenRounds({ jobs, shoe, setting }: Table): readonly CommandName[] {
  const virtual = setting.dealing === 'virtual';
  if (jobs.length > 0) return ['PostSettlement'];
  if (shoe === null) return [virtual ? 'CommitShoe' : 'BringShoe'];
  if (!shoe.ready) return virtual ? ['ChooseTurn'] : ['CountCards', 'ShuffleShoe', 'CutShoe', 'VerifyShoe'];
  const empty = shoe.drawn >= shoe.size && !shoe.carried;
  if (shoe.lockedBy !== null || shoe.roundsLeft === 0 || empty) return ['EndShoe'];
  if (setting.burn === 'first-card' && !shoe.burned) return ['BurnCards'];
  return ['OpenBets', 'EndShoe'];
}
