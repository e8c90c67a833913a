import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { floorHeartbeat } from '../../src/runtime/ports/heartbeats.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { PatronConnection } from '../../src/server/socket/patronConnection.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type AppendRequest, DamagedRecord, type Store } from '../../src/store/store.ts';
import { WriteFailed } from '../../src/store/failures.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { Clock } from './clock.ts';
import { type Outage } from '../../src/runtime/ports/outageReporter.ts';
import { Guest, house, secretOf } from './house.ts';

const quick = { times: { bettingTime: 400, grace: 50, pause: 50 }, pace: { betweenRounds: 100, betweenCards: 20 } };

test('a round runs from bet to payment without gaps in view versions', async () => {
  const time = new Clock();
  const server = await house({ ...quick, time, tables: ['tiger'] });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  await time.when(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await guest.round();
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1000, banker: 1000, tie: 100 } });
  await guest.hears('accepted');
  const { view } = await time.until(guest.hears('own', ({ view: { paid } }) => paid !== null && paid.length === 3));
  const back = view.paid!.reduce((sum, { returned }) => sum + returned, 0);
  expect(view.credit).toBe(100_000 - 2100 + back);
  expect(view.paid!.every(({ by }) => by.startsWith('ETG '))).toBe(true);
  const late = await guest.refusal({ type: 'slip', id: 'slip-0002', table: 'tiger', round, slip: { tie: 200 } });
  expect(late).toMatchObject({ code: 'bets-closed', by: expect.stringMatching(/^ETG/) });
  // The stakes of the last round can be staked again in the next.
  const next = await time.until(guest.hears('own', (own) => own.view.round?.id !== round && own.view.round !== null));
  expect(next.view).toMatchObject({ slip: {}, rebet: { player: 1000, banker: 1000, tie: 100 } });

  const versions = guest.heard.flatMap((tell) => (tell.type === 'table' ? [tell] : []));
  versions.slice(1).forEach(({ version }, n) => expect(version).toBe(versions[n]!.version + 1));
  // No card before it is due: each message holds one more at most.
  const counts = versions.flatMap(({ view: shown }) => (shown.round?.id === round ? [shown.cards.length] : []));
  counts.slice(1).forEach((count, n) => expect(count - counts[n]!).toBeLessThanOrEqual(1));
  guest.leave();
  await time.until(server.close());
});

