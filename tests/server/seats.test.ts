import { expect, test } from 'vitest';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type Server } from '../../src/server/serverOptions.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { times } from '../times.ts';
import { Clock } from './clock.ts';
import { Guest, house, secretOf } from './house.ts';

const terminalIn = (guest: Guest): Promise<string> => guest.hears('own').then(({ view }) => view.terminal);

/** Somebody has left, and whoever comes next finds it so. */
async function gone(server: Server, guest: Guest): Promise<void> {
  guest.socket.close();
  await guest.left();
  (await Guest.seated(server, secretOf('f'))).leave();
}

test('a terminal is stored with its first bet, and shows its credit before', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const server = await house({ store, tables: ['tiger'] });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  expect((await guest.hears('own')).view).toMatchObject({ terminal: 'T1', credit: 100_000, slip: {}, stake: 0 });
  const written = async (): Promise<readonly string[]> =>
    (await store.streams()).filter((stream) => stream.startsWith('demo/terminal/'));
  expect([await written(), (await store.listValues('patron')).size]).toEqual([[], 0]);
  // The same secret elsewhere is the same terminal, and a new one another.
  const tab = await Guest.seated(server, secretOf('1'), 'tiger');
  expect(await tab.hears('welcome')).toMatchObject({ terminal: 'T1' });
  const other = await Guest.seated(server, secretOf('2'), 'tiger');
  expect(await terminalIn(other)).toBe('T2');

  const slip = { type: 'slip', id: 'slip-0000', table: 'tiger', slip: { tie: 100 } };
  expect(await other.refusal({ ...slip, round: 'demo/tiger/x/y/1' })).toMatchObject({ code: 'bets-closed' });
  expect([await written(), (await store.listValues('patron')).size]).toEqual([[], 0]);
  const round = await guest.round();
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await guest.hears('accepted');
  expect((await tab.hears('own', ({ view }) => view.stake > 0)).view).toMatchObject({ credit: 99_900 });
  expect([
    await written(),
    Array.from((await store.listValues('patron')).values(), (link) => link.split(' ')[0]),
  ]).toEqual([['demo/terminal/T1'], ['T1']]);
  for (const one of [guest, tab, other]) one.leave();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('refused first slips store nothing, and the first accepted one stores the terminal', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const [terminals, many] = [times(200), 1_000_000];
  const limits = { maxSeats: many, maxSeatsPerAddress: many, seatsPerMinute: many, writeBurst: many, maxSockets: many };
  const server = await house({
    store,
    tables: ['tiger'],
    limits: { ...limits, maxConnections: many, maxConnectionsPerAddress: many },
  });
  const written = async () => ({ heads: await store.heads(), links: (await store.listValues('patron')).size });
  await (await Guest.seated(server, 'f'.repeat(64), 'tiger')).round();
  const before = await written();
  const refused: [slip: object, code: string][] = [
    [{ tie: 150 }, 'off-step-stake'],
    [{ 'lucky-seven': 100 }, 'wager-not-offered'],
    [{ tie: 100, banker: 1 }, 'off-step-stake'],
    [{ tie: 99_999_900 }, 'over-maximum'],
  ];
  for (let n = 0; n < terminals; n++) {
    const guest = await Guest.seated(server, String(n).padStart(64, '0'), 'tiger');
    const slip = { type: 'slip', table: 'tiger', round: await guest.round() };
    for (let place = 0; place < 12; place++) {
      const [stakes, code] = refused[place % refused.length]!;
      expect(await guest.refusal({ ...slip, id: `slip-000${place}`, slip: stakes })).toMatchObject({ code });
    }
    // A slip without a stake stands, and needs no entry.
    guest.say({ ...slip, id: 'slip-empty', slip: {} });
    await guest.hears('accepted');
    guest.leave();
  }
  expect(await written()).toEqual(before);
  const guest = await Guest.seated(server, '0'.repeat(64), 'tiger');
  guest.say({ type: 'slip', id: 'slip-0009', table: 'tiger', round: await guest.round(), slip: { tie: 100 } });
  await guest.hears('accepted');
  expect((await written()).heads.get('demo/terminal/T2')).toMatchObject({ sequence: 2 });
  expect((await written()).links).toBe(1);
  guest.leave();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('an empty slip from before the first bet changes nothing when it is sent again', async () => {
  const server = await house({ tables: ['tiger'] });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  const slip = { type: 'slip', table: 'tiger', round: await guest.round() };
  const empty = { ...slip, id: 'slip-0001', slip: {} };
  guest.say(empty);
  await guest.hears('accepted', ({ id }) => id === 'slip-0001');
  guest.say({ ...slip, id: 'slip-0002', slip: { tie: 100 } });
  await guest.hears('accepted', ({ id }) => id === 'slip-0002');
  const from = guest.heard.length;
  guest.say(empty);
  await guest.hears('accepted', ({ id }) => id === 'slip-0001', from);
  expect(await guest.refusal({ ...empty, slip: { tie: 200 } })).toMatchObject({ code: 'command-reused' });
  const now = guest.heard.length;
  guest.say({ type: 'whole', of: 'own' });
  expect((await guest.hears('own', () => true, now)).view.slip).toEqual({ tie: 100 });
  guest.leave();
  await server.close();
});

test('a seat without a bet expires after it is left, and a stored terminal does not', async () => {
  const time = new Clock();
  const server = await house({ time, tables: ['tiger'], limits: { seatMs: 60_000 } });
  await time.when(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const bets = await Guest.seated(server, secretOf('1'), 'tiger');
  bets.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round: await bets.round(), slip: { tie: 100 } });
  await bets.hears('accepted');
  const looks = await Guest.seated(server, secretOf('2'), 'tiger');
  expect([await terminalIn(bets), await terminalIn(looks)]).toEqual(['T1', 'T2']);
  await gone(server, bets);
  await gone(server, looks);
  await time.pass(59_000);
  const back = await Guest.seated(server, secretOf('2'), 'tiger');
  expect(await terminalIn(back)).toBe('T2');
  await gone(server, back);
  await time.pass(61_000);
  const late = await Guest.seated(server, secretOf('2'), 'tiger');
  expect(await late.hears('welcome')).toMatchObject({ terminal: null });
  expect(await terminalIn(late)).toBe('T3');
  const kept = await Guest.seated(server, secretOf('1'), 'tiger');
  expect(await terminalIn(kept)).toBe('T1');
  late.leave();
  kept.leave();
  await time.until(server.close());
});

test('the total of new seats is limited, without stored terminals', async () => {
  const time = new Clock();
  const server = await house({ time, tables: ['tiger'], limits: { maxSeats: 2, seatMs: 60_000 } });
  await time.when(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const one = await Guest.seated(server, secretOf('1'), 'tiger');
  const two = await Guest.seated(server, secretOf('2'), 'tiger');
  const three = await Guest.seated(server, secretOf('3'));
  expect(await three.refusal({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  one.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round: await one.round(), slip: { tie: 100 } });
  await one.hears('accepted');
  await gone(server, one);
  three.say({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(three)).toBe('T3');
  const back = await Guest.seated(server, secretOf('1'), 'tiger');
  expect(await terminalIn(back)).toBe('T1');
  await gone(server, two);
  const four = await Guest.seated(server, secretOf('4'));
  expect(await four.refusal({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  await time.pass(61_000);
  four.say({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(four)).toBe('T4');
  for (const guest of [three, four, back]) guest.leave();
  await time.until(server.close());
});

test('seats per address are limited at any rate, and other addresses still get one', async () => {
  const time = new Clock();
  const limits = { maxSeats: 4, maxSeatsPerAddress: 2, seatMs: 60_000 };
  const server = await house({ time, tables: ['tiger'], proxies: ['127.0.0.1'], limits });
  await time.when(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const from = async (address: string, secret: string): Promise<Guest> => {
    const guest = await Guest.arrive(server, { 'x-forwarded-for': address });
    guest.say({ type: 'hello', v: protocolVersion, secret: secretOf(secret) });
    await guest.hears('welcome');
    return guest;
  };
  const held = [await from('192.0.2.1', '1'), await from('192.0.2.1', '2')];
  for (const guest of held) {
    guest.say({ type: 'sit', table: 'tiger' });
    await terminalIn(guest);
  }
  const third = await from('192.0.2.1', '3');
  await time.pass(30_000);
  expect(await third.refusal({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  const other = await from('192.0.2.2', '4');
  other.say({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(other)).toBe('T3');
  await gone(server, held[0]!);
  await time.pass(61_000);
  third.say({ type: 'sit', table: 'tiger' });
  expect(await terminalIn(third)).toBe('T4');
  for (const guest of [held[1]!, third, other]) guest.leave();
  await time.until(server.close());
});
