import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { checkAndSignStore } from '../../../src/checkpoint/storeCheck.ts';
import { type RandomSource, createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { openSqliteReadOnly } from '../../../src/store/sqlite/readOnlyStore.ts';
import { SchemaTooNewError, SchemaTooOldError } from '../../../src/store/schemaVersion.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { DamagedStoreError } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { seed } from '../../seed.ts';
import { temporaryFolder } from '../../temporary.ts';
import { reportToSoak, times } from '../../times.ts';
import { honestStreams, tiger } from '../../verify/forgedStore.ts';
import { withoutPause } from './sqliteFixtures.ts';

// A byte of a data folder is changed, anywhere in any of its files. The result is one of few; never are other data
// read silently.

const root = temporaryFolder('flips');
const bases = { killed: join(root, 'killed'), ended: join(root, 'ended') } as const;
type Base = keyof typeof bases;

/** An honest event log in many commits, with rows in every table. */
beforeAll(async () => {
  const store = await openSqliteStore(bases.ended);
  const streams = await honestStreams();
  for (const stream of Object.keys(streams).toSorted().toReversed()) {
    const entries = streams[stream]!;
    for (let after = 0; after < entries.length; after += 20) {
      const batch = entries.slice(after, after + 20);
      const appended = await store.append({ stream, after, entries: batch });
      if (!('entries' in appended)) throw new Error(JSON.stringify(appended));
    }
    // After a kill both files then have data, and the WAL begins over frames of an earlier generation.
    if (stream === tiger) checkpoint(bases.ended);
  }
  await store.putBlob('shoe/none', new Uint8Array(20_000).fill(7));
  await store.putValue('names', 'p1', 'first');
  const keyFiles = { signer: join(root, 'signer'), anchor: join(root, 'anchor') };
  await (await checkAndSignStore(store, keyFiles, Date.now, undefined)).writer.checkpoint();
  for (let at = 1; at < 4; at++) await store.recordHeartbeats(['floor', ...Object.keys(streams)], at);
  cpSync(bases.ended, bases.killed, { recursive: true });
  await store.close();
});

/** Moves the WAL into the database file. */
function checkpoint(folder: string): void {
  const database = new DatabaseSync(join(folder, 'record.sqlite'));
  database.exec('PRAGMA wal_checkpoint(FULL)');
  database.close();
}

/** Encrypted, or outside the hash chain and expendable: the store alone cannot show a change there. */
const keyPaths = new Set(['blobs', 'heartbeats', 'key_values', 'epochs']);

type Tables = { readonly [table: string]: string };

/** All rows of each table. */
function tablesIn(folder: string): Tables {
  const database = new DatabaseSync(join(folder, 'record.sqlite'), { readOnly: true });
  try {
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return Object.fromEntries(
      names.map(({ name }) => {
        const rows = database.prepare(`SELECT * FROM ${String(name)}`).all();
        return [name, JSON.stringify(rows, (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value))];
      }),
    );
  } finally {
    database.close();
  }
}

type FlipOutcome = 'refused' | 'reported' | 'harmless' | 'found by verify' | 'outside the chain' | 'SILENT';

/** The outcome of opening a changed folder. */
async function outcomeOfFlip(folder: string, whole: Tables): Promise<FlipOutcome> {
  let opened;
  try {
    opened = await openSqliteReadOnly(folder, withoutPause.pause);
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    throw error;
  }
  try {
    if (opened.torn > 0) return 'reported';
    const tables = tablesIn(folder);
    const other = Object.keys(whole).filter((table) => tables[table] !== whole[table]);
    if (other.length === 0) return 'harmless';
    const { problem } = await verifyStore(opened);
    if (problem !== undefined) return 'found by verify';
    return other.every((table) => keyPaths.has(table)) ? 'outside the chain' : 'SILENT';
  } finally {
    await opened.close();
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DamagedStoreError || error instanceof SchemaTooNewError || error instanceof SchemaTooOldError;

/** A copy of the folder with one byte changed in a file. */
function flipped(base: Base, name: string, chance: RandomSource): { readonly folder: string; readonly offset: number } {
  const folder = join(root, 'flipped');
  rmSync(folder, { recursive: true, force: true });
  cpSync(bases[base], folder, { recursive: true });
  const bytes = readFileSync(join(folder, name));
  // Headers are small and critical.
  const offset = chance.below(chance.below(4) === 0 ? Math.min(120, bytes.length) : bytes.length);
  bytes[offset]! ^= 1 + chance.below(255);
  writeFileSync(join(folder, name), bytes);
  return { folder, offset };
}

const files: readonly (readonly [Base, string, number])[] = [
  ['ended', 'record.sqlite', 15],
  ['killed', 'record.sqlite', 8],
  ['killed', 'record.sqlite-wal', 15],
  ['killed', 'record.sqlite-shm', 3],
  ['killed', 'lock.sqlite-journal', 1],
];

test('the list of files is complete', () => {
  for (const base of ['ended', 'killed'] as const) {
    const full = readdirSync(bases[base]).filter((name) => statSync(join(bases[base], name)).size > 0);
    expect(full.toSorted()).toEqual(files.flatMap(([of, name]) => (of === base ? [name] : [])).toSorted());
  }
});

test.each(files)(
  'no changed byte is read silently: in a folder that was %s, in %s',
  async (base, name, defaultCount) => {
    const chance = createSeededRandom(`${seed} ${base} ${name}`);
    const whole = tablesIn(bases[base]);
    const outcomes = new Map<FlipOutcome, number>();
    for (let flips = times(defaultCount); flips > 0; flips--) {
      const { folder, offset } = flipped(base, name, chance);
      const outcome = await outcomeOfFlip(folder, whole);
      expect(outcome, `byte ${offset} of ${name}`).not.toBe('SILENT');
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      // An open for writing is refused in the same way, or reads the same.
      if (flips > times(1)) continue;
      const opened = await openSqliteStore(folder, withoutPause).catch((error: unknown) => error);
      if (outcome === 'refused') expect(isRefusal(opened)).toBe(true);
      else await (opened as { close(): Promise<void> }).close();
      if (outcome === 'harmless') expect({ ...tablesIn(folder), epochs: '' }).toEqual({ ...whole, epochs: '' });
    }
    reportToSoak(
      `${times(defaultCount)} flips in ${name} of one that was ${base}: ${JSON.stringify(Object.fromEntries(outcomes))}`,
    );
    // Shared memory and locks do not outlive the process.
    if (name.endsWith('-shm') || name.startsWith('lock')) expect([...outcomes.keys()]).toEqual(['harmless']);
  },
);
