import { describe, expect, test } from 'vitest';
import {
  type TerminalScenario,
  type CommandInput,
  approvalOf,
  byHand,
  cage,
  collect,
  drop,
  limit,
  load,
  loadedTerminal,
  pause,
  paySigned,
  pitManager,
  propose,
  seatedTerminal,
  sign,
  stamp,
  supervisor,
  withdraw,
} from './terminalScenario.ts';

describe('[HOUSE 2] a hand-pay needs two persons', () => {
  const payByHand = (more: object = {}): CommandInput => ({ ...byHand, actor: supervisor, ...more });

  test('[HOUSE 2] a supervisor with a pit manager pays the outstanding amount, and no more', () => {
    expect(loadedTerminal().submit(payByHand())).toEqual([
      { type: 'HandPaid', ...stamp(102, supervisor), what: 'jackpot', amount: 30, second: pitManager },
    ]);
    expect(loadedTerminal().submit(payByHand({ amount: 31 }))).toMatchObject({
      refused: 'over-amount-due',
      by: 'HOUSE 10',
    });
  });

  test('[HOUSE 2] not by one person twice, nor by a second of too low a role', () => {
    const alone = { person: 's1', role: 'pit-manager' };
    expect(loadedTerminal().submit(payByHand({ second: alone }))).toMatchObject({
      refused: 'same-person',
      by: 'HOUSE 2',
    });
    const low = { person: 's2', role: 'supervisor' };
    expect(loadedTerminal().submit(payByHand({ second: low }))).toMatchObject({
      refused: 'not-your-role',
      by: 'HOUSE 2',
    });
    const acting = { ...low, acting: 'pit-manager', until: 1_000 };
    expect(loadedTerminal().submit(payByHand({ second: acting }))).toMatchObject([{ type: 'HandPaid' }]);
    expect(loadedTerminal().submit(payByHand({ second: { ...acting, until: 50 } }))).toMatchObject({
      refused: 'not-your-role',
    });
  });
});

describe('[HOUSE 2] the cage pays a signed hand-pay', () => {
  const signing = (more: object = {}): CommandInput => ({ ...sign, actor: supervisor, ...more });

  test('[HOUSE 2] in full and once, by its number at the terminal', () => {
    const one = loadedTerminal();
    expect(one.submit({ ...paySigned, actor: cage })).toMatchObject({ refused: 'unknown-hand-pay', by: null });
    const what = 'cancelled-credit';
    expect(one.submit(signing())).toEqual([
      { type: 'HandPaySigned', ...stamp(103, supervisor), signature: 1, what, amount: 30, second: pitManager },
    ]);
    expect(one.terminal).toMatchObject({
      signatures: 1,
      signed: { 1: { what, amount: 30, at: 103, first: 's1', second: 'p1' } },
    });
    expect(one.submit({ ...paySigned, actor: cage })).toEqual([
      { type: 'HandPaid', ...stamp(104, cage), what, amount: 30, signature: 1 },
    ]);
    expect(one.terminal).toMatchObject({ signatures: 1, signed: {} });
    expect(one.submit({ ...paySigned, actor: cage })).toMatchObject({ refused: 'hand-pay-paid', by: null });
    expect(one.submit({ ...paySigned, signature: 2, actor: cage } as CommandInput)).toMatchObject({
      refused: 'unknown-hand-pay',
    });
    expect(one.submit(signing())).toMatchObject([{ signature: 2 }]);
  });

  test('[HOUSE 2] it is due since the collection, whatever was signed or withdrawn since, until it is paid', () => {
    const one = loadedTerminal();
    one.apply({ ...collect, method: 'hand', credit: 500 } as CommandInput);
    const since = one.terminal!.at;
    expect(one.terminal!.handPayDue).toEqual({ amount: 500, since });
    for (const command of [signing(), { ...withdraw, actor: supervisor }, signing()]) {
      one.apply(command);
      expect(one.terminal!.handPayDue!.since).toBe(since);
    }
    one.apply({ ...paySigned, signature: 2, actor: cage } as CommandInput);
    expect(one.terminal!.handPayDue).toEqual({ amount: 470, since });
  });

  test('[HOUSE 2] a signed hand-pay is not signed again or paid otherwise before the cage pays it', () => {
    const one = loadedTerminal().apply(signing({ amount: 20 }));
    for (const type of ['SignHandPay', 'PayByHand'] as const) {
      expect(one.submit(signing({ type, amount: 11 }))).toMatchObject({
        refused: 'over-amount-due',
        by: 'HOUSE 10',
        message: 'Only 10 is due as a hand-pay, not 11; pay at most 10.',
      });
    }
    expect(one.submit(signing({ amount: 10 }))).toMatchObject([{ type: 'HandPaySigned', signature: 2, amount: 10 }]);
  });

  test('[HOUSE 2] not by one person twice, nor by a second of too low a role', () => {
    const alone = { person: 's1', role: 'pit-manager' };
    expect(loadedTerminal().submit(signing({ second: alone }))).toMatchObject({
      refused: 'same-person',
      by: 'HOUSE 2',
    });
    const low = { person: 's2', role: 'supervisor' };
    expect(loadedTerminal().submit(signing({ second: low }))).toMatchObject({
      refused: 'not-your-role',
      by: 'HOUSE 2',
    });
  });
});

