import { expect, test } from 'vitest';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type Server } from '../../src/server/serverOptions.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { times } from '../times.ts';
import { TestScheduler } from './clock.ts';
import { PatronSocket, startTestServer, secretOf } from './house.ts';

const terminalIn = (guest: PatronSocket): Promise<string> => guest.receive('own').then(({ view }) => view.terminal);

/** Waits until the server has noticed a closed connection. */
async function gone(server: Server, guest: PatronSocket): Promise<void> {
  guest.socket.close();
  await guest.waitForClose();
  (await PatronSocket.join(server, secretOf('f'))).terminate();
}

test('a terminal is stored with its first bet, and shows its credit before', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const server = await startTestServer({ store, tables: ['tiger'] });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect((await guest.receive('own')).view).toMatchObject({ terminal: 'T1', credit: 100_000, slip: {}, stake: 0 });
  const written = async (): Promise<readonly string[]> =>
    (await store.streams()).filter((stream) => stream.startsWith('demo/terminal/'));
  expect([await written(), (await store.listValues('patron')).size]).toEqual([[], 0]);
  // The same secret on another connection is the same terminal; a new secret is a new one.
  const tab = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await tab.receive('welcome')).toMatchObject({ terminal: 'T1' });
  const other = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect(await terminalIn(other)).toBe('T2');

  const slip = { type: 'slip', id: 'slip-0000', table: 'tiger', slip: { tie: 100 } };
  expect(await other.refusalOf({ ...slip, round: 'demo/tiger/x/y/1' })).toMatchObject({ code: 'bets-closed' });
  expect([await written(), (await store.listValues('patron')).size]).toEqual([[], 0]);
  const round = await guest.bettingRound();
  guest.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await guest.receive('accepted');
  expect((await tab.receive('own', ({ view }) => view.stake > 0)).view).toMatchObject({ credit: 99_900 });
  expect([
    await written(),
    Array.from((await store.listValues('patron')).values(), (link) => link.split(' ')[0]),
  ]).toEqual([['demo/terminal/T1'], ['T1']]);
  for (const one of [guest, tab, other]) one.terminate();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('refused first slips store nothing, and the first accepted one stores the terminal', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const [terminals, many] = [times(200), 1_000_000];
  const limits = { maxSeats: many, maxSeatsPerAddress: many, seatsPerMinute: many, writeBurst: many, maxSockets: many };
  const server = await startTestServer({
    store,
    tables: ['tiger'],
    limits: { ...limits, maxConnections: many, maxConnectionsPerAddress: many },
  });
  const written = async () => ({ heads: await store.heads(), links: (await store.listValues('patron')).size });
  await (await PatronSocket.join(server, 'f'.repeat(64), 'tiger')).bettingRound();
  const before = await written();
  const refused: [slip: object, code: string][] = [
    [{ tie: 150 }, 'off-step-stake'],
    [{ 'lucky-seven': 100 }, 'wager-not-offered'],
    [{ tie: 100, banker: 1 }, 'off-step-stake'],
    [{ tie: 99_999_900 }, 'over-maximum'],
  ];
  for (let n = 0; n < terminals; n++) {
    const guest = await PatronSocket.join(server, String(n).padStart(64, '0'), 'tiger');
    const slip = { type: 'slip', table: 'tiger', round: await guest.bettingRound() };
    for (let place = 0; place < 12; place++) {
      const [stakes, code] = refused[place % refused.length]!;
      expect(await guest.refusalOf({ ...slip, id: `slip-000${place}`, slip: stakes })).toMatchObject({ code });
    }
    // A slip without stakes is accepted and needs no entry.
    guest.send({ ...slip, id: 'slip-empty', slip: {} });
    await guest.receive('accepted');
    guest.terminate();
  }
  expect(await written()).toEqual(before);
  const guest = await PatronSocket.join(server, '0'.repeat(64), 'tiger');
  guest.send({ type: 'slip', id: 'slip-0009', table: 'tiger', round: await guest.bettingRound(), slip: { tie: 100 } });
  await guest.receive('accepted');
  expect((await written()).heads.get('demo/terminal/T2')).toMatchObject({ sequence: 2 });
  expect((await written()).links).toBe(1);
  guest.terminate();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('an empty slip from before the first bet changes nothing when it is sent again', async () => {
  const server = await startTestServer({ tables: ['tiger'] });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const slip = { type: 'slip', table: 'tiger', round: await guest.bettingRound() };
  const empty = { ...slip, id: 'slip-0001', slip: {} };
  guest.send(empty);
  await guest.receive('accepted', ({ id }) => id === 'slip-0001');
  guest.send({ ...slip, id: 'slip-0002', slip: { tie: 100 } });
  await guest.receive('accepted', ({ id }) => id === 'slip-0002');
  const from = guest.received.length;
  guest.send(empty);
  await guest.receive('accepted', ({ id }) => id === 'slip-0001', from);
  expect(await guest.refusalOf({ ...empty, slip: { tie: 200 } })).toMatchObject({ code: 'command-reused' });
  const now = guest.received.length;
  guest.send({ type: 'whole', of: 'own' });
  expect((await guest.receive('own', () => true, now)).view.slip).toEqual({ tie: 100 });
  guest.terminate();
  await server.close();
});

test('a seat without a bet expires after it is left, and a stored terminal does not', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({ scheduler: time, tables: ['tiger'], limits: { seatMs: 60_000 } });
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const bets = await PatronSocket.join(server, secretOf('1'), 'tiger');
  bets.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round: await bets.bettingRound(), slip: { tie: 100 } });
  await bets.receive('accepted');
  const looks = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect([await terminalIn(bets), await terminalIn(looks)]).toEqual(['T1', 'T2']);
  await gone(server, bets);
  await gone(server, looks);
  await time.advance(59_000);
  const back = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect(await terminalIn(back)).toBe('T2');
  await gone(server, back);
  await time.advance(61_000);
  const late = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect(await late.receive('welcome')).toMatchObject({ terminal: null });
  expect(await terminalIn(late)).toBe('T3');
  const kept = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await terminalIn(kept)).toBe('T1');
  late.terminate();
  kept.terminate();
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
  await gone(server, one);
  three.send({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(three)).toBe('T3');
  const back = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await terminalIn(back)).toBe('T1');
  await gone(server, two);
  const four = await PatronSocket.join(server, secretOf('4'));
  expect(await four.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  await time.advance(61_000);
  four.send({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(four)).toBe('T4');
  for (const guest of [three, four, back]) guest.terminate();
  await time.advanceUntilSettled(server.close());
});

test('seats per address are limited at any rate, and other addresses still get one', async () => {
  const time = new TestScheduler();
  const limits = { maxSeats: 4, maxSeatsPerAddress: 2, seatMs: 60_000 };
  const server = await startTestServer({ scheduler: time, tables: ['tiger'], proxies: ['127.0.0.1'], limits });
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const from = async (address: string, secret: string): Promise<PatronSocket> => {
    const guest = await PatronSocket.connect(server, { 'x-forwarded-for': address });
    guest.send({ type: 'hello', v: protocolVersion, secret: secretOf(secret) });
    await guest.receive('welcome');
    return guest;
  };
  const held = [await from('192.0.2.1', '1'), await from('192.0.2.1', '2')];
  for (const guest of held) {
    guest.send({ type: 'sit', table: 'tiger' });
    await terminalIn(guest);
  }
  const third = await from('192.0.2.1', '3');
  await time.advance(30_000);
  expect(await third.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  const other = await from('192.0.2.2', '4');
  other.send({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(other)).toBe('T3');
  await gone(server, held[0]!);
  await time.advance(61_000);
  third.send({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(third)).toBe('T4');
  for (const guest of [held[1]!, third, other]) guest.terminate();
  await time.advanceUntilSettled(server.close());
});
