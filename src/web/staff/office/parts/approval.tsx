import { type Proposal, ApprovalBar, signsWithSession } from '../../kit/components/approvalBar.tsx';
import { isDisconnected, serverTime, session } from '../../app/state.ts';
import { officeOptions, sendApproval, sendCommand } from '../../kit/sendCommand.ts';
import { mayActAs } from './useTable.ts';

type ApprovalActions = {
  readonly mayApprove: boolean;
  readonly mayDecline: boolean;
  readonly approve: () => void;
  readonly decline: () => void;
};

/** What the signed-in person may do with a proposal. A proposer never approves the own proposal (four eyes). */
export function approvalActions(table: string, proposal: Proposal): ApprovalActions {
  const isOwn = session.value?.person === proposal.from.person;
  const { id, hash } = proposal;
  return {
    mayApprove: !isOwn && mayActAs(proposal.second),
    mayDecline: isOwn || mayActAs('supervisor'),
    approve: () => {
      if (
        !isOwn &&
        mayActAs(proposal.second) &&
        signsWithSession() &&
        proposal.expires > serverTime.peek() &&
        !isDisconnected.value
      ) {
        void sendCommand({ type: 'Approve', proposal: id, hash }, officeOptions(table));
      }
    },
    decline: () => {
      if (isOwn || mayActAs('supervisor'))
        void sendCommand({ type: 'WithdrawProposal', proposal: id }, officeOptions(table));
    },
  };
}

export function ProposalApproval({ table, proposal }: { readonly table: string; readonly proposal: Proposal }) {
  return (
    <ApprovalBar
      proposal={proposal}
      {...approvalActions(table, proposal)}
      approveWithPin={(person) => sendApproval(proposal, person, officeOptions(table))}
    />
  );
}
