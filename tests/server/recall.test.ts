import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type AppendRequest } from '../../src/store/store.ts';
import { type ServerMessageOf } from '../../src/wire/messages.ts';
import { type RecalledRound } from '../../src/wire/roundRecall.ts';
import { recallDifferences } from '../chaos/recallCheck.ts';
import { readRecallPage } from '../../src/server/patron/roundRecall.ts';
import { demoOwner } from '../runtime/demo.ts';
import { TestScheduler } from './clock.ts';
import { PatronSocket, startTestServer, secretOf } from './house.ts';

let asked = 0;

async function page(guest: PatronSocket, before?: string): Promise<ServerMessageOf<'recalled'>> {
  const id = `recall-${(asked += 1)}-0000`;
  guest.send({ type: 'recall', id, ...(before !== undefined && { before }) });
  return guest.receive('recalled', (told) => told.id === id);
}

/** All rounds, page by page. */
async function recalled(guest: PatronSocket): Promise<readonly RecalledRound[]> {
  const rounds: RecalledRound[] = [];
  for (let before: string | undefined; ;) {
    const { rounds: more, next } = await page(guest, before);
    rounds.push(...more);
    if (next === null) return rounds;
    before = next;
  }
}

/** Bets in the open round and waits for its payment. */
async function play(
  guest: PatronSocket,
  clock: TestScheduler,
  table: string,
  slip: { [wager: string]: number },
): Promise<string> {
  const from = guest.received.length;
  guest.send({ type: 'whole', of: 'table' });
  const open = guest.receive('table', ({ view }) => view.phase === 'betting', from);
  const { view } = await clock.advanceUntilSettled(open);
  const round = view.round!.id;
  guest.send({ type: 'slip', id: `slip-${(asked += 1)}-0000`, table, round, slip });
  await clock.advanceUntilSettled(guest.receive('accepted', (told) => told.round === round));
  await clock.advanceUntilSettled(
    guest.receive('own', (told) => told.view.round?.id === round && told.view.paid !== null),
  );
  return round;
}

const times = { bettingTime: 1_000 };

test("recall gives the session's rounds at all tables, newest first, with stakes, outcomes, clauses and credit", async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const settled = { store, key: randomBytes(32), tables: ['tiger', 'baccarat'], times };
  const clock = new TestScheduler();
  const first = await startTestServer({ ...settled, scheduler: clock });
  const guest = await PatronSocket.join(first, secretOf('1'), 'tiger');
  const other = await PatronSocket.join(first, secretOf('2'), 'tiger');
  expect(await page(guest)).toMatchObject({ rounds: [], next: null });
  const rounds: string[] = [];
  for (let n = 0; n < 12; n++) rounds.unshift(await play(guest, clock, 'tiger', { banker: 1000, tie: 100 + 100 * n }));
  await play(other, clock, 'tiger', { player: 500 });
  guest.send({ type: 'sit', table: 'baccarat' });
  await guest.receive('table', ({ table }) => table === 'baccarat');
  rounds.unshift(await play(guest, clock, 'baccarat', { player: 2000 }));

  const { rounds: ten, next } = await page(guest);
  expect(ten).toHaveLength(10);
  expect(next).toMatch(/^tiger:\d+$/);
  const all = await recalled(guest);
  expect(all.map(({ id }) => id)).toEqual(rounds);
  expect(all[0]).toMatchObject({ table: 'baccarat', game: 'baccarat@7', slip: { player: 2000 }, voidBy: null });
  for (const [n, one] of all.entries()) {
    const [{ paid }] = one.settled as [RecalledRound['settled'][number]];
    expect(paid.map(({ wager, stake }) => [wager, stake])).toEqual(Object.entries(one.slip));
    for (const { by } of paid) expect(by).toMatch(/^[A-Z]{3} \d/);
    const won = paid.reduce((sum, { returned, stake }) => sum + returned - stake, 0);
    expect(one.creditAfter).toBe(one.creditBefore + won);
    // Nothing else has moved the credit in between.
    expect(one.creditAfter).toBe(all[n - 1]?.creditBefore ?? one.creditAfter);
    expect(one.cards.length).toBeGreaterThanOrEqual(4);
    expect(one.corrected).toBe(false);
  }
  expect(await recalled(other)).toHaveLength(1);
  const { rounds: count, wrong } = await recallDifferences(store);
  expect([count, wrong]).toEqual([14, []]);
  guest.terminate();
  other.terminate();
  await clock.advanceUntilSettled(first.close());

  // The recall comes from the event log: another process gives the same, also in the lobby and without the table.
  const second = await startTestServer({ ...settled, scheduler: clock, tables: ['baccarat'] });
  const back = await PatronSocket.join(second, secretOf('1'));
  expect(await recalled(back)).toEqual(all);
  back.terminate();
  await clock.advanceUntilSettled(second.close());
});

test('[READING 60] recall ends with the session', async () => {
  const clock = new TestScheduler();
  const server = await startTestServer({ tables: ['tiger'], times, scheduler: clock });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await play(guest, clock, 'tiger', { tie: 100 });
  expect(await recalled(guest)).toHaveLength(1);
  await clock.advanceUntilSettled(server.floor.terminals.collect('T1', 'collect-1', 'cash'));
  expect(await recalled(guest)).toEqual([]);
  const loaded = { type: 'LoadCredit', method: 'bill', amount: 5_000 };
  await clock.advanceUntilSettled(server.floor.terminals.submit('T1', 'load-1', loaded));
  await play(guest, clock, 'tiger', { tie: 200 });
  expect(await recalled(guest)).toMatchObject([{ slip: { tie: 200 }, creditBefore: 5_000 }]);
  guest.terminate();
  await clock.advanceUntilSettled(server.close());
});

