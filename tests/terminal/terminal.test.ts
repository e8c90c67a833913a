import { type Actor } from '../../src/access/actor.ts';
import { describe, expect, test } from 'vitest';
import { terminalDecider } from '../../src/deciders/deciders.ts';
import { type TerminalCommand, terminalCommands } from '../../src/terminal/commands.ts';
import { handPayLockReason } from '../../src/terminal/tickets.ts';
import { evolveTerminal } from '../../src/terminal/evolve.ts';
import { currentOrNextSessionId, creditSessionId, terminalOfSession } from '../../src/terminal/state.ts';
import {
  TerminalScenario,
  type CommandInput,
  approvalOf,
  byHand,
  cage,
  collect,
  dealer,
  drop,
  end,
  floor,
  issue,
  limit,
  load,
  loadedTerminal,
  lock,
  pause,
  pay,
  paySigned,
  pitManager,
  propose,
  redeem,
  seat,
  seatedTerminal,
  sign,
  stamp,
  supervisor,
  ticket,
  reportAttempts,
  unlock,
  withdraw,
} from './terminalScenario.ts';

test('a terminal is seated once, before anything else', () => {
  const one = new TerminalScenario();
  expect(one.submit(load)).toMatchObject({ refused: 'terminal-not-seated', by: null });
  expect(one.submit(seat)).toEqual([
    { type: 'TerminalSeated', ...stamp(101), terminal: 'T7', property: 'sg1', currency: 'SGD' },
  ]);
  expect(one.terminal).toEqual({
    terminal: 'T7',
    property: 'sg1',
    currency: 'SGD',
    at: 101,
    sessions: 0,
    open: false,
    since: 101,
    loaded: 0,
    limits: { stake: null, loss: null, pausedUntil: null },
    locked: null,
    handPayDue: null,
    signatures: 0,
    signed: {},
    withdrawn: [],
    proposals: 0,
    proposal: null,
  });
  expect(one.submit(seat)).toMatchObject({ refused: 'already-seated', by: null });
  expect(() => evolveTerminal(undefined, { type: 'TerminalLocked', v: 1, at: 5, actor: floor, reason: 'x' })).toThrow(
    'the terminal is registered before any other event',
  );
});