describe('[HOUSE 2] one proposes a hand-pay and another approves it', () => {
  const what = 'cancelled-credit';
  const proposing = (more: object = {}): CommandInput => ({ ...propose, actor: supervisor, ...more });
  const proposed = (): TerminalScenario => loadedTerminal().apply(proposing());

  test('[HOUSE 2] the second person approves the hash within two minutes, and the cage pays', () => {
    const one = loadedTerminal();
    const expires = 102 + 120_000;
    const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string;
    expect(one.submit(proposing())).toEqual([
      { type: 'HandPayProposed', ...stamp(102, supervisor), proposal: 'P1', what, amount: 30, hash, expires },
    ]);
    const { proposal } = one.terminal!;
    expect(proposal).toEqual({ id: 'P1', what, amount: 30, actor: supervisor, hash, since: 102, expires });
    expect(one.submit({ ...paySigned, actor: cage })).toMatchObject({ refused: 'unknown-hand-pay' });
    expect(one.submit(approvalOf(one, { at: expires }))).toEqual([
      { type: 'HandPayApproved', ...stamp(expires, pitManager), proposal: 'P1', hash: proposal!.hash },
      {
        type: 'HandPaySigned',
        ...stamp(expires, supervisor),
        signature: 1,
        what,
        amount: 30,
        second: pitManager,
        firstAt: 102,
      },
    ]);
    expect(one.terminal).toMatchObject({
      proposal: null,
      proposals: 1,
      signed: { 1: { what, amount: 30, firstAt: 102, at: expires, first: 's1', second: 'p1' } },
    });
    expect(one.submit({ ...paySigned, actor: cage, at: expires })).toMatchObject([{ type: 'HandPaid', signature: 1 }]);
  });

  test('[HOUSE 2] an approval is refused when late, by the proposer, with another hash, or without a proposal', () => {
    const one = proposed();
    const { hash } = one.terminal!.proposal!;
    const both = { ...pitManager, person: 's1' };
    const other = `sha256:${'0'.repeat(64)}`;
    const late = 102 + 120_001;
    for (const [more, refused, by] of [
      [{ proposal: 'P2' }, 'unknown-proposal', 'HOUSE 2'],
      [{ hash: other }, 'changed-proposal', 'HOUSE 2'],
      [{ actor: both }, 'same-person', 'HOUSE 2'],
      [{ amountDue: 29 }, 'over-amount-due', 'HOUSE 10'],
    ] as const) {
      expect(one.submit(approvalOf(one, more)), refused).toMatchObject({ refused, by });
    }
    expect(one.submit(approvalOf(one, { at: late }))).toMatchObject({ refused: 'expired-proposal', by: 'HOUSE 2' });
    expect(loadedTerminal().submit(approvalOf(one, { hash }))).toMatchObject({ refused: 'unknown-proposal' });
  });

  test('[HOUSE 2] the proposer must have the role until the approval', () => {
    const acting = { person: 'd1', role: 'dealer', acting: 'supervisor', until: 110 };
    const one = loadedTerminal().apply(proposing({ actor: acting }));
    expect(one.submit(approvalOf(one, { at: 111 }))).toMatchObject({
      refused: 'not-your-role',
      by: 'HOUSE 2',
      message: 'The proposer is no longer a supervisor; let another person propose the hand-pay.',
    });
    expect(one.submit(approvalOf(one, { at: 110 }))).toMatchObject([{ type: 'HandPayApproved' }, { actor: acting }]);
  });

  test('[HOUSE 2] a proposal replaces the one before, up to the outstanding amount', () => {
    const one = proposed();
    const [first] = [approvalOf(one)];
    expect(one.submit(proposing({ amount: 31 }))).toMatchObject({ refused: 'over-amount-due', by: 'HOUSE 10' });
    one.apply(proposing({ amount: 20 }));
    expect(one.terminal!.proposal).toMatchObject({ id: 'P2', amount: 20 });
    expect(one.submit(first)).toMatchObject({ refused: 'unknown-proposal' });
    one.apply(approvalOf(one));
    expect(one.submit(proposing({ amount: 11 }))).toMatchObject({ refused: 'over-amount-due' });
  });

  test('[HOUSE 2] a withdrawn proposal cannot be approved', () => {
    const one = proposed();
    const approve = approvalOf(one);
    expect(one.submit({ ...drop, proposal: 'P2', actor: supervisor } as CommandInput)).toMatchObject({
      refused: 'unknown-proposal',
    });
    expect(one.submit({ ...drop, actor: supervisor })).toEqual([
      { type: 'HandPayProposalWithdrawn', ...stamp(104, supervisor), proposal: 'P1' },
    ]);
    expect(one.submit(approve)).toMatchObject({ refused: 'unknown-proposal' });
  });

  test('[HOUSE 2] a signed, unpaid hand-pay is withdrawn with a reason and can be signed again', () => {
    const one = proposed();
    expect(one.submit({ ...withdraw, actor: supervisor })).toMatchObject({ refused: 'unknown-hand-pay' });
    one.apply(approvalOf(one));
    const { reason } = withdraw;
    expect(one.submit({ ...withdraw, actor: supervisor })).toEqual([
      { type: 'HandPayWithdrawn', ...stamp(105, supervisor), signature: 1, amount: 30, reason },
    ]);
    expect(one.terminal).toMatchObject({ signed: {}, withdrawn: [1], signatures: 1 });
    for (const input of [
      { ...paySigned, actor: cage },
      { ...withdraw, actor: supervisor },
    ]) {
      expect(one.submit(input)).toMatchObject({ refused: 'hand-pay-withdrawn', by: null });
    }
    one.apply(proposing());
    one.apply(approvalOf(one), { ...paySigned, signature: 2, actor: cage } as CommandInput);
    expect(one.submit({ ...withdraw, signature: 2, actor: supervisor } as CommandInput)).toMatchObject({
      refused: 'hand-pay-paid',
    });
  });
});

