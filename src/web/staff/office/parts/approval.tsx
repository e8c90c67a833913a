import { type Proposal, ApprovalBar, mayApproveWithoutPin } from '../../kit/components/approvalBar.tsx';
import { isDisconnected, serverTime, staffSession } from '../../app/state.ts';
import { officeSendOptions, sendApproval, sendCommand } from '../../kit/sendCommand.ts';
import { mayActAs } from './useSupervisorView.ts';

type ApprovalActions = {
  readonly mayApprove: boolean;
  readonly mayDecline: boolean;
  readonly approve: () => void;
  readonly decline: () => void;
};

/** What the signed-in person may do with a proposal. Four eyes: a proposer cannot approve the same proposal. */
export function approvalActions(table: string, proposal: Proposal): ApprovalActions {
  const isOwn = staffSession.value?.person === proposal.from.person;
  const { id, hash } = proposal;
  return {
    mayApprove: !isOwn && mayActAs(proposal.second),
    mayDecline: isOwn || mayActAs('supervisor'),
    approve: () => {
      if (
        !isOwn &&
        mayActAs(proposal.second) &&
        mayApproveWithoutPin() &&
        proposal.expires > serverTime.peek() &&
        !isDisconnected.value
      ) {
        void sendCommand({ type: 'Approve', proposal: id, hash }, officeSendOptions(table));
      }
    },
    decline: () => {
      if (isOwn || mayActAs('supervisor'))
        void sendCommand({ type: 'WithdrawProposal', proposal: id }, officeSendOptions(table));
    },
  };
}

export function ProposalApprovalBar({ table, proposal }: { readonly table: string; readonly proposal: Proposal }) {
  return (
    <ApprovalBar
      proposal={proposal}
      {...approvalActions(table, proposal)}
      approveWithPin={(person) => sendApproval(proposal, person, officeSendOptions(table))}
    />
  );
}