describe('[READING 60] credit has sessions', () => {
  test('[READING 60] the first load starts one, and further loads belong to it', () => {
    const one = seatedTerminal();
    expect(currentOrNextSessionId(one.terminal!)).toBe('T7.1');
    expect(one.submit(load)).toEqual([
      { type: 'CreditLoaded', ...stamp(101), session: 1, method: 'cash', amount: 500 },
    ]);
    expect(one.submit({ ...load, method: 'bill', amount: 200, bill: 200 } as CommandInput)).toEqual([
      { type: 'CreditLoaded', ...stamp(102), session: 1, method: 'bill', amount: 200, bill: 200 },
    ]);
    expect(currentOrNextSessionId(one.terminal!)).toBe('T7.1');
  });

  test('[READING 60] COLLECT pays all credit and ends the session; the next load starts another', () => {
    const one = loadedTerminal();
    expect(one.submit(collect)).toEqual([
      { type: 'CreditCollected', ...stamp(102), session: 1, method: 'ticket', amount: 500 },
    ]);
    expect(one.terminal).toMatchObject({ sessions: 1, open: false });
    expect(currentOrNextSessionId(one.terminal!)).toBe('T7.2');
    expect(one.submit(collect)).toMatchObject({ refused: 'nothing-to-collect' });
    expect(one.submit(load)).toMatchObject([{ session: 2 }]);
    expect(currentOrNextSessionId(one.terminal!)).toBe('T7.2');
  });

  test('[READING 60] a session without any credit left is collected as well, and ends', () => {
    expect(loadedTerminal().submit({ ...collect, credit: 0 } as CommandInput)).toMatchObject([
      { type: 'CreditCollected', amount: 0 },
    ]);
  });

  test('[READING 60] COLLECT is refused while a stake is open, or before anything was loaded', () => {
    expect(loadedTerminal().submit({ ...collect, staked: 100 } as CommandInput)).toMatchObject({
      refused: 'stakes-open',
      by: 'HOUSE 10',
    });
    expect(seatedTerminal().submit(collect)).toMatchObject({ refused: 'nothing-to-collect', by: null });
  });

  test('COLLECT is refused while its money is disputed', () => {
    expect(loadedTerminal().submit({ ...collect, disputed: 100 } as CommandInput)).toMatchObject({
      refused: 'credit-disputed',
      by: 'HOUSE 1',
    });
    // Open stakes are the first reason.
    expect(loadedTerminal().submit({ ...collect, staked: 1, disputed: 1 } as CommandInput)).toMatchObject({
      refused: 'stakes-open',
    });
  });

  test('[READING 60] credit of an ended session is paid at the cage, and never to the current session', () => {
    const one = loadedTerminal().apply(collect);
    expect(one.submit({ ...pay, actor: cage })).toEqual([
      { type: 'SessionPaid', ...stamp(103, cage), session: 1, amount: 300 },
    ]);
    expect(one.submit({ ...pay, session: 2, actor: cage } as CommandInput)).toMatchObject({
      refused: 'no-such-session',
    });
    one.apply(load);
    expect(one.submit({ ...pay, actor: cage })).toMatchObject([{ type: 'SessionPaid', session: 1 }]);
    expect(one.submit({ ...pay, session: 2, actor: cage } as CommandInput)).toMatchObject({
      refused: 'no-such-session',
    });
    expect(one.submit({ ...pay, credit: 0, actor: cage } as CommandInput)).toMatchObject({
      refused: 'nothing-to-collect',
    });
    expect(one.submit({ ...pay, disputed: 1, actor: cage } as CommandInput)).toMatchObject({
      refused: 'credit-disputed',
      by: 'HOUSE 1',
      message: '1 of the credit is disputed; wait until its round is decided and posted.',
    });
    expect(one.terminal).toMatchObject({ sessions: 2, open: true });
    expect(seatedTerminal().submit({ ...pay, actor: cage })).toMatchObject({ refused: 'no-such-session' });
  });

  test('a session id has its terminal and number, and gives back the terminal', () => {
    expect(creditSessionId('T7', 3)).toBe('T7.3');
    expect(terminalOfSession('T7.3')).toBe('T7');
    expect(terminalOfSession('hall.2.T7.12')).toBe('hall.2.T7');
    expect(terminalOfSession('T7')).toBe('');
  });
});

test('[READING 60] a session has its start time and the sum of its loads', () => {
  const one = loadedTerminal().apply(load);
  expect(one.terminal).toMatchObject({ since: 101, loaded: 1000 });
  one.apply({ ...collect, credit: 1000 } as CommandInput, redeem);
  expect(one.terminal).toMatchObject({ sessions: 2, since: 104, loaded: 700 });
});

