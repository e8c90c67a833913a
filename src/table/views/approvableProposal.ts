import { isRefused } from '../../base/refusal.ts';
import { stoppedRefusal } from '../decide/decide.ts';
import { type TableDecision } from '../decide/decision.ts';
import {
  type ProposableCommand,
  approvalEventsOrRefusal,
  isRulingProposalOvertaken,
  isRulingCommand,
} from '../decide/proposals.ts';
import { type Table } from '../state.ts';

/**
 * The open proposal, even if it has expired. Null if there is none. Null also while another ruling or decision must
 * come first; afterwards the proposal appears again. [READING 59]
 */
export function approvableProposal(table: Table): Table['proposal'] {
  const { proposal } = table;
  if (proposal === null || stoppedRefusal(proposal.command, table) !== undefined) return null;
  if (!isRulingCommand(proposal.command.type)) return proposal;
  const decision = previewApproval(table);
  return isRulingProposalOvertaken(table) || (isRefused(decision) && decision.refused === 'no-such-ruling')
    ? null
    : proposal;
}

/**
 * The events that an approval of the open proposal would produce now, or the refusal of the approval. The proposal must
 * exist.
 */
export function previewApproval(table: Table): TableDecision {
  const { command, actor } = table.proposal!;
  const proposed = { ...command, at: table.at, actor } as ProposableCommand;
  return approvalEventsOrRefusal(proposed, { v: 1, at: table.at, actor }, table);
}
