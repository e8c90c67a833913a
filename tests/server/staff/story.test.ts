import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { FloorFigures } from '../../../src/server/staff/figures.ts';
import { roundsAt } from '../../../src/server/staff/rounds.ts';
import { storyOf } from '../../../src/server/staff/story.ts';
import { memoryStore } from '../../../src/store/memory.ts';
import { demoOwner } from '../../floor/demo.ts';
import { Clock } from '../clock.ts';
import { Guest, house, secretOf } from '../house.ts';

const times = { bettingTime: 60_000 };

test('a round is listed and told event by event with its postings and what it came to for each session', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const key = randomBytes(32);
  const clock = new Clock();
  const server = await house({ store, key, tables: ['tiger'], times, time: clock });
  const guests = await Promise.all(['1', '2'].map((one) => Guest.seated(server, secretOf(one), 'tiger')));
  const now = () => server.floor.tables.get('tiger')!.table;
  await clock.when(() => now().phase === 'betting');
  const round = now().round!.id;
  const slips = [{ banker: 1000, tie: 200 }, { player: 500 }];
  for (const [n, slip] of slips.entries()) {
    guests[n]!.say({ type: 'slip', id: `slip-${n}-00000`, table: 'tiger', round, slip });
    await clock.until(guests[n]!.hears('accepted'));
  }
  await clock.when(() => now().history.some(({ id }) => id === round));
  const story = (await storyOf(store, demoOwner, round))!;
  expect(story).toMatchObject({ table: 'tiger', round, number: 1, slips: { count: 2 } });
  const types = story.steps.map(({ event }) => event.type);
  expect(types.slice(0, 3)).toEqual(['BetsOpened', 'ClosingCalled', 'BetsClosed']);
  expect(types.slice(-2)).toEqual(['RoundSettled', 'SettlementPosted']);
  expect(JSON.stringify(story)).not.toMatch(/"(salt|proof)"/);
  const posted = story.steps.at(-1)!;
  expect(posted.allPostings).toBe(posted.postings.length);
  const back = (session: string): number =>
    posted.postings
      .filter(({ to }) => to.endsWith(`/terminal/${session}`))
      .reduce((sum, { amount }) => sum + amount, 0) -
    posted.postings
      .filter(({ from }) => from.endsWith(`/terminal/${session}`))
      .reduce((sum, { amount }) => sum + amount, 0);
  expect(story.rows.map(({ slip }) => slip)).toEqual(slips);
  for (const { session, returned } of story.rows) expect(returned).toBe(back(session));
  expect([story.entries[1], story.steps.length]).toEqual([story.steps.at(-1)!.sequence, types.length]);
  expect(story.head).toMatch(/^sha256:/);
  expect(await storyOf(store, demoOwner, 'nothing')).toBeUndefined();

  const [listed] = roundsAt(server.floor, { text: round.toUpperCase() });
  expect(listed).toMatchObject({ id: round, table: 'tiger', playing: false, corrected: false, voidBy: null });
  expect(roundsAt(server.floor, { only: 'void' })).toEqual([]);
  expect(roundsAt(server.floor, { only: 'corrected' })).toEqual([]);
  expect(roundsAt(server.floor, { table: 'baccarat' })).toEqual([]);

  const figures = await new FloorFigures({ store, key }).of('demo/table/tiger');
  expect(figures.weights[Object.keys(figures.weights)[0]!]).toMatchObject({
    banker: { rounds: 1, staked: 1000, squares: '1000000' },
    player: { staked: 500 },
    tie: { staked: 200 },
  });
  await server.close();
});

test('figures are kept, read on from where they end, and made anew where somebody else has written them', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const key = randomBytes(32);
  const clock = new Clock();
  const server = await house({ store, key, tables: ['tiger'], times, time: clock });
  await clock.when(() => server.floor.tables.get('tiger')!.table.history.length > 0);
  await server.close();
  const stream = 'demo/table/tiger';
  const first = new FloorFigures({ store, key });
  const found = structuredClone(await first.of(stream));
  expect(found.sequence).toBeGreaterThan(10);
  await first.keep();
  await first.keep();
  const read: number[] = [];
  const watched = {
    ...store,
    read: (of: string, after?: number, most?: number) => {
      read.push(after ?? 0);
      return store.read(of, after, most);
    },
  };
  expect(await new FloorFigures({ store: watched, key }).of(stream)).toEqual(found);
  expect(read).toEqual([found.sequence]);
  expect(await new FloorFigures({ store: watched, key: randomBytes(32) }).of(stream)).toEqual(found);
  expect(read).toEqual([found.sequence, 0]);
});