describe('[ETG layout-1] COLLECT gives a ticket', () => {
  test('[ETG layout-1] for all credit, and ends the session', () => {
    const one = loadedTerminal();
    expect(one.submit(issue)).toEqual([
      { type: 'CreditCollected', ...stamp(102), session: 1, method: 'ticket', amount: 500, ticket },
    ]);
    expect(one.terminal).toMatchObject({ sessions: 1, open: false, locked: null });
  });

  test('[ETG layout-1] not while a stake is open or money is disputed', () => {
    for (const [more, refused] of [
      [{ staked: 1 }, 'stakes-open'],
      [{ disputed: 1 }, 'credit-disputed'],
    ] as const) {
      expect(loadedTerminal().submit({ ...issue, ...more })).toMatchObject({ refused });
    }
    expect(seatedTerminal().submit(issue)).toMatchObject({ refused: 'nothing-to-collect' });
  });

  test('[READING 60] without any credit there is none, and the session ends with its limits', () => {
    const one = loadedTerminal().apply({ type: 'LimitSession', stake: 100 } as CommandInput);
    expect(one.submit({ ...issue, credit: 0, handPay: 0 } as CommandInput)).toEqual([
      { type: 'SessionEnded', ...stamp(103), session: 1 },
    ]);
    expect(one.terminal).toMatchObject({ sessions: 1, open: false, locked: null });
    one.apply(load);
    expect(one.terminal).toMatchObject({ sessions: 2, loaded: 500, limits: { stake: null } });
  });

  test('[READING 60] the floor ends a session without credit, and no other', () => {
    for (const [more, refused] of [
      [{ staked: 1 }, 'stakes-open'],
      [{ disputed: 1 }, 'credit-disputed'],
      [{ credit: 1 }, 'credit-left'],
    ] as const) {
      expect(loadedTerminal().submit({ ...end, ...more })).toMatchObject({ refused });
    }
    const one = loadedTerminal();
    expect(one.submit(end)).toMatchObject([{ type: 'SessionEnded', session: 1 }]);
    expect(one.submit(end)).toMatchObject({ refused: 'nothing-to-collect' });
  });

  test('[HOUSE 2] above the limit it becomes a hand-pay, and the terminal is locked', () => {
    expect(loadedTerminal().submit({ ...issue, handPay: 500 } as CommandInput)).toMatchObject([
      { method: 'ticket', ticket },
    ]);
    const one = loadedTerminal();
    expect(one.submit({ ...issue, handPay: 499 } as CommandInput)).toEqual([
      { type: 'CreditCollected', ...stamp(102), session: 1, method: 'hand', amount: 500 },
      { type: 'TerminalLocked', ...stamp(102), reason: handPayLockReason },
    ]);
    expect(one.terminal).toMatchObject({ open: false, locked: handPayLockReason });
    expect(one.submit(redeem)).toMatchObject({ refused: 'terminal-locked' });
    one.apply({ ...byHand, what: 'cancelled-credit', amount: 500, amountDue: 500, actor: supervisor } as CommandInput);
    one.apply({ ...unlock, actor: supervisor }, redeem);
  });
});

describe('a ticket is paid', () => {
  test('in full, to the current session or to a new one', () => {
    const event = { type: 'CreditLoaded', session: 1, method: 'ticket', amount: 700, ticket };
    expect(seatedTerminal().submit(redeem)).toEqual([{ ...event, ...stamp(101) }]);
    expect(loadedTerminal().submit(redeem)).toEqual([{ ...event, ...stamp(102) }]);
    expect(loadedTerminal().apply(collect).submit(redeem)).toMatchObject([{ session: 2 }]);
  });

  test('once: not when it was paid, nor while another payment is in progress', () => {
    expect(seatedTerminal().submit({ ...redeem, value: 0 } as CommandInput)).toMatchObject({
      refused: 'ticket-paid',
      by: null,
    });
    expect(seatedTerminal().submit({ ...redeem, leaving: 700 } as CommandInput)).toMatchObject({
      refused: 'ticket-in-doubt',
      by: null,
    });
  });

  test('not while its key is retired, unless it was paid already', () => {
    const retired = { ...redeem, keyRetired: true };
    expect(seatedTerminal().submit(retired as CommandInput)).toMatchObject({ refused: 'ticket-key-retired', by: null });
    expect(seatedTerminal().submit({ ...retired, leaving: 700 } as CommandInput)).toMatchObject({
      refused: 'ticket-key-retired',
    });
    expect(seatedTerminal().submit({ ...retired, value: 0 } as CommandInput)).toMatchObject({ refused: 'ticket-paid' });
    expect(seatedTerminal().submit({ ...retired, keyRetired: false } as CommandInput)).toMatchObject([
      { type: 'CreditLoaded', amount: 700 },
    ]);
  });

  test('the salt of its number is stored with it, and not for a hand-pay', () => {
    const salted = { ...issue, salt: '7e'.repeat(16) };
    expect(loadedTerminal().submit(salted as CommandInput)).toMatchObject([{ ticket, salt: salted.salt }]);
    expect(loadedTerminal().submit({ ...salted, handPay: 1 } as CommandInput)).not.toHaveProperty('0.salt');
  });

  test('wrong numbers are counted, and change nothing else', () => {
    const one = loadedTerminal();
    const before = { ...one.terminal };
    expect(one.submit(reportAttempts)).toEqual([
      { type: 'TicketAttemptsReported', ...stamp(102), attempts: 5, since: 90, of: 'terminal' },
    ]);
    expect(one.terminal).toEqual({ ...before, at: 102 });
  });
});

