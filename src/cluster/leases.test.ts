import { expect, test } from 'vitest';
import { type LeaseReply } from '../store/postgres/membership.ts';
import { Leases } from './leases.ts';

/** A database and a machine whose clocks a test moves, and leases there. */
function made() {
  const clock = { running: 1_000, up: 5_000, wall: 70_000, database: 70_000 };
  const told: (number | undefined)[] = [];
  const changes: string[] = [];
  const taken = new Map<string, { readonly node: string; readonly since: number; readonly left?: number }>();
  let takes = 0;
  const wants: (readonly string[])[] = [];
  const pass = (time: number): void => {
    for (const one of ['running', 'up', 'wall', 'database'] as const) clock[one] += time;
  };
  const leases = new Leases({
    renew: async (wanted): Promise<LeaseReply> => {
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
    lasts: 4_000,
    running: () => [clock.running, clock.up],
    wall: () => clock.wall,
    far: (by) => told.push(by),
    taken: (name) => changes.push(`taken ${name}`),
    lost: (name) => changes.push(`lost ${name}`),
  });
  const ask = (...names: readonly string[]): Promise<void> => leases.ask(names, []);
  return {
    leases,
    ask,
    clock,
    told,
    changes,
    wants,
    pass,
    taken,
    answersAfter: (time: number): void => void (takes = time),
  };
}

test('a lease is asked for only once the clocks are known to agree', async () => {
  const { leases, ask, wants, told, changes } = made();
  await ask('a', 'b');
  expect([leases.held, leases.isSure('a'), leases.isNear]).toEqual([[], false, true]);
  await ask('a', 'b');
  expect([leases.held, leases.isSure('a'), leases.isSure('b'), leases.isSure('c')]).toEqual([
    ['a', 'b'],
    true,
    true,
    false,
  ]);
  expect([wants, told, changes]).toEqual([[[], ['a', 'b']], [], ['taken a', 'taken b']]);
});

test('it is counted from before it was asked for, and is not sure some time before it ends', async () => {
  const { leases, ask, pass, answersAfter } = made();
  await ask('a');
  answersAfter(1_500);
  await ask('a');
  pass(1_999);
  expect(leases.isSure('a')).toBe(true);
  pass(1);
  expect([leases.isSure('a'), leases.isHeld('a')]).toEqual([false, true]);
  answersAfter(0);
  await ask('a');
  expect(leases.isSure('a')).toBe(true);
});

test('each name is counted by itself', async () => {
  const { leases, ask, pass } = made();
  await ask('a', 'b');
  await ask('a', 'b');
  pass(3_000);
  await ask('a');
  pass(500);
  expect([leases.isSure('a'), leases.isSure('b'), leases.isHeld('b')]).toEqual([true, false, true]);
});

test.each(['running', 'up'] as const)('time that passes by one clock alone (%s) counts', async (one) => {
  const { leases, ask, clock } = made();
  await ask('a');
  await ask('a');
  clock[one] += 3_500;
  expect(leases.isSure('a')).toBe(false);
});

test('a clock of the machine that is set moves no lease', async () => {
  const { leases, ask, clock } = made();
  await ask('a');
  await ask('a');
  clock.wall -= 3_600_000;
  expect(leases.isSure('a')).toBe(true);
});

test('what another has is lost, told once, and no matter of the others', async () => {
  const { leases, ask, taken, changes } = made();
  await ask('a', 'b');
  await ask('a', 'b');
  taken.set('a', { node: 'other', since: 70_001 });
  await ask('a', 'b');
  await ask('a', 'b');
  expect([leases.isSure('a'), leases.isHeld('a'), leases.isSure('b')]).toEqual([false, false, true]);
  expect(leases.others.get('a')).toMatchObject({ node: 'other' });
  expect(changes).toEqual(['taken a', 'taken b', 'lost a']);
});

test('what another had in between is lost and taken anew', async () => {
  const { leases, ask, taken, changes } = made();
  await ask('a');
  await ask('a');
  taken.set('a', { node: 'me', since: 90_000 });
  await ask('a');
  expect([leases.isSure('a'), changes]).toEqual([true, ['taken a', 'lost a', 'taken a']]);
});

test('what is let go of is not lost', async () => {
  const { leases, ask, changes } = made();
  await ask('a');
  await ask('a');
  leases.drop('a');
  await ask();
  expect([leases.held, changes]).toEqual([[], ['taken a']]);
});

test('it is asked again in time to keep what is held, soon where something is free, and when something may be', async () => {
  const { leases, ask, taken } = made();
  await ask('a');
  expect([leases.next(['a']), leases.next([])]).toEqual([10, 1_000]);
  await ask('a');
  expect(leases.next(['a'])).toBe(1_000);
  taken.set('b', { node: 'other', since: 1, left: 300 });
  await ask('a');
  expect(leases.next(['a', 'b'])).toBe(310);
});

test('a clock more than 200 ms from the database says so, wants nothing, and is sure of nothing', async () => {
  const { leases, ask, clock, told, wants, answersAfter } = made();
  clock.database += 201;
  await ask('a');
  await ask('a');
  expect([leases.held, told, wants, leases.next(['a'])]).toEqual([[], [201], [[], []], 1_000]);
  // An answer that took long says less: it may have been given at any moment of it.
  answersAfter(100);
  await ask('a');
  expect(told).toEqual([201, undefined]);
  answersAfter(0);
  clock.database -= 1;
  await ask('a');
  expect(leases.isSure('a')).toBe(true);
  clock.wall += 500;
  await ask('a');
  expect([leases.isSure('a'), leases.isHeld('a'), told]).toEqual([false, true, [201, undefined, 300]]);
});
