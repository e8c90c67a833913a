import { expect, test } from 'vitest';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { StreamAbortedError } from '../../../src/runtime/stream/pendingCommand.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { DamagedEntryError, WriteResultUnknownError, type Store } from '../../../src/store/store.ts';
import { StoreWriterEndedError } from '../../../src/store/failures.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { sessionCredit, seatPatron, testDependencies } from '../support/testDependencies.ts';

type Faults = {
  /** Appends fail. */
  writes: boolean;
  /** Appends succeed without a reply. */
  replies: boolean;
  /** Reads fail. */
  reads: boolean;
};

const fails = (): never => {
  throw new Error('The disk is full.');
};

/** A store that fails as the test says, with the times of its tries. */
function faultyStore(store: Store, clock: () => number) {
  const faults: Faults = { writes: false, replies: false, reads: false };
  const attempts: number[] = [];
  const failOrWrite = async <T>(write: () => Promise<T>): Promise<T> => {
    if (faults.writes) fails();
    const value = await write();
    if (faults.replies) throw new WriteResultUnknownError('The answer of the disk was lost.');
    return value;
  };
  const disk: Store = {
    ...store,
    append: (batch) => {
      if (faults.writes) attempts.push(clock());
      return failOrWrite(() => store.append(batch));
    },
    recordHeartbeats: (...what) => failOrWrite(() => store.recordHeartbeats(...what)),
    findCommands: async (ids) => (faults.reads ? fails() : store.findCommands(ids)),
    read: (...what) => (faults.reads ? fails() : store.read(...what)),
  };
  return { disk, faults, attempts };
}

/** A table on such a store, with a patron, and its outage reports. */
async function openTable(seed: string) {
  const store = createMemoryStore();
  const { disk, faults, attempts } = faultyStore(store, () => setup.time.now);
  const setup = testDependencies(disk, seed);
  const { time, published, warnings } = setup;
  const pauses: boolean[] = [];
  const disconnected: unknown[] = [];
  const dependencies = {
    ...setup.dependencies,
    onTablePaused: (_: string, isPaused: boolean) => pauses.push(isPaused),
    onFatal: (error: unknown) => disconnected.push(error),
  };
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  const table = floor.tables.get('baccarat')!;
  const session = await seatPatron(floor, 'hash', demoCredit);
  const until = async (condition: () => boolean): Promise<void> => {
    for (let n = 0; !condition(); n++) {
      if (n > 10_000) throw new Error('The condition did not become true.');
      await time.step();
    }
  };
  const phase = (expected: string) => until(() => table.processor.state?.phase === expected);
  const bet = (id: string, stake = 1000) =>
    table.submit(id, {
      type: 'SetSlip',
      actor: { terminal: session },
      round: table.table.round!.id,
      slip: { player: stake },
    });
  const since = (from: number) => published.slice(from).map(({ event }) => event.type);
  return {
    store,
    faults,
    attempts,
    floor,
    table,
    session,
    dependencies,
    time,
    published,
    warnings,
    pauses,
    disconnected,
    until,
    phase,
    bet,
    since,
  };
}

test('table on a full disk retries, every three seconds at most, and refuses bets at once meanwhile', async () => {
  const { faults, attempts, table, time, warnings, pauses, until, phase, bet, published, since, store } =
    await openTable('a');
  await phase('betting');
  faults.writes = true;
  const first = bet('first');
  await until(() => pauses.length > 0);
  expect(await first).toMatchObject({ refused: 'result-unknown', by: null });
  const began = attempts[0]!;
  const from = published.length;
  for (let n = 0; n < 10; n++) {
    await until(() => attempts.length > 6 + 45 * n);
    const before = time.now;
    expect(await bet(`late-${n}`)).toMatchObject({
      refused: 'cannot-record',
      message: expect.stringMatching(/not recorded\./) as string,
    });
    expect(time.now).toBe(before);
  }
  expect(time.now - began).toBeGreaterThan(20 * 60_000);
  const waits = attempts.slice(1).map((at, n) => at - attempts[n]!);
  expect(waits.slice(0, 6)).toEqual([50, 100, 200, 400, 800, 1600]);
  expect(waits.slice(6).every((wait) => wait === 3_000)).toBe(true);
  expect([pauses, warnings, published.length]).toEqual([[true], [], from]);
  faults.writes = false;
  await until(() => pauses.length > 1);
  // [READING 12] No bets were possible for that long: the round is voided before anything else happens.
  expect(since(from).slice(0, 2)).toEqual(['Interrupted', 'RoundVoided']);
  expect(published[from]!.event).toMatchObject({ since: began, by: 'HOUSE 6' });
  await phase('betting');
  const resent = bet('again');
  await flushPromises();
  expect(await resent).toHaveProperty('entries');
  await until(() => since(from).includes('RoundSettled'));
  expect(table.processor.canAppend).toBe(true);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 12] outage shorter than the interruption time is logged, and the round goes on', async () => {
  const { faults, attempts, time, pauses, until, phase, bet, published, since } = await openTable('b');
  await phase('betting');
  faults.writes = true;
  void bet('first');
  await until(() => pauses.length > 0);
  faults.writes = false;
  const from = published.length;
  await until(() => pauses.length > 1);
  expect(time.now - attempts[0]!).toBeLessThan(10_000);
  expect(published[from]!.event).toMatchObject({ type: 'InterruptionLogged', since: attempts[0] });
  await until(() => since(from).includes('RoundSettled'));
  expect(since(from)).not.toContain('RoundVoided');
});

