import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { openChecked } from '../../src/checkpoint/openStore.ts';
import { type RandomSource, seededRandom } from '../../src/runtime/ports/random.ts';
import { openReadOnly } from '../../src/store/sqlite/readOnlyStore.ts';
import { NewerRecord, OlderRecord } from '../../src/store/schemaVersion.ts';
import { sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { DamagedRecord } from '../../src/store/store.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { seed } from '../seed.ts';
import { temporaryFolder } from '../temporary.ts';
import { reportToSoak, times } from '../times.ts';
import { honestStreams, tiger } from '../verify/forgedStore.ts';
import { withoutPause } from './sqliteFixtures.ts';

// A byte of a data folder is another, anywhere in any of its files. What becomes of it is one of few things, and never that
// something else is read in silence.

const root = temporaryFolder('flips');
const bases = { killed: join(root, 'killed'), ended: join(root, 'ended') } as const;
type Base = keyof typeof bases;

/** An honest record in many commits, with something of every table. */
beforeAll(async () => {
  const store = await sqliteStore(bases.ended);
  const streams = await honestStreams();
  for (const stream of Object.keys(streams).toSorted().toReversed()) {
    const entries = streams[stream]!;
    for (let after = 0; after < entries.length; after += 20) {
      const batch = entries.slice(after, after + 20);
      const appended = await store.append({ stream, after, entries: batch });
      if (!('entries' in appended)) throw new Error(JSON.stringify(appended));
    }
    // So that one who is killed leaves something in both, and the log begins over what is left of an earlier turn.
    if (stream === tiger) checkpoint(bases.ended);
  }
  await store.putBlob('shoe/none', new Uint8Array(20_000).fill(7));
  await store.putValue('names', 'p1', 'first');
  const places = { signer: join(root, 'signer'), anchor: join(root, 'anchor') };
  await (await openChecked(store, places, Date.now, undefined)).writer.checkpoint();
  for (let at = 1; at < 4; at++) await store.recordHeartbeats(['floor', ...Object.keys(streams)], at);
  cpSync(bases.ended, bases.killed, { recursive: true });
  await store.close();
});

/** Moves what stands in the log into the record. */
function checkpoint(folder: string): void {
  const database = new DatabaseSync(join(folder, 'record.sqlite'));
  database.exec('PRAGMA wal_checkpoint(FULL)');
  database.close();
}

/** What is sealed, or no part of the chain and may be forgotten: nobody can tell it by the record alone. */
const keyPaths = new Set(['blobs', 'heartbeats', 'key_values', 'epochs']);

type Tables = { readonly [table: string]: string };

/** All that stands in each table. */
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

type FlipOutcome = 'refused' | 'told' | 'harmless' | 'found by verify' | 'beside the chain' | 'SILENT';

/** What becomes of a folder in which something is not as it was. */
async function outcomeOfFlip(folder: string, whole: Tables): Promise<FlipOutcome> {
  let looked;
  try {
    looked = await openReadOnly(folder, withoutPause.pause);
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    throw error;
  }
  try {
    if (looked.torn > 0) return 'told';
    const tables = tablesIn(folder);
    const other = Object.keys(whole).filter((table) => tables[table] !== whole[table]);
    if (other.length === 0) return 'harmless';
    const { problem } = await verifyStore(looked);
    if (problem !== undefined) return 'found by verify';
    return other.every((table) => keyPaths.has(table)) ? 'beside the chain' : 'SILENT';
  } finally {
    await looked.close();
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DamagedRecord || error instanceof NewerRecord || error instanceof OlderRecord;

/** The same folder with one byte changed in a file. */
function flipped(base: Base, name: string, chance: RandomSource): { readonly folder: string; readonly place: number } {
  const folder = join(root, 'flipped');
  rmSync(folder, { recursive: true, force: true });
  cpSync(bases[base], folder, { recursive: true });
  const bytes = readFileSync(join(folder, name));
  // Heads are small and full of meaning.
  const place = chance.below(chance.below(4) === 0 ? Math.min(120, bytes.length) : bytes.length);
  bytes[place]! ^= 1 + chance.below(255);
  writeFileSync(join(folder, name), bytes);
  return { folder, place };
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

test.each(files)('no byte is another in silence: of one that was %s, in %s', async (base, name, usual) => {
  const chance = seededRandom(`${seed} ${base} ${name}`);
  const whole = tablesIn(bases[base]);
  const fates = new Map<FlipOutcome, number>();
  for (let flips = times(usual); flips > 0; flips--) {
    const { folder, place } = flipped(base, name, chance);
    const fate = await outcomeOfFlip(folder, whole);
    expect(fate, `byte ${place} of ${name}`).not.toBe('SILENT');
    fates.set(fate, (fates.get(fate) ?? 0) + 1);
    // Whoever opens the folder is refused the same, or reads the same.
    if (flips > times(1)) continue;
    const opened = await sqliteStore(folder, withoutPause).catch((error: unknown) => error);
    if (fate === 'refused') expect(isRefusal(opened)).toBe(true);
    else await (opened as { close(): Promise<void> }).close();
    if (fate === 'harmless') expect({ ...tablesIn(folder), epochs: '' }).toEqual({ ...whole, epochs: '' });
  }
  reportToSoak(
    `${times(usual)} flips in ${name} of one that was ${base}: ${JSON.stringify(Object.fromEntries(fates))}`,
  );
  // Nothing that is shared or locked outlives the program.
  if (name.endsWith('-shm') || name.startsWith('lock')) expect([...fates.keys()]).toEqual(['harmless']);
});
