import { EventEmitter } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readAnchor } from '../../../src/checkpoint/anchorFile.ts';
import { run } from '../../../src/cli/run.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { type StoredPayload, type CommandRecord } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../temporary.ts';
import { withoutField, commandRecord } from '../../verify/forgedStore.ts';
import { Kept, answersIn, punto, puntoUntilOutput } from '../support/punto.ts';
import { demoOf } from '../support/serverProcess.ts';

const folder = temporaryFolder('unsigned');
const [data, property] = [join(folder, 'data'), join(folder, 'property.jsonc')];
const serve = ['serve', '--data', data, '--property', property];

/** Runs a demo table until it has a shoe, and closes. */
async function serveUntilShoe(): Promise<void> {
  writeFileSync(property, demoOf('B01'));
  const [output, signals] = [new Kept(), new EventEmitter()];
  const ended = run(serve, { input: Readable.from([]), output, errors: output, signals });
  while ((readAnchor(`${data}.anchor`)?.heads.get('demo/table/B01')?.sequence ?? 0) < 2) await setTimeout(20);
  signals.emit('SIGTERM');
  expect(await ended).toBe(0);
}

const noteFor = (id: string, request: StoredPayload): CommandRecord =>
  withoutField(commandRecord(id, request, { decider: 'terminal@1' }), 'rulebook') as CommandRecord;

/** Forges a credit entry in the store, without any key. */
async function forgeCredit(): Promise<void> {
  const store = await openSqliteStore(data, { pause: async () => {} });
  const at = (await store.heartbeats()).get('floor')!;
  const actor = { system: 'floor' };
  const steps = [
    [{ type: 'SeatTerminal', actor, terminal: 'T1', property: 'demo', currency: 'XTS' }, 'TerminalSeated', []],
    [
      { type: 'LoadCredit', actor, method: 'promotion', amount: 5_000_000 },
      'CreditLoaded',
      [{ from: 'demo/XTS/external/T1', to: 'demo/XTS/terminal/T1.1', amount: 5_000_000 }],
    ],
  ] as const;
  for (const [after, [request, type, postings]] of steps.entries()) {
    const event = { ...request, type, v: 1, at, ...(type === 'CreditLoaded' && { session: 1 }) };
    const entries = [{ event, postings, command: noteFor(`forged-${after}`, request) }];
    expect(await store.append({ stream: 'demo/terminal/T1', after, entries })).toHaveProperty('entries');
  }
  await store.close();
}

/** All files that a start could change, and the contents of the store. */
function readAllFiles(): readonly unknown[] {
  const database = new DatabaseSync(join(data, 'record.sqlite'), { readOnly: true });
  const counted = ['entries', 'checkpoints', 'epochs', 'blobs', 'heartbeats'].map((table) =>
    database.prepare(`SELECT count(*) AS count, '${table}' AS name FROM ${table}`).get(),
  );
  database.close();
  return [counted, readFileSync(`${data}.anchor`, 'utf8'), readdirSync(folder).toSorted()];
}

test('a refused start writes nothing', async () => {
  await serveUntilShoe();
  const key = readFileSync(`${data}.key`);
  writeFileSync(`${data}.key`, new Uint8Array(32));
  const before = readAllFiles();
  for (let tried = 0; tried < 3; tried++) expect((await punto(serve)).stderr).toContain('(wrong-key)');
  expect((await punto(['rotate', '--data', data])).stderr).toContain('(wrong-key)');
  expect(readAllFiles()).toEqual(before);
  writeFileSync(`${data}.key`, key);
});

test('serve reports damage when epochs are missing', async () => {
  const database = new DatabaseSync(join(data, 'record.sqlite'));
  const epochs = database.prepare('SELECT epoch, at FROM epochs').all() as { epoch: number; at: number }[];
  database.exec('DELETE FROM epochs');
  const before = readAllFiles();
  for (let tried = 0; tried < 3; tried++) expect((await punto(serve)).stderr).toContain('(damaged-record)');
  expect((await punto(['verify', '--data', data])).stderr).toContain('(damaged-record)');
  expect(readAllFiles()).toEqual(before);
  for (const { epoch, at } of epochs) database.prepare('INSERT INTO epochs VALUES (?, ?)').run(epoch, at);
  database.close();
});

const behindClose =
  /No signature covers 2 entries, the first of which is entry 1 of demo\/terminal\/T1, and they follow checkpoint \d+, .+ \(damaged-record\)\n$/;

test('entries after the close of a floor are refused, reported by verify, and accepted by --go-on, which is stored', async () => {
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
  await forgeCredit();
  expect(await punto(['verify', '--data', data])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(behindClose),
  });
  // Neither a command that writes beside the chain nor a change of keys makes them any better.
  expect((await punto(['revoke', '--data', data, 'T1'])).stderr).toContain('(unknown-terminal)');
  const rotated = await punto(['rotate', '--data', data]);
  expect(rotated).toMatchObject({ status: 1, stderr: expect.stringMatching(/ \(unsigned-entries\)\n$/) });
  const refused = await punto(serve);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^punto: No signature covers 2 entries, the first of which is entry 1 of demo\/terminal\/T1, and they follow the close .+ \(unsigned-entries\)\n$/,
  );
  const [, confirmation] = /--go-on "([^"]+)"/.exec(refused.stderr)!;

  const { status, stderr } = await puntoUntilOutput([...serve, '--go-on', confirmation!]);
  expect(status).toBe(0);
  expect(stderr).toMatch(/^punto: No signature covers 2 entries, .+ the floor stream lists them\.\n/);
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
  const floorEntries = answersIn(await punto(['export', '--data', data, '--stream', 'demo/floor/main'])) as {
    readonly body: { readonly event: object };
  }[];
  const events = floorEntries.map(({ body: { event } }) => event);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'FloorStarted',
      unsignedEntries: { stream: 'demo/terminal/T1', sequence: 1, count: 2 },
    }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'ShoesRetired', reason: 'unsigned-entries', confirmation }),
  );
});

test('rotate signs the end of the event log as well', async () => {
  expect(await punto(['rotate', '--data', data])).toMatchObject({ status: 0 });
  const store = await openSqliteStore(data, { pause: async () => {} });
  const { sequence: after } = (await store.heads()).get('demo/terminal/T1')!;
  const request = { type: 'LockTerminal', actor: { system: 'floor' }, reason: 'No reason.' };
  const event = { ...request, type: 'TerminalLocked', v: 1, at: (await store.heartbeats()).get('floor')! };
  const entries = [{ event, postings: [], command: noteFor('forged-later', request) }];
  expect(await store.append({ stream: 'demo/terminal/T1', after, entries })).toHaveProperty('entries');
  await store.close();
  expect((await punto(serve)).stderr).toContain('(unsigned-entries)');
});
