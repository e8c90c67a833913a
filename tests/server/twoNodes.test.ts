import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Server } from '../../src/server/serverOptions.ts';
import { hashSecret } from '../../src/server/patron/secretRotation.ts';
import { sweepEveryMs } from '../../src/server/patron/connectionsBySecret.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';
import { DatabaseAway } from '../../src/store/failures.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { demoCredit, demoSettings } from '../runtime/demo.ts';
import { HintBus } from '../runtime/neighbours.ts';
import { Clock } from './clock.ts';
import { Guest, house, secretOf } from './house.ts';
import { Colleague, clicked, request } from './staff/made.ts';

// Two servers on one record. Each has a table of its own: who drives which is another matter.

const here = 'tiger';
const there = demoSettings.find(({ table }) => table !== here)!.table;
const stake = 1_000;

async function pair(store: Store = memoryStore(), wanted: Parameters<typeof house>[0] = {}) {
  const hints = new HintBus();
  const key = randomBytes(32);
  const open = async (opening: number, table: string): Promise<Server> => {
    const { cluster, attach } = hints.addNode(store);
    const kept = { ...store, close: async () => {} };
    // The first that closes has closed the floor for both: who does so last is another matter too.
    const fault = (what: string, error: unknown): void => {
      if (what !== 'closing') throw new Error(what, { cause: error });
    };
    const server = await house({ store: kept, key, tables: [table], opening, shared: cluster, fault, ...wanted });
    attach(server.floor);
    await server.floor.lead(table, undefined);
    return server;
  };
  const servers = [await open(1, here), await open(2, there)] as const;
  const close = (): Promise<unknown> => Promise.all(servers.map((server) => server.close()));
  return { store, hints, one: servers[0], other: servers[1], close };
}

async function bet(guest: Guest, table: string, id = 'slip-0001'): Promise<void> {
  guest.say({ type: 'slip', id, table, round: await guest.round(), slip: { player: stake } });
  const told = await Promise.race([
    guest.hears('accepted', (one) => one.id === id),
    guest.hears('refused', (one) => one.id === id),
  ]);
  expect(told.type === 'refused' ? told.code : told.type).toBe('accepted');
}

/** What hello with a secret is answered with. */
async function welcomed(server: Server, letter: string): Promise<string | null> {
  const guest = await Guest.arrive(server);
  guest.say({ type: 'hello', v: protocolVersion, secret: secretOf(letter) });
  const told = await Promise.race([guest.hears('welcome'), guest.hears('refused')]);
  guest.leave();
  return told.type === 'refused' ? told.code : told.terminal;
}

const renew = { type: 'renew', id: 'renew-0001', secret: secretOf('3') };
const dead = { code: 1008, reason: 'secret-revoked' };

test('a terminal of one node is available at the other, with its credit', async () => {
  const { one, other, hints, close } = await pair();
  hints.isDropping = true;
  const guest = await Guest.seated(one, secretOf('1'), here);
  await bet(guest, here);
  const back = await Guest.seated(other, secretOf('1'), there);
  expect(await back.hears('welcome')).toMatchObject({ terminal: 'T1-1' });
  expect(await back.hears('own')).toMatchObject({ view: { credit: demoCredit - stake } });
  await bet(back, there, 'slip-0002');
  await close();
});

test('a secret revoked at one node closes its connections at the other', async () => {
  const { one, other, hints, close } = await pair();
  const guest = await Guest.seated(one, secretOf('1'), here);
  await bet(guest, here);
  await hints.delivered();
  const away = await Guest.seated(other, secretOf('1'));
  guest.say(renew);
  await guest.hears('renewed');
  expect(await away.left()).toEqual(dead);
  expect([await welcomed(other, '1'), await welcomed(other, '3')]).toEqual(['secret-revoked', 'T1-1']);
  await close();
});

test('the sweep closes only the sockets of revoked secrets when the notification was lost', async () => {
  const time = new Clock();
  const { one, other, hints, close } = await pair(memoryStore(), { time });
  await one.floor.terminals.seat(hashSecret(secretOf('1')), demoCredit);
  const [away, reader] = [await Guest.seated(other, secretOf('1')), await Guest.seated(other, secretOf('2'))];
  hints.isDropping = true;
  expect(await one.floor.terminals.renew(hashSecret(secretOf('1')), hashSecret(secretOf('3')))).toBeUndefined();
  await time.pass(sweepEveryMs - 10);
  expect(away.closed).toBeUndefined();
  await time.pass(20);
  expect(await away.left()).toEqual(dead);
  expect(reader.closed).toBeUndefined();
  await close();
});