test('a locked terminal takes and pays nothing until it is unlocked', () => {
  const one = loadedTerminal();
  expect(one.submit(lock)).toEqual([{ type: 'TerminalLocked', ...stamp(102), reason: 'A door is open.' }]);
  expect(one.terminal!.locked).toBe('A door is open.');
  for (const input of [load, collect]) {
    expect(one.submit(input)).toMatchObject({
      refused: 'terminal-locked',
      by: 'HOUSE 2',
      message: 'The terminal is locked (A door is open.); a supervisor can unlock it.',
    });
  }
  // An outstanding amount is paid even then.
  expect(one.submit({ ...byHand, actor: supervisor })).toMatchObject([{ type: 'HandPaid' }]);
  expect(one.submit({ ...unlock, actor: supervisor })).toMatchObject([
    { type: 'TerminalUnlocked', reason: 'It is shut.' },
  ]);
  expect(one.terminal!.locked).toBeNull();
  one.apply(collect);
});

test('a command dated before the last event is refused', () => {
  expect(loadedTerminal().submit({ ...collect, at: 5 })).toMatchObject({ refused: 'clock-ran-back', by: null });
  expect(loadedTerminal().submit({ ...collect, at: 101 })).not.toHaveProperty('refused');
});

describe('[HOUSE 2] each command is for its role', () => {
  const basicCommands = { SeatTerminal: seat, LoadCredit: load, CollectCredit: collect, PaySession: pay } as const;
  const tickets = {
    IssueTicket: issue,
    EndSession: end,
    RedeemTicket: redeem,
    ReportTicketAttempts: reportAttempts,
  } as const;
  const limitCommands = { LimitSession: limit, PauseSession: pause } as const;
  const hash = `sha256:${'0'.repeat(64)}`;
  const approve = { type: 'ApproveHandPay', proposal: 'P1', hash, amountDue: 30 } as const;
  const proposed = { ProposeHandPay: propose, ApproveHandPay: approve, WithdrawHandPayProposal: drop } as const;
  const byTwo = { SignHandPay: sign, ...proposed, WithdrawHandPay: withdraw, PaySigned: paySigned } as const;
  const others = { PayByHand: byHand, ...byTwo, LockTerminal: lock, UnlockTerminal: unlock } as const;
  const all: { readonly [N in TerminalCommand['type']]: CommandInput } = {
    ...basicCommands,
    ...tickets,
    ...limitCommands,
    ...others,
  };
  const terminal: Actor = { terminal: 'T7' };
  const may: { readonly [N in TerminalCommand['type']]: readonly Actor[] } = {
    SeatTerminal: [floor],
    LoadCredit: [floor, cage],
    CollectCredit: [floor, cage],
    IssueTicket: [floor],
    EndSession: [floor],
    RedeemTicket: [floor],
    ReportTicketAttempts: [floor],
    PaySession: [cage],
    PayByHand: [supervisor],
    SignHandPay: [supervisor],
    ProposeHandPay: [supervisor, pitManager],
    ApproveHandPay: [pitManager],
    WithdrawHandPayProposal: [supervisor, pitManager],
    WithdrawHandPay: [supervisor, pitManager],
    PaySigned: [cage],
    LimitSession: [floor],
    PauseSession: [floor],
    LockTerminal: [floor, supervisor, pitManager],
    UnlockTerminal: [supervisor, pitManager],
  };

  test.each(Object.keys(terminalCommands) as TerminalCommand['type'][])('[HOUSE 2] %s', (type) => {
    for (const actor of [floor, cage, supervisor, pitManager, dealer, terminal]) {
      const one =
        type === 'SeatTerminal'
          ? new TerminalScenario()
          : type === 'PaySession'
            ? loadedTerminal().apply(collect)
            : loadedTerminal();
      if (type === 'PaySigned' || type === 'WithdrawHandPay') one.apply({ ...sign, actor: supervisor });
      const isSecond = type === 'ApproveHandPay';
      if (isSecond || type === 'WithdrawHandPayProposal') one.apply({ ...propose, actor: supervisor });
      const takesTwo = type === 'PayByHand' || type === 'SignHandPay';
      // The second person of a payment is a different one.
      const second = actor === pitManager ? { second: { person: 'm1', role: 'gaming-shift-manager' } } : {};
      const input = isSecond ? approvalOf(one) : all[type];
      const decision = one.submit({ ...input, ...(takesTwo && second), actor });
      const mayToo = may[type].includes(actor) || (takesTwo && actor === pitManager);
      if (mayToo) expect(decision, JSON.stringify(actor)).not.toHaveProperty('refused');
      else {
        expect(decision, JSON.stringify(actor)).toMatchObject({ refused: 'not-your-role', by: 'HOUSE 2' });
      }
    }
  });

  test('[HOUSE 2] a refusal names the required role', () => {
    expect(loadedTerminal().submit({ ...pay, actor: floor })).toMatchObject({
      message: 'PaySession is for the role cage; ask a person who has it.',
    });
    expect(new TerminalScenario().submit({ ...seat, actor: cage })).toMatchObject({
      message: 'SeatTerminal is for the system; do not send it.',
    });
  });
});

