import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hashEntryBody } from '../../../src/store/hashChain.ts';
import { MemoryStoreContents, createMemoryStore } from '../../../src/store/memoryStore.ts';
import { SchemaTooNewError, SchemaTooOldError } from '../../../src/store/schemaVersion.ts';
import { openReaderOfLockedFolder } from '../../../src/store/sqlite/readOnlyStore.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { StoreWriterEndedError } from '../../../src/store/failures.ts';
import { temporaryFolder } from '../../temporary.ts';
import { entry, external, singleWriterContract, storeContract, type StoreOpener } from '../storeContract.ts';
import { sideTablesContract } from '../sideTablesContract.ts';
import { headsAndBalancesContract } from '../headsAndBalancesContract.ts';

const root = temporaryFolder('store');

let folders = 0;
const folder = (): string => join(root, String(folders++));

const memories = new WeakMap<object, MemoryStoreContents>();
const openMemory = async (memory = new MemoryStoreContents()) => {
  const store = createMemoryStore(memory);
  memories.set(store, memory);
  return store;
};
const reopen = (store: Store) => openMemory(memories.get(store));
headsAndBalancesContract('memory', openMemory);
storeContract('memory', { open: openMemory, reopen });
sideTablesContract('memory', { open: openMemory, reopen });
singleWriterContract('memory', { open: openMemory, takeOver: reopen });

const openedStores = new WeakMap<object, string>();
const openIn = async (at: string) => {
  const store = await openSqliteStore(at, { pause: async () => {} });
  openedStores.set(store, at);
  return store;
};
headsAndBalancesContract('sqlite', () => openIn(folder()));
const sqliteOpener: StoreOpener = {
  open: () => openIn(folder()),
  reopen: async (store) => {
    await store.close();
    return openIn(openedStores.get(store)!);
  },
};
storeContract('sqlite', sqliteOpener);
sideTablesContract('sqlite', sqliteOpener);
singleWriterContract('sqlite', {
  open: () => openIn(folder()),
  takeOver: (store) => {
    rmSync(join(openedStores.get(store)!, 'lock.sqlite'));
    return openIn(openedStores.get(store)!);
  },
});

test('readHeadsAndBalances yields to other work after every thousand accounts', async () => {
  const store = await openSqliteStore(folder());
  const loads = Array.from({ length: 5_000 }, (_, n) => ({
    from: external,
    to: `sg1/SGD/terminal/T${n}.1` as const,
    amount: 1,
  }));
  await store.append({ stream: 'a', after: 0, entries: [entry(1, loads)] });
  let turns = 0;
  const count = (): void => void (turns += 1);
  const chunkSizes: number[] = [];
  for await (const { heads, balances } of store.readHeadsAndBalances()) {
    chunkSizes.push(heads.length + balances.length);
    expect(turns).toBe(chunkSizes.length - 1);
    setImmediate(count);
  }
  expect(chunkSizes).toEqual([1, 1_000, 1_000, 1_000, 1_000, 1_000, 1]);
  await store.close();
});

test('a second process on a data folder is refused and the first continues', async () => {
  const at = folder();
  const store = await openSqliteStore(at);
  await expect(openSqliteStore(at)).rejects.toThrow(
    /^Another program uses the data folder .*; stop it first, or name another folder\.$/,
  );
  await store.recordHeartbeats(['a'], 1);
  await store.close();
  await (await openSqliteStore(at)).close();
});

/** The database files, byte for byte. */
const filesOf = (at: string): readonly (readonly [string, string])[] =>
  readdirSync(at)
    .filter((name) => name.startsWith('record.sqlite') && !name.endsWith('-shm'))
    .map((name) => [name, readFileSync(join(at, name), 'base64')] as const);