describe('[READING 60] session limits of a patron', () => {
  const limitsOf = ({ terminal }: TerminalScenario) => terminal!.limits;

  test('[READING 60] limits apply at once, are set one by one or together, and only tighten', () => {
    const one = loadedTerminal();
    expect(one.submit(limit)).toEqual([{ type: 'SessionLimited', ...stamp(102), session: 1, stake: 300, loss: 400 }]);
    expect(limitsOf(one)).toEqual({ stake: 300, loss: 400, pausedUntil: null });
    for (const [input, message] of [
      [{ stake: 301 }, 'The limit on stakes is 300 for this session; give a limit that is not higher.'],
      [{ stake: 100, loss: 401 }, 'The limit on losses is 400 for this session; give a limit that is not higher.'],
    ] as const) {
      expect(one.submit({ type: 'LimitSession', ...input })).toMatchObject({
        refused: 'limits-only-tighten',
        by: null,
        message,
      });
    }
    expect(limitsOf(one)).toEqual({ stake: 300, loss: 400, pausedUntil: null });
    expect(one.submit({ type: 'LimitSession', loss: 400 } as CommandInput)).toEqual([
      { type: 'SessionLimited', ...stamp(105), session: 1, loss: 400 },
    ]);
    one.apply({ type: 'LimitSession', stake: 200 } as CommandInput);
    expect(limitsOf(one)).toEqual({ stake: 200, loss: 400, pausedUntil: null });
  });

  test('[READING 60] a break ends automatically, and can be extended but not shortened', () => {
    const one = loadedTerminal();
    expect(one.submit(pause)).toEqual([{ type: 'SessionPaused', ...stamp(102), session: 1, until: 102 + 1_800_000 }]);
    expect(one.submit({ ...pause, minutes: 29 } as CommandInput)).toMatchObject({
      refused: 'limits-only-tighten',
      by: null,
      message: `The break lasts until ${102 + 1_800_000}; give a longer one, or wait for its end.`,
    });
    expect(limitsOf(one).pausedUntil).toBe(102 + 1_800_000);
    one.apply({ ...pause, minutes: 60 } as CommandInput);
    expect(limitsOf(one).pausedUntil).toBe(104 + 3_600_000);
    // The same time is not earlier.
    const same = loadedTerminal().apply(pause);
    expect(same.submit({ ...pause, at: 102 })).not.toHaveProperty('refused');
  });

  test('[READING 60] they end with the session, and there are none without one', () => {
    for (const input of [limit, pause]) {
      expect(seatedTerminal().submit(input)).toMatchObject({ refused: 'no-session', by: null });
      expect(loadedTerminal().apply(collect).submit(input)).toMatchObject({ refused: 'no-session' });
    }
    const one = loadedTerminal().apply(limit, pause, { ...load, amount: 200 } as CommandInput);
    expect(one.terminal).toMatchObject({ since: 101, loaded: 700, limits: { stake: 300 } });
    one.apply(collect, load);
    expect(one.terminal).toMatchObject({ sessions: 2, since: 106, loaded: 500 });
    expect(limitsOf(one)).toEqual({ stake: null, loss: null, pausedUntil: null });
  });
});
