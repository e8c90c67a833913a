import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { flushPromises } from '../../chaos/time.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { playAttendedRound } from '../../runtime/support/attendedFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { entryBodyOf } from '../../../src/store/hashChain.ts';
import { type Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';
import { playRounds } from '../support/playRounds.ts';

const root = temporaryFolder('export');

/** Writes a store of two tables with bets, settled rounds and an opened shoe. */
async function writeStore(folder: string): Promise<void> {
  const store = await openSqliteStore(folder);
  await playRounds(store, {
    folder,
    seed: 'export',
    behind: (table) => (table === 'tiger' ? 402 : 14),
    slip: (number) => ({ banker: 100 * (1 + (number % 5)), tie: 100 }),
    isEnough: (written) => written.some(({ event }) => event.type === 'ShoeEnded'),
  });
  await store.close();
}

const program = fileURLToPath(new URL('../../../docs/check.mjs', import.meta.url));
const runCheck = (input: string) =>
  spawnSync(process.execPath, [program], { input, encoding: 'utf8', maxBuffer: 1 << 26 });

test('docs/check.mjs, which imports nothing of Punto, checks chains, shoes and settlements of an export', async () => {
  const folder = join(root, 'data');
  await writeStore(folder);
  expect(await punto(['verify', '--data', folder])).toMatchObject({ status: 0 });
  const { status, stdout } = await punto(['export', '--data', folder]);
  expect(status).toBe(0);
  const good = runCheck(stdout);
  expect([good.status, good.stderr]).toEqual([0, '']);
  const [, entries, streams, cards, shoes, rounds, slips] =
    /^(\d+) entries, (\d+) streams, (\d+) cards, (\d+) shoes?, (\d+) rounds?, (\d+) slips\n$/
      .exec(good.stdout)!
      .map(Number);
  expect([entries, streams, shoes]).toEqual([stdout.trim().split('\n').length, 4, 1]);
  expect(Math.min(cards!, rounds!, slips!)).toBeGreaterThan(2);

  const lines = stdout.trim().split('\n');
  const other = (change: (line: string) => string, which: (line: string) => boolean): string => {
    const index = lines.findIndex(which);
    return [...lines.slice(0, index), change(lines[index]!), ...lines.slice(index + 1)].join('\n');
  };
  for (const [forged, found] of [
    [
      other(
        (line) => line.replace('"sequence":5', '"sequence":6'),
        (line) => line.includes('"sequence":5,'),
      ),
      /does not give its hash/,
    ],
    [lines.toSpliced(4, 1).join('\n'), /does not follow the one before it/],
  ] as const) {
    expect(runCheck(forged)).toMatchObject({ status: 1, stdout: '' });
    expect(runCheck(forged).stderr).toMatch(found);
  }
  const one = await punto(['export', '--data', folder, '--stream', 'demo/terminal/T1']);
  expect(one.stdout.trim().split('\n')).toHaveLength(2);
  expect(runCheck(one.stdout).stdout).toMatch(/^2 entries, 1 stream, 0 cards/);
});

test('check.mjs fails in one sentence when an export is empty or ends within a line', async () => {
  const failed = await punto(['export', '--data', join(root, 'nowhere')]);
  expect(failed).toMatchObject({ status: 1, stdout: '' });
  for (const [input, sentence] of [
    [failed.stdout, 'There is nothing to check; give an export, as in: punto export | node docs/check.mjs\n'],
    ['{"hash":', 'The line after entry 0 of nothing is not JSON; export the record again.\n'],
  ] as const) {
    const { status, stdout, stderr } = runCheck(input);
    expect([status, stdout, stderr]).toEqual([1, '', sentence]);
  }
});

/** The export of a store. */
async function exportOf(store: Store): Promise<string> {
  let text = '';
  for (const stream of await store.streams()) {
    for await (const entries of store.read(stream)) {
      for (const entry of entries) text += `{"hash":${JSON.stringify(entry.hash)},"body":${entryBodyOf(entry)}}\n`;
    }
  }
  return text;
}

/** Voids the slip of one terminal in a settled round, with two staff members. */
async function voidSlip(
  { submitAs, table }: Awaited<ReturnType<typeof playAttendedRound>>,
  round: string,
): Promise<void> {
  expect(
    await submitAs('s1', 'supervisor', 'Refer', { round, terminal: 'T2.1', reason: 'A dead screen.' }),
  ).toHaveProperty('entries');
  const decide = { decision: 'void', reason: 'Out of the round.' };
  expect(await submitAs('s1', 'supervisor', 'DecideReferral', decide)).toHaveProperty('entries');
  const { id: proposal, hash } = table.table.proposal!;
  expect(await submitAs('m1', 'gaming-shift-manager', 'Approve', { proposal, hash })).toHaveProperty('entries');
}

test('[READING 13] a slip that was taken out of a round is checked as a return of its stakes', async () => {
  const store = createMemoryStore();
  const made = await playAttendedRound(store, 'out');
  await voidSlip(made, made.round);
  const text = await exportOf(store);
  expect(text).toContain('"type":"SlipVoided"');
  const { status, stderr, stdout } = runCheck(text);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/1 round, 3 slips\n$/);
});

test('[READING 13] a slip that the settlement had not reached when it was taken out is checked by its own return alone', async () => {
  const store = createMemoryStore();
  const made = await playAttendedRound(store, 'half');
  const { table, submitAsDealer, time } = made;
  await submitAsDealer('OpenBets');
  const round = table.table.round!.id;
  for (const terminal of ['T1.1', 'T2.1']) {
    const slip = { type: 'SetSlip', actor: { terminal }, round, slip: { player: 3000 } };
    expect(await table.submit(`next-${terminal}`, slip)).toHaveProperty('entries');
  }
  await submitAsDealer('CallClose', { notice: 20_000 });
  await time.step();
  for (const [slot, card] of Object.entries({ P1: '9D', B1: '2C', P2: 'KH', B2: '5S' })) {
    await submitAsDealer('DealCard', { slot, card });
  }
  time.now += table.table.settings.pause;
  await submitAsDealer('Settle');
  expect(table.table.pendingSettlements).toMatchObject([{ order: ['T1.1', 'T2.1'], done: 1 }]);
  await voidSlip(made, round);
  while (await time.next()) await flushPromises();
  expect(table.table.pendingSettlements).toEqual([]);
  const { status, stderr, stdout } = runCheck(await exportOf(store));
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/2 rounds, 4 slips\n$/);
});
