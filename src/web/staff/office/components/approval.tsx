import { type ProposalWithoutEffects, ApprovalBar } from '../../kit/components/approvalBar.tsx';
import { staffSession } from '../../app/state.ts';
import { officeSendOptions, sendApproval, sendCommand } from '../../kit/sendCommand.ts';
import { mayActAs } from './useSupervisorView.ts';

type ApprovalActions = {
  readonly mayApprove: boolean;
  readonly mayDecline: boolean;
  readonly decline: () => void;
};

/** What the signed-in person may do with a proposal. Four eyes: proposers cannot approve their own proposals. */
export function approvalActions(table: string, proposal: ProposalWithoutEffects): ApprovalActions {
  const isOwn = staffSession.value?.person === proposal.from.person;
  const { id } = proposal;
  return {
    mayApprove: !isOwn && mayActAs(proposal.second),
    mayDecline: isOwn || mayActAs('supervisor'),
    decline: () => {
      if (isOwn || mayActAs('supervisor'))
        void sendCommand({ type: 'WithdrawProposal', proposal: id }, officeSendOptions(table));
    },
  };
}

export function ProposalApprovalBar({
  table,
  proposal,
}: {
  readonly table: string;
  readonly proposal: ProposalWithoutEffects;
}) {
  return (
    <ApprovalBar
      proposal={proposal}
      {...approvalActions(table, proposal)}
      sign={(person) => sendApproval(table, proposal, person)}
    />
  );
}
