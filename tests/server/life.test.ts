import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { verify } from '../../src/floor/verify.ts';
import { memoryStore } from '../../src/store/memory.ts';
import { type Append } from '../../src/store/store.ts';
import { Guest, house, secretOf } from './house.ts';

const quick = { times: { bettingTime: 400, grace: 50, pause: 50 }, pace: { betweenRounds: 100, betweenCards: 20 } };

test('a round is played from bet to paid, and versions have no gaps', async () => {
  const server = await house({ ...quick, tables: ['tiger'] });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  const round = await guest.round();
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1000, banker: 1000, tie: 100 } });
  await guest.hears('accepted');
  const { view } = await guest.hears('own', ({ view: { paid } }) => paid !== null && paid.length === 3);
  const back = view.paid!.reduce((sum, { returned }) => sum + returned, 0);
  expect(view.credit).toBe(100_000 - 2100 + back);
  expect(view.paid!.every(({ by }) => by.startsWith('ETG '))).toBe(true);
  const late = await guest.refusal({ type: 'slip', id: 'slip-0002', table: 'tiger', round, slip: { tie: 200 } });
  expect(late).toMatchObject({ code: 'bets-closed', by: expect.stringMatching(/^ETG/) });
  // The stakes of the last round can be staked again in the next.
  const next = await guest.hears('own', (own) => own.view.round?.id !== round && own.view.round !== null);
  expect(next.view).toMatchObject({ slip: {}, again: { player: 1000, banker: 1000, tie: 100 } });

  const versions = guest.heard.flatMap((tell) => (tell.type === 'table' ? [tell] : []));
  expect(versions[0]!.whole).toBe(true);
  versions.slice(1).forEach(({ version, whole }, n) => {
    expect(whole).toBe(false);
    expect(version).toBe(versions[n]!.version + 1);
  });
  // No card before it is due: each message holds one more at most.
  const counts = versions.flatMap(({ view: { round: shown } }) => (shown?.id === round ? [shown.cards.length] : []));
  counts.slice(1).forEach((count, n) => expect(count - counts[n]!).toBeLessThanOrEqual(1));
  guest.leave();
  await server.close();
});

test('a slip after the close is refused by its clause, and what was accepted stands', async () => {
  const server = await house({ ...quick, tables: ['tiger'], pace: { betweenRounds: 100, betweenCards: 300 } });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  const round = await guest.round();
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await guest.hears('accepted');
  await guest.hears('table', ({ view }) => view.phase === 'dealing');
  const slip = (id: string, stakes: object) => ({ type: 'slip', id, table: 'tiger', round, slip: stakes });
  expect(await guest.refusal(slip('slip-0002', { tie: 500 }))).toMatchObject({ code: 'late-raise', by: 'ETG 5.5' });
  expect(await guest.refusal(slip('slip-0003', {}))).toMatchObject({ code: 'late-withdrawal' });
  const { view } = await guest.hears('own', (own) => own.view.stake > 0);
  expect(view.slip).toEqual({ tie: 100 });
  guest.leave();
  await server.close();
});

test('a server that closes takes no more bets, deals to the end, and comes back where it was', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const key = randomBytes(32);
  const settled = { store, key, tables: ['tiger'], times: { interruption: 0 } };
  const first = await house(settled);
  const guest = await Guest.seated(first, secretOf('1'), 'tiger');
  const round = await guest.round();
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await guest.hears('accepted');
  await first.close();
  expect(await guest.left()).toMatchObject({ code: 1001, reason: 'server-closing' });

  // Away for longer than the table takes in its stride: no outcome was established, and the round is void.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await house({ ...settled, pace: { betweenRounds: 60_000, betweenCards: 0 } });
  const back = await Guest.seated(second, secretOf('1'), 'tiger');
  const { view } = await back.hears('table', (told) => Boolean(told.view.notice));
  expect(view).toMatchObject({ notice: { kind: 'void', by: 'ETG 5.9.1' }, round: { voidBy: 'ETG 5.9.1' } });
  expect((await back.hears('own', (own) => own.view.paid !== null)).view).toMatchObject({
    credit: 100_000,
    paid: [{ wager: 'tie', result: 'void', returned: 100, by: 'ETG 5.9.1' }],
  });
  back.leave();
  await second.close();
  expect((await verify(store)).problem).toBeUndefined();
});