/** Stores of another schema version: after an orderly close, and after a kill. */
function withSchemaVersion(version: number): readonly string[] {
  const [live, ended, killed] = [folder(), folder(), folder()];
  mkdirSync(live);
  const database = new DatabaseSync(join(live, 'record.sqlite'));
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE entries (body TEXT); PRAGMA user_version = ${version};
    INSERT INTO entries VALUES ('kept');`);
  cpSync(live, killed, { recursive: true });
  database.close();
  cpSync(live, ended, { recursive: true });
  return [ended, killed];
}

test.each([
  [
    4,
    SchemaTooOldError,
    'The event store has schema 4, and this program reads schema 7 and later; use the program that wrote it, or name another event store.',
  ],
  [
    99,
    SchemaTooNewError,
    'The event store has schema 99, and this program reads schemas up to 7; use a newer program.',
  ],
] as const)(
  'a store of schema version %i is refused and left byte for byte as it is',
  async (version, kind, message) => {
    for (const at of withSchemaVersion(version)) {
      const before = filesOf(at);
      const refused: unknown = await openSqliteStore(at).then(
        (store) => store.close(),
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(kind);
      expect((refused as Error).message).toBe(message);
      expect(filesOf(at)).toEqual(before);
      expect(readdirSync(at)).not.toContain('lock.sqlite');
    }
  },
);

test('a reader sees committed entries while they are being written', async () => {
  const at = folder();
  const store = await openSqliteStore(at);
  const command = {
    id: 'c1',
    hash: 'h',
    request: { type: 'Note', actor: {}, same: [] },
    context: {},
    decider: 'note@1',
  };
  await store.append({
    stream: 'a',
    after: 0,
    epoch: 2,
    entries: [{ event: { type: 'x', v: 1, at: 1 }, postings: [], command }],
  });
  await store.putValue('names', 'p1', 'first');
  const reader = openReaderOfLockedFolder(at);
  const found = [];
  for await (const entries of reader.read('a')) found.push(...entries);
  expect(found).toMatchObject([{ sequence: 1, command, event: { type: 'x' } }]);
  expect(await reader.heads()).toEqual(await store.heads());
  expect(await reader.listValues('names')).toEqual(new Map([['p1', 'first']]));
  expect(await reader.findCommands(['c1'])).toEqual(new Map([['c1', { stream: 'a', sequence: 1 }]]));
  await reader.close();
  await store.close();
});

test('close finishes earlier writes and ends the writer thread', async () => {
  const stopped = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(() => stopped.mockRestore());
  const at = folder();
  const store = await openSqliteStore(at);
  const requests = Array.from({ length: 50 }, (_, after) =>
    store.append({
      stream: 'a',
      after,
      entries: [{ event: { type: 'x', v: 1, at: 1 }, postings: [], command: { id: `c${after}` } }],
    }),
  );
  await store.close();
  for (const appended of await Promise.all(requests)) expect(appended).toHaveProperty('entries');
  expect(stopped).not.toHaveBeenCalled();
  await expect(store.recordHeartbeats(['floor'], 1)).rejects.toThrow(StoreWriterEndedError);
  const again = await openSqliteStore(at);
  expect((await again.heads()).get('a')?.sequence).toBe(50);
  await again.close();
});

test('a process ends by itself once its store is closed', () => {
  const script = `
    import { openSqliteStore } from ${JSON.stringify(new URL('../../../src/store/sqlite/sqliteStore.ts', import.meta.url).href)};
    const store = await openSqliteStore(${JSON.stringify(folder())});
    void store.recordHeartbeats(['floor'], 7);
    await store.close();
    process.on('exit', (code) => console.log('ended with', code));`;
  const file = join(root, 'program.mjs');
  writeFileSync(file, script);
  const ran = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 300_000 });
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, 'ended with 0\n', '']);
});

test('a damaged lock file is not reported as another process', async () => {
  const at = folder();
  await (await openSqliteStore(at)).close();
  writeFileSync(join(at, 'lock.sqlite'), 'this is no database, and never was one');
  await expect(openSqliteStore(at)).rejects.toThrow(
    /^The file .+lock\.sqlite is not a lock file; make sure that no program uses the folder, then delete the file\.$/,
  );
});

test('a read throws when an entry was changed together with its hash', async () => {
  const at = folder();
  const store = await openSqliteStore(at);
  const entries = ['c1', 'c2', 'c3', 'c4'].map((id, index) => ({
    event: { type: 'x', v: 1, at: index + 1 },
    postings: [],
    command: { id },
  }));
  await store.append({ stream: 'a', after: 0, entries });
  const database = new DatabaseSync(join(at, 'record.sqlite'));
  const { body } = database.prepare("SELECT body FROM entries WHERE stream = 'a' AND sequence = 2").get() as {
    body: string;
  };
  const other = body.replace('"type":"x"', '"type":"y"');
  database
    .prepare("UPDATE entries SET body = ?, hash = ? WHERE stream = 'a' AND sequence = 2")
    .run(other, hashEntryBody(other));
  database.close();
  const readFrom = async (after: number, atOnce?: number): Promise<number> => {
    let read = 0;
    for await (const some of store.read('a', after, atOnce)) read += some.length;
    return read;
  };
  for (const [after, atOnce] of [[0], [0, 1], [1], [2], [2, 1]] as const) {
    await expect(readFrom(after, atOnce)).rejects.toThrow('Entry 3 of a does not follow the entry before it.');
  }
  expect(await readFrom(3)).toBe(1);
  await store.close();
});

test('the database has a check constraint for guarded balances', async () => {
  const at = folder();
  const store = await openSqliteStore(at);
  await store.append({
    stream: 'a',
    after: 0,
    entries: [
      {
        event: { type: 'x', v: 1, at: 1 },
        postings: [{ from: 'p/SGD/external/T1', to: 'p/SGD/terminal/T1.1', amount: 5 }],
        command: { id: 'c1' },
      },
    ],
  });
  await store.close();
  const database = new DatabaseSync(join(at, 'record.sqlite'));
  expect(() => database.exec("UPDATE balances SET amount = -1 WHERE account LIKE '%terminal%'")).toThrow(/CHECK/);
  expect(() => database.exec("UPDATE balances SET amount = -9 WHERE account LIKE '%external%'")).not.toThrow();
  database.exec("UPDATE balances SET guarded = 0 WHERE account LIKE '%terminal%'");
  database.close();
  const reopened = await openSqliteStore(at);
  await expect(reopened.balances()).rejects.toThrow(
    'The guard of the account p/SGD/terminal/T1.1 against a negative balance is stored as 0, but must be 1.',
  );
  await reopened.close();
});
