import { isRefused } from '../../base/refusal.ts';
import { stoppedRefusal } from '../decide/decide.ts';
import { type ProposableCommand, effectsOf } from '../decide/proposals.ts';
import { leadingIrregularity } from '../irregularities.ts';
import { type Table } from '../state.ts';

/** Commands that rule on the leading irregularity. */
const rulingCommandTypes: ReadonlySet<string> = new Set([
  'VoidRound',
  'ReconstructRound',
  'RestoreOrder',
  'EnterCard',
  'CorrectCard',
  'BurnCard',
  'DismissReport',
  'ConfirmFelt',
  'ConfirmRuling',
]);

/**
 * The proposal that can be approved now; null for none. A proposal is hidden while another ruling or decision comes
 * first, and appears again after that. [READING 59]
 */
export function approvableProposal(table: Table): Table['proposal'] {
  const { proposal } = table;
  if (proposal === null || stoppedRefusal(proposal.command, table) !== undefined) return null;
  if (!rulingCommandTypes.has(proposal.command.type)) return proposal;
  const isOutdated = (leadingIrregularity(table)?.since ?? 0) > proposal.since;
  const effects = proposalEffects(table);
  return isOutdated || (isRefused(effects) && effects.refused === 'no-such-ruling') ? null : proposal;
}

export function proposalEffects(table: Table) {
  const { command, actor } = table.proposal!;
  return effectsOf(
    { ...command, at: table.at, actor } as ProposableCommand,
    { v: 1, at: table.at, actor },
    table,
    undefined,
  );
}