test('hello with a revoked secret is refused also when the notification was lost', async () => {
  const { one, other, hints, close } = await pair();
  const guest = await Guest.seated(one, secretOf('1'), here);
  await bet(guest, here);
  await hints.delivered();
  hints.isDropping = true;
  await one.floor.terminals.bindings.revokeAllOf('T1-1');
  expect(await welcomed(other, '1')).toBe('secret-revoked');
  await close();
});

test('a secret seated at both nodes returns to the terminal that was stored first', async () => {
  const { one, other, hints, close } = await pair();
  const [guest, away] = [await Guest.seated(one, secretOf('1'), here), await Guest.seated(other, secretOf('1'), there)];
  await bet(guest, here);
  expect(await away.left()).toEqual({ code: 1012, reason: 'linked-elsewhere' });
  hints.isDropping = true;
  const again = await Guest.seated(other, secretOf('1'), there);
  expect(await again.hears('welcome')).toMatchObject({ terminal: 'T1-1' });
  await bet(again, there, 'slip-0002');
  await close();
});

test('two concurrent first bets of one secret at two nodes create one terminal', async () => {
  const { store, one, other, hints, close } = await pair();
  hints.isDropping = true;
  const seats = await Promise.all([
    Guest.seated(one, secretOf('1'), here),
    Guest.seated(other, secretOf('1'), there),
  ] as const);
  const bets = await Promise.all(
    seats.map(async (guest, place) => {
      const table = place === 0 ? here : there;
      const betting = bet(guest, table).then(() => true);
      return Promise.race([betting.catch(() => false), guest.left().then(() => false)]);
    }),
  );
  expect(bets.filter(Boolean)).toHaveLength(1);
  const terminals = (await store.streams()).filter((stream) => stream.includes('/terminal/'));
  expect(terminals).toHaveLength(1);
  const late = bets[0] ? { server: other, table: there } : { server: one, table: here };
  const again = await Guest.seated(late.server, secretOf('1'), late.table);
  const { terminal } = await again.hears('welcome');
  expect(terminals).toEqual([`demo/terminal/${terminal}`]);
  await bet(again, late.table, 'slip-0002');
  await close();
});

test('a ticket of one node is paid at the other, and only once when both pay at the same time', async () => {
  const { one, other, close } = await pair();
  const guest = await Guest.seated(one, secretOf('1'), here);
  const away = await Guest.seated(other, secretOf('2'), there);
  for (const turn of [1, 2]) {
    guest.say({ type: 'load', id: `load-000${turn}`, amount: 5_000 });
    await guest.hears('loaded', ({ id }) => id === `load-000${turn}`);
    guest.say({ type: 'collect', id: `collect-${turn}` });
    const { ticket } = await guest.hears('collected', ({ id }) => id === `collect-${turn}`);
    const id = `redeem-0${turn}`;
    const asking = turn === 1 ? [away] : [guest, away];
    for (const asker of asking) asker.say({ type: 'redeem', id, number: ticket!.number });
    const answers = await Promise.all(
      asking.map((asker) =>
        Promise.race([
          asker.hears('loaded', (told) => told.id === id),
          asker.hears('refused', (told) => told.id === id),
        ]),
      ),
    );
    expect(answers.filter(({ type }) => type === 'loaded')).toHaveLength(1);
    for (const told of answers) if (told.type === 'refused') expect(told.code).toBe('ticket-paid');
  }
  await close();
});

test('a printer at another node receives the ticket', async () => {
  const { one, other, close } = await pair();
  const guest = await Guest.seated(one, secretOf('1'), here);
  await bet(guest, here);
  await one.floor.terminals.bindings.bind(hashSecret(secretOf('9')), 'T1-1', 'printer');
  const printer = await Guest.seated(other, secretOf('9'));
  guest.say({ type: 'slip', id: 'slip-0002', table: here, round: await guest.round(), slip: {} });
  await guest.hears('accepted', ({ id }) => id === 'slip-0002');
  guest.say({ type: 'collect', id: 'collect-1' });
  const { ticket } = await guest.hears('collected');
  await other.floor.terminals.refresh('T1-1');
  expect(await printer.hears('collected')).toMatchObject({ id: 'collect-1', ticket: { number: ticket!.number } });
  await close();
});

