import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { WagerTotalsCache } from '../../../src/runtime/projections/wagerTotalsCache.ts';
import { type RoundSearchCriteria, RoundSearch } from '../../../src/server/staff/queries/roundSearch.ts';
import { readRoundTimeline } from '../../../src/server/staff/queries/roundTimeline.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type ListedRound, type RoundCursor } from '../../../src/wire/staff/roundTypes.ts';
import { demoOwner } from '../../runtime/support/demo.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

const times = { bettingTime: 60_000 };

test('a round is listed, with a timeline of events, postings and results per session', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const key = randomBytes(32);
  const clock = new TestScheduler();
  const server = await startTestServer({ store, key, tables: ['tiger'], times, scheduler: clock });
  const patrons = await Promise.all(['1', '2'].map((one) => PatronSocket.join(server, secretOf(one), 'tiger')));
  const now = () => server.floor.tables.get('tiger')!.table;
  await clock.advanceUntil(() => now().phase === 'betting');
  const round = now().round!.id;
  const slips = [{ banker: 1000, tie: 200 }, { player: 500 }];
  for (const [n, slip] of slips.entries()) {
    patrons[n]!.send({ type: 'slip', id: `slip-${n}-00000`, table: 'tiger', round, slip });
    await clock.advanceUntilSettled(patrons[n]!.receive('accepted'));
  }
  await clock.advanceUntil(() => now().history.some(({ id }) => id === round));
  const timeline = (await readRoundTimeline(store, demoOwner, round))!;
  expect(timeline).toMatchObject({ table: 'tiger', round, number: 1, slips: { count: 2 } });
  const types = timeline.steps.map(({ event }) => event.type);
  expect(types.slice(0, 3)).toEqual(['BetsOpened', 'ClosingCalled', 'BetsClosed']);
  expect(types.slice(-2)).toEqual(['RoundSettled', 'SettlementPosted']);
  expect(JSON.stringify(timeline)).not.toMatch(/"(salt|proof)"/);
  const posted = timeline.steps.at(-1)!;
  expect(posted.allPostings).toBe(posted.postings.length);
  const returnedTo = (session: string): number =>
    posted.postings
      .filter(({ to }) => to.endsWith(`/terminal/${session}`))
      .reduce((sum, { amount }) => sum + amount, 0) -
    posted.postings
      .filter(({ from }) => from.endsWith(`/terminal/${session}`))
      .reduce((sum, { amount }) => sum + amount, 0);
  expect(timeline.rows.map(({ slip }) => slip)).toEqual(slips);
  for (const { session, returned } of timeline.rows) expect(returned).toBe(returnedTo(session));
  expect([timeline.entries[1], timeline.steps.length]).toEqual([timeline.steps.at(-1)!.sequence, types.length]);
  expect(timeline.head).toMatch(/^sha256:/);
  expect(await readRoundTimeline(store, demoOwner, 'nothing')).toBeUndefined();

  const rounds = new RoundSearch(store, server.floor, () => null);
  const found = async (sought: RoundSearchCriteria) => (await rounds.find(sought)).rounds.map(({ id }) => id);
  const [listed] = (await rounds.find({ text: round.toUpperCase() })).rounds;
  expect(listed).toMatchObject({ id: round, table: 'tiger', playing: false, corrected: false, isVoid: false });
  const settlement = timeline.steps.find(({ event }) => event.type === 'RoundSettled')!;
  const returned = timeline.rows.reduce((sum, row) => sum + row.returned!, 0);
  expect(listed).toMatchObject({ at: settlement.at, slips: 2, staked: 1700, returned });
  expect(await found({ only: 'void' })).toEqual([]);
  expect(await found({ only: 'corrected' })).toEqual([]);
  expect(await found({ table: 'baccarat' })).toEqual([]);
  const [session] = timeline.rows.map((row) => row.session);
  expect(await found({ terminal: session! })).toEqual([round]);
  expect(await found({ terminal: session!.slice(0, session!.lastIndexOf('.')).toUpperCase() })).toEqual([round]);
  expect(await found({ terminal: 'nobody' })).toEqual([]);
  expect(await found({ person: 'D-1' })).toEqual([]);
  expect(await found({ since: settlement.at, until: settlement.at })).toEqual([round]);
  expect(await found({ until: settlement.at - 1 })).toEqual([]);
  expect(await found({ since: settlement.at + 1 })).not.toContain(round);
  expect(await found({ winner: listed!.winner!, until: settlement.at, only: 'settled' })).toEqual([round]);
  const others = (['player', 'banker', 'tie'] as const).filter((one) => one !== listed!.winner);
  for (const winner of others) expect(await found({ winner })).not.toContain(round);

  const totals = await new WagerTotalsCache({ store, key }).totalsOf('demo/table/tiger');
  expect(totals.weights[Object.keys(totals.weights)[0]!]).toMatchObject({
    banker: { rounds: 1, staked: 1000, squares: '1000000' },
    player: { staked: 500 },
    tie: { staked: 200 },
  });
  await server.close();
});

