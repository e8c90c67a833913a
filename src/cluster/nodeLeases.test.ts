import { expect, test } from 'vitest';
import { type LeaseRenewalReply } from '../store/postgres/clusterMembership.ts';
import { NodeLeases } from './nodeLeases.ts';

/** Leases of a machine and a database whose clocks the test moves. */
function made() {
  const clock = { running: 1_000, up: 5_000, wall: 70_000, database: 70_000 };
  const events: (number | undefined)[] = [];
  const changes: string[] = [];
  const taken = new Map<string, { readonly node: string; readonly since: number; readonly left?: number }>();
  let takes = 0;
  const wants: (readonly string[])[] = [];
  const pass = (time: number): void => {
    for (const one of ['running', 'up', 'wall', 'database'] as const) clock[one] += time;
  };
  const leases = new NodeLeases({
    renew: async (wanted): Promise<LeaseRenewalReply> => {
      wants.push(wanted);
      const at = clock.database;
      pass(takes);
      for (const name of wanted) if (!taken.has(name)) taken.set(name, { node: 'me', since: at });
      const all = [...taken].map(([name, lease]) => ({ name, left: 4_000, ...lease }));
      return {
        at,
        mine: all.filter(({ name, node }) => node === 'me' && wanted.includes(name)),
        others: all.filter(({ node }) => node !== 'me'),
        nodes: [],
      };
    },
    leaseMs: 4_000,
    monotonic: () => [clock.running, clock.up],
    wall: () => clock.wall,
    onClockError: (by) => events.push(by),
    onTaken: (name) => changes.push(`taken ${name}`),
    onLost: (name) => changes.push(`lost ${name}`),
  });
  const ask = (...names: readonly string[]): Promise<void> => leases.renew(names, []);
  return {
    leases,
    ask,
    clock,
    events,
    changes,
    wants,
    pass,
    taken,
    answersAfter: (time: number): void => void (takes = time),
  };
}

test('lease is requested only when the clocks are known to agree', async () => {
  const { leases, ask, wants, events, changes } = made();
  await ask('a', 'b');
  expect([leases.held, leases.isCertain('a'), leases.isClockRight]).toEqual([[], false, true]);
  await ask('a', 'b');
  expect([leases.held, leases.isCertain('a'), leases.isCertain('b'), leases.isCertain('c')]).toEqual([
    ['a', 'b'],
    true,
    true,
    false,
  ]);
  expect([wants, events, changes]).toEqual([[[], ['a', 'b']], [], ['taken a', 'taken b']]);
});

test('lease counts from before its request and becomes uncertain before it ends', async () => {
  const { leases, ask, pass, answersAfter } = made();
  await ask('a');
  answersAfter(1_500);
  await ask('a');
  pass(1_999);
  expect(leases.isCertain('a')).toBe(true);
  pass(1);
  expect([leases.isCertain('a'), leases.isHeld('a')]).toEqual([false, true]);
  answersAfter(0);
  await ask('a');
  expect(leases.isCertain('a')).toBe(true);
});

test('leases count independently of each other', async () => {
  const { leases, ask, pass } = made();
  await ask('a', 'b');
  await ask('a', 'b');
  pass(3_000);
  await ask('a');
  pass(500);
  expect([leases.isCertain('a'), leases.isCertain('b'), leases.isHeld('b')]).toEqual([true, false, true]);
});

test.each(['running', 'up'] as const)('time that passes by one clock alone (%s) counts', async (one) => {
  const { leases, ask, clock } = made();
  await ask('a');
  await ask('a');
  clock[one] += 3_500;
  expect(leases.isCertain('a')).toBe(false);
});

test('lease does not move when the time of day is set', async () => {
  const { leases, ask, clock } = made();
  await ask('a');
  await ask('a');
  clock.wall -= 3_600_000;
  expect(leases.isCertain('a')).toBe(true);
});

test('lease is lost and reported once when another node has it; others are not affected', async () => {
  const { leases, ask, taken, changes } = made();
  await ask('a', 'b');
  await ask('a', 'b');
  taken.set('a', { node: 'other', since: 70_001 });
  await ask('a', 'b');
  await ask('a', 'b');
  expect([leases.isCertain('a'), leases.isHeld('a'), leases.isCertain('b')]).toEqual([false, false, true]);
  expect(leases.others.get('a')).toMatchObject({ node: 'other' });
  expect(changes).toEqual(['taken a', 'taken b', 'lost a']);
});

test('lease is lost and acquired again when another node had it in between', async () => {
  const { leases, ask, taken, changes } = made();
  await ask('a');
  await ask('a');
  taken.set('a', { node: 'me', since: 90_000 });
  await ask('a');
  expect([leases.isCertain('a'), changes]).toEqual([true, ['taken a', 'lost a', 'taken a']]);
});

test('released lease is not reported as lost', async () => {
  const { leases, ask, changes } = made();
  await ask('a');
  await ask('a');
  leases.release('a');
  await ask();
  expect([leases.held, changes]).toEqual([[], ['taken a']]);
});

test('renewal is due in time to keep leases, and soon when one is or may be free', async () => {
  const { leases, ask, taken } = made();
  await ask('a');
  expect([leases.nextRenewalMs(['a']), leases.nextRenewalMs([])]).toEqual([10, 1_000]);
  await ask('a');
  expect(leases.nextRenewalMs(['a'])).toBe(1_000);
  taken.set('b', { node: 'other', since: 1, left: 300 });
  await ask('a');
  expect(leases.nextRenewalMs(['a', 'b'])).toBe(310);
});

test('node reports a clock more than 200 ms off, requests no lease and is certain of none', async () => {
  const { leases, ask, clock, events, wants, answersAfter } = made();
  clock.database += 201;
  await ask('a');
  await ask('a');
  expect([leases.held, events, wants, leases.nextRenewalMs(['a'])]).toEqual([[], [201], [[], []], 1_000]);
  // A slow reply proves less about the clock: the database may have replied at any moment since the request.
  answersAfter(100);
  await ask('a');
  expect(events).toEqual([201, undefined]);
  answersAfter(0);
  clock.database -= 1;
  await ask('a');
  expect(leases.isCertain('a')).toBe(true);
  clock.wall += 500;
  await ask('a');
  expect([leases.isCertain('a'), leases.isHeld('a'), events]).toEqual([false, true, [201, undefined, 300]]);
});
