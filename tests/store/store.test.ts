import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { memoryStore } from '../../src/store/memory.ts';
import { sqliteStore } from '../../src/store/sqlite.ts';
import { storeContract } from './contract.ts';

const root = mkdtempSync(join(tmpdir(), 'punto-store-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const folder = (): string => join(root, String(folders++));

storeContract('memory', async () => memoryStore());

const opened = new WeakMap<object, string>();
const openIn = async (at: string) => {
  const store = await sqliteStore(at);
  opened.set(store, at);
  return store;
};
storeContract(
  'sqlite',
  () => openIn(folder()),
  async (store) => {
    await store.close();
    return openIn(opened.get(store)!);
  },
);

test('a second program on the same folder is refused with one sentence, and the first goes on', async () => {
  const at = folder();
  const store = await sqliteStore(at);
  await expect(sqliteStore(at)).rejects.toThrow(
    /^Another program runs on the data folder .*; stop it first, or name another folder\.$/,
  );
  await store.beat(['a'], 1);
  await store.close();
  await (await sqliteStore(at)).close();
});

test('a record that a newer program wrote is refused and left as it is', async () => {
  const at = folder();
  await (await sqliteStore(at)).close();
  const file = join(at, 'record.sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 99; PRAGMA journal_mode = DELETE;');
  database.close();
  const before = readFileSync(file);
  await expect(sqliteStore(at)).rejects.toThrow(/version 99/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a lock that is no lock is not called another program', async () => {
  const at = folder();
  await (await sqliteStore(at)).close();
  writeFileSync(join(at, 'lock.sqlite'), 'this is no database, and never was one');
  await expect(sqliteStore(at)).rejects.toThrow(/not a database/);
});

test('the database itself guards balances as well', async () => {
  const at = folder();
  const store = await sqliteStore(at);
  await store.append({
    stream: 'a',
    after: 0,
    entries: [
      { event: { type: 'x', v: 1, at: 1 }, postings: [{ from: 'p/SGD/external', to: 'p/SGD/terminal/T1', amount: 5 }] },
    ],
  });
  await store.close();
  const database = new DatabaseSync(join(at, 'record.sqlite'));
  expect(() => database.exec("UPDATE balances SET amount = -1 WHERE account LIKE '%terminal%'")).toThrow(/CHECK/);
  expect(() => database.exec("UPDATE balances SET amount = -9 WHERE account LIKE '%external%'")).not.toThrow();
  database.close();
});
