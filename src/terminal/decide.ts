import { hasAuthority } from '../access/roles.ts';
import { hashOf } from '../base/canonicalJson.ts';
import { type StaffActor, isSameActor } from '../access/actor.ts';
import { refuse } from '../base/refusal.ts';
import { approvalRules } from '../access/approvalRules.ts';
import {
  type TerminalCommand,
  type TerminalCommandOf,
  type TerminalEvent,
  type TerminalRefusal,
  handPayLock,
  terminalCommands,
} from './commands.ts';
import { type TerminalState, unpaidHandPays } from './state.ts';

/** How long a proposal waits for its second person. */
const proposalMs = 120_000;

type Decision = readonly TerminalEvent[] | TerminalRefusal;

const refuseTerminal = (code: TerminalRefusal['refused'], by: string | null, message: string): TerminalRefusal => ({
  ...refuse<TerminalRefusal['refused']>(code, message),
  by,
});

/** What a command leads to at this terminal: events, or one refusal. */
export function decideTerminal(command: TerminalCommand, terminal: TerminalState | undefined): Decision {
  if (command.type === 'SeatTerminal') {
    return terminal === undefined
      ? (actorRefusal(command) ?? [seatedEvent(command)])
      : refuseTerminal('already-seated', null, 'The terminal is seated already; load credit instead.');
  }
  if (terminal === undefined)
    return refuseTerminal('terminal-not-seated', null, 'The terminal is not seated yet; seat it first.');
  if (command.at < terminal.at) {
    const message = `The command is dated ${command.at} and the last event ${terminal.at}; set the clock.`;
    return refuseTerminal('clock-ran-back', null, message);
  }
  return actorRefusal(command) ?? decideAt(command, terminal);
}

/** Who may give it: a post, or the service that runs the terminal. Nobody's credit is moved by a patron's word alone. */
function actorRefusal(command: TerminalCommand): TerminalRefusal | undefined {
  const { who, at, type } = command;
  const { post, service }: { post?: Parameters<typeof hasAuthority>[1]; service?: true } = terminalCommands[type];
  const allowed =
    'system' in who ? service === true : 'person' in who && post !== undefined && hasAuthority(who, post, at);
  if (allowed) return undefined;
  const allowedActor = post === undefined ? 'the service that runs the terminal' : `the post ${post}`;
  return refuseTerminal('not-your-post', 'HOUSE 2', `${type} is for ${allowedActor}; let them do it.`);
}

const terminalStamp = ({ at, who }: TerminalCommand) => ({ v: 1, at, who }) as const;

const seatedEvent = (command: TerminalCommandOf<'SeatTerminal'>): TerminalEvent => {
  const { terminal, property, currency } = command;
  return { type: 'TerminalSeated', ...terminalStamp(command), terminal, property, currency };
};

function decideAt(command: Exclude<TerminalCommand, { type: 'SeatTerminal' }>, terminal: TerminalState): Decision {
  switch (command.type) {
    case 'LoadCredit':
      return decideLoadCredit(command, terminal);
    case 'CollectCredit':
      return decideCollectCredit(command, terminal);
    case 'IssueTicket':
      return decideIssueTicket(command, terminal);
    case 'EndSession':
      return decideEndSession(command, terminal);
    case 'RedeemTicket':
      return decideRedeemTicket(command, terminal);
    case 'ReportTries':
      return [
        { type: 'TicketsTried', ...terminalStamp(command), tries: command.tries, since: command.since, of: command.of },
      ];
    case 'PaySession':
      return decidePaySession(command, terminal);
    case 'PayByHand':
      return decidePayByHand(command, terminal);
    case 'SignHandPay':
      return decideSignHandPay(command, terminal);
    case 'ProposeHandPay':
      return decideProposeHandPay(command, terminal);
    case 'ApproveHandPay':
      return decideApproveHandPay(command, terminal);
    case 'DropHandPay':
      return (
        proposalRefusal(command, terminal) ?? [
          { type: 'HandPayDropped', ...terminalStamp(command), proposal: command.proposal },
        ]
      );
    case 'WithdrawHandPay':
      return decideWithdrawHandPay(command, terminal);
    case 'PaySigned':
      return decidePaySigned(command, terminal);
    case 'LimitSession':
      return decideLimitSession(command, terminal);
    case 'PauseSession':
      return decidePauseSession(command, terminal);
    case 'LockTerminal':
      return [{ type: 'TerminalLocked', ...terminalStamp(command), reason: command.reason }];
    case 'UnlockTerminal':
      return [{ type: 'TerminalUnlocked', ...terminalStamp(command), reason: command.reason }];
  }
}

