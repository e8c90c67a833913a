import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store, type StoredEntry } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

/** Memory store that outlives its server and whose appends can be delayed. */
function delayableStore() {
  const store = createMemoryStore();
  let blocked: Promise<void> | undefined;
  return {
    ...store,
    append: async (batch: Parameters<Store['append']>[0]) => {
      await blocked;
      return store.append(batch);
    },
    close: async () => {},
    /** Gives the function that releases the appends. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      blocked = promise;
      return resolve;
    },
  };
}

const slip = (round: string, id: string, stakes: object, table = 'tiger') => ({
  type: 'slip',
  id,
  table,
  round,
  slip: stakes,
});

/** Waits until the server has handled all sent messages. */
async function waitUntilHandled(patron: PatronSocket): Promise<void> {
  const from = patron.received.length;
  patron.send({ type: 'whole', of: 'own' });
  await patron.receive('own', () => true, from);
}

/** Replies to an id, in order of arrival. */
const repliesTo = (patron: PatronSocket, id: string): readonly string[] =>
  patron.received.flatMap((message) => {
    if (message.type === 'accepted' && message.id === id) return ['accepted'];
    return message.type === 'refused' && message.id === id ? [message.code] : [];
  });

async function sendSlip(patron: PatronSocket, message: { readonly id: string }): Promise<string> {
  const before = repliesTo(patron, message.id).length;
  patron.send(message);
  for (;;) {
    const now = repliesTo(patron, message.id);
    if (now.length > before) return now.at(-1)!;
    await waitUntilHandled(patron);
  }
}

async function eventsIn(store: Store, stream: string): Promise<readonly StoredEntry['event'][]> {
  const found: StoredEntry['event'][] = [];
  for await (const entries of store.read(stream)) found.push(...entries.map(({ event }) => event));
  return found;
}

const slipsIn = async (store: Store): Promise<readonly unknown[]> =>
  (await eventsIn(store, 'demo/table/tiger')).flatMap((event) => (event.type === 'SlipSet' ? [event['slip']] : []));

test('slips that arrive during an append are stored in order, and a resend has the first reply and no effect, also after a restart', async () => {
  const store = delayableStore();
  const options = { store, key: randomBytes(32), tables: ['tiger'] };
  const server = await startTestServer(options);
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const other = await PatronSocket.join(server, secretOf('2'), 'tiger');
  const round = await patron.bettingRound();
  for (const one of [patron, other]) expect(await sendSlip(one, slip(round, 'slip-0000', {}))).toBe('accepted');
  const release = store.hold();
  for (const n of [1, 2, 3]) patron.send(slip(round, `slip-000${n}`, { tie: n * 100 }));
  // Another terminal's slip is independent, and a resend shares the result of the slip that waits.
  other.send(slip(round, 'slip-0001', { tie: 900 }));
  patron.send(slip(round, 'slip-0003', { tie: 300 }));
  patron.send(slip(round, 'slip-0002', { tie: 400 }));
  await waitUntilHandled(patron);
  await waitUntilHandled(other);
  release();
  await patron.receive('own', ({ view }) => view.stake === 300);
  await other.receive('accepted', ({ id }) => id === 'slip-0001');
  await patron.receive('refused');
  expect(['1', '2', '3'].map((n) => repliesTo(patron, `slip-000${n}`))).toEqual([
    ['accepted'],
    ['accepted', 'command-reused'],
    ['accepted', 'accepted'],
  ]);
  const stored = [{}, {}, { tie: 100 }, { tie: 900 }, { tie: 200 }, { tie: 300 }];
  expect(await slipsIn(store)).toEqual(stored);
  for (const one of [patron, other]) one.terminate();
  await server.close();
  const second = await startTestServer(options);
  const returning = await PatronSocket.join(second, secretOf('1'), 'tiger');
  // The empty slip before the first bet takes nothing back.
  expect(await sendSlip(returning, slip(round, 'slip-0000', {}))).toBe('accepted');
  expect(await sendSlip(returning, slip(round, 'slip-0002', { tie: 200 }))).toBe('accepted');
  expect(await sendSlip(returning, slip(round, 'slip-0001', { tie: 100 }))).toBe('accepted');
  expect(await sendSlip(returning, slip(round, 'slip-0003', { tie: 400 }))).toBe('command-reused');
  expect(await slipsIn(store)).toEqual(stored);
  returning.terminate();
  await second.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('slips per terminal and round are limited, and accepted stakes stay', async () => {
  const server = await startTestServer({ tables: ['tiger'], limits: { maxSlipsPerRound: 3 } });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  for (const n of [1, 2, 3])
    expect(await sendSlip(patron, slip(round, `slip-000${n}`, { tie: n * 100 }))).toBe('accepted');
  const refused = await patron.refusalOf(slip(round, 'slip-0004', { tie: 400 }));
  expect(refused).toMatchObject({ code: 'too-many-slips', id: 'slip-0004' });
  expect(refused.message).toMatch(/at most. Accepted bets stay/);
  expect(await sendSlip(patron, slip(round, 'slip-0003', { tie: 300 }))).toBe('accepted');
  // Invented round ids do not change that.
  expect(await sendSlip(patron, slip('demo/tiger/x/y/1', 'slip-0005', { tie: 100 }))).toBe('bets-closed');
  expect(await sendSlip(patron, slip(round, 'slip-0006', {}))).toBe('too-many-slips');
  patron.send({ type: 'whole', of: 'own' });
  await patron.receive('own', ({ view }) => view.stake === 300);
  const other = await PatronSocket.join(server, secretOf('2'), 'tiger');
  expect(await sendSlip(other, slip(round, 'slip-0001', { tie: 100 }))).toBe('accepted');
  patron.terminate();
  other.terminate();
  await server.close();
});

test('the slip limit starts anew in the next round', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({
    scheduler: time,
    tables: ['tiger'],
    times: { bettingTime: 400, grace: 50, pause: 50 },
    limits: { maxSlipsPerRound: 1 },
  });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await patron.bettingRound();
  expect(await sendSlip(patron, slip(round, 'slip-0001', { tie: 100 }))).toBe('accepted');
  expect(await sendSlip(patron, slip(round, 'slip-0002', { tie: 200 }))).toBe('too-many-slips');
  const next = ({ view }: { view: { phase: string; round: { id: string } | null } }): boolean =>
    view.phase === 'betting' && view.round?.id !== round;
  const { view } = await time.advanceUntilSettled(patron.receive('table', next));
  expect(await sendSlip(patron, slip(view.round!.id, 'slip-0003', { tie: 100 }))).toBe('accepted');
  patron.terminate();
  await time.advanceUntilSettled(server.close());
});

test('appends per address are limited, whatever the number of terminals', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({
    scheduler: time,
    tables: ['tiger'],
    limits: { writeBurst: 3, writesPerSecond: 1 },
  });
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const patrons = await Promise.all(['1', '2'].map((letter) => PatronSocket.join(server, secretOf(letter), 'tiger')));
  const [one, two] = patrons as [PatronSocket, PatronSocket];
  const round = await one.bettingRound();
  for (const n of [1, 2]) expect(await sendSlip(one, slip(round, `slip-000${n}`, { tie: n * 100 }))).toBe('accepted');
  expect(await sendSlip(two, slip(round, 'slip-0001', { tie: 100 }))).toBe('accepted');
  const refused = await two.refusalOf(slip(round, 'slip-0002', { tie: 200 }));
  expect(refused).toMatchObject({ code: 'too-many-slips' });
  expect(refused.message).toMatch(/from your address/);
  await time.advance(1_000);
  expect(await sendSlip(one, slip(round, 'slip-0003', { tie: 300 }))).toBe('accepted');
  for (const patron of patrons) patron.terminate();
  await time.advanceUntilSettled(server.close());
});

test('a slip for another table is refused, unless it is stored', async () => {
  const server = await startTestServer({ tables: ['tiger', 'baccarat'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  expect(await sendSlip(patron, slip(round, 'slip-0001', { tie: 100 }))).toBe('accepted');
  const lobby = patron.received.length;
  patron.send({ type: 'leave' });
  await patron.receive('lobby', () => true, lobby);
  expect(await patron.refusalOf(slip(round, 'slip-0002', { tie: 200 }))).toMatchObject({
    code: 'not-seated',
    id: 'slip-0002',
    message: 'You are not seated at that table. Take a seat there first.',
  });
  patron.send({ type: 'sit', table: 'baccarat' });
  await patron.receive('table', ({ table }) => table === 'baccarat');
  expect(await sendSlip(patron, slip(round, 'slip-0003', { tie: 200 }))).toBe('not-seated');
  expect(await sendSlip(patron, slip(round, 'slip-0001', { tie: 100 }))).toBe('accepted');
  patron.terminate();
  await server.close();
});
