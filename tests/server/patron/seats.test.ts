import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { times } from '../../times.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

const terminalIn = (patron: PatronSocket): Promise<string> => patron.receive('own').then(({ view }) => view.terminal);

/** Waits until the server has noticed a closed connection. */
async function waitUntilGone(server: Server, patron: PatronSocket): Promise<void> {
  patron.socket.close();
  await patron.waitForClose();
  (await PatronSocket.join(server, secretOf('f'))).terminate();
}

test('a terminal is stored with its first bet, and shows its credit before', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const server = await startTestServer({ store, tables: ['tiger'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect((await patron.receive('own')).view).toMatchObject({ terminal: 'T1', credit: 100_000, slip: {}, stake: 0 });
  const storedState = async (): Promise<readonly string[]> =>
    (await store.streams()).filter((stream) => stream.startsWith('demo/terminal/'));
  expect([await storedState(), (await store.listValues('binding')).size]).toEqual([[], 0]);
  // The same secret on another connection is the same terminal; a new secret is a new one.
  const tab = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await tab.receive('welcome')).toMatchObject({ terminal: 'T1' });
  const other = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect(await terminalIn(other)).toBe('T2');

  const slip = { type: 'slip', id: 'slip-0000', table: 'tiger', slip: { tie: 100 } };
  expect(await other.refusalOf({ ...slip, round: 'demo/tiger/x/y/1' })).toMatchObject({ code: 'bets-closed' });
  expect([await storedState(), (await store.listValues('binding')).size]).toEqual([[], 0]);
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await patron.receive('accepted');
  expect((await tab.receive('own', ({ view }) => view.stake > 0)).view).toMatchObject({ credit: 99_900 });
  expect([
    await storedState(),
    Array.from((await store.listValues('binding')).values(), (binding) => binding.split(' ')[0]),
  ]).toEqual([['demo/terminal/T1'], ['T1']]);
  for (const one of [patron, tab, other]) one.terminate();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('refused first slips store nothing, and the first accepted one stores the terminal', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const [terminals, many] = [times(200), 1_000_000];
  const limits = { maxSeats: many, maxSeatsPerAddress: many, seatsPerMinute: many, writeBurst: many, maxSockets: many };
  const server = await startTestServer({
    store,
    tables: ['tiger'],
    limits: { ...limits, maxConnections: many, maxConnectionsPerAddress: many },
  });
  const storedState = async () => ({ heads: await store.heads(), links: (await store.listValues('binding')).size });
  await (await PatronSocket.join(server, 'f'.repeat(64), 'tiger')).bettingRound();
  const before = await storedState();
  const refused: [slip: object, code: string][] = [
    [{ tie: 150 }, 'off-step-stake'],
    [{ 'lucky-seven': 100 }, 'wager-not-offered'],
    [{ tie: 100, banker: 1 }, 'off-step-stake'],
    [{ tie: 99_999_900 }, 'over-maximum'],
  ];
  for (let n = 0; n < terminals; n++) {
    const patron = await PatronSocket.join(server, String(n).padStart(64, '0'), 'tiger');
    const slip = { type: 'slip', table: 'tiger', round: await patron.bettingRound() };
    for (let index = 0; index < 12; index++) {
      const [stakes, code] = refused[index % refused.length]!;
      expect(await patron.refusalOf({ ...slip, id: `slip-000${index}`, slip: stakes })).toMatchObject({ code });
    }
    patron.terminate();
  }
  expect(await storedState()).toEqual(before);
  const patron = await PatronSocket.join(server, '0'.repeat(64), 'tiger');
  patron.send({
    type: 'slip',
    id: 'slip-0009',
    table: 'tiger',
    round: await patron.bettingRound(),
    slip: { tie: 100 },
  });
  await patron.receive('accepted');
  expect((await storedState()).heads.get('demo/terminal/T2')).toMatchObject({ sequence: 2 });
  expect((await storedState()).links).toBe(1);
  patron.terminate();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('an empty slip from before the first bet changes nothing when it is sent again, also after a restart', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const options = { store, key: randomBytes(32), tables: ['tiger'] };
  const server = await startTestServer(options);
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const slip = { type: 'slip', table: 'tiger', round: await patron.bettingRound() };
  const empty = { ...slip, id: 'slip-0001', slip: {} };
  patron.send(empty);
  await patron.receive('accepted', ({ id }) => id === 'slip-0001');
  patron.send({ ...slip, id: 'slip-0002', slip: { tie: 100 } });
  await patron.receive('accepted', ({ id }) => id === 'slip-0002');
  const from = patron.received.length;
  patron.send(empty);
  await patron.receive('accepted', ({ id }) => id === 'slip-0001', from);
  expect(await patron.refusalOf({ ...empty, slip: { tie: 200 } })).toMatchObject({ code: 'command-reused' });
  const now = patron.received.length;
  patron.send({ type: 'whole', of: 'own' });
  expect((await patron.receive('own', () => true, now)).view.slip).toEqual({ tie: 100 });
  patron.terminate();
  await server.close();
  const next = await startTestServer(options);
  const returning = await PatronSocket.join(next, secretOf('1'), 'tiger');
  returning.send(empty);
  await returning.receive('accepted', ({ id }) => id === 'slip-0001');
  returning.send({ type: 'whole', of: 'own' });
  expect((await returning.receive('own', ({ version }) => version > 1)).view.slip).toEqual({ tie: 100 });
  returning.terminate();
  await next.close();
});

test('a seat without a bet expires after it is left, and a stored terminal does not', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({ scheduler: time, tables: ['tiger'], limits: { seatMs: 60_000 } });
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const bets = await PatronSocket.join(server, secretOf('1'), 'tiger');
  bets.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round: await bets.bettingRound(), slip: { tie: 100 } });
  await bets.receive('accepted');
  const watcher = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect([await terminalIn(bets), await terminalIn(watcher)]).toEqual(['T1', 'T2']);
  await waitUntilGone(server, bets);
  await waitUntilGone(server, watcher);
  await time.advance(59_000);
  const returningPatron = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect(await terminalIn(returningPatron)).toBe('T2');
  await waitUntilGone(server, returningPatron);
  await time.advance(61_000);
  const laterPatron = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect(await laterPatron.receive('welcome')).toMatchObject({ terminal: null });
  expect(await terminalIn(laterPatron)).toBe('T3');
  const returning = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await terminalIn(returning)).toBe('T1');
  laterPatron.terminate();
  returning.terminate();
  await time.advanceUntilSettled(server.close());
});

