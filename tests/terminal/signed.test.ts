import { describe, expect, test } from 'vitest';
import {
  type Asked,
  type Asks,
  byHand,
  cage,
  collect,
  limit,
  load,
  loaded,
  pause,
  paySigned,
  pitManager,
  seated,
  sign,
  stamp,
  supervisor,
} from './asked.ts';

describe('[HOUSE 2] a payment by hand takes two', () => {
  const asking = (more: object = {}): Asks => ({ ...byHand, who: supervisor, ...more });

  test('[HOUSE 2] a supervisor with a pit manager pays what waits, and no more', () => {
    expect(loaded().ask(asking())).toEqual([
      { type: 'HandPaid', ...stamp(102, supervisor), what: 'jackpot', amount: 30, second: pitManager },
    ]);
    expect(loaded().ask(asking({ amount: 31 }))).toMatchObject({ refused: 'over-waiting', by: 'HOUSE 10' });
  });

  test('[HOUSE 2] not one person twice, nor a second of too low a post', () => {
    const alone = { person: 's1', post: 'pit-manager' };
    expect(loaded().ask(asking({ second: alone }))).toMatchObject({ refused: 'same-person', by: 'HOUSE 2' });
    const low = { person: 's2', post: 'supervisor' };
    expect(loaded().ask(asking({ second: low }))).toMatchObject({ refused: 'not-your-post', by: 'HOUSE 2' });
    const acting = { ...low, acting: 'pit-manager', until: 1_000 };
    expect(loaded().ask(asking({ second: acting }))).toMatchObject([{ type: 'HandPaid' }]);
    expect(loaded().ask(asking({ second: { ...acting, until: 50 } }))).toMatchObject({ refused: 'not-your-post' });
  });
});

describe('[HOUSE 2] what two persons have signed the cage pays', () => {
  const signing = (more: object = {}): Asks => ({ ...sign, who: supervisor, ...more });

  test('[HOUSE 2] whole and once, by its number at the terminal', () => {
    const one = loaded();
    expect(one.ask({ ...paySigned, who: cage })).toMatchObject({ refused: 'unknown-hand-pay', by: null });
    const what = 'cancelled-credit';
    expect(one.ask(signing())).toEqual([
      { type: 'HandPaySigned', ...stamp(103, supervisor), signature: 1, what, amount: 30, second: pitManager },
    ]);
    expect(one.terminal).toMatchObject({
      signatures: 1,
      signed: { 1: { what, amount: 30, at: 103, first: 's1', second: 'p1' } },
    });
    expect(one.ask({ ...paySigned, who: cage })).toEqual([
      { type: 'HandPaid', ...stamp(104, cage), what, amount: 30, signature: 1 },
    ]);
    expect(one.terminal).toMatchObject({ signatures: 1, signed: {} });
    expect(one.ask({ ...paySigned, who: cage })).toMatchObject({ refused: 'hand-pay-paid', by: null });
    expect(one.ask({ ...paySigned, signature: 2, who: cage } as Asks)).toMatchObject({ refused: 'unknown-hand-pay' });
    expect(one.ask(signing())).toMatchObject([{ signature: 2 }]);
  });

  test('[HOUSE 2] nobody signs for it again or pays it by hand while it waits for the cage', () => {
    const one = loaded().did(signing({ amount: 20 }));
    for (const type of ['SignHandPay', 'PayByHand'] as const) {
      expect(one.ask(signing({ type, amount: 11 }))).toMatchObject({
        refused: 'over-waiting',
        by: 'HOUSE 10',
        message: '10 waits to be paid by hand, not 11; pay no more than that.',
      });
    }
    expect(one.ask(signing({ amount: 10 }))).toMatchObject([{ type: 'HandPaySigned', signature: 2, amount: 10 }]);
  });

  test('[HOUSE 2] not one person twice, nor a second of too low a post', () => {
    const alone = { person: 's1', post: 'pit-manager' };
    expect(loaded().ask(signing({ second: alone }))).toMatchObject({ refused: 'same-person', by: 'HOUSE 2' });
    const low = { person: 's2', post: 'supervisor' };
    expect(loaded().ask(signing({ second: low }))).toMatchObject({ refused: 'not-your-post', by: 'HOUSE 2' });
  });
});

describe('[READING 60] what a patron sets for the session', () => {
  const limitsOf = ({ terminal }: Asked) => terminal!.limits;

  test('[READING 60] limits hold at once, are set one by one or together, and only tighten', () => {
    const one = loaded();
    expect(one.ask(limit)).toEqual([{ type: 'SessionLimited', ...stamp(102), session: 1, stake: 300, loss: 400 }]);
    expect(limitsOf(one)).toEqual({ stake: 300, loss: 400, pausedUntil: null });
    for (const [asks, told] of [
      [{ stake: 301 }, 'The limit on stakes is 300 for this session; give that or less.'],
      [{ stake: 100, loss: 401 }, 'The limit on losses is 400 for this session; give that or less.'],
    ] as const) {
      expect(one.ask({ type: 'LimitSession', ...asks })).toMatchObject({
        refused: 'limits-only-tighten',
        by: null,
        message: told,
      });
    }
    expect(limitsOf(one)).toEqual({ stake: 300, loss: 400, pausedUntil: null });
    expect(one.ask({ type: 'LimitSession', loss: 400 } as Asks)).toEqual([
      { type: 'SessionLimited', ...stamp(105), session: 1, loss: 400 },
    ]);
    one.did({ type: 'LimitSession', stake: 200 } as Asks);
    expect(limitsOf(one)).toEqual({ stake: 200, loss: 400, pausedUntil: null });
  });

  test('[READING 60] a break ends by itself, and can be made longer and not shorter', () => {
    const one = loaded();
    expect(one.ask(pause)).toEqual([{ type: 'SessionPaused', ...stamp(102), session: 1, until: 102 + 1_800_000 }]);
    expect(one.ask({ ...pause, minutes: 29 } as Asks)).toMatchObject({
      refused: 'limits-only-tighten',
      by: null,
      message: `The break lasts until ${102 + 1_800_000}; make it longer, or let it end.`,
    });
    expect(limitsOf(one).pausedUntil).toBe(102 + 1_800_000);
    one.did({ ...pause, minutes: 60 } as Asks);
    expect(limitsOf(one).pausedUntil).toBe(104 + 3_600_000);
    // The very same time is no earlier one.
    const same = loaded().did(pause);
    expect(same.ask({ ...pause, at: 102 })).not.toHaveProperty('refused');
  });

  test('[READING 60] they end with the session, and there are none without one', () => {
    for (const asks of [limit, pause]) {
      expect(seated().ask(asks)).toMatchObject({ refused: 'no-session', by: null });
      expect(loaded().did(collect).ask(asks)).toMatchObject({ refused: 'no-session' });
    }
    const one = loaded().did(limit, pause, { ...load, amount: 200 } as Asks);
    expect(one.terminal).toMatchObject({ since: 101, loaded: 700, limits: { stake: 300 } });
    one.did(collect, load);
    expect(one.terminal).toMatchObject({ sessions: 2, since: 106, loaded: 500 });
    expect(limitsOf(one)).toEqual({ stake: null, loss: null, pausedUntil: null });
  });
});