test('round search lists all tables by time, page by page without repeats, and stops at its limit', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const clock = new TestScheduler();
  const tables = ['baccarat', 'tiger'];
  const server = await startTestServer({ store, tables, times: { bettingTime: 5_000 }, scheduler: clock });
  const played = (): number =>
    tables.reduce((sum, table) => sum + (server.floor.tables.get(table)?.table.history.length ?? 0), 0);
  await clock.advanceUntil(() => played() > 210);
  const rounds = new RoundSearch(store, server.floor, () => null);
  const all: ListedRound[] = [];
  let before: RoundCursor | undefined;
  for (let page = 0; page < 20; page += 1) {
    const { rounds: some, next } = await rounds.find(before === undefined ? {} : { before });
    all.push(...some);
    if (next === null) break;
    expect(some).toHaveLength(50);
    before = next;
  }
  const expected = tables.flatMap((table) => {
    const { round, history } = server.floor.tables.get(table)!.table;
    return [round!.id, ...history.map(({ id }) => id)];
  });
  expect(all.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  const at = all.map((one) => one.at ?? Infinity);
  expect(at).toEqual(at.toSorted((one, other) => other - one));
  expect(new Set(all.slice(0, 50).map(({ table }) => table))).toEqual(new Set(tables));

  const first = await rounds.find({ person: 'D-1' });
  expect(first).toMatchObject({ rounds: [], examined: 200, back: all[199]!.at, next: { at: all[199]!.at } });
  const second = await rounds.find({ person: 'D-1', before: first.next! });
  expect(second).toMatchObject({ rounds: [], examined: all.length - 200, next: null });
  const middle = all[60]!;
  const until = await rounds.find({ until: middle.at! });
  expect(until.rounds.map(({ id }) => id)).toEqual(all.slice(60, 110).map(({ id }) => id));
  const clauses = (await readRoundTimeline(store, demoOwner, middle.id))!.steps.map(({ event }) => event['by']);
  const clause = String(clauses.find((by) => typeof by === 'string' && by.includes('.')));
  const [chapter] = clause.split('.', 1);
  for (const one of [clause, chapter!, clause.split(' ')[1]!]) {
    expect((await rounds.find({ clause: one, table: middle.table })).rounds).not.toEqual([]);
  }
  expect((await rounds.find({ clause: chapter!.slice(0, -1) })).rounds).toEqual([]);
  await server.close();
});

test('totals are cached, continued from their end, and rebuilt when the cache is not authentic', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const key = randomBytes(32);
  const clock = new TestScheduler();
  const server = await startTestServer({ store, key, tables: ['tiger'], times, scheduler: clock });
  await clock.advanceUntil(() => server.floor.tables.get('tiger')!.table.history.length > 0);
  await server.close();
  const stream = 'demo/table/tiger';
  const first = new WagerTotalsCache({ store, key });
  const found = structuredClone(await first.totalsOf(stream));
  expect(found.sequence).toBeGreaterThan(10);
  await first.save();
  await first.save();
  const read: number[] = [];
  const watched = {
    ...store,
    read: (of: string, after?: number, batchSize?: number) => {
      read.push(after ?? 0);
      return store.read(of, after, batchSize);
    },
  };
  expect(await new WagerTotalsCache({ store: watched, key }).totalsOf(stream)).toEqual(found);
  expect(read).toEqual([found.sequence]);
  expect(await new WagerTotalsCache({ store: watched, key: randomBytes(32) }).totalsOf(stream)).toEqual(found);
  expect(read).toEqual([found.sequence, 0]);
});