test('[HOUSE 6] no card is dealt after a long outage before it is decided whether the round goes on', async () => {
  for (const cards of [1, 3]) {
    const { faults, pauses, table, until, phase, published, since } = await openTable(`c${cards}`);
    await phase('dealing');
    await until(() => table.table.round!.cards.length === cards);
    const from = published.length;
    faults.writes = true;
    await until(() => pauses.length > 0);
    expect(table.processor.canAppend).toBe(false);
    let steps = 0;
    await until(() => ++steps > 12);
    expect([since(from), pauses]).toEqual([[], [true]]);
    faults.writes = false;
    await until(() => pauses.length > 1);
    expect(since(from)[0]).toBe('Interrupted');
    expect(since(from)[1]).toMatch(/RoundVoided|RoundResumed/);
    await until(() => since(from).includes('BetsOpened'));
  }
});

test('bet with a lost reply gets its true result once the store can be read', async () => {
  const { faults, until, phase, bet, session, floor } = await openTable('d');
  await phase('betting');
  faults.replies = true;
  const lost = bet('lost');
  await flushPromises();
  faults.replies = false;
  await until(() => sessionCredit(floor, session) < demoCredit);
  expect(await lost).toHaveProperty('entries');
  expect(sessionCredit(floor, session)).toBe(demoCredit - 1000);
});

