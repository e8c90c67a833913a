import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type AppendRequest } from '../../../src/store/store.ts';
import { type ServerMessageOf } from '../../../src/wire/messages.ts';
import { type RecalledRound } from '../../../src/wire/roundRecall.ts';
import { recallDifferences } from '../../chaos/audit/recallCheck.ts';
import { readRoundRecallPage } from '../../../src/server/patron/roundRecallHandler.ts';
import { demoOwner } from '../../runtime/support/demo.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

let requestCount = 0;

async function page(patron: PatronSocket, before?: string): Promise<ServerMessageOf<'recalled'>> {
  const id = `recall-${(requestCount += 1)}-0000`;
  patron.send({ type: 'recall', id, ...(before !== undefined && { before }) });
  return patron.receive('recalled', (message) => message.id === id);
}

/** All rounds, page by page. */
async function recallAll(patron: PatronSocket): Promise<readonly RecalledRound[]> {
  const rounds: RecalledRound[] = [];
  for (let before: string | undefined; ;) {
    const { rounds: more, next } = await page(patron, before);
    rounds.push(...more);
    if (next === null) return rounds;
    before = next;
  }
}

/** Bets in the open round and waits for its payment. */
async function play(
  patron: PatronSocket,
  clock: TestScheduler,
  table: string,
  slip: { [wager: string]: number },
): Promise<string> {
  const from = patron.received.length;
  patron.send({ type: 'whole', of: 'table' });
  const open = patron.receive('table', ({ view }) => view.phase === 'betting', from);
  const { view } = await clock.advanceUntilSettled(open);
  const round = view.round!.id;
  patron.send({ type: 'slip', id: `slip-${(requestCount += 1)}-0000`, table, round, slip });
  await clock.advanceUntilSettled(patron.receive('accepted', (message) => message.round === round));
  await clock.advanceUntilSettled(
    patron.receive('own', (message) => message.view.round?.id === round && message.view.paid !== null),
  );
  return round;
}

const times = { bettingTime: 1_000 };

test("recall gives the session's rounds at all tables, newest first, with stakes, outcomes, clauses and credit", async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const options = { store, key: randomBytes(32), tables: ['tiger', 'baccarat'], times };
  const clock = new TestScheduler();
  const first = await startTestServer({ ...options, scheduler: clock });
  const patron = await PatronSocket.join(first, secretOf('1'), 'tiger');
  const other = await PatronSocket.join(first, secretOf('2'), 'tiger');
  expect(await page(patron)).toMatchObject({ rounds: [], next: null });
  const rounds: string[] = [];
  for (let n = 0; n < 12; n++) rounds.unshift(await play(patron, clock, 'tiger', { banker: 1000, tie: 100 + 100 * n }));
  await play(other, clock, 'tiger', { player: 500 });
  patron.send({ type: 'sit', table: 'baccarat' });
  await patron.receive('table', ({ table }) => table === 'baccarat');
  rounds.unshift(await play(patron, clock, 'baccarat', { player: 2000 }));

  const { rounds: ten, next } = await page(patron);
  expect(ten).toHaveLength(10);
  expect(next).toMatch(/^tiger:\d+$/);
  const all = await recallAll(patron);
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
  expect(await recallAll(other)).toHaveLength(1);
  const { rounds: count, problems } = await recallDifferences(store);
  expect([count, problems]).toEqual([14, []]);
  patron.terminate();
  other.terminate();
  await clock.advanceUntilSettled(first.close());

  // The recall comes from the event log: another process gives the same, also in the lobby and without the table.
  const second = await startTestServer({ ...options, scheduler: clock, tables: ['baccarat'] });
  const returning = await PatronSocket.join(second, secretOf('1'));
  expect(await recallAll(returning)).toEqual(all);
  returning.terminate();
  await clock.advanceUntilSettled(second.close());
});

test('[READING 60] recall ends with the session', async () => {
  const clock = new TestScheduler();
  const server = await startTestServer({ tables: ['tiger'], times, scheduler: clock });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await play(patron, clock, 'tiger', { tie: 100 });
  expect(await recallAll(patron)).toHaveLength(1);
  await clock.advanceUntilSettled(server.floor.terminals.collect('T1', 'collect-1', 'cash'));
  expect(await recallAll(patron)).toEqual([]);
  const loaded = { type: 'LoadCredit', method: 'bill', amount: 5_000 };
  await clock.advanceUntilSettled(server.floor.terminals.submit('T1', 'load-1', loaded));
  await play(patron, clock, 'tiger', { tie: 200 });
  expect(await recallAll(patron)).toMatchObject([{ slip: { tie: 200 }, creditBefore: 5_000 }]);
  patron.terminate();
  await clock.advanceUntilSettled(server.close());
});

test('recall works while the table is stopped', async () => {
  const clock = new TestScheduler();
  const memory = createMemoryStore();
  const disk = { isFull: false };
  const store = {
    ...memory,
    append: async (batch: AppendRequest) => {
      if (disk.isFull) throw new Error('No room is left on the disk.');
      return memory.append(batch);
    },
  };
  const server = await startTestServer({ store, tables: ['tiger'], times, scheduler: clock, onOutage: () => {} });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await play(patron, clock, 'tiger', { tie: 100 });
  disk.isFull = true;
  await clock.advanceUntilSettled(patron.receive('table', ({ view }) => view.stopped?.kind === 'cannot-record'));
  expect(await recallAll(patron)).toMatchObject([{ id: round, settled: [{ paid: [{ wager: 'tie' }] }] }]);
  disk.isFull = false;
  patron.terminate();
  await clock.advanceUntilSettled(server.close());
});

