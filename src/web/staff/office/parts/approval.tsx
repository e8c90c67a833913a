import { type Proposal, SignBar, signsAlone } from '../../kit/components/approvalBar.tsx';
import { isLost, now, session } from '../../app/state.ts';
import { consent, send } from './commands.ts';
import { may } from './useTable.ts';

type ProposalApproval = {
  readonly mayApprove: boolean;
  readonly mayDecline: boolean;
  readonly approve: () => void;
  readonly decline: () => void;
};

/** What the signed-in person may do with a proposal. A proposer never approves the own proposal (four eyes). */
export function signingOf(table: string, proposal: Proposal): ProposalApproval {
  const isOwn = session.value?.person === proposal.from.person;
  const { id, hash } = proposal;
  return {
    mayApprove: !isOwn && may(proposal.second),
    mayDecline: isOwn || may('supervisor'),
    approve: () => {
      if (!isOwn && may(proposal.second) && signsAlone() && proposal.expires > now.peek() && !isLost.value) {
        void send(table, { type: 'Approve', proposal: id, hash });
      }
    },
    decline: () => {
      if (isOwn || may('supervisor')) void send(table, { type: 'WithdrawProposal', proposal: id });
    },
  };
}

export function ProposalApproval({ table, proposal }: { readonly table: string; readonly proposal: Proposal }) {
  return (
    <SignBar
      proposal={proposal}
      {...signingOf(table, proposal)}
      consent={(person) => consent(table, proposal, person)}
    />
  );
}
