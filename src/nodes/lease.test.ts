import { expect, test } from 'vitest';
import { type Asked } from '../store/postgres/ground.ts';
import { Lease } from './lease.ts';

/** A database and a machine whose clocks a test moves, and a lease there. */
function made() {
  const clock = { running: 1_000, up: 5_000, wall: 70_000, database: 70_000 };
  const told: (number | undefined)[] = [];
  let free = true;
  let takes = 0;
  const wants: (readonly string[])[] = [];
  const pass = (time: number): void => {
    for (const one of ['running', 'up', 'wall', 'database'] as const) clock[one] += time;
  };
  const lease = new Lease({
    renew: async (_, wanted, lasts): Promise<Asked> => {
      wants.push(wanted);
      const at = clock.database;
      pass(takes);
      const other = { name: 'floor', node: 'other', address: '', left: lasts };
      return { at, mine: free ? wanted : [], others: free ? [] : [other] };
    },
    node: () => ({ id: 'me', address: '' }),
    name: 'floor',
    isWanted: true,
    lasts: 4_000,
    running: () => [clock.running, clock.up],
    wall: () => clock.wall,
    far: (by) => told.push(by),
  });
  return {
    lease,
    clock,
    told,
    wants,
    pass,
    answersAfter: (time: number): void => void (takes = time),
    isFree: (is: boolean): void => void (free = is),
  };
}

test('a lease is asked for only once the clocks are known to agree', async () => {
  const { lease, wants, told } = made();
  await lease.ask();
  expect([lease.isHeld, lease.isSure]).toEqual([false, false]);
  await lease.ask();
  expect([lease.isHeld, lease.isSure]).toEqual([true, true]);
  expect([wants, told]).toEqual([[[], ['floor']], []]);
});

test('it is counted from before it was asked for, and is not sure some time before it ends', async () => {
  const { lease, pass, answersAfter } = made();
  await lease.ask();
  answersAfter(1_500);
  await lease.ask();
  pass(1_999);
  expect(lease.isSure).toBe(true);
  pass(1);
  expect([lease.isSure, lease.isHeld, lease.isLost]).toEqual([false, true, false]);
  answersAfter(0);
  await lease.ask();
  expect(lease.isSure).toBe(true);
});

test.each(['running', 'up'] as const)('time that passes by one clock alone (%s) counts', async (one) => {
  const { lease, clock } = made();
  await lease.ask();
  await lease.ask();
  clock[one] += 3_500;
  expect(lease.isSure).toBe(false);
});

test('a clock of the machine that is set moves no lease', async () => {
  const { lease, clock } = made();
  await lease.ask();
  await lease.ask();
  clock.wall -= 3_600_000;
  expect(lease.isSure).toBe(true);
});

test('once another has it, it is lost for good', async () => {
  const { lease, isFree } = made();
  await lease.ask();
  await lease.ask();
  isFree(false);
  await lease.ask();
  expect([lease.isSure, lease.isHeld, lease.isLost, lease.holder?.node]).toEqual([false, false, true, 'other']);
  isFree(true);
  await lease.ask();
  expect([lease.isSure, lease.isLost]).toEqual([false, true]);
});

test('whoever never had it loses nothing, and asks again once it may be free', async () => {
  const { lease, isFree } = made();
  isFree(false);
  await lease.ask();
  await lease.ask();
  expect([lease.isLost, lease.next]).toEqual([false, 1_000]);
  isFree(true);
  await lease.ask();
  expect([lease.isSure, lease.next]).toEqual([true, 1_000]);
});

test('a clock more than 200 ms from the database says so, wants nothing, and is sure of nothing', async () => {
  const { lease, clock, told, wants, answersAfter } = made();
  clock.database += 201;
  await lease.ask();
  await lease.ask();
  expect([lease.isHeld, told, wants]).toEqual([false, [201], [[], []]]);
  // An answer that took long says less: it may have been given at any moment of it.
  answersAfter(100);
  await lease.ask();
  expect(told).toEqual([201, undefined]);
  answersAfter(0);
  clock.database -= 1;
  await lease.ask();
  expect(lease.isSure).toBe(true);
  clock.wall += 500;
  await lease.ask();
  expect([lease.isSure, lease.isHeld, told]).toEqual([false, true, [201, undefined, 300]]);
});
