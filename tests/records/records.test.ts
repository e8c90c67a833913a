import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { sqliteReader } from '../../src/store/sqlite/readOnlyStore.ts';
import { sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { temporaryFolder } from '../temporary.ts';

// Records made when their form was new are kept for ever: whatever the program becomes, it reads them, and they verify.

const here = fileURLToPath(new URL('./', import.meta.url));
const copies = temporaryFolder('records');

const kept: { readonly [form: string]: object } = {
  'form-2': { streams: 7, entries: 263, rounds: 14, voids: 5, shoes: 2, accounts: 17, amended: new Map() },
  // The first that is signed, with the anchor it had.
  'form-3': {
    streams: 8,
    entries: 266,
    rounds: 14,
    voids: 5,
    shoes: 2,
    accounts: 17,
    amended: new Map(),
    missing: [],
    signatures: {
      checkpoints: 1,
      signers: ['ed25519:A_SmM-LPR7P2LYI0jDEy66df58PRedRFp7xWP9l0pkk'],
      at: 1_700_006_500_000,
      uncovered: undefined,
    },
  },
  // The first with sessions whose patrons set limits and take breaks, and with tickets.
  'form-4': {
    streams: 11,
    entries: 315,
    rounds: 16,
    voids: 6,
    shoes: 2,
    accounts: 29,
    amended: new Map(),
    missing: [],
    signatures: {
      checkpoints: 1,
      signers: ['ed25519:TC9naV7ckgISB2zQPLOms6PjSV59SvPHQfOg5tI15I4'],
      at: 1_700_006_729_200,
      uncovered: undefined,
    },
    tickets: { issued: 101_000, paid: 96_000, outstanding: 5_000 },
  },
};

test('every kept record is listed here', () => {
  const folders = readdirSync(here, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name)).toEqual(Object.keys(kept));
});

test.each(Object.entries(kept))('the record of %s verifies, and holds what it held', async (form, found) => {
  const folder = join(copies, form);
  cpSync(join(here, form), folder, { recursive: true });
  const anchor = readAnchor(join(here, `${form}.anchor`));
  const how = anchor ? { anchor } : {};
  const reader = sqliteReader(folder);
  expect(await verifyStore(reader, how)).toMatchObject({ ...found, problem: undefined });
  await reader.close();
  const store = await sqliteStore(folder, { pause: async () => {} });
  expect(await verifyStore(store, how)).toMatchObject({ ...found, problem: undefined });
  await store.close();
});

test.each(Object.keys(kept))(
  'entries of a record of %s are found by what they are about once it is opened',
  async (form) => {
    const folder = join(copies, `${form}-found`);
    cpSync(join(here, form), folder, { recursive: true });
    const store = await sqliteStore(folder, { pause: async () => {} });
    const slips = await store.findBySubject('T2.1');
    expect(slips.length).toBeGreaterThan(1);
    for (const { event } of slips) expect(event).toMatchObject({ type: 'SlipSet', terminal: 'T2.1' });
    const about = await store.findBySubject(String(slips[0]!.event['round']));
    expect(about.at(-1)!.event.type).toBe('BetsOpened');
    expect(about.map(({ event }) => event.type)).toContain('SettlementPosted');
    await store.close();
  },
);

test('the record of form 4 holds limits, a break, tickets, a payment by hand, a void and a correction', async () => {
  const folder = join(copies, 'holds');
  cpSync(join(here, 'form-4'), folder, { recursive: true });
  const reader = sqliteReader(folder);
  const types = new Set<string>();
  const cares: unknown[] = [];
  for (const stream of await reader.streams()) {
    for await (const entries of reader.read(stream)) {
      for (const { event, command } of entries) {
        types.add(event.type);
        if ('brought' in command && 'care' in command.brought) cares.push(command.brought['care']);
      }
    }
  }
  await reader.close();
  const wanted = ['SessionLimited', 'SessionPaused', 'TicketsTried', 'HandPaid', 'TerminalUnlocked'];
  expect([...types]).toEqual(expect.arrayContaining([...wanted, 'RoundVoided', 'RoundResettled', 'CardCorrected']));
  expect(cares).toMatchObject([
    { stake: 1_000, until: null },
    { stake: 1_000, until: expect.any(Number) },
  ]);
});

test('a record of form 2 is read as it is, without checkpoints and epochs, and brought to the newest form when it is opened', async () => {
  const folder = join(copies, 'brought');
  cpSync(join(here, 'form-2'), folder, { recursive: true });
  const reader = sqliteReader(folder);
  expect(await reader.epoch()).toBe(0);
  for await (const _ of reader.checkpoints()) expect.unreachable();
  await reader.close();
  const store = await sqliteStore(folder, { pause: async () => {} });
  expect([store.writerEpoch, await store.epoch()]).toEqual([1, 0]);
  await store.checkpoint({ number: 1, text: 'a', signature: 'b' });
  await store.close();
  const database = new DatabaseSync(join(folder, 'record.sqlite'), { readOnly: true });
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 4 });
  database.close();
});
