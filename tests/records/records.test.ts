import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { openReaderOfLockedFolder } from '../../src/store/sqlite/readOnlyStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { temporaryFolder } from '../temporary.ts';

// An event log of each schema since 0.3.0 is kept: later programs read it, and it verifies.

const here = fileURLToPath(new URL('./', import.meta.url));
const copies = temporaryFolder('records');

const keptLogs: { readonly [schema: string]: object } = {
  'schema-7': {
    streams: 11,
    entries: 313,
    rounds: 16,
    voids: 6,
    shoes: 2,
    accounts: 29,
    amendmentUses: new Map(),
    truncatedStreams: [],
    tickets: { issued: 101_000, paid: 96_000, outstanding: 5_000 },
  },
};

test('every kept event log is listed here', () => {
  const folders = readdirSync(here, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name)).toEqual(Object.keys(keptLogs));
});

test.each(Object.entries(keptLogs))(
  'the event log of %s verifies, and its contents are unchanged',
  async (schema, found) => {
    const folder = join(copies, schema);
    cpSync(join(here, schema), folder, { recursive: true });
    const anchor = readAnchor(join(here, `${schema}.anchor`));
    const how = anchor ? { anchor } : {};
    const reader = openReaderOfLockedFolder(folder);
    expect(await verifyStore(reader, how)).toMatchObject({ ...found, problem: undefined });
    await reader.close();
    const store = await openSqliteStore(folder, { pause: async () => {} });
    expect(await verifyStore(store, how)).toMatchObject({ ...found, problem: undefined });
    await store.close();
  },
);

test.each(Object.keys(keptLogs))('entries of the event log of %s are found by subject', async (schema) => {
  const folder = join(copies, `${schema}-found`);
  cpSync(join(here, schema), folder, { recursive: true });
  const store = await openSqliteStore(folder, { pause: async () => {} });
  const slips = await store.findBySubject('T2.1');
  expect(slips.length).toBeGreaterThan(1);
  for (const { event } of slips) expect(event).toMatchObject({ type: 'SlipSet', terminal: 'T2.1' });
  const about = await store.findBySubject(String(slips[0]!.event['round']));
  expect(about.at(-1)!.event.type).toBe('BetsOpened');
  expect(about.map(({ event }) => event.type)).toContain('SettlementPosted');
  await store.close();
});

test('the event log of schema 7 has limits, a break, tickets, a hand-pay, a void and a correction', async () => {
  const folder = join(copies, 'holds');
  cpSync(join(here, 'schema-7'), folder, { recursive: true });
  const reader = openReaderOfLockedFolder(folder);
  const types = new Set<string>();
  const limits: unknown[] = [];
  for (const stream of await reader.streams()) {
    for await (const entries of reader.read(stream)) {
      for (const { event, command } of entries) {
        types.add(event.type);
        if ('context' in command && 'sessionLimits' in command.context) limits.push(command.context['sessionLimits']);
      }
    }
  }
  await reader.close();
  const wanted = ['SessionLimited', 'SessionPaused', 'TicketAttemptsReported', 'HandPaid', 'TerminalUnlocked'];
  expect([...types]).toEqual(expect.arrayContaining([...wanted, 'RoundVoided', 'RoundResettled', 'CardCorrected']));
  expect(limits).toMatchObject([
    { stake: 1_000, until: null },
    { stake: 1_000, until: expect.any(Number) },
  ]);
});
