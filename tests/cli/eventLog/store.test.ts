import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Store, type StoredEntry } from '../../../src/store/store.ts';
import { databases, server } from '../../store/postgres/databases.ts';
import { withClient } from '../../store/postgres/postgres.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';
import { playRounds } from '../support/playRounds.ts';

const root = temporaryFolder('store');

const fixtureFolder = fileURLToPath(new URL('../../records/schema-7', import.meta.url));

describe('a store in a database', () => {
  const { createDatabase, open } = databases('cli');
  const addressOf = (database: string): string => `${server}/${database}`;

  /** Plays rounds on a store and calls `meanwhile` after each step; returns the number of settled rounds. */
  async function played(store: Store, folder: string, meanwhile: () => Promise<void>): Promise<number> {
    const settled = (written: readonly StoredEntry[]): number =>
      written.filter(({ event }) => event.type === 'RoundSettled').length;
    const isEnough = (written: readonly StoredEntry[]): boolean => settled(written) >= 4;
    return settled(
      await playRounds(store, { folder, seed: 'database', slip: () => ({ banker: 100 }), isEnough, meanwhile }),
    );
  }

  test('runs a floor, and is verified and exported, also while tables run', async () => {
    const [database, folder] = [await createDatabase(), join(root, 'floor')];
    const store = await open(database);
    let readCount = 0;
    const rounds = await played(store, folder, async () => {
      if (readCount >= 2 || (await store.heads()).size < 3) return;
      readCount += 1;
      expect(await punto(['verify', '--data', folder, '--store', addressOf(database)])).toMatchObject({ status: 0 });
    });
    expect([rounds, readCount]).toEqual([expect.any(Number), 2]);
    expect(rounds).toBeGreaterThanOrEqual(4);
    await store.close();
    const { status, stdout, stderr } = await punto(['verify', '--data', folder, '--store', addressOf(database)]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Everything is as it was written, and all amounts add up.');
    const exported = await punto(['export', '--store', addressOf(database)]);
    const entries = [...(await (await open(database)).heads()).values()].reduce(
      (sum, { sequence }) => sum + sequence,
      0,
    );
    expect(exported.stdout.trim().split('\n')).toHaveLength(entries);
  });

  test('takes a copy of a data folder, and both verify with the same result', async () => {
    const [folder, database] = [join(root, 'kept'), await createDatabase()];
    cpSync(fixtureFolder, folder, { recursive: true });
    const copied = await punto(['copy', '--from', `sqlite:${folder}`, '--to', addressOf(database)]);
    expect([copied.status, copied.stderr]).toEqual([0, '']);
    expect(copied.stdout).toMatch(/^\d+ streams, \d+ entries, \d+ accounts are copied from .+ into the database\.\n/);
    const both = await Promise.all([
      punto(['verify', '--data', folder]),
      punto(['verify', '--data', folder, '--store', addressOf(database)]),
    ]);
    expect(both[0]).toMatchObject({ status: 0 });
    expect([both[1].status, both[1].stdout]).toEqual([0, both[0].stdout]);
    expect(await punto(['export', '--store', addressOf(database)])).toEqual(await punto(['export', '--data', folder]));
    const again = await punto(['copy', '--from', `sqlite:${folder}`, '--to', addressOf(database)]);
    expect(again.stderr).toMatch(/already contains an event store; use an empty database\. \(unusable-data\)/);
    // One byte that was changed there is found.
    await withClient(server, database, (client) =>
      client.query(`UPDATE entries SET body = replace(body, '"v":1', '"v":7') WHERE sequence = 2`),
    );
    expect(await punto(['verify', '--data', folder, '--store', addressOf(database)])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('does not match its hash'),
    });
  });

  test('is refused with one sentence when its address or database is wrong', async () => {
    const sentence = async (...args: string[]): Promise<string> => (await punto(args)).stderr;
    expect(await sentence('verify', '--store', 'mysql://u@a/d')).toBe(
      'punto: This is not a database URL; write it as postgres://user@host:5432,host:5432/database. (unusable-data)\n',
    );
    expect(await sentence('export', '--store', 'postgres://punto@127.0.0.1:1/d')).toBe(
      'punto: The database postgres://punto@127.0.0.1:1/d cannot be used: 127.0.0.1:1 refuses connections: no server listens there. (unusable-data)\n',
    );
    expect(await sentence('verify', '--store', addressOf(await createDatabase()))).toMatch(
      /^punto: There is no event store in the database.*\(missing-record\)\n$/,
    );
    expect(await sentence('copy', '--from', 'data', '--to', 'postgres://u@a/d')).toMatch(
      /--from sqlite:DIR\. \(malformed-argument\)/,
    );
    expect(await sentence('copy', '--to', 'postgres://u@a/d')).toMatch(/\(missing-argument\)/);
  });
});