test('recall contains a round in play but none that was taken back, and ignores a foreign cursor', async () => {
  const server = await startTestServer({ tables: ['tiger', 'baccarat'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  const slip = async (id: string, stakes: object): Promise<void> => {
    patron.send({ type: 'slip', id, table: 'tiger', round, slip: stakes });
    await patron.receive('accepted', (message) => message.id === id);
  };
  await slip('slip-0001', { tie: 100 });
  await slip('slip-0002', { tie: 300 });
  expect(await recallAll(patron)).toMatchObject([
    { id: round, slip: { tie: 300 }, settled: [], cards: [], winner: null, creditBefore: 100_000, creditAfter: 99_700 },
  ]);
  await slip('slip-0003', {});
  expect(await recallAll(patron)).toEqual([]);
  await slip('slip-0004', { banker: 500 });
  expect(await recallAll(patron)).toMatchObject([
    { slip: { banker: 500 }, creditBefore: 100_000, creditAfter: 99_500 },
  ]);
  for (const before of ['tiger:1', 'baccarat:1', 'nowhere:7']) {
    expect(await page(patron, before)).toMatchObject({ rounds: [], next: null });
  }
  for (const before of ['tiger', 'tiger:x', '../tiger:1', 7]) {
    expect(await patron.refusalOf({ type: 'recall', id: 'recall-0000', before })).toMatchObject({
      code: 'bad-request',
    });
  }
  patron.terminate();
  await server.close();
});

/** A session that bet at one table, then set and withdrew stakes at another many times, and changed the first bet. */
async function moveBackAndForth(repeats: number) {
  const memory = createMemoryStore();
  const counted = { entries: 0 };
  const store = {
    ...memory,
    findBySubject: async (...what: Parameters<typeof memory.findBySubject>) => {
      const found = await memory.findBySubject(...what);
      counted.entries += found.length;
      return found;
    },
  };
  const server = await startTestServer({ store, tables: ['tiger', 'baccarat'], times: { bettingTime: 600_000 } });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await server.floor.terminals.begin('T1', 100_000);
  let ids = 0;
  const bet = (table: string, slip: object) => {
    const { processor } = server.floor.tables.get(table)!;
    const round = processor.state!.round!.id;
    return processor.submit(`bet-${(ids += 1)}`, { type: 'SetSlip', actor: { terminal: 'T1.1' }, round, slip });
  };
  const areOpen = () =>
    [...server.floor.tables.values()].every(({ processor }) => processor.state?.phase === 'betting');
  await pollUntil(areOpen);
  await bet('tiger', { tie: 100 });
  const bets = Array.from({ length: repeats }, (_, n) => bet('baccarat', n % 2 === 0 ? { tie: 100 } : {}));
  for (const result of await Promise.all(bets)) expect(result).toHaveProperty('entries');
  await bet('tiger', { tie: 300 });
  await bet('tiger', { banker: 300 });
  return { store, counted, server, patron };
}

const pollUntil = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => void setImmediate(resolve));
};

test('a recall page also ends after a number of withdrawn stakes, and the next continues', async () => {
  const { counted, server, patron } = await moveBackAndForth(1_200);
  counted.entries = 0;
  const first = await page(patron);
  expect(first).toMatchObject({ rounds: [], next: expect.stringContaining(',tiger:') });
  expect(counted.entries).toBeLessThan(600);
  counted.entries = 0;
  const { id } = server.floor.tables.get('tiger')!.processor.state!.round!;
  expect(await recallAll(patron)).toMatchObject([
    { table: 'tiger', id, slip: { banker: 300 }, settled: [], creditBefore: 100_000, creditAfter: 99_700 },
  ]);
  // Each stake once, and the entries of the one round that was played.
  expect(counted.entries).toBeLessThan(1_300);
  patron.terminate();
  await server.close();
});

test('recall stops reading when the connection is closed', async () => {
  const { store, counted, server, patron } = await moveBackAndForth(600);
  counted.entries = 0;
  let reads = 0;
  await readRoundRecallPage({ store, owner: demoOwner, isWanted: () => (reads += 1) < 3 }, 'T1.1');
  expect(counted.entries).toBeLessThan(300);
  patron.terminate();
  await server.close();
});

test('recall is rate limited, and empty without a seat', async () => {
  const server = await startTestServer({ tables: ['tiger'], limits: { recallBurst: 2, recallsPerSecond: 0 } });
  const patron = await PatronSocket.join(server, secretOf('1'));
  expect(await page(patron)).toMatchObject({ rounds: [], next: null });
  expect(await page(patron)).toMatchObject({ rounds: [], next: null });
  expect(await patron.refusalOf({ type: 'recall', id: 'recall-0001' })).toMatchObject({
    code: 'too-many-messages',
    id: 'recall-0001',
  });
  patron.terminate();
  await server.close();
});
