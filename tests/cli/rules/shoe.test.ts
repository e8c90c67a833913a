import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable, type Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { root } from '../../architecture/sources.ts';
import { startTestServer, secretOf } from '../../server/support/testServer.ts';
import {
  TestCardReaderPort,
  approveProposal,
  commandBy,
  enrolDevice,
  scannedTable,
  prepareLiveShoe,
} from '../../server/support/liveTables.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';

const folder = temporaryFolder('shoe');
const key = randomBytes(32);
const keyFile = join(folder, 'shoe.key');

/** A floor with a live table without betting time. */
async function floor(more: object = {}) {
  const store = createMemoryStore();
  const keeping = { ...store, close: () => Promise.resolve() };
  const pit = new TestCardReaderPort();
  const secret = await enrolDevice(store, key, 'tiger', 'shoe');
  writeFileSync(keyFile, `The key of the shoe tiger, shown only this once: ${secret}\n`);
  const open = (port = 0): Promise<Server> =>
    startTestServer({
      store: keeping,
      key,
      cardReaderPort: pit,
      port,
      tables: ['tiger'],
      settings: { ...scannedTable },
      times: { bettingTime: 0 },
      ...more,
    });
  return { store, pit, open, server: await open() };
}

type Shoe = {
  readonly program: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Next output line. */
  readonly line: () => Promise<unknown>;
};

/** Starts the command as a process with a pipe. */
function shoe(address: string, ...args: readonly string[]): Shoe {
  const shoeArgs = ['shoe', '--table', 'tiger', '--url', address, '--key', keyFile, ...args];
  const program = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...shoeArgs], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  return { program, line: async () => JSON.parse(String((await lines.next()).value)) as unknown };
}

async function openAndCloseBets(server: Server): Promise<void> {
  const table = server.floor.tables.get('tiger')!;
  await commandBy(table, 'd1', 'OpenBets');
  await commandBy(table, 'd1', 'CallClose');
  while (table.table.phase !== 'dealing') await new Promise((done) => setTimeout(done, 5));
}

test('shoe sends each input line as a scan, answers each with one line, and sends each once across a lost connection', async () => {
  const { store, open, server: first } = await floor();
  const table = await prepareLiveShoe(first, 'tiger');
  const { program, line } = shoe(first.address);
  program.stdin.write('5H\n');
  expect(await line()).toEqual({ card: '5H', slot: null });
  await openAndCloseBets(first);
  program.stdin.write('2C\nnothing\n\n');
  expect(await line()).toMatchObject({ card: '2C', slot: 'P1' });
  expect(await line()).toMatchObject({ error: { code: 'unreadable-scan', by: null } });
  expect(await line()).toMatchObject({ error: { code: 'empty-line' } });
  expect(table.table.round!.cards).toEqual(['2C']);
  const port = Number(new URL(first.address).port);
  await first.close();
  program.stdin.write('9D\n');
  program.stdin.end('2D\n7S\n3H\n');
  const second = await open(port);
  // Too short a stop to interrupt anything.
  expect(second.floor.tables.get('tiger')!.table.openIrregularities).toEqual([]);
  expect(await line()).toMatchObject({ card: '9D', slot: 'B1' });
  expect(await line()).toMatchObject({ card: '2D', slot: 'P2' });
  expect(await line()).toMatchObject({ card: '7S', slot: 'B2' });
  expect(await line()).toMatchObject({ card: '3H', slot: 'P3' });
  // It ends with its input, and says that not every scan was taken.
  expect(await once(program, 'exit')).toEqual([1, null]);
  expect(second.floor.tables.get('tiger')!.table.round!.cards).toEqual(['2C', '9D', '2D', '7S', '3H']);
  await second.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('shoe --demo deals a card whenever one is due, and continues in the middle of a shoe', async () => {
  const { store, server, pit } = await floor();
  const table = await prepareLiveShoe(server, 'tiger');
  pit.dealer = undefined;
  let { program, line } = shoe(server.address, '--demo', '--every', '70');
  expect(await line()).toMatchObject({ error: { code: 'no-dealer' } });
  pit.dealer = 'd1';
  expect(await line()).toMatchObject({ slot: null });
  const burned = table.table.shoe!.drawn;
  expect(burned).toBeGreaterThan(1);
  const plays = async (): Promise<void> => {
    await openAndCloseBets(server);
    while (table.table.phase === 'dealing') await line();
    await commandBy(table, 'd1', 'Settle');
  };
  await plays();
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
  ({ program, line } = shoe(server.address, '--demo', '--every', '70'));
  // The cutting card lies where the next card would.
  const out = table.table.shoe!.drawn;
  await commandBy(table, 'd1', 'CorrectCut', { behind: 416 - out, reason: 'It was put elsewhere.' });
  await approveProposal(table);
  await openAndCloseBets(server);
  expect(await line()).toEqual({ card: null, slot: null });
  expect(table.table.shoe!.roundsLeft).toBe(0);
  expect(await line()).toMatchObject({ slot: 'P1' });
  while (table.table.phase === 'dealing') await line();
  program.kill('SIGINT');
  expect(await once(program, 'exit')).toEqual([0, null]);
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('shoe ends when the key is of another device or revoked', async () => {
  const { server } = await floor();
  const args = (file: string, table = 'tiger') => ['shoe', '--table', table, '--url', server.address, '--key', file];
  const other = join(folder, 'other.key');
  writeFileSync(other, secretOf('a'));
  expect(await punto(args(other), '5H\n')).toMatchObject({
    status: 1,
    stderr:
      'punto: This is not the key of the card reader of tiger; create one with `punto enrol --as shoe tiger`. (not-enrolled)\n',
  });
  expect((await punto(args(keyFile, 'baccarat'), '5H\n')).stderr).toMatch(
    /of the card reader of baccarat.*\(not-enrolled\)/,
  );
  const { terminals } = server.floor;
  await terminals.bindings.revokeAllOf('tiger');
  expect((await punto(args(keyFile), '5H\n')).stderr).toMatch(/\(secret-revoked\)\n$/);
  await server.close();
});

test.each([
  [[], /Give --table.*\(missing-argument\)/],
  [['--table', 'L11'], /Give --url.*\(missing-argument\)/],
  [['--table', 'L11', '--url', 'ftp://x'], /--url is "ftp:\/\/x".*\(malformed-argument\)/],
  [['--table', 'L11', '--url', 'http://x'], /Give --key.*\(missing-argument\)/],
  [['--table', 'L11', '--url', 'http://x', '--key', join(folder, 'none')], /cannot be read.*\(unreadable-file\)/],
  [['--table', 'L11', '--url', 'http://x', '--key', join(root, 'package.json')], /exactly one key.*\(wrong-key\)/],
  [['--every', '100'], /--every has an effect only with --demo.*\(malformed-argument\)/],
  [['--demo', '--every', '5'], /--every is "5".*\(malformed-argument\)/],
] as const)('shoe %j is refused', async (args, expectedText) => {
  const { status, stderr, stdout } = await punto(['shoe', ...args]);
  expect([status === 1 || status === 2, stdout]).toEqual([true, '']);
  expect(stderr).toMatch(expectedText);
});