const lockedRefusal = ({ locked: reason }: TerminalState): TerminalRefusal | undefined =>
  reason === null
    ? undefined
    : refuseTerminal('terminal-locked', 'HOUSE 2', `The terminal is locked (${reason}); a supervisor can unlock it.`);

function decideLoadCredit(command: TerminalCommandOf<'LoadCredit'>, terminal: TerminalState): Decision {
  const { way, amount, bill } = command;
  const loaded = {
    type: 'CreditLoaded',
    ...terminalStamp(command),
    session: loadSession(terminal),
    way,
    amount,
  } as const;
  return lockedRefusal(terminal) ?? [bill === undefined ? loaded : { ...loaded, bill }];
}

/** The session that a load belongs to. */
const loadSession = ({ open, sessions }: TerminalState): number => (open ? sessions : sessions + 1);

/** Whole, and once: what was paid before, or is being paid at this moment, is not paid here. */
function decideRedeemTicket(command: TerminalCommandOf<'RedeemTicket'>, terminal: TerminalState): Decision {
  const { ticket, worth } = command;
  const session = loadSession(terminal);
  return (
    lockedRefusal(terminal) ??
    ticketRefusal(command) ?? [
      { type: 'CreditLoaded', ...terminalStamp(command), session, way: 'ticket', amount: worth, ticket },
    ]
  );
}

/** Why a ticket is not paid at any terminal, if it is not. */
export function ticketRefusal({
  worth,
  leaving,
  held = false,
}: Pick<TerminalCommandOf<'RedeemTicket'>, 'worth' | 'leaving' | 'held'>): TerminalRefusal | undefined {
  if (worth === 0) return refuseTerminal('ticket-paid', null, 'The ticket has been paid; take another.');
  if (held) {
    const message =
      'The record was turned back after this ticket was issued, and may not know that it was paid; take it to the staff, who ' +
      'pay it by hand after a look at the ticket and the anchor.';
    return refuseTerminal('ticket-held', null, message);
  }
  if (leaving === 0) return undefined;
  return refuseTerminal(
    'ticket-in-doubt',
    null,
    'The ticket is being paid, and not for certain yet; try again in a moment.',
  );
}

/** All of it or nothing, and only while nothing of it can still change. [ETG layout-1, READING 52, READING 60] */
function decideCollectCredit(command: TerminalCommandOf<'CollectCredit'>, terminal: TerminalState): Decision {
  const { way, credit } = command;
  return (
    collectRefusal(command, terminal) ?? [
      { type: 'CreditCollected', ...terminalStamp(command), session: terminal.sessions, way, amount: credit },
    ]
  );
}

/**
 * A ticket for all of it; where that is more than the limit, two persons pay it by hand. Where all is lost there is none, and
 * the session ends all the same. [ETG layout-1, HOUSE 2, READING 60]
 */
function decideIssueTicket(command: TerminalCommandOf<'IssueTicket'>, terminal: TerminalState): Decision {
  const { ticket, salt, credit, handPay = Infinity } = command;
  const refusal = collectRefusal(command, terminal);
  if (refusal) return refusal;
  if (credit === 0) return [sessionEnded(command, terminal)];
  const stamp = terminalStamp(command);
  const collected = { type: 'CreditCollected', ...stamp, session: terminal.sessions, amount: credit } as const;
  return credit > handPay
    ? [
        { ...collected, way: 'hand' },
        { type: 'TerminalLocked', ...stamp, reason: handPayLock },
      ]
    : [{ ...collected, way: 'ticket', ticket, ...(salt !== undefined && { salt }) }];
}

/** Whoever has lost everything and gone leaves nothing of the session to the next one. [READING 60] */
function decideEndSession(command: TerminalCommandOf<'EndSession'>, terminal: TerminalState): Decision {
  const refusal = collectRefusal(command, terminal);
  if (refusal) return refusal;
  const { credit } = command;
  if (credit > 0) return refuseTerminal('credit-left', null, `A credit of ${credit} is left; collect it instead.`);
  return [sessionEnded(command, terminal)];
}

const sessionEnded = (command: TerminalCommand, { sessions }: TerminalState): TerminalEvent => ({
  type: 'SessionEnded',
  ...terminalStamp(command),
  session: sessions,
});

