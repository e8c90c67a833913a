import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { floorHeartbeatName } from '../../../src/runtime/floor/heartbeats.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { DeviceConnection } from '../../../src/server/socket/deviceConnection.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type AppendRequest, DamagedStoreError, type Store } from '../../../src/store/store.ts';
import { WriteFailedError } from '../../../src/store/failures.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { type OutageReport } from '../../../src/runtime/stream/outageReporter.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

const quick = { times: { bettingTime: 400, grace: 50, pause: 50 }, pace: { betweenRounds: 100, betweenCards: 20 } };

test('a round runs from bet to payment without gaps in view versions', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({ ...quick, scheduler: time, tables: ['tiger'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1000, banker: 1000, tie: 100 } });
  await patron.receive('accepted');
  const { view } = await time.advanceUntilSettled(
    patron.receive('own', ({ view: { paid } }) => paid !== null && paid.length === 3),
  );
  const totalReturned = view.paid!.reduce((sum, { returned }) => sum + returned, 0);
  expect(view.credit).toBe(100_000 - 2100 + totalReturned);
  expect(view.paid!.every(({ by }) => by.startsWith('ETG '))).toBe(true);
  const lateRefusal = await patron.refusalOf({
    type: 'slip',
    id: 'slip-0002',
    table: 'tiger',
    round,
    slip: { tie: 200 },
  });
  expect(lateRefusal).toMatchObject({ code: 'bets-closed', by: expect.stringMatching(/^ETG/) });
  // The stakes of the last round can be repeated in the next.
  const next = await time.advanceUntilSettled(
    patron.receive('own', (own) => own.view.round?.id !== round && own.view.round !== null),
  );
  expect(next.view).toMatchObject({ slip: {}, rebet: { player: 1000, banker: 1000, tie: 100 } });

  const versions = patron.received.flatMap((message) => (message.type === 'table' ? [message] : []));
  versions.slice(1).forEach(({ version }, n) => expect(version).toBe(versions[n]!.version + 1));
  // No card before it is due: each message has at most one more.
  const counts = versions.flatMap(({ view: shown }) => (shown.round?.id === round ? [shown.cards.length] : []));
  counts.slice(1).forEach((count, n) => expect(count - counts[n]!).toBeLessThanOrEqual(1));
  patron.terminate();
  await time.advanceUntilSettled(server.close());
});