test('the total of new seats is limited, without stored terminals', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({ scheduler: time, tables: ['tiger'], limits: { maxSeats: 2, seatMs: 60_000 } });
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const one = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const two = await PatronSocket.join(server, secretOf('2'), 'tiger');
  const three = await PatronSocket.join(server, secretOf('3'));
  expect(await three.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  one.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round: await one.bettingRound(), slip: { tie: 100 } });
  await one.receive('accepted');
  await waitUntilGone(server, one);
  three.send({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(three)).toBe('T3');
  const returning = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await terminalIn(returning)).toBe('T1');
  await waitUntilGone(server, two);
  const four = await PatronSocket.join(server, secretOf('4'));
  expect(await four.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  await time.advance(61_000);
  four.send({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(four)).toBe('T4');
  for (const patron of [three, four, returning]) patron.terminate();
  await time.advanceUntilSettled(server.close());
});

test('seats per address are limited at any rate, and other addresses still get one', async () => {
  const time = new TestScheduler();
  const limits = { maxSeats: 4, maxSeatsPerAddress: 2, seatMs: 60_000 };
  const server = await startTestServer({ scheduler: time, tables: ['tiger'], proxies: ['127.0.0.1'], limits });
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const from = async (address: string, secret: string): Promise<PatronSocket> => {
    const patron = await PatronSocket.connect(server, { 'x-forwarded-for': address });
    patron.send({ type: 'hello', v: protocolVersion, secret: secretOf(secret) });
    await patron.receive('welcome');
    return patron;
  };
  const seated = [await from('192.0.2.1', '1'), await from('192.0.2.1', '2')];
  for (const patron of seated) {
    patron.send({ type: 'sit', table: 'tiger' });
    await terminalIn(patron);
  }
  const third = await from('192.0.2.1', '3');
  await time.advance(30_000);
  expect(await third.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  const other = await from('192.0.2.2', '4');
  other.send({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(other)).toBe('T3');
  await waitUntilGone(server, seated[0]!);
  await time.advance(61_000);
  third.send({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(third)).toBe('T4');
  for (const patron of [seated[1]!, third, other]) patron.terminate();
  await time.advanceUntilSettled(server.close());
});