test('a command has all its fields and no others, each by its schema', () => {
  const from = (message: object) => terminalDecider.parseCommand({ actor: floor, at: 5, ...message });
  expect(from(load)).toMatchObject(load);
  for (const [message, expected] of [
    [{ type: 'FindCredit' }, '"FindCredit" is not a command of a terminal; give the name of a command.'],
    [{ type: 7 }, '7 is not a command of a terminal; give the name of a command.'],
    [{ type: 'constructor' }, '"constructor" is not a command of a terminal; give the name of a command.'],
    [{ ...load, amount: 0 }, 'The field "amount" is 0; give a whole number of minor units, one at least.'],
    [{ ...load, amount: 1.5 }, 'The field "amount" is 1.5; give a whole number of minor units, one at least.'],
    [{ ...load, method: 'luck' }, 'The field "method" is "luck"; give one of cash, bill, ticket, transfer, promotion.'],
    [{ ...seat, currency: 'sgd' }, 'The field "currency" is "sgd"; give three capital letters such as SGD.'],
    [{ ...load, session: 1 }, /^The field "session" is not known here/],
    [{ ...collect, credit: undefined }, /^The field "credit" is missing/],
  ] as const) {
    expect(from(message)).toMatchObject({
      message: typeof expected === 'string' ? expected : expect.stringMatching(expected),
    });
  }
});

test('context fields are listed with their command and are never sent', () => {
  expect([...terminalDecider.contextFields].toSorted()).toEqual([
    'amountDue',
    'authority',
    'credit',
    'disputed',
    'grant',
    'handPay',
    'keyRetired',
    'leaving',
    'secondAuthority',
    'secondGrant',
    'staked',
    'value',
  ]);
  for (const declared of Object.values(terminalCommands)) {
    if (!('context' in declared)) continue;
    for (const field of declared.context) expect(Object.keys(declared.fields)).toContain(field);
  }
  expect(terminalDecider.rulebookAt(undefined)).toBeUndefined();
  const event = { type: 'TerminalSeated', v: 1, at: 5 };
  expect(terminalDecider.parseEvent(event)).toBe(event);
});