/** Why the session cannot end now, if it cannot. */
function collectRefusal(
  { staked, inQuestion }: TerminalCommandOf<'CollectCredit' | 'IssueTicket' | 'EndSession'>,
  terminal: TerminalState,
): TerminalRefusal | undefined {
  const locked = lockedRefusal(terminal);
  if (locked) return locked;
  if (!terminal.open) return refuseTerminal('nothing-to-collect', null, 'No credit has been loaded; load some first.');
  if (staked > 0) {
    const message = `Stakes of ${staked} stand; collect once their rounds are paid.`;
    return refuseTerminal('stakes-stand', 'HOUSE 10', message);
  }
  return inQuestion > 0 ? refuseDisputedCredit(inQuestion) : undefined;
}

/** What is ruled back is in question until it is posted. */
const refuseDisputedCredit = (amount: number): TerminalRefusal =>
  refuseTerminal(
    'credit-in-question',
    'HOUSE 1',
    `${amount} of the credit is in question; wait until it is ruled on and posted.`,
  );

/** A win or refund that came after COLLECT belongs to whoever played, not to whoever sits there now. [READING 52, READING 60] */
function decidePaySession(command: TerminalCommandOf<'PaySession'>, terminal: TerminalState): Decision {
  const { session, credit, inQuestion } = command;
  const ended = terminal.open ? terminal.sessions - 1 : terminal.sessions;
  if (session > ended) {
    return refuseTerminal('no-such-session', null, `Session ${session} has not ended; ${ended} have.`);
  }
  if (credit === 0)
    return refuseTerminal('nothing-to-collect', null, `Nothing has come to session ${session} after its end.`);
  if (inQuestion > 0) return refuseDisputedCredit(inQuestion);
  return [{ type: 'SessionPaid', ...terminalStamp(command), session, amount: credit }];
}

const refuseWithoutSession = (): TerminalRefusal =>
  refuseTerminal('no-session', null, 'No session has begun; load credit first.');

/** Limits only tighten, and end with their session. [READING 60] */
function decideLimitSession(
  command: TerminalCommandOf<'LimitSession'>,
  { open, sessions, limits }: TerminalState,
): Decision {
  if (!open) return refuseWithoutSession();
  const { stake, loss } = command;
  for (const [name, requested, current] of [
    ['stakes', stake, limits.stake],
    ['losses', loss, limits.loss],
  ] as const) {
    if (requested === undefined || current === null || requested <= current) continue;
    return refuseTerminal(
      'limits-only-tighten',
      null,
      `The limit on ${name} is ${current} for this session; give that or less.`,
    );
  }
  const requested = { ...(stake !== undefined && { stake }), ...(loss !== undefined && { loss }) };
  return [{ type: 'SessionLimited', ...terminalStamp(command), session: sessions, ...requested }];
}

/** A break can be made longer, and not shorter. */
function decidePauseSession(
  command: TerminalCommandOf<'PauseSession'>,
  { open, sessions, limits }: TerminalState,
): Decision {
  if (!open) return refuseWithoutSession();
  const until = command.at + command.minutes * 60_000;
  const { pausedUntil } = limits;
  if (pausedUntil !== null && until < pausedUntil) {
    return refuseTerminal(
      'limits-only-tighten',
      null,
      `The break lasts until ${pausedUntil}; make it longer, or let it end.`,
    );
  }
  return [{ type: 'SessionPaused', ...terminalStamp(command), session: sessions, until }];
}

/** [HOUSE 2] Above the limit two persons pay. */
function decidePayByHand(command: TerminalCommandOf<'PayByHand'>, terminal: TerminalState): Decision {
  const { what, amount, second } = command;
  return signatureRefusal(command, terminal) ?? [{ type: 'HandPaid', ...terminalStamp(command), what, amount, second }];
}

/** [HOUSE 2] Above the limit two persons sign, and the cage pays. */
function decideSignHandPay(command: TerminalCommandOf<'SignHandPay'>, terminal: TerminalState): Decision {
  const { what, amount, second } = command;
  const signature = terminal.signatures + 1;
  return (
    signatureRefusal(command, terminal) ?? [
      { type: 'HandPaySigned', ...terminalStamp(command), signature, what, amount, second },
    ]
  );
}

/** Why two persons do not sign for it, if they do not: what was signed waits for the cage, and for no second signature. */
function signatureRefusal(
  { amount, second, waiting, who, at }: TerminalCommandOf<'PayByHand' | 'SignHandPay'>,
  terminal: TerminalState,
): TerminalRefusal | undefined {
  const rule = approvalRules['pay by hand above the limit'];
  if (isSameActor(who, second)) {
    return refuseTerminal('same-person', 'HOUSE 2', 'The second consent comes from another person; name one.');
  }
  if (!hasAuthority(second, rule.second, at)) {
    return refuseTerminal('not-your-post', 'HOUSE 2', `This takes a ${rule.second} as second; name one.`);
  }
  return overWaitingRefusal(amount, waiting, terminal);
}

