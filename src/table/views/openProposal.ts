import { isRefused } from '../../base/refusal.ts';
import { stoppedRefusal } from '../decide/decide.ts';
import { type ProposableCommand, effectsOf } from '../decide/proposals.ts';
import { leadingIrregularity } from '../irregularities.ts';
import { type Table } from '../state.ts';

/** What a proposal may say of the matter that leads. */
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
 * The proposal that a second person could consent to as things stand: none that has to wait for a ruling or a decision, and
 * no ruling on another matter than the one that leads by now. It is there again once that is out of the way. [READING 59]
 */
export function openProposal(table: Table): Table['proposal'] {
  const { proposal } = table;
  if (proposal === null || stoppedRefusal(proposal.act, table) !== undefined) return null;
  if (!rulingCommandTypes.has(proposal.act.type)) return proposal;
  const isOutdated = (leadingIrregularity(table)?.since ?? 0) > proposal.since;
  const effects = proposalEffects(table);
  return isOutdated || (isRefused(effects) && effects.refused === 'no-such-ruling') ? null : proposal;
}

/** What would happen if the proposal were approved now. */
export function proposalEffects(table: Table) {
  const { act, who } = table.proposal!;
  return effectsOf({ ...act, at: table.at, who } as ProposableCommand, { v: 1, at: table.at, who }, table, undefined);
}