test('recall works while the table is stopped', async () => {
  const clock = new TestScheduler();
  const memory = memoryStore();
  const disk = { isFull: false };
  const store = {
    ...memory,
    append: async (batch: AppendRequest) => {
      if (disk.isFull) throw new Error('No room is left on the disk.');
      return memory.append(batch);
    },
  };
  const server = await startTestServer({ store, tables: ['tiger'], times, scheduler: clock, onOutage: () => {} });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await play(guest, clock, 'tiger', { tie: 100 });
  disk.isFull = true;
  await clock.advanceUntilSettled(guest.receive('table', ({ view }) => view.stopped?.kind === 'cannot-record'));
  expect(await recalled(guest)).toMatchObject([{ id: round, settled: [{ paid: [{ wager: 'tie' }] }] }]);
  disk.isFull = false;
  guest.terminate();
  await clock.advanceUntilSettled(server.close());
});

test('recall contains a round in play but none that was taken back, and ignores a foreign cursor', async () => {
  const server = await startTestServer({ tables: ['tiger', 'baccarat'] });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await guest.bettingRound();
  const slip = async (id: string, stakes: object): Promise<void> => {
    guest.send({ type: 'slip', id, table: 'tiger', round, slip: stakes });
    await guest.receive('accepted', (told) => told.id === id);
  };
  await slip('slip-0001', { tie: 100 });
  await slip('slip-0002', { tie: 300 });
  expect(await recalled(guest)).toMatchObject([
    { id: round, slip: { tie: 300 }, settled: [], cards: [], winner: null, creditBefore: 100_000, creditAfter: 99_700 },
  ]);
  await slip('slip-0003', {});
  expect(await recalled(guest)).toEqual([]);
  await slip('slip-0004', { banker: 500 });
  expect(await recalled(guest)).toMatchObject([{ slip: { banker: 500 }, creditBefore: 100_000, creditAfter: 99_500 }]);
  for (const before of ['tiger:1', 'baccarat:1', 'nowhere:7']) {
    expect(await page(guest, before)).toMatchObject({ rounds: [], next: null });
  }
  for (const before of ['tiger', 'tiger:x', '../tiger:1', 7]) {
    expect(await guest.refusalOf({ type: 'recall', id: 'recall-0000', before })).toMatchObject({ code: 'bad-request' });
  }
  guest.terminate();
  await server.close();
});

/** A session that bet at one table, then set and withdrew stakes at another many times, and changed the first bet. */
async function restless(often: number) {
  const memory = memoryStore();
  const seen = { entries: 0 };
  const store = {
    ...memory,
    findBySubject: async (...what: Parameters<typeof memory.findBySubject>) => {
      const found = await memory.findBySubject(...what);
      seen.entries += found.length;
      return found;
    },
  };
  const server = await startTestServer({ store, tables: ['tiger', 'baccarat'], times: { bettingTime: 600_000 } });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await server.floor.terminals.begin('T1', 100_000);
  let ids = 0;
  const bet = (table: string, slip: object) => {
    const { processor } = server.floor.tables.get(table)!;
    const round = processor.state!.round!.id;
    return processor.submit(`bet-${(ids += 1)}`, { type: 'SetSlip', actor: { terminal: 'T1.1' }, round, slip });
  };
  const areOpen = () =>
    [...server.floor.tables.values()].every(({ processor }) => processor.state?.phase === 'betting');
  await clockless(areOpen);
  await bet('tiger', { tie: 100 });
  const bets = Array.from({ length: often }, (_, n) => bet('baccarat', n % 2 === 0 ? { tie: 100 } : {}));
  for (const answered of await Promise.all(bets)) expect(answered).toHaveProperty('entries');
  await bet('tiger', { tie: 300 });
  await bet('tiger', { banker: 300 });
  return { store, seen, server, guest };
}

const clockless = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => void setImmediate(resolve));
};

test('a recall page also ends after a number of withdrawn stakes, and the next continues', async () => {
  const { seen, server, guest } = await restless(1_200);
  seen.entries = 0;
  const first = await page(guest);
  expect(first).toMatchObject({ rounds: [], next: expect.stringContaining(',tiger:') });
  expect(seen.entries).toBeLessThan(600);
  seen.entries = 0;
  const { id } = server.floor.tables.get('tiger')!.processor.state!.round!;
  expect(await recalled(guest)).toMatchObject([
    { table: 'tiger', id, slip: { banker: 300 }, settled: [], creditBefore: 100_000, creditAfter: 99_700 },
  ]);
  // Each stake once, and the entries of the one round that was played.
  expect(seen.entries).toBeLessThan(1_300);
  guest.terminate();
  await server.close();
});

test('recall stops reading when the connection is closed', async () => {
  const { store, seen, server, guest } = await restless(600);
  seen.entries = 0;
  let asks = 0;
  await readRecallPage({ store, owner: demoOwner, isWanted: () => (asks += 1) < 3 }, 'T1.1');
  expect(seen.entries).toBeLessThan(300);
  guest.terminate();
  await server.close();
});

test('recall is rate limited, and empty without a seat', async () => {
  const server = await startTestServer({ tables: ['tiger'], limits: { recallBurst: 2, recallsPerSecond: 0 } });
  const guest = await PatronSocket.join(server, secretOf('1'));
  expect(await page(guest)).toMatchObject({ rounds: [], next: null });
  expect(await page(guest)).toMatchObject({ rounds: [], next: null });
  expect(await guest.refusalOf({ type: 'recall', id: 'recall-0001' })).toMatchObject({
    code: 'too-many-messages',
    id: 'recall-0001',
  });
  guest.terminate();
  await server.close();
});