test('bet is result-unknown when the store cannot be read either, and is there once later', async () => {
  const { faults, pauses, store, until, phase, bet, session, floor } = await openTable('e');
  await phase('betting');
  faults.replies = true;
  const unknown = bet('unknown');
  await flushPromises();
  faults.reads = true;
  await until(() => pauses.length > 0);
  expect(await unknown).toMatchObject({ refused: 'result-unknown' });
  expect(await bet('unknown')).toMatchObject({ refused: 'result-unknown' });
  expect(await bet('other')).toMatchObject({ refused: 'result-unknown' });
  const request = { type: 'SetSlip', actor: { terminal: session }, round: 'any', slip: {} };
  expect(await floor.tables.get('baccarat')!.findResult('other', request)).toMatchObject({ refused: 'result-unknown' });
  Object.assign(faults, { replies: false, reads: false });
  await until(() => pauses.length > 1);
  expect(await bet('unknown')).toHaveProperty('entries');
  expect(sessionCredit(floor, session)).toBe(demoCredit - 1000);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('bet that was tried in vain stays unknown during the outage and is decided anew after it', async () => {
  const { faults, pauses, until, phase, bet, floor, session } = await openTable('f');
  await phase('betting');
  faults.writes = true;
  const firstAttempt = bet('tried');
  await until(() => pauses.length > 0);
  expect(await firstAttempt).toMatchObject({ refused: 'result-unknown' });
  expect(await bet('tried')).toMatchObject({ refused: 'result-unknown' });
  faults.writes = false;
  await until(() => pauses.length > 1);
  const resent = bet('tried');
  await flushPromises();
  expect(await resent).toHaveProperty('entries');
  expect(sessionCredit(floor, session)).toBe(demoCredit - 1000);
});

test('paused table has no heartbeat, so that a start knows how long it was paused', async () => {
  const { faults, pauses, floor, store, table, time, until, phase, bet } = await openTable('g');
  await phase('betting');
  await floor.recordHeartbeats();
  const last = time.now;
  faults.writes = true;
  void bet('first');
  await until(() => pauses.length > 0);
  faults.writes = false;
  await floor.recordHeartbeats();
  expect((await store.heartbeats()).get(table.stream)).toBe(last);
  expect((await store.heartbeats()).get('floor')).toBe(time.now);
  await until(() => pauses.length > 1);
  await floor.recordHeartbeats();
  expect((await store.heartbeats()).get(table.stream)).toBe(time.now);
});

test('closing floor does not wait for a disk', async () => {
  const { faults, pauses, floor, until, phase, bet, dependencies, store } = await openTable('h');
  await phase('dealing');
  faults.writes = true;
  await until(() => pauses.length > 0);
  const parked = { isDone: false };
  // The last heartbeat fails as well, and that is reported.
  const draining = floor.drain().catch((error: unknown) => String(error));
  void draining.then(() => (parked.isDone = true));
  await until(() => parked.isDone);
  expect(await draining).toBe('Error: The disk is full.');
  expect(await bet('late')).toMatchObject({ refused: 'cannot-record' });
  faults.writes = false;
  const back = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  expect(back.tables.get('baccarat')!.processor.canAppend).toBe(true);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('floor that cannot append at its start reports why and does not start', async () => {
  const { faults, floor, time, until, phase, dependencies } = await openTable('i');
  await phase('betting');
  await floor.drain();
  faults.writes = true;
  time.now += 60_000;
  const reported: { error?: unknown } = {};
  void openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies).catch(
    (error: unknown) => (reported.error = error),
  );
  await until(() => reported.error !== undefined);
  expect(reported.error).toBeInstanceOf(StreamAbortedError);
  expect(reported.error).toMatchObject({ cause: new Error('The disk is full.') });
});

test.each([
  ['its writer has ended', new StoreWriterEndedError('The writer thread of the event store has ended.')],
  ['an entry is damaged', new DamagedEntryError('demo/table/baccarat', 3, 'does not give its hash')],
  ['the file is malformed', Object.assign(new Error('database disk image is malformed'), { errcode: 779 })],
])('process ends when the event store is unusable: %s', async (_, error) => {
  const store = createMemoryStore();
  let isOver = false;
  const setup = testDependencies(
    { ...store, append: (batch) => (isOver ? Promise.reject(error) : store.append(batch)) },
    'j',
  );
  const lost: unknown[] = [];
  const dependencies = { ...setup.dependencies, onFatal: (why: unknown) => lost.push(why) };
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  isOver = true;
  while (lost.length === 0) await setup.time.step();
  expect(lost).toEqual([error]);
  expect(floor.tables.get('baccarat')!.processor.isStopped).toBe(true);
});

test('process ends when another one has taken over the store', async () => {
  const store = createMemoryStore();
  let isTaken = false;
  const taken = async () => ({ refused: 'epoch-over', epoch: 7 }) as const;
  const setup = testDependencies({ ...store, append: (batch) => (isTaken ? taken() : store.append(batch)) }, 'k');
  const lost: unknown[] = [];
  const dependencies = { ...setup.dependencies, onFatal: (why: unknown) => lost.push(why) };
  await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  isTaken = true;
  while (lost.length === 0) await setup.time.step();
  expect(lost[0]).toBeInstanceOf(StoreWriterEndedError);
  expect(String(lost[0])).toMatch(/Another process has taken over demo\/table\/baccarat, in fencing epoch 7/);
});

test('[READING 12] slow failures are retried less often, and the outage counts from the first try', async () => {
  const { store, floor, dependencies, time, faults, table, pauses, until, phase, bet, published, warnings } =
    await openTable('slow');
  await phase('betting');
  const tries: number[] = [];
  const { append } = dependencies.store;
  // Like a database without its synchronous standby: no reply for ten seconds.
  Object.assign(dependencies.store, {
    append: async (batch: Parameters<Store['append']>[0]) => {
      if (faults.writes) {
        tries.push(time.now);
        await new Promise<void>((resolve) => void time.after(10_000, resolve));
      }
      return append(batch);
    },
  });
  faults.writes = true;
  const began = time.now;
  const first = bet('first');
  await until(() => pauses.length > 0);
  expect(await first).toMatchObject({ refused: 'result-unknown' });
  expect([tries.length, time.now - began]).toEqual([2, 20_050]);
  expect(await bet('late')).toMatchObject({ refused: 'cannot-record' });
  const from = published.length;
  faults.writes = false;
  await until(() => pauses.length > 1);
  expect(published[from]!.event).toMatchObject({ type: 'Interrupted', since: began });
  expect([warnings, table.processor.isStopped]).toEqual([[], false]);
  await floor.drain();
  expect((await verifyStore(store)).problem).toBeUndefined();
});