test('a sign-in session is valid at both nodes until it ends at either', async () => {
  const time = new Clock();
  const { one, other, hints, close } = await pair(memoryStore(), { staff: { demo: true }, time });
  const cookie = await clicked(one, 'S-1');
  hints.isDropping = true;
  const second = await clicked(one, 'S-2');
  for (const [mine, number] of [
    [cookie, 'S-1'],
    [second, 'S-2'],
  ] as const) {
    expect((await request(other, 'me', undefined, { cookie: mine })).body).toMatchObject({ session: { number } });
  }
  const [first, late] = [await Colleague.arrive(other, cookie), await Colleague.arrive(other, second)];
  hints.isDropping = false;
  await request(one, 'sign-out', {}, { cookie });
  expect(await first.left()).toMatchObject({ code: 1008 });
  hints.isDropping = true;
  await request(one, 'sign-out', {}, { cookie: second });
  expect((await request(other, 'me', undefined, { cookie: second })).body).toMatchObject({ session: null });
  await expect(Colleague.arrive(other, second)).rejects.toThrow('401');
  await time.pass(sweepEveryMs);
  expect(await late.left()).toMatchObject({ code: 1008 });
  await close();
});

test('while the store cannot be read a patron reconnects later and a resent slip has an unknown result', async () => {
  const memory = memoryStore();
  let isAway = false;
  const away = (): void => {
    if (isAway) throw new DatabaseAway('away');
  };
  const store: Store = {
    ...memory,
    findCommands: async (...what) => {
      away();
      return memory.findCommands(...what);
    },
    balance: async (...what) => {
      away();
      return memory.balance(...what);
    },
  };
  const told: string[] = [];
  const outage = ({ state }: { readonly state: string }): void => void told.push(state);
  const { one, other, close } = await pair(store, { outage });
  const guest = await Guest.seated(one, secretOf('1'), here);
  await bet(guest, here);
  const again = { type: 'slip', id: 'slip-0001', table: here, round: await guest.round(), slip: { player: stake } };
  guest.say({ type: 'leave' });
  isAway = true;
  expect(await guest.refusal(again)).toMatchObject({ code: 'result-unknown', id: 'slip-0001' });
  const elsewhere = await Guest.arrive(other);
  elsewhere.say({ type: 'hello', v: protocolVersion, secret: secretOf('1') });
  expect(await elsewhere.hears('refused')).toMatchObject({ code: 'cannot-record' });
  expect(await elsewhere.left()).toEqual({ code: 1013, reason: 'cannot-record' });
  // Both servers have told of it, as of an outage and not as of a defect of theirs.
  expect(told.filter((state) => state === 'begun')).toHaveLength(2);
  isAway = false;
  const heard = guest.heard.length;
  guest.say(again);
  await guest.hears('accepted', ({ id }) => id === 'slip-0001', heard);
  guest.leave();
  await close();
});

test('while the store does not answer, secrets and sessions are refused', async () => {
  const memory = memoryStore();
  let isAway = false;
  const store: Store = {
    ...memory,
    listValues: async (...what) => {
      if (isAway) throw new Error('away');
      return memory.listValues(...what);
    },
  };
  const nothing = (): void => {};
  const { one, other, close } = await pair(store, { staff: { demo: true }, outage: nothing, fault: nothing });
  const cookie = await clicked(one, 'S-1');
  isAway = true;
  const guest = await Guest.arrive(other);
  guest.say({ type: 'hello', v: protocolVersion, secret: secretOf('1') });
  expect(await guest.hears('refused')).toMatchObject({ code: 'cannot-record' });
  expect(await guest.left()).toEqual({ code: 1013, reason: 'cannot-record' });
  await expect(Colleague.arrive(other, cookie)).rejects.toThrow('503');
  for (const [name, given] of [
    ['me', undefined],
    ['lock', {}],
  ] as const) {
    expect(await request(other, name, given, { cookie })).toMatchObject({
      status: 503,
      body: { code: 'cannot-record' },
    });
  }
  isAway = false;
  expect(await welcomed(other, '1')).toBeNull();
  expect((await request(other, 'me', undefined, { cookie })).body).toMatchObject({ session: { number: 'S-1' } });
  await close();
});