test('a table that cannot go on says so to everyone, and the others go on', async () => {
  const store = memoryStore();
  let broken = false;
  const disk = {
    ...store,
    append: async (batch: Append) => {
      if (broken && batch.stream.endsWith('/tiger')) throw new Error('The disk is gone.');
      return store.append(batch);
    },
  };
  const troubles: string[] = [];
  const server = await house({ store: disk, tables: ['tiger', 'baccarat'], trouble: (what) => troubles.push(what) });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  const watcher = await Guest.seated(server, secretOf('2'));
  const round = await guest.round();
  broken = true;
  const late = await guest.refusal({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  expect(late).toMatchObject({ code: 'table-stopped', id: 'slip-0001' });
  const { view } = await guest.hears('table', (told) => Boolean(told.view.stopped));
  expect(view.stopped).toEqual({ kind: 'broken', by: null });
  const { tiles } = await watcher.hears('lobby', (told) => told.tiles.some(({ stopped }) => stopped));
  expect(tiles.map(({ table }) => table)).toEqual(['tiger']);
  expect(troubles).toEqual(['table tiger']);
  guest.say({ type: 'sit', table: 'baccarat' });
  const other = await guest.hears('table', (told) => told.table === 'baccarat' && Boolean(told.view.round));
  guest.say({ type: 'slip', id: 'slip-0002', table: 'baccarat', round: other.view.round!.id, slip: { tie: 100 } });
  await guest.hears('accepted', ({ id }) => id === 'slip-0002');
  expect((await guest.hears('own', (own) => own.table === 'baccarat' && own.view.stake > 0)).view.credit).toBe(99_900);
  guest.leave();
  watcher.leave();
  await server.close();
});

test('what was staked last can be staked again after a restart', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const settled = { store, key: randomBytes(32), tables: ['tiger'] };
  const first = await house({ ...quick, ...settled });
  const guest = await Guest.seated(first, secretOf('1'), 'tiger');
  const round = await guest.round();
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1000, tie: 100 } });
  await guest.hears('accepted');
  await guest.hears('own', (own) => own.view.round !== null && own.view.round.id !== round);
  await first.close();
  const second = await house(settled);
  const back = await Guest.seated(second, secretOf('1'), 'tiger');
  expect((await back.hears('own')).view.again).toEqual({ player: 1000, tie: 100 });
  back.leave();
  await second.close();
});

test('a clock that was set back between two starts stops nothing', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const ahead = Date.now() + 3_600_000;
  await store.beat(ahead);
  const server = await house({ ...quick, store, tables: ['tiger'] });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  await guest.hears('table', ({ view }) => Boolean(view.round?.winner));
  expect((await guest.hears('welcome')).at).toBeGreaterThanOrEqual(ahead);
  guest.leave();
  await server.close();
  expect((await verify(store)).problem).toBeUndefined();
});

test('connections and new terminals of one address are limited', async () => {
  const server = await house({ tables: ['tiger'], limits: { connectionsPerAddress: 2, seatsPerMinute: 1 } });
  const one = await Guest.seated(server, secretOf('1'), 'tiger');
  const two = await Guest.seated(server, secretOf('2'));
  expect(await two.refusal({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  await expect(Guest.arrive(server)).rejects.toThrow('503');
  one.leave();
  two.leave();
  await server.close();
});

test('a reader that does not keep up is dropped, and gets the whole when it comes back', async () => {
  const server = await house({ tables: ['tiger'], limits: { unread: 50_000, burst: 1_000_000 } });
  const slow = await Guest.seated(server, secretOf('1'), 'tiger');
  slow.socket.pause();
  const gone = new Promise((resolve) => slow.socket.once('close', resolve));
  let asked = 0;
  const asking = setInterval(() => {
    if (slow.socket.readyState !== slow.socket.OPEN) return;
    for (let n = 0; n < 2000; n++, asked++) slow.say({ type: 'whole', of: 'table' });
  }, 5);
  setTimeout(() => slow.socket.resume(), 2_000);
  await gone;
  clearInterval(asking);
  expect(asked).toBeGreaterThan(0);
  const back = await Guest.seated(server, secretOf('1'), 'tiger');
  expect((await back.hears('table')).whole).toBe(true);
  back.leave();
  await server.close();
});
