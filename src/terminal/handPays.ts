import { approvalRules } from '../access/approvalRules.ts';
import { type StaffActor, isSameActor } from '../access/actor.ts';
import { hasAuthority } from '../access/roles.ts';
import { hashOf } from '../base/canonicalJson.ts';
import { type TerminalCommandOf } from './commands.ts';
import { type TerminalDecision, type TerminalRefusal, refuseTerminal, terminalEventStamp } from './decision.ts';
import { type TerminalState, unpaidHandPayTotal } from './state.ts';

/** How long a proposal waits for its second signature. */
const proposalMs = 120_000;

/** [HOUSE 2] Above the limit two persons pay. */
export function decidePayByHand(command: TerminalCommandOf<'PayByHand'>, terminal: TerminalState): TerminalDecision {
  const { what, amount, second } = command;
  return (
    signatureRefusal(command, terminal) ?? [{ type: 'HandPaid', ...terminalEventStamp(command), what, amount, second }]
  );
}

/** [HOUSE 2] Above the limit two persons sign, and the cage pays. */
export function decideSignHandPay(
  command: TerminalCommandOf<'SignHandPay'>,
  terminal: TerminalState,
): TerminalDecision {
  const { what, amount, second } = command;
  const signature = terminal.signatures + 1;
  return (
    signatureRefusal(command, terminal) ?? [
      { type: 'HandPaySigned', ...terminalEventStamp(command), signature, what, amount, second },
    ]
  );
}

/** Why the hand-pay cannot be signed, if so; signed ones wait for the cage only. */
function signatureRefusal(
  { amount, second, amountDue, actor, at }: TerminalCommandOf<'PayByHand' | 'SignHandPay'>,
  terminal: TerminalState,
): TerminalRefusal | undefined {
  const rule = approvalRules['pay by hand above the limit'];
  if (isSameActor(actor, second)) {
    return refuseTerminal('same-person', 'HOUSE 2', 'The second consent comes from another person; name one.');
  }
  if (!hasAuthority(second, rule.second, at)) {
    return refuseTerminal('not-your-role', 'HOUSE 2', `This takes a ${rule.second} as second; name one.`);
  }
  return overWaitingRefusal(amount, amountDue, terminal);
}

/** Signed amounts no longer wait for a signature. */
function overWaitingRefusal(amount: number, waiting: number, terminal: TerminalState): TerminalRefusal | undefined {
  const left = waiting - unpaidHandPayTotal(terminal);
  if (amount <= left) return undefined;
  return refuseTerminal(
    'over-amount-due',
    'HOUSE 10',
    `${left} waits to be paid by hand, not ${amount}; pay no more than that.`,
  );
}

/** [HOUSE 2] First signature; the second is bound to the hash of exactly this hand-pay. */
export function decideProposeHandPay(
  command: TerminalCommandOf<'ProposeHandPay'>,
  terminal: TerminalState,
): TerminalDecision {
  const { what, amount, amountDue, at } = command;
  // Only staff have the role.
  const { person: first } = command.actor as StaffActor;
  const proposal = `P${terminal.proposals + 1}`;
  const hash = hashOf({ terminal: terminal.terminal, proposal, what, amount, first });
  const expires = at + proposalMs;
  return (
    overWaitingRefusal(amount, amountDue, terminal) ?? [
      { type: 'HandPayProposed', ...terminalEventStamp(command), proposal, what, amount, hash, expires },
    ]
  );
}

const proposalRefusal = (
  { proposal }: TerminalCommandOf<'ApproveHandPay' | 'WithdrawHandPayProposal'>,
  terminal: TerminalState,
): TerminalRefusal | undefined =>
  terminal.proposal?.id === proposal
    ? undefined
    : refuseTerminal('unknown-proposal', 'HOUSE 2', 'That proposal is not open; look at the one that is.');

/** [HOUSE 2] Second signature; the cage pays. */
export function decideApproveHandPay(
  command: TerminalCommandOf<'ApproveHandPay'>,
  terminal: TerminalState,
): TerminalDecision {
  const refusal = proposalRefusal(command, terminal);
  if (refusal) return refusal;
  const { at, amountDue } = command;
  const second = command.actor as StaffActor;
  const { id: proposal, hash, what, amount, actor, expires } = terminal.proposal!;
  if (at > expires) {
    return refuseTerminal('expired-proposal', 'HOUSE 2', 'The proposal has waited too long; make it again.');
  }
  if (isSameActor(actor, second)) {
    return refuseTerminal('same-person', 'HOUSE 2', 'The second consent comes from another person; name one.');
  }
  if (command.hash !== hash) {
    return refuseTerminal('changed-proposal', 'HOUSE 2', 'What was proposed is something else; look again.');
  }
  const { first } = approvalRules['pay by hand above the limit'];
  if (!hasAuthority(actor, first, at)) {
    return refuseTerminal('not-your-role', 'HOUSE 2', `The proposer is no longer a ${first}; let another propose it.`);
  }
  const signature = terminal.signatures + 1;
  return (
    overWaitingRefusal(amount, amountDue, terminal) ?? [
      { type: 'HandPayApproved', ...terminalEventStamp(command), proposal, hash },
      { type: 'HandPaySigned', v: 1, at, actor, signature, what, amount, second },
    ]
  );
}

/** Why the cage cannot pay this hand-pay, if so. */
function unpaidRefusal(
  signature: number,
  { signatures, signed, withdrawn }: TerminalState,
): TerminalRefusal | undefined {
  if (signature > signatures) {
    return refuseTerminal(
      'unknown-hand-pay',
      null,
      `The hand-pay ${signature} is not signed at this terminal; name another.`,
    );
  }
  if (withdrawn.includes(signature)) {
    return refuseTerminal(
      'hand-pay-withdrawn',
      null,
      'That hand-pay has been withdrawn; look for the one that was signed since.',
    );
  }
  if (signed[signature] !== undefined) return undefined;
  return refuseTerminal('hand-pay-paid', null, 'That hand-pay has been paid; pay it no second time.');
}

/** Moves no money: the amount waits to be signed again or paid otherwise. */
export function decideWithdrawHandPay(
  command: TerminalCommandOf<'WithdrawHandPay'>,
  terminal: TerminalState,
): TerminalDecision {
  const { signature, reason } = command;
  const refusal = unpaidRefusal(signature, terminal);
  if (refusal) return refusal;
  const { amount } = terminal.signed[signature]!;
  return [{ type: 'HandPayWithdrawn', ...terminalEventStamp(command), signature, amount, reason }];
}

/** Paid whole and once. */
export function decidePaySigned(command: TerminalCommandOf<'PaySigned'>, terminal: TerminalState): TerminalDecision {
  const { signature } = command;
  const refusal = unpaidRefusal(signature, terminal);
  if (refusal) return refusal;
  const { what, amount } = terminal.signed[signature]!;
  return [{ type: 'HandPaid', ...terminalEventStamp(command), what, amount, signature }];
}

/** Withdraws or declines a proposal before the second signature. */
export const decideWithdrawHandPayProposal = (
  command: TerminalCommandOf<'WithdrawHandPayProposal'>,
  terminal: TerminalState,
): TerminalDecision =>
  proposalRefusal(command, terminal) ?? [
    { type: 'HandPayProposalWithdrawn', ...terminalEventStamp(command), proposal: command.proposal },
  ];
