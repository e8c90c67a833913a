import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { parseConnectionUrl } from '../../../src/store/postgres/connectionUrl.ts';
import { type PgConnection } from '../../../src/store/postgres/connection.ts';
import { connectToPrimary } from '../../../src/store/postgres/hostSelection.ts';
import { databases, server } from './databases.ts';

const { createDatabase } = databases('session');

async function connected(): Promise<PgConnection> {
  const address = parseConnectionUrl(`${server}/${await createDatabase()}`);
  const connection = await connectToPrimary(address, { timeoutMs: 10_000, check: async () => undefined });
  onTestFinished(() => connection.close());
  return connection;
}

const standStill = (spanMs: number): void => {
  const until = performance.now() + spanMs;
  while (performance.now() < until);
};

test('a session compiles no statements, whose cost estimates are immense without sequential scans', async () => {
  const connection = await connected();
  expect(await connection.query("SELECT current_setting('jit') AS jit")).toEqual([{ jit: 'off' }]);
});

test('an answer that arrived while this process stood still is no timeout', async () => {
  const connection = await connected();
  const answer = connection.query('SELECT 1 AS one', [], 200);
  // The request leaves in this turn of the event loop. Timers come first in the next one.
  await setImmediate();
  standStill(1_000);
  expect(await answer).toEqual([{ one: 1 }]);
  expect(connection.isBroken).toBe(false);
  await expect(connection.query('SELECT pg_sleep(5)', [], 200)).rejects.toThrow('within 0.2 s');
  expect(connection.isBroken).toBe(true);
});