test('a slip after the close of bets is refused with its clause, and accepted stakes stay', async () => {
  const time = new Clock();
  const server = await house({ ...quick, time, tables: ['tiger'] });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  await time.when(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await guest.round();
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await guest.hears('accepted');
  await time.when(() => server.floor.tables.get('tiger')!.table.phase === 'dealing');
  await guest.hears('table', ({ view }) => view.phase === 'dealing');
  const slip = (id: string, stakes: object) => ({ type: 'slip', id, table: 'tiger', round, slip: stakes });
  expect(await guest.refusal(slip('slip-0002', { tie: 500 }))).toMatchObject({ code: 'late-raise', by: 'ETG 5.5' });
  expect(await guest.refusal(slip('slip-0003', {}))).toMatchObject({ code: 'late-withdrawal' });
  const { view } = await guest.hears('own', (own) => own.view.stake > 0);
  expect(view.slip).toEqual({ tie: 100 });
  guest.leave();
  await time.until(server.close());
});

test('a server closes its store only when no command is in flight', async () => {
  const memory = memoryStore();
  const submitted = Promise.withResolvers<void>();
  let [inFlight, inFlightAtClose, hasSubmitted] = [0, -1, false];
  const store: Store = {
    ...memory,
    append: async (append) => {
      inFlight += 1;
      try {
        if (hasSubmitted)
          for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
        return await memory.append(append);
      } finally {
        inFlight -= 1;
        // As a disconnect does that is noticed after the tables are parked.
        if (append.entries.some(({ event }) => event.type === 'FloorClosed') && !hasSubmitted) {
          hasSubmitted = true;
          void server.floor.tables.get('tiger')!.submit('late-0001', { type: 'CallClose', actor: { system: 'floor' } });
          submitted.resolve();
        }
      }
    },
    close: async () => {
      inFlightAtClose = inFlight;
      await memory.close();
    },
  };
  const server = await house({ store, tables: ['tiger'] });
  await vi.waitFor(() => expect(server.floor.tables.get('tiger')!.table.phase).toBe('betting'), { timeout: 60_000 });
  await server.close();
  await submitted.promise;
  expect(inFlightAtClose).toBe(0);
});

test('a closing server refuses bets, finishes the round, and a restart continues', async () => {
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
  expect(view).toMatchObject({ notice: { kind: 'void', by: 'ETG 5.9.1' } });
  expect((await back.hears('own', (own) => own.view.paid !== null)).view).toMatchObject({
    credit: 100_000,
    paid: [{ wager: 'tie', result: 'void', returned: 100, by: 'ETG 5.9.1' }],
  });
  back.leave();
  await second.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('a crashed table is shown as broken and other tables continue', async () => {
  const troubles: string[] = [];
  const time = new Clock();
  const server = await house({ time, tables: ['tiger', 'baccarat'], fault: (what) => troubles.push(what) });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  const watcher = await Guest.seated(server, secretOf('2'));
  const tiger = server.floor.tables.get('tiger')!;
  await time.when(() => tiger.table.phase === 'betting');
  const round = await guest.round();
  const slip = { tie: 100 };
  const defect = {
    get credit(): number {
      throw new Error('Something of ours is wrong.');
    },
  };
  const asked = { type: 'SetSlip', actor: { terminal: 'T1.1' }, round, slip };
  const broken = tiger.submit('broken', asked, time.now(), defect);
  expect(await time.until(broken)).toMatchObject({ refused: 'table-stopped' });
  const late = await guest.refusal({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip });
  expect(late).toMatchObject({ code: 'table-stopped', id: 'slip-0001' });
  const { view } = await guest.hears('table', (told) => Boolean(told.view.stopped));
  expect(view.stopped).toEqual({ kind: 'broken', by: null });
  const { tiles } = await watcher.hears('lobby', (told) => told.tiles.some(({ stopped }) => stopped));
  expect(tiles.map(({ table, stopped }) => [table, stopped])).toEqual([
    ['baccarat', null],
    ['tiger', 'broken'],
  ]);
  expect(troubles).toEqual(['table tiger, which has stopped']);
  await betsElsewhere(guest);
  guest.leave();
  watcher.leave();
  await time.until(server.close());
});

test('a crash of the floor stream is reported by name', async () => {
  const [store, troubles, lost]: [Store, string[], unknown[]] = [memoryStore(), [], []];
  let isDamaged = false;
  const disk: Store = {
    ...store,
    append: async (batch) => {
      if (isDamaged && batch.stream.endsWith('/floor/main')) throw new DamagedRecord('A page is not as it was.');
      return store.append(batch);
    },
  };
  const time = new Clock();
  const server = await house({
    time,
    store: disk,
    tables: ['tiger'],
    fault: (what, error) => troubles.push(`${what}: ${String(error)}`),
    disconnected: (error) => lost.push(error),
  });
  isDamaged = true;
  const stopped = 'The journal of the floor has stopped; see what was said of it before, and start the server again.';
  for (const at of [1, 2]) await expect(server.floor.floorStream.recordClockJump(at, 9)).rejects.toThrow(stopped);
  expect(troubles).toEqual(['the journal, which has stopped: Error: A page is not as it was.']);
  expect(lost).toHaveLength(1);
  await time.until(server.close());
});

test('a floor after a fatal store failure leaves no timer or handle', async () => {
  const [store, lost]: [Store, unknown[]] = [memoryStore(), []];
  let isLost = false;
  const fails = async (error: Error): Promise<never> => {
    throw error;
  };
  const disk: Store = {
    ...store,
    append: (batch) => (isLost ? fails(new WriteFailed('disk I/O error')) : store.append(batch)),
    recordHeartbeats: (names, at) =>
      isLost ? fails(new DamagedRecord('A page is gone.')) : store.recordHeartbeats(names, at),
  };
  const time = new Clock();
  const server = await house({
    time,
    store: disk,
    tables: ['tiger', 'baccarat'],
    times: { bettingTime: 1_000 },
    fault: () => {},
    outage: () => {},
    disconnected: (error) => lost.push(error),
  });
  isLost = true;
  await time.when(() => lost.length > 0);
  await time.until(server.close());
  await time.pass(60_000);
  expect(time.waiting).toBe(0);
});

async function betsElsewhere(guest: Guest): Promise<void> {
  guest.say({ type: 'sit', table: 'baccarat' });
  const other = await guest.hears('table', (told) => told.table === 'baccarat' && Boolean(told.view.round));
  guest.say({ type: 'slip', id: 'slip-0002', table: 'baccarat', round: other.view.round!.id, slip: { tie: 100 } });
  await guest.hears('accepted', ({ id }) => id === 'slip-0002');
  await guest.hears('own', (own) => own.table === 'baccarat' && own.view.stake === 100);
}

test('a table on a full disk shows cannot-record, refuses bets at once and recovers', async () => {
  const store = memoryStore();
  let isFull = false;
  const disk = {
    ...store,
    append: async (batch: AppendRequest) => {
      if (isFull && batch.stream.endsWith('/tiger')) throw new Error('The disk is full.');
      return store.append(batch);
    },
  };
  const told: Outage[] = [];
  const time = new Clock();
  const server = await house({
    store: disk,
    time,
    tables: ['tiger', 'baccarat'],
    outage: (outage) => told.push(outage),
  });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  const watcher = await Guest.seated(server, secretOf('2'));
  await time.when(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await guest.round();
  const bet = (id: string) => ({ type: 'slip', id, table: 'tiger', round, slip: { tie: 100 } });
  isFull = true;
  const first = await time.until(guest.refusal(bet('slip-0001')));
  expect(first).toMatchObject({ code: 'result-unknown', id: 'slip-0001' });
  const { view } = await guest.hears('table', ({ view: { stopped } }) => stopped !== null);
  expect(view.stopped).toEqual({ kind: 'cannot-record', by: null });
  const { tiles } = await watcher.hears('lobby', (one) => one.tiles.some(({ stopped }) => stopped));
  expect(tiles.map(({ table, stopped }) => [table, stopped])).toEqual([
    ['baccarat', null],
    ['tiger', 'cannot-record'],
  ]);
  // The clock of the floor stands still here.
  expect(await guest.refusal(bet('slip-0003'))).toMatchObject({ code: 'cannot-record', id: 'slip-0003' });
  expect(told).toMatchObject([{ state: 'begun', failures: 1, error: new Error('The disk is full.') }]);
  await time.pass(5_000);
  isFull = false;
  const heard = guest.heard.length;
  const seen = watcher.heard.length;
  await time.until(guest.hears('table', (one) => one.view.stopped === null, heard));
  await watcher.hears('lobby', (one) => one.tiles.every(({ stopped }) => stopped === null), seen);
  expect(told[1]).toMatchObject({ state: 'over', waiting: [] });
  expect(told[1]!.lasted).toBeGreaterThan(5_000);
  guest.say(bet('slip-0004'));
  await guest.hears('accepted', ({ id }) => id === 'slip-0004');
  await betsElsewhere(guest);
  guest.leave();
  watcher.leave();
  await time.until(server.close());
});

test('the last stakes can be repeated after a restart', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const settled = { store, key: randomBytes(32), tables: ['tiger'] };
  const time = new Clock();
  const first = await house({ ...quick, ...settled, time });
  const guest = await Guest.seated(first, secretOf('1'), 'tiger');
  await time.when(() => first.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await guest.round();
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1000, tie: 100 } });
  await guest.hears('accepted');
  await time.until(guest.hears('own', (own) => own.view.round !== null && own.view.round.id !== round));
  await time.until(first.close());
  const second = await house(settled);
  const back = await Guest.seated(second, secretOf('1'), 'tiger');
  expect((await back.hears('own')).view.rebet).toEqual({ player: 1000, tie: 100 });
  back.leave();
  await second.close();
});

test('a clock set back between two starts does not stop the floor', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const ahead = Date.now() + 3_600_000;
  await store.recordHeartbeats([floorHeartbeat], ahead);
  const server = await house({ ...quick, store, tables: ['tiger'] });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  await guest.hears('table', ({ view }) => Boolean(view.round?.winner));
  expect((await guest.hears('welcome')).at).toBeGreaterThanOrEqual(ahead);
  guest.leave();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('sockets and new terminals per address are limited', async () => {
  const server = await house({ tables: ['tiger'], limits: { maxSocketsPerAddress: 2, seatsPerMinute: 1 } });
  const one = await Guest.seated(server, secretOf('1'), 'tiger');
  const two = await Guest.seated(server, secretOf('2'));
  expect(await two.refusal({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  await expect(Guest.arrive(server)).rejects.toThrow('503');
  one.leave();
  two.leave();
  await server.close();
});

test('a connection that does not keep up is dropped and gets the full view after reconnecting', async () => {
  const server = await house({ tables: ['tiger'], limits: { maxUnreadBytes: 50_000, messageBurst: 1_000_000 } });
  const slow = await Guest.seated(server, secretOf('1'), 'tiger');
  slow.socket.pause();
  const gone = new Promise((resolve) => slow.socket.once('close', resolve));
  // Nobody else puts it out: it is not asked whether it is still there.
  const ping = vi.spyOn(PatronConnection.prototype, 'ping').mockImplementation(() => {});
  let asked = 0;
  const asking = setInterval(() => {
    if (slow.socket.readyState !== slow.socket.OPEN) return;
    for (let n = 0; n < 2000; n++, asked++) slow.say({ type: 'whole', of: 'table' });
  }, 5);
  setTimeout(() => slow.socket.resume(), 2_000);
  await gone;
  clearInterval(asking);
  expect(asked).toBeGreaterThan(0);
  ping.mockRestore();
  const back = await Guest.seated(server, secretOf('1'), 'tiger');
  expect((await back.hears('table')).view.table).toBe('tiger');
  back.leave();
  await server.close();
});

test('pings count as messages, and a client that does not read pongs is dropped', async () => {
  const server = await house({ tables: ['tiger'] });
  const polite = await Guest.seated(server, secretOf('1'));
  const pong = once(polite.socket, 'pong');
  polite.socket.ping('activity');
  expect(String((await pong)[0])).toBe('activity');
  const flood = await Guest.arrive(server);
  for (let n = 0; n < 1_000; n++) flood.socket.ping('x'.repeat(100));
  expect(await flood.left()).toMatchObject({ code: 1008, reason: 'too-many-messages' });
  polite.leave();
  await server.close();
});

test('a connection that closed while taking a seat gets no view', async () => {
  let slow = Promise.resolve();
  const store = memoryStore();
  const disk = {
    ...store,
    append: async (batch: AppendRequest) => {
      await slow;
      return store.append(batch);
    },
  };
  const server = await house({ store: disk, tables: ['tiger'] });
  const stays = await Guest.seated(server, secretOf('1'), 'tiger');
  const round = await stays.round();
  const written = Promise.withResolvers<void>();
  slow = written.promise;
  const sent: string[] = [];
  const send = vi
    .spyOn(PatronConnection.prototype, 'sendText')
    .mockImplementation((text) => void sent.push(String(text)));
  for (let n = 0; n < 20; n++) {
    const hasty = await Guest.arrive(server);
    hasty.say({ type: 'hello', v: protocolVersion, secret: n.toString(16).padStart(2, 'f').repeat(32) });
    hasty.say({ type: 'sit', table: 'tiger' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    hasty.leave();
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  written.resolve();
  await new Promise((resolve) => setTimeout(resolve, 100));
  sent.length = 0;
  stays.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  // The answer, its own view, the stakes of all, and its money when it was seated and when it bet: beside the beat that
  // everyone hears.
  const types = (): readonly string[] =>
    sent.map((text) => (JSON.parse(text) as { type: string }).type).filter((type) => type !== 'heartbeat');
  const expected = ['accepted', 'balance', 'balance', 'change', 'own'];
  await vi.waitFor(() => expect(types().length).toBeGreaterThanOrEqual(expected.length), { timeout: 300_000 });
  expect(types().toSorted()).toEqual(expected);
  send.mockRestore();
  stays.leave();
  await server.close();
});

test('a server on a full disk still closes', async () => {
  const store = memoryStore();
  let full = false;
  const fails = async (): Promise<never> => {
    throw new Error('No room is left on the disk.');
  };
  const disk = {
    ...store,
    append: async (batch: AppendRequest) => (full ? fails() : store.append(batch)),
    recordHeartbeats: async (names: readonly string[], at: number) =>
      full ? fails() : store.recordHeartbeats(names, at),
  };
  const troubles: string[] = [];
  const server = await house({ ...quick, store: disk, tables: ['tiger'], fault: (what) => troubles.push(what) });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  await guest.round();
  full = true;
  await server.close();
  expect(troubles).toContain('closing');
  expect(await guest.left()).toMatchObject({ code: 1001 });
  expect((await verifyStore(store)).problem).toBeUndefined();
});
