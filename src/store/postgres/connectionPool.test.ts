import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseUnavailableError, StoreWriterEndedError } from '../failures.ts';
import { parseConnectionUrl } from './connectionUrl.ts';
import { NoUsableHostError } from './hostSelection.ts';
import { type PgConnection } from './connection.ts';
import { ConnectionPool } from './connectionPool.ts';

/** A fake connection, which records whether it is broken and whether it was closed. */
const made = (): PgConnection & { isBroken: boolean; isClosed: boolean } => {
  const link = { isBroken: false, isClosed: false, close: async () => void (link.isClosed = true) };
  return link as unknown as PgConnection & { isBroken: boolean; isClosed: boolean };
};

const full = (): NoUsableHostError => {
  const address = parseConnectionUrl('postgres://u@127.0.0.1/d');
  return new NoUsableHostError(address, [
    { host: address.hosts[0]!, error: Object.assign(new Error('no more'), { code: '53300' }) },
  ]);
};

test('the pool reuses a connection unless it is broken', async () => {
  let count = 0;
  const pool = new ConnectionPool(2, 1_000, async () => {
    count += 1;
    return made();
  });
  const first = await pool.acquire();
  pool.release(first);
  expect(await pool.acquire()).toBe(first);
  (first as { isBroken: boolean }).isBroken = true;
  pool.release(first);
  const second = await pool.acquire();
  expect([second === first, count]).toEqual([false, 2]);
  // A connection that breaks while it is idle is detected too.
  pool.release(second);
  (second as { isBroken: boolean }).isBroken = true;
  expect(await pool.acquire()).not.toBe(second);
  expect(count).toBe(3);
});

test('the pool drops idle connections when one breaks, so that a second attempt gets a new one', async () => {
  let count = 0;
  const pool = new ConnectionPool(3, 1_000, async () => {
    count += 1;
    return made();
  });
  const first = await pool.acquire();
  const second = (await pool.acquire()) as ReturnType<typeof made>;
  pool.release(second);
  (first as { isBroken: boolean }).isBroken = true;
  pool.release(first);
  expect(second.isClosed).toBe(true);
  const next = await Promise.all([pool.acquire(), pool.acquire(), pool.acquire()]);
  expect([next.includes(second), count]).toEqual([false, 5]);
});

test('the pool serves waiters in order, or reports that all connections are in use', async () => {
  const pool = new ConnectionPool(1, 50, async () => made());
  const only = await pool.acquire();
  await expect(pool.acquire()).rejects.toThrow(
    new DatabaseUnavailableError('All 1 connections to the database are in use.'),
  );
  const [one, other] = [pool.acquire(), pool.acquire()];
  pool.release(only);
  pool.release(await one);
  expect(await other).toBe(only);
});

test('the pool opens another connection when the awaited one breaks', async () => {
  const pool = new ConnectionPool(1, 1_000, async () => made());
  const only = await pool.acquire();
  const queued = pool.acquire();
  (only as { isBroken: boolean }).isBroken = true;
  pool.release(only);
  expect(await queued).not.toBe(only);
});

test('the pool uses a connection released while the database had no more', async () => {
  const queried = Promise.withResolvers<PgConnection>();
  let count = 0;
  const only = made();
  const pool = new ConnectionPool(5, 1_000, () => (count++ === 0 ? Promise.resolve(only) : queried.promise));
  const first = await pool.acquire();
  const queued = pool.acquire();
  pool.release(first);
  queried.reject(full());
  expect(await queued).toBe(only);
});

test('the pool reports a failed connection and tries again for the next caller', async () => {
  let isAway = true;
  const pool = new ConnectionPool(2, 1_000, async () => {
    if (isAway) throw full();
    return made();
  });
  await expect(pool.acquire()).rejects.toThrow(NoUsableHostError);
  isAway = false;
  pool.release(await pool.acquire());
});

test('a closed pool refuses callers and closes idle and released connections', async () => {
  const links = [made(), made()];
  const [lent, idle] = links as [(typeof links)[0], (typeof links)[0]];
  const pool = new ConnectionPool(2, 1_000, async () => links.shift()!);
  const one = await pool.acquire();
  pool.release(await pool.acquire());
  await pool.close();
  expect([lent.isClosed, idle.isClosed]).toEqual([false, true]);
  pool.release(one);
  expect(lent.isClosed).toBe(true);
  await expect(pool.acquire()).rejects.toThrow(StoreWriterEndedError);
});

test('the pool reports a lack of connections after a slow attempt without a negative timeout', async () => {
  let knocks = 0;
  const pool = new ConnectionPool(2, 10, async () => {
    if (knocks++ === 0) return made();
    await setTimeout(30);
    throw full();
  });
  const warned: string[] = [];
  const warn = ({ name }: Error): void => void warned.push(name);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  await pool.acquire();
  await expect(pool.acquire()).rejects.toThrow('All 1 connections to the database are in use.');
  await setTimeout(5);
  expect(warned).toEqual([]);
});
