import { EventEmitter, once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { checkAndSignStore } from '../../../src/checkpoint/storeCheck.ts';
import { demoPropertyPath } from '../../../src/cli/support/readProperty.ts';
import { run } from '../../../src/cli/run.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { loadOrCreateDataKey } from '../../../src/runtime/encryption/dataKey.ts';
import { type StoredEntry } from '../../../src/store/store.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { type ServerMessageOf } from '../../../src/wire/messages.ts';
import { TestClock } from '../../chaos/time.ts';
import { demoOwner } from '../../runtime/support/demo.ts';
import { testDependencies } from '../../runtime/support/testDependencies.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { temporaryFolder } from '../../temporary.ts';
import { Kept, punto, stoppingLine } from '../support/punto.ts';

const folder = temporaryFolder('pay');
const data = join(folder, 'data');
const property = join(folder, 'property.jsonc');

type Address = { readonly address: string };

/** Runs `act` on a floor with a hand-pay limit of 1,000.00. */
async function withServer<T>(
  act: (at: Address) => Promise<T>,
  extraArgs: readonly string[] = [],
  expectedErrors = '',
): Promise<T> {
  const text = readFileSync(demoPropertyPath, 'utf8');
  writeFileSync(property, text.replace('"handPay": 500000', '"handPay": 100000'));
  const [output, errors, signals] = [new Kept(), new Kept(), new EventEmitter()];
  const firstOutput = once(output, 'kept');
  const args = ['serve', '--data', data, '--property', property, ...extraArgs];
  const ended = run(args, { input: Readable.from([]), output, errors, signals });
  await Promise.race([firstOutput, ended]);
  try {
    return await act({ address: /http:\S+/.exec(output.text)![0] });
  } finally {
    signals.emit('SIGTERM');
    expect([await ended, errors.text]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${expectedErrors}${stoppingLine}$`)),
    ]);
  }
}

/** Collects the first credit of a new terminal; returns the validation number. */
async function collectTicket(server: Address, letter: string): Promise<string> {
  const guest = await PatronSocket.join(server, secretOf(letter), 'B01');
  guest.send({ type: 'collect', id: `collect-${letter}` });
  const { ticket }: ServerMessageOf<'collected'> = await guest.receive('collected');
  guest.terminate();
  return ticket!.number;
}

const pay = (...args: readonly string[]) => punto(['pay', '--data', data, ...args]);
const persons = ['--supervisor', 'S-1', '--pit-manager', 'm1'];

async function readEntries(terminal: string): Promise<readonly StoredEntry[]> {
  const store = await openSqliteStore(data);
  const found: StoredEntry[] = [];
  for await (const entries of store.read(`demo/terminal/${terminal}`)) found.push(...entries);
  await store.close();
  return found;
}

test('pay pays a hand-pay with two staff members and unlocks the terminal, and a ticket at the cage, each once', async () => {
  const number = await withServer(async (server) => {
    const guest = await PatronSocket.join(server, secretOf('1'), 'B01');
    guest.send({ type: 'load', id: 'load-0001', amount: 5_000 });
    await guest.receive('loaded');
    guest.send({ type: 'collect', id: 'collect-1' });
    expect(await guest.receive('collected')).toMatchObject({ amount: 105_000, ticket: null, hand: true });
    guest.terminate();
    return collectTicket(server, '2');
  });

  const alone = await pay('--supervisor', 'M-1', '--pit-manager', 'M-1', 'T1');
  expect(alone).toMatchObject({ status: 1, stdout: '' });
  expect(alone.stderr).toMatch(
    /^punto: Another person must approve the hand-pay; name that person\. \(same-person\)\n$/,
  );
  for (const [args, expectedErrors] of [
    [['--supervisor', 'D-1', '--pit-manager', 'M-1', 'T1'], '"D-1" holds the role supervisor'],
    [['--supervisor', 'S-1', '--pit-manager', 'S-2', 'T1'], '"S-2" holds the role pit-manager'],
    [['--supervisor', 'x1', '--pit-manager', 'M-1', 'T1'], '"x1" holds the role supervisor'],
    [['--cage', 'S-1', '--ticket', number], '"S-1" holds the role cage'],
  ] as const) {
    const refused = await pay(...args);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toBe(
      `punto: No staff member with the number ${expectedErrors}; give the number of one who does. (role-not-granted)\n`,
    );
  }
  expect(await pay(...persons, '--reason', 'Counted twice.', 'T1')).toEqual({
    status: 0,
    stdout: '1,050.00 XTS is paid by hand for T1 by S-1, approved by M-1.\n',
    stderr: '',
  });
  const entries = await readEntries('T1');
  expect(entries.slice(-2).map(({ event }) => event)).toMatchObject([
    {
      type: 'HandPaid',
      what: 'cancelled-credit',
      amount: 105_000,
      actor: { person: 'p3', role: 'supervisor' },
      second: { person: 'p5', role: 'pit-manager' },
    },
    { type: 'TerminalUnlocked', actor: { person: 'p3' }, reason: 'Counted twice.' },
  ]);
  expect(entries.slice(-2).map(({ command }) => ('request' in command ? command.context : {}))).toMatchObject([
    { grant: expect.any(Number) as number, secondGrant: expect.any(Number) as number },
    { grant: expect.any(Number) as number },
  ]);
  const again = await pay(...persons, 'T1');
  expect(again).toMatchObject({ status: 1, stdout: '' });
  expect(again.stderr).toBe('punto: There is no hand-pay to pay at "T1"; give another terminal. (unknown-terminal)\n');

  expect(await pay('--cage', 'c1', '--ticket', number)).toEqual({
    status: 0,
    stdout: '1,000.00 XTS is paid for the ticket, by C-1.\n',
    stderr: '',
  });
  const twice = await pay('--cage', 'C-1', '--ticket', number);
  expect(twice).toMatchObject({ status: 1, stdout: '' });
  expect(twice.stderr).toMatch(/^punto: The ticket was paid by C-1 at .+Z; do not pay it again\. \(ticket-paid\)\n$/);
  const wrong = `${number.slice(0, 17)}${(Number(number[17]) + 1) % 10}`;
  expect((await pay('--cage', 'c1', '--ticket', wrong)).stderr).toMatch(/\(misread-ticket\)\n$/);

  // The floor goes on: the terminal is in use again, and the ticket is worth nothing there.
  await withServer(async (server) => {
    const guest = await PatronSocket.join(server, secretOf('1'), 'B01');
    guest.send({ type: 'redeem', id: 'redeem-1', number });
    expect(await guest.receive('refused')).toMatchObject({ code: 'ticket-paid' });
    guest.send({ type: 'load', id: 'load-0002', amount: 1_000 });
    await guest.receive('loaded');
    guest.terminate();
  });
  const verified = await punto(['verify', '--data', data]);
  expect(verified).toMatchObject({ status: 0, stderr: '' });
});

/** Runs `act` on a floor without tables, as a command that is interrupted after it. */
async function runInterrupted(act: (floor: FloorRuntime) => Promise<unknown>): Promise<void> {
  const store = await openSqliteStore(data);
  const places = { signer: `${data}.signer`, anchor: `${data}.anchor` };
  const { writer: checkpointWriter } = await checkAndSignStore(store, places, Date.now, undefined);
  const { dependencies } = testDependencies(
    checkpointWriter.trackedStore(),
    `interrupted-${store.writerEpoch}`,
    new TestClock(Date.now()),
  );
  const floor = await openFloor(
    demoOwner,
    [],
    { betweenRounds: 0, betweenCards: 0 },
    {
      ...dependencies,
      key: loadOrCreateDataKey(`${data}.key`, false),
    },
  );
  await act(floor);
  await checkpointWriter.anchor();
  await store.close();
}

test('pay completes an interrupted payment and pays nothing twice', async () => {
  const number = await withServer(async (server) => {
    const guest = await PatronSocket.join(server, secretOf('3'), 'B01');
    guest.send({ type: 'load', id: 'load-0003', amount: 5_000 });
    await guest.receive('loaded');
    guest.send({ type: 'collect', id: 'collect-3' });
    await guest.receive('collected');
    guest.terminate();
    return collectTicket(server, '4');
  });
  const cage = ['--cage', 'c1', '--ticket', number];
  // It was redeemed at the cage, and not given out.
  let ticket = '';
  await runInterrupted(async ({ terminals, tickets }) => {
    ticket = tickets.find(number)!;
    await terminals.seatCageTerminal(`cage-${ticket}`);
    await terminals.submit(`cage-${ticket}`, `redeem/${ticket}`, { type: 'RedeemTicket', ticket });
  });
  expect(await pay(...cage)).toMatchObject({ status: 0, stdout: '1,000.00 XTS is paid for the ticket, by C-1.\n' });
  expect((await pay(...cage)).stderr).toMatch(/\(ticket-paid\)\n$/);
  const types = async (terminal: string) => (await readEntries(terminal)).map(({ event }) => event.type);
  expect(await types(`cage-${ticket}`)).toEqual(['TerminalSeated', 'CreditLoaded', 'CreditCollected']);

  // It was paid by hand, and the terminal not unlocked.
  const terminal = 'T3';
  await runInterrupted(async ({ terminals, staff }) => {
    const [first, other] = ['S-1', 'M-1'].map((one) => staff.findAuthorized(one, () => true)!);
    const actor = { person: first!.person };
    const second = { person: other!.person };
    const request = { type: 'PayByHand', actor, what: 'cancelled-credit', amount: 105_000, second };
    const context = {
      authority: first!.authority,
      grant: first!.grant,
      secondAuthority: other!.authority,
      secondGrant: other!.grant,
    };
    expect(await terminals.submit(terminal, 'by-hand', request, context)).toHaveProperty('entries');
  });
  expect(await pay(...persons, terminal)).toMatchObject({
    status: 0,
    stdout: `The hand-pay was paid before; ${terminal} is unlocked by S-1.\n`,
  });
  expect((await types(terminal)).slice(-2)).toEqual(['HandPaid', 'TerminalUnlocked']);
  expect((await pay(...persons, terminal)).stderr).toMatch(/\(unknown-terminal\)\n$/);
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
});

test('pay needs --on-hold for a ticket on hold after a rollback of the store, and refuses --on-hold for any other', async () => {
  const number = await withServer((server) => collectTicket(server, '5'));
  cpSync(data, `${data}-copy`, { recursive: true });
  await withServer(async (server) => {
    const guest = await PatronSocket.join(server, secretOf('6'), 'B01');
    guest.send({ type: 'redeem', id: 'redeem-6', number });
    await guest.receive('loaded');
    guest.terminate();
  });
  rmSync(data, { recursive: true });
  cpSync(`${data}-copy`, data, { recursive: true });
  const cage = ['--cage', 'c1', '--ticket', number];
  const behind = await pay(...cage);
  expect(behind.stderr).toMatch(/^punto: The event store ends too early: .+ \(behind-anchor\)\n$/);
  const confirmation = /--go-on "([^"]+)"/.exec(behind.stderr)![1]!;
  await withServer(
    async () => {},
    ['--go-on', confirmation],
    'punto: problem with the tickets: After a rollback, the event log may lack payments of tickets, [^\n]+ has 1 unpaid ticket, [^\n]+\n',
  );

  const refused = await pay(...cage);
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(
    /^punto: The store was rolled back after this ticket was issued.+ add --on-hold\. \(ticket-key-retired\)\n$/,
  );
  expect(await pay(...cage, '--on-hold')).toMatchObject({
    status: 0,
    stdout: '1,000.00 XTS is paid for the ticket, by C-1.\n',
  });
  expect((await pay(...cage, '--on-hold')).stderr).toMatch(/\(ticket-paid\)\n$/);
  const later = await withServer((server) => collectTicket(server, '7'));
  const unneeded = await pay('--cage', 'c1', '--ticket', later, '--on-hold');
  expect(unneeded.stderr).toMatch(
    /^punto: The ticket is not on hold; leave out --on-hold\. \(unexpected-argument\)\n$/,
  );
  expect(await pay('--cage', 'c1', '--ticket', later)).toMatchObject({ status: 0 });
  expect(await punto(['verify', '--data', data])).toMatchObject({ status: 0 });
});

test('pay refuses malformed arguments and writes nothing', async () => {
  for (const [args, expectedErrors] of [
    [[], /Give a terminal, as in `punto pay T7`.+\(missing-argument\)/],
    [['T1'], /--supervisor is missing.+\(missing-argument\)/],
    [['--supervisor', 's1', 'T1'], /--pit-manager is missing.+\(missing-argument\)/],
    [['--supervisor', 'Ann Lee', '--pit-manager', 'm1', 'T1'], /--supervisor is "Ann Lee"; .+\(malformed-argument\)/],
    [['--ticket', '1'], /--cage is missing.+\(missing-argument\)/],
    [[...persons, '--ticket', '1', 'T1'], /--ticket is for a ticket.+\(unexpected-argument\)/],
    [[...persons, '--on-hold', 'T1'], /--on-hold is for a ticket.+\(unexpected-argument\)/],
  ] as const) {
    const refused = await pay(...args);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(expectedErrors);
  }
  const none = await punto(['pay', '--data', join(folder, 'nothing'), ...persons, 'T1']);
  expect(none.stderr).toMatch(/\(missing-record\)\n$/);
});
