import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseAway, RecordLost } from '../failures.ts';
import { parseConnectionUrl } from './connectionUrl.ts';
import { NoHost } from './hostSelection.ts';
import { type PgConnection } from './connection.ts';
import { Pool } from './connectionPool.ts';

/** A connection that only tells whether it is broken, and whether it was closed. */
const made = (): PgConnection & { isBroken: boolean; isClosed: boolean } => {
  const link = { isBroken: false, isClosed: false, close: async () => void (link.isClosed = true) };
  return link as unknown as PgConnection & { isBroken: boolean; isClosed: boolean };
};

const full = (): NoHost => {
  const address = parseConnectionUrl('postgres://u@127.0.0.1/d');
  return new NoHost(address, [
    { host: address.hosts[0]!, why: Object.assign(new Error('no more'), { code: '53300' }) },
  ]);
};

test('a connection is used again, and a broken one is not', async () => {
  let count = 0;
  const pool = new Pool(2, 1_000, async () => {
    count += 1;
    return made();
  });
  const first = await pool.take();
  pool.give(first);
  expect(await pool.take()).toBe(first);
  (first as { isBroken: boolean }).isBroken = true;
  pool.give(first);
  const second = await pool.take();
  expect([second === first, count]).toEqual([false, 2]);
  // One that breaks while nobody has it is found out as well.
  pool.give(second);
  (second as { isBroken: boolean }).isBroken = true;
  expect(await pool.take()).not.toBe(second);
  expect(count).toBe(3);
});

test('whoever waits gets what is given back, in turn, or is told that all are in use', async () => {
  const pool = new Pool(1, 50, async () => made());
  const only = await pool.take();
  await expect(pool.take()).rejects.toThrow(new DatabaseAway('All 1 connections to the database are in use.'));
  const [one, other] = [pool.take(), pool.take()];
  pool.give(only);
  pool.give(await one);
  expect(await other).toBe(only);
});

test('whoever waits for a connection that breaks has another made', async () => {
  const pool = new Pool(1, 1_000, async () => made());
  const only = await pool.take();
  const waiting = pool.take();
  (only as { isBroken: boolean }).isBroken = true;
  pool.give(only);
  expect(await waiting).not.toBe(only);
});

test('one that is given back while the database has no more is not overlooked', async () => {
  const asked = Promise.withResolvers<PgConnection>();
  let count = 0;
  const only = made();
  const pool = new Pool(5, 1_000, () => (count++ === 0 ? Promise.resolve(only) : asked.promise));
  const first = await pool.take();
  const waiting = pool.take();
  pool.give(first);
  asked.reject(full());
  expect(await waiting).toBe(only);
});

test('what cannot be had at all is told, and tried anew by the next', async () => {
  let isAway = true;
  const pool = new Pool(2, 1_000, async () => {
    if (isAway) throw full();
    return made();
  });
  await expect(pool.take()).rejects.toThrow(NoHost);
  isAway = false;
  pool.give(await pool.take());
});

test('a pool that is closed lends nothing, and ends what it has and what it gets back', async () => {
  const links = [made(), made()];
  const [lent, idle] = links as [(typeof links)[0], (typeof links)[0]];
  const pool = new Pool(2, 1_000, async () => links.shift()!);
  const one = await pool.take();
  pool.give(await pool.take());
  await pool.close();
  expect([lent.isClosed, idle.isClosed]).toEqual([false, true]);
  pool.give(one);
  expect(lent.isClosed).toBe(true);
  await expect(pool.take()).rejects.toThrow(RecordLost);
});

test('whoever finds none left after a long knock is told so, and no timer runs backwards', async () => {
  let knocks = 0;
  const pool = new Pool(2, 10, async () => {
    if (knocks++ === 0) return made();
    await setTimeout(30);
    throw full();
  });
  const warned: string[] = [];
  const warn = ({ name }: Error): void => void warned.push(name);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  await pool.take();
  await expect(pool.take()).rejects.toThrow('All 1 connections to the database are in use.');
  await setTimeout(5);
  expect(warned).toEqual([]);
});
