import { approvalRules, proposalMs } from '../access/approvalRules.ts';
import { type StaffActor, isSameActor } from '../access/actor.ts';
import { hasAuthority } from '../access/roles.ts';
import { hashOf } from '../base/canonicalJson.ts';
import { type TerminalCommandOf } from './commands.ts';
import { type TerminalDecision, type TerminalRefusal, refuseTerminal, terminalEventStamp } from './decision.ts';
import { type TerminalState, signedUnpaidHandPayTotal } from './state.ts';

/** Pays a hand-pay at once, by two persons. [HOUSE 2] */
export function decidePayByHand(command: TerminalCommandOf<'PayByHand'>, terminal: TerminalState): TerminalDecision {
  const { what, amount, second } = command;
  return (
    signatureRefusal(command, terminal) ?? [{ type: 'HandPaid', ...terminalEventStamp(command), what, amount, second }]
  );
}

/** Signs a hand-pay by two persons at once; the cage then pays it. [HOUSE 2] */
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

/** Refusal if two persons cannot sign this hand-pay: same person, wrong role, or more than is due. */
function signatureRefusal(
  { amount, second, amountDue, actor, at }: TerminalCommandOf<'PayByHand' | 'SignHandPay'>,
  terminal: TerminalState,
): TerminalRefusal | undefined {
  const rule = approvalRules['pay by hand above the limit'];
  if (isSameActor(actor, second)) {
    return refuseTerminal('same-person', 'HOUSE 2', 'Another person must approve the hand-pay; name that person.');
  }
  if (!hasAuthority(second, rule.second, at)) {
    return refuseTerminal('not-your-role', 'HOUSE 2', `A ${rule.second} must approve the hand-pay; name one.`);
  }
  return overAmountDueRefusal(amount, amountDue, terminal);
}

/** Refusal if the amount exceeds what is due and not yet signed. */
function overAmountDueRefusal(amount: number, amountDue: number, terminal: TerminalState): TerminalRefusal | undefined {
  const left = amountDue - signedUnpaidHandPayTotal(terminal);
  if (amount <= left) return undefined;
  return refuseTerminal(
    'over-amount-due',
    'HOUSE 10',
    `Only ${left} is due as a hand-pay, not ${amount}; pay at most ${left}.`,
  );
}

/** Proposes a hand-pay; its approval must repeat the hash of exactly this hand-pay. [HOUSE 2] */
export function decideProposeHandPay(
  command: TerminalCommandOf<'ProposeHandPay'>,
  terminal: TerminalState,
): TerminalDecision {
  const { what, amount, amountDue, at } = command;
  // Only staff can have the role of a supervisor, so the actor is a person.
  const { person: first } = command.actor as StaffActor;
  const proposal = `P${terminal.proposals + 1}`;
  const hash = hashOf({ terminal: terminal.terminal, proposal, what, amount, first });
  const expires = at + proposalMs;
  return (
    overAmountDueRefusal(amount, amountDue, terminal) ?? [
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
    : refuseTerminal('unknown-proposal', 'HOUSE 2', 'That proposal is not open; check which proposal is open.');

/** Approves the proposed hand-pay. The hand-pay is then signed, and the cage pays it. [HOUSE 2] */
export function decideApproveHandPay(
  command: TerminalCommandOf<'ApproveHandPay'>,
  terminal: TerminalState,
): TerminalDecision {
  const refusal = proposalRefusal(command, terminal);
  if (refusal) return refusal;
  const { at, amountDue } = command;
  const second = command.actor as StaffActor;
  const { id: proposal, hash, what, amount, actor, since: firstAt, expires } = terminal.proposal!;
  if (at > expires) {
    return refuseTerminal('expired-proposal', 'HOUSE 2', 'The proposal has expired; propose it again.');
  }
  if (isSameActor(actor, second)) {
    return refuseTerminal('same-person', 'HOUSE 2', 'Another person must approve the hand-pay; call another person.');
  }
  if (command.hash !== hash) {
    return refuseTerminal(
      'changed-proposal',
      'HOUSE 2',
      'This is not the proposal that is open now (its hash differs); check it before you approve.',
    );
  }
  const { first } = approvalRules['pay by hand above the limit'];
  if (!hasAuthority(actor, first, at)) {
    return refuseTerminal(
      'not-your-role',
      'HOUSE 2',
      `The proposer is no longer a ${first}; let another person propose the hand-pay.`,
    );
  }
  const signature = terminal.signatures + 1;
  return (
    overAmountDueRefusal(amount, amountDue, terminal) ?? [
      { type: 'HandPayApproved', ...terminalEventStamp(command), proposal, hash },
      { type: 'HandPaySigned', v: 1, at, actor, signature, what, amount, second, firstAt },
    ]
  );
}

/** Refusal if the hand-pay with this number is not signed, was withdrawn, or was paid. */
function unpaidRefusal(
  signature: number,
  { signatures, signed, withdrawn }: TerminalState,
): TerminalRefusal | undefined {
  if (signature > signatures) {
    return refuseTerminal(
      'unknown-hand-pay',
      null,
      `No hand-pay ${signature} was signed at this terminal; name another.`,
    );
  }
  if (withdrawn.includes(signature)) {
    return refuseTerminal(
      'hand-pay-withdrawn',
      null,
      'That hand-pay was withdrawn, so it is not paid; it must be signed again.',
    );
  }
  if (signed[signature] !== undefined) return undefined;
  return refuseTerminal('hand-pay-paid', null, 'That hand-pay has been paid; do not pay it again.');
}

/** Withdraws a signed hand-pay. No money moves: the amount is due again. */
export function decideWithdrawSignedHandPay(
  command: TerminalCommandOf<'WithdrawHandPay'>,
  terminal: TerminalState,
): TerminalDecision {
  const { signature, reason } = command;
  const refusal = unpaidRefusal(signature, terminal);
  if (refusal) return refusal;
  const { amount } = terminal.signed[signature]!;
  return [{ type: 'HandPayWithdrawn', ...terminalEventStamp(command), signature, amount, reason }];
}

export function decidePaySigned(command: TerminalCommandOf<'PaySigned'>, terminal: TerminalState): TerminalDecision {
  const { signature } = command;
  const refusal = unpaidRefusal(signature, terminal);
  if (refusal) return refusal;
  const { what, amount } = terminal.signed[signature]!;
  return [{ type: 'HandPaid', ...terminalEventStamp(command), what, amount, signature }];
}

export const decideWithdrawHandPayProposal = (
  command: TerminalCommandOf<'WithdrawHandPayProposal'>,
  terminal: TerminalState,
): TerminalDecision =>
  proposalRefusal(command, terminal) ?? [
    { type: 'HandPayProposalWithdrawn', ...terminalEventStamp(command), proposal: command.proposal },
  ];