test('a slip after the close of bets is refused with its clause, and accepted stakes stay', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({ ...quick, scheduler: time, tables: ['tiger'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await patron.receive('accepted');
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'dealing');
  await patron.receive('table', ({ view }) => view.phase === 'dealing');
  const slip = (id: string, stakes: object) => ({ type: 'slip', id, table: 'tiger', round, slip: stakes });
  expect(await patron.refusalOf(slip('slip-0002', { tie: 500 }))).toMatchObject({ code: 'late-raise', by: 'ETG 5.5' });
  expect(await patron.refusalOf(slip('slip-0003', {}))).toMatchObject({ code: 'late-withdrawal' });
  const { view } = await patron.receive('own', (own) => own.view.stake > 0);
  expect(view.slip).toEqual({ tie: 100 });
  patron.terminate();
  await time.advanceUntilSettled(server.close());
});

test('a server closes its store only when no command is in flight', async () => {
  const memory = createMemoryStore();
  const submitted = Promise.withResolvers<void>();
  let [inFlight, inFlightAtClose, hasSubmitted] = [0, -1, false];
  const store: Store = {
    ...memory,
    append: async (append) => {
      inFlight += 1;
      try {
        if (hasSubmitted) for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
        return await memory.append(append);
      } finally {
        inFlight -= 1;
        // Like a disconnect that is noticed after the tables are parked.
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
  const server = await startTestServer({ store, tables: ['tiger'] });
  await vi.waitFor(() => expect(server.floor.tables.get('tiger')!.table.phase).toBe('betting'), { timeout: 60_000 });
  await server.close();
  await submitted.promise;
  expect(inFlightAtClose).toBe(0);
});

test('a closing server refuses bets, finishes the round, and a restart continues', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const key = randomBytes(32);
  const options = { store, key, tables: ['tiger'], times: { interruption: 0 } };
  const first = await startTestServer(options);
  const patron = await PatronSocket.join(first, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await patron.receive('accepted');
  await first.close();
  expect(await patron.waitForClose()).toMatchObject({ code: 1001, reason: 'server-closing' });

  // The interruption is longer than the table tolerates and no outcome was established, so the round is void.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await startTestServer({ ...options, pace: { betweenRounds: 60_000, betweenCards: 0 } });
  const returning = await PatronSocket.join(second, secretOf('1'), 'tiger');
  const { view } = await returning.receive('table', (message) => Boolean(message.view.notice));
  expect(view).toMatchObject({ notice: { kind: 'void', by: 'ETG 5.9.1' } });
  expect((await returning.receive('own', (own) => own.view.paid !== null)).view).toMatchObject({
    credit: 100_000,
    paid: [{ wager: 'tie', result: 'void', returned: 100, by: 'ETG 5.9.1' }],
  });
  returning.terminate();
  await second.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('a crashed table is shown as broken and other tables continue', async () => {
  const warnings: string[] = [];
  const time = new TestScheduler();
  const server = await startTestServer({
    scheduler: time,
    tables: ['tiger', 'baccarat'],
    warn: (what) => warnings.push(what),
  });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const watcher = await PatronSocket.join(server, secretOf('2'));
  const tiger = server.floor.tables.get('tiger')!;
  await time.advanceUntil(() => tiger.table.phase === 'betting');
  const round = await patron.bettingRound();
  const slip = { tie: 100 };
  const defect = {
    get credit(): number {
      throw new Error('Something of ours is wrong.');
    },
  };
  const payload = { type: 'SetSlip', actor: { terminal: 'T1.1' }, round, slip };
  const broken = tiger.submit('broken', payload, time.now(), defect);
  expect(await time.advanceUntilSettled(broken)).toMatchObject({ refused: 'table-stopped' });
  const lateRefusal = await patron.refusalOf({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip });
  expect(lateRefusal).toMatchObject({ code: 'table-stopped', id: 'slip-0001' });
  const { view } = await patron.receive('table', (message) => Boolean(message.view.stopped));
  expect(view.stopped).toEqual({ kind: 'broken', by: null });
  const { tiles } = await watcher.receive('lobby', (message) => message.tiles.some(({ stopped }) => stopped));
  expect(tiles.map(({ table, stopped }) => [table, stopped])).toEqual([
    ['baccarat', null],
    ['tiger', 'broken'],
  ]);
  expect(warnings).toEqual(['table tiger, which has stopped']);
  await betAtOtherTable(patron);
  patron.terminate();
  watcher.terminate();
  await time.advanceUntilSettled(server.close());
});

test('a crash of the floor stream is reported by name', async () => {
  const [store, warnings, lost]: [Store, string[], unknown[]] = [createMemoryStore(), [], []];
  let isDamaged = false;
  const disk: Store = {
    ...store,
    append: async (batch) => {
      if (isDamaged && batch.stream.endsWith('/floor/main')) throw new DamagedStoreError('A page is not as it was.');
      return store.append(batch);
    },
  };
  const time = new TestScheduler();
  const server = await startTestServer({
    scheduler: time,
    store: disk,
    tables: ['tiger'],
    warn: (what, error) => warnings.push(`${what}: ${String(error)}`),
    onFatal: (error) => lost.push(error),
  });
  isDamaged = true;
  const stopped = 'The floor stream has stopped. Read the error before this message, and start the server again.';
  for (const at of [1, 2]) await expect(server.floor.floorStream.recordClockJump(at, 9)).rejects.toThrow(stopped);
  expect(warnings).toEqual(['the floor stream, which has stopped: Error: A page is not as it was.']);
  expect(lost).toHaveLength(1);
  await time.advanceUntilSettled(server.close());
});

test('a floor after a fatal store failure leaves no timer or handle', async () => {
  const [store, lost]: [Store, unknown[]] = [createMemoryStore(), []];
  let isLost = false;
  const failAppend = async (error: Error): Promise<never> => {
    throw error;
  };
  const disk: Store = {
    ...store,
    append: (batch) => (isLost ? failAppend(new WriteFailedError('disk I/O error')) : store.append(batch)),
    recordHeartbeats: (names, at) =>
      isLost ? failAppend(new DamagedStoreError('A page is gone.')) : store.recordHeartbeats(names, at),
  };
  const time = new TestScheduler();
  const server = await startTestServer({
    scheduler: time,
    store: disk,
    tables: ['tiger', 'baccarat'],
    times: { bettingTime: 1_000 },
    warn: () => {},
    onOutage: () => {},
    onFatal: (error) => lost.push(error),
  });
  isLost = true;
  await time.advanceUntil(() => lost.length > 0);
  await time.advanceUntilSettled(server.close());
  await time.advance(60_000);
  expect(time.pendingTimers).toBe(0);
});

async function betAtOtherTable(patron: PatronSocket): Promise<void> {
  patron.send({ type: 'sit', table: 'baccarat' });
  const other = await patron.receive('table', (message) => message.table === 'baccarat' && Boolean(message.view.round));
  patron.send({ type: 'slip', id: 'slip-0002', table: 'baccarat', round: other.view.round!.id, slip: { tie: 100 } });
  await patron.receive('accepted', ({ id }) => id === 'slip-0002');
  await patron.receive('own', (own) => own.table === 'baccarat' && own.view.stake === 100);
}

test('a table on a full disk shows cannot-record, refuses bets at once and recovers', async () => {
  const store = createMemoryStore();
  let isFull = false;
  const disk = {
    ...store,
    append: async (batch: AppendRequest) => {
      if (isFull && batch.stream.endsWith('/tiger')) throw new Error('The disk is full.');
      return store.append(batch);
    },
  };
  const outages: OutageReport[] = [];
  const time = new TestScheduler();
  const server = await startTestServer({
    store: disk,
    scheduler: time,
    tables: ['tiger', 'baccarat'],
    onOutage: (outage) => outages.push(outage),
  });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const watcher = await PatronSocket.join(server, secretOf('2'));
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await patron.bettingRound();
  const bet = (id: string) => ({ type: 'slip', id, table: 'tiger', round, slip: { tie: 100 } });
  isFull = true;
  const first = await time.advanceUntilSettled(patron.refusalOf(bet('slip-0001')));
  expect(first).toMatchObject({ code: 'result-unknown', id: 'slip-0001' });
  const { view } = await patron.receive('table', ({ view: { stopped } }) => stopped !== null);
  expect(view.stopped).toEqual({ kind: 'cannot-record', by: null });
  const { tiles } = await watcher.receive('lobby', (one) => one.tiles.some(({ stopped }) => stopped));
  expect(tiles.map(({ table, stopped }) => [table, stopped])).toEqual([
    ['baccarat', null],
    ['tiger', 'cannot-record'],
  ]);
  // The clock of this floor does not advance.
  expect(await patron.refusalOf(bet('slip-0003'))).toMatchObject({ code: 'cannot-record', id: 'slip-0003' });
  expect(outages).toMatchObject([{ state: 'begun', failures: 1, error: new Error('The disk is full.') }]);
  await time.advance(5_000);
  isFull = false;
  const patronCount = patron.received.length;
  const watcherCount = watcher.received.length;
  await time.advanceUntilSettled(patron.receive('table', (one) => one.view.stopped === null, patronCount));
  await watcher.receive('lobby', (one) => one.tiles.every(({ stopped }) => stopped === null), watcherCount);
  expect(outages[1]).toMatchObject({ state: 'over', failing: [] });
  expect(outages[1]!.durationMs).toBeGreaterThan(5_000);
  patron.send(bet('slip-0004'));
  await patron.receive('accepted', ({ id }) => id === 'slip-0004');
  await betAtOtherTable(patron);
  patron.terminate();
  watcher.terminate();
  await time.advanceUntilSettled(server.close());
});

test('the last stakes can be repeated after a restart', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const options = { store, key: randomBytes(32), tables: ['tiger'] };
  const time = new TestScheduler();
  const first = await startTestServer({ ...quick, ...options, scheduler: time });
  const patron = await PatronSocket.join(first, secretOf('1'), 'tiger');
  await time.advanceUntil(() => first.floor.tables.get('tiger')!.table.phase === 'betting');
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1000, tie: 100 } });
  await patron.receive('accepted');
  await time.advanceUntilSettled(
    patron.receive('own', (own) => own.view.round !== null && own.view.round.id !== round),
  );
  await time.advanceUntilSettled(first.close());
  const second = await startTestServer(options);
  const returning = await PatronSocket.join(second, secretOf('1'), 'tiger');
  expect((await returning.receive('own')).view.rebet).toEqual({ player: 1000, tie: 100 });
  returning.terminate();
  await second.close();
});

test('a clock set back between two starts does not stop the floor', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const offset = Date.now() + 3_600_000;
  await store.recordHeartbeats([floorHeartbeatName], offset);
  const server = await startTestServer({ ...quick, store, tables: ['tiger'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await patron.receive('table', ({ view }) => Boolean(view.round?.winner));
  expect((await patron.receive('welcome')).at).toBeGreaterThanOrEqual(offset);
  patron.terminate();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('sockets and new terminals per address are limited', async () => {
  const server = await startTestServer({ tables: ['tiger'], limits: { maxSocketsPerAddress: 2, seatsPerMinute: 1 } });
  const one = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const two = await PatronSocket.join(server, secretOf('2'));
  expect(await two.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'too-many-seats' });
  await expect(PatronSocket.connect(server)).rejects.toThrow('503');
  one.terminate();
  two.terminate();
  await server.close();
});

test('a connection that does not keep up is dropped and gets the full view after reconnecting', async () => {
  const server = await startTestServer({
    tables: ['tiger'],
    limits: { maxUnreadBytes: 50_000, messageBurst: 1_000_000 },
  });
  const slow = await PatronSocket.join(server, secretOf('1'), 'tiger');
  slow.socket.pause();
  const closed = new Promise((resolve) => slow.socket.once('close', resolve));
  // No other check closes the connection: it gets no ping.
  const ping = vi.spyOn(DeviceConnection.prototype, 'ping').mockImplementation(() => {});
  let payload = 0;
  const timer = setInterval(() => {
    if (slow.socket.readyState !== slow.socket.OPEN) return;
    for (let n = 0; n < 2000; n++, payload++) slow.send({ type: 'whole', of: 'table' });
  }, 5);
  setTimeout(() => slow.socket.resume(), 2_000);
  await closed;
  clearInterval(timer);
  expect(payload).toBeGreaterThan(0);
  ping.mockRestore();
  const returning = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect((await returning.receive('table')).view.table).toBe('tiger');
  returning.terminate();
  await server.close();
});

test('pings count as messages, and a client that does not read pongs is dropped', async () => {
  const server = await startTestServer({ tables: ['tiger'] });
  const polite = await PatronSocket.join(server, secretOf('1'));
  const pong = once(polite.socket, 'pong');
  polite.socket.ping('activity');
  expect(String((await pong)[0])).toBe('activity');
  const flood = await PatronSocket.connect(server);
  for (let n = 0; n < 1_000; n++) flood.socket.ping('x'.repeat(100));
  expect(await flood.waitForClose()).toMatchObject({ code: 1008, reason: 'too-many-messages' });
  polite.terminate();
  await server.close();
});

test('a connection that closed while taking a seat gets no view', async () => {
  let slow = Promise.resolve();
  const store = createMemoryStore();
  const disk = {
    ...store,
    append: async (batch: AppendRequest) => {
      await slow;
      return store.append(batch);
    },
  };
  const server = await startTestServer({ store: disk, tables: ['tiger'] });
  const stays = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await stays.bettingRound();
  const appended = Promise.withResolvers<void>();
  slow = appended.promise;
  const sent: string[] = [];
  const send = vi
    .spyOn(DeviceConnection.prototype, 'sendText')
    .mockImplementation((text) => void sent.push(String(text)));
  for (let n = 0; n < 20; n++) {
    const hasty = await PatronSocket.connect(server);
    hasty.send({ type: 'hello', v: protocolVersion, secret: n.toString(16).padStart(2, 'f').repeat(32) });
    hasty.send({ type: 'sit', table: 'tiger' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    hasty.terminate();
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  appended.resolve();
  await new Promise((resolve) => setTimeout(resolve, 100));
  sent.length = 0;
  stays.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  // The reply, its own view, the total stakes, and its balance after seat and bet; heartbeats are left out.
  const types = (): readonly string[] =>
    sent.map((text) => (JSON.parse(text) as { type: string }).type).filter((type) => type !== 'heartbeat');
  const expected = ['accepted', 'balance', 'balance', 'change', 'own'];
  await vi.waitFor(() => expect(types().length).toBeGreaterThanOrEqual(expected.length), { timeout: 300_000 });
  expect(types().toSorted()).toEqual(expected);
  send.mockRestore();
  stays.terminate();
  await server.close();
});

test('a server on a full disk still closes', async () => {
  const store = createMemoryStore();
  let full = false;
  const failAppend = async (): Promise<never> => {
    throw new Error('No room is left on the disk.');
  };
  const disk = {
    ...store,
    append: async (batch: AppendRequest) => (full ? failAppend() : store.append(batch)),
    recordHeartbeats: async (names: readonly string[], at: number) =>
      full ? failAppend() : store.recordHeartbeats(names, at),
  };
  const warnings: string[] = [];
  const server = await startTestServer({
    ...quick,
    store: disk,
    tables: ['tiger'],
    warn: (what) => warnings.push(what),
  });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await patron.bettingRound();
  full = true;
  await server.close();
  expect(warnings).toContain('closing');
  expect(await patron.waitForClose()).toMatchObject({ code: 1001 });
  expect((await verifyStore(store)).problem).toBeUndefined();
});