/** What is signed already waits for the cage alone. */
function overWaitingRefusal(amount: number, waiting: number, terminal: TerminalState): TerminalRefusal | undefined {
  const left = waiting - unpaidHandPays(terminal);
  if (amount <= left) return undefined;
  return refuseTerminal(
    'over-waiting',
    'HOUSE 10',
    `${left} waits to be paid by hand, not ${amount}; pay no more than that.`,
  );
}

/** [HOUSE 2] The first of two signs; the consent of the second is bound to the hash of just that. */
function decideProposeHandPay(command: TerminalCommandOf<'ProposeHandPay'>, terminal: TerminalState): Decision {
  const { what, amount, waiting, at } = command;
  // Nobody but a person holds the post.
  const { person: first } = command.who as StaffActor;
  const proposal = `P${terminal.proposals + 1}`;
  const hash = hashOf({ terminal: terminal.terminal, proposal, what, amount, first });
  const expires = at + proposalMs;
  return (
    overWaitingRefusal(amount, waiting, terminal) ?? [
      { type: 'HandPayProposed', ...terminalStamp(command), proposal, what, amount, hash, expires },
    ]
  );
}

/** Why there is no such proposal, if there is none. */
const proposalRefusal = (
  { proposal }: TerminalCommandOf<'ApproveHandPay' | 'DropHandPay'>,
  terminal: TerminalState,
): TerminalRefusal | undefined =>
  terminal.proposal?.id === proposal
    ? undefined
    : refuseTerminal('unknown-proposal', 'HOUSE 2', 'That proposal is not open; look at the one that is.');

/** [HOUSE 2] The second of two signs, and the cage pays. */
function decideApproveHandPay(command: TerminalCommandOf<'ApproveHandPay'>, terminal: TerminalState): Decision {
  const refusal = proposalRefusal(command, terminal);
  if (refusal) return refusal;
  const { at, waiting } = command;
  const second = command.who as StaffActor;
  const { id: proposal, hash, what, amount, who, expires } = terminal.proposal!;
  if (at > expires) {
    return refuseTerminal('expired-proposal', 'HOUSE 2', 'The proposal has waited too long; make it again.');
  }
  if (isSameActor(who, second)) {
    return refuseTerminal('same-person', 'HOUSE 2', 'The second consent comes from another person; name one.');
  }
  if (command.hash !== hash) {
    return refuseTerminal('changed-proposal', 'HOUSE 2', 'What was proposed is something else; look again.');
  }
  const { first } = approvalRules['pay by hand above the limit'];
  if (!hasAuthority(who, first, at)) {
    return refuseTerminal(
      'not-your-post',
      'HOUSE 2',
      `Whoever proposed it is no ${first} any more; let another propose it.`,
    );
  }
  const signature = terminal.signatures + 1;
  return (
    overWaitingRefusal(amount, waiting, terminal) ?? [
      { type: 'HandPayApproved', ...terminalStamp(command), proposal, hash },
      { type: 'HandPaySigned', v: 1, at, who, signature, what, amount, second },
    ]
  );
}

/** Why a hand-pay of that number is nothing that the cage has still to pay, if it is not. */
function unpaidRefusal(
  signature: number,
  { signatures, signed, withdrawn }: TerminalState,
): TerminalRefusal | undefined {
  if (signature > signatures) {
    return refuseTerminal(
      'unknown-hand-pay',
      null,
      `Nobody has signed for a hand-pay ${signature} here; look for another.`,
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

/** It moves no money: what was signed waits to be signed again, or to be paid otherwise. */
function decideWithdrawHandPay(command: TerminalCommandOf<'WithdrawHandPay'>, terminal: TerminalState): Decision {
  const { signature, reason } = command;
  const refusal = unpaidRefusal(signature, terminal);
  if (refusal) return refusal;
  const { amount } = terminal.signed[signature]!;
  return [{ type: 'HandPayWithdrawn', ...terminalStamp(command), signature, amount, reason }];
}

/** Whole, and once. */
function decidePaySigned(command: TerminalCommandOf<'PaySigned'>, terminal: TerminalState): Decision {
  const { signature } = command;
  const refusal = unpaidRefusal(signature, terminal);
  if (refusal) return refusal;
  const { what, amount } = terminal.signed[signature]!;
  return [{ type: 'HandPaid', ...terminalStamp(command), what, amount, signature }];
}
