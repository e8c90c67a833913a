import { describe, expect, test } from 'vitest';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { type ClockJump } from '../../../src/runtime/ports/clock.ts';
import { maxRestBeforeShoeRetirementMs } from '../../../src/runtime/floor/floorStream.ts';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { saveEncryptedShoe } from '../../../src/runtime/tables/encryptedShoes.ts';
import { shuffleVirtualShoe } from '../../../src/runtime/tables/virtualShoe.ts';
import { type FloorDependencies } from '../../../src/runtime/ports/runtimeDependencies.ts';
import { type StoredPayload, type RecordedEvent, type Store } from '../../../src/store/store.ts';
import { MemoryStoreContents, createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestClock } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { sessionCredit, key, seatPatron, start, testDependencies } from '../support/testDependencies.ts';

const tiger = demoSettings.find(({ table }) => table === 'tiger')!;
const stream = 'demo/floor/main';

async function eventsOf(store: Store, of = stream): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for await (const entries of store.read(of)) found.push(...entries.map(({ event }) => event));
  return found;
}

/** A floor with one table, and a patron with a bet in the open round. */
async function withBet(store: Store) {
  const { dependencies, time } = testDependencies(store, 'first');
  const floor = await openFloor(demoOwner, [tiger], demoPace, dependencies);
  const session = await seatPatron(floor, 'a', demoCredit);
  const { processor } = floor.tables.get('tiger')!;
  while (processor.state?.phase !== 'betting') await time.step();
  const request: StoredPayload = {
    type: 'SetSlip',
    actor: { terminal: session },
    round: processor.state.round!.id,
    slip: { player: 1000 },
  };
  expect(await processor.submit('slip', request)).toHaveProperty('entries');
  await floor.recordHeartbeats();
  return { floor, session, now: time.now, shoe: processor.state.shoe!.id, round: processor.state.round!.id };
}

/** Starts a floor on the same memory store, at a time after the end of the floor before it. */
async function startFloorOn(memory: MemoryStoreContents, opened: number): Promise<void> {
  const { dependencies } = testDependencies(
    createMemoryStore(memory),
    `opened-${opened}`,
    new TestClock(start + opened * 1_000),
  );
  await openFloor(demoOwner, [tiger], demoPace, dependencies);
}

/** The same event store in another process, some time later. */
async function reopenFloor(store: Store, now: number, more: Partial<FloorDependencies> = {}) {
  const { dependencies, time, warnings } = testDependencies(store, `again-${now}`, new TestClock(now));
  const floor = await openFloor(demoOwner, [tiger], demoPace, { ...dependencies, ...more });
  const table = floor.tables.get('tiger')!;
  await floor.terminals.open('T1');
  const until = async (condition: () => boolean): Promise<void> => {
    for (let steps = 0; !condition(); steps++) {
      expect(steps).toBeLessThan(2000);
      await time.step();
    }
  };
  return { floor, table, until, time, warnings };
}

test('floor stream records when a floor ran and when it was last alive before', async () => {
  const store = createMemoryStore();
  const { floor, now } = await withBet(store);
  await floor.drain();
  await reopenFloor(store, now + 5_000);
  expect(await eventsOf(store)).toMatchObject([
    { type: 'FloorStarted', property: 'demo', currency: demoOwner.currency, epoch: 1, since: null, at: start },
    { type: 'FloorClosed', at: now },
    { type: 'FloorStarted', epoch: 1, since: now, at: now + 5_000 },
  ]);
  expect(await verifyStore(store)).toMatchObject({ problem: undefined });
});

test('clock jump is an event', async () => {
  const store = createMemoryStore();
  const { floor, now } = await withBet(store);
  await floor.floorStream.recordClockJump(now, now + 45_000);
  expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'ClockJumped', from: now, to: now + 45_000 });
  expect(await verifyStore(store)).toMatchObject({ problem: undefined });
});

test('floor records clock jumps, including one before it started', async () => {
  const store = createMemoryStore();
  const { dependencies, time } = testDependencies(store, 'jumps');
  let reportJump: (jump: ClockJump) => void = () => {};
  const jumped = (listener: typeof reportJump): void => {
    listener({ from: start - 9_000, to: start });
    reportJump = listener;
  };
  await openFloor(demoOwner, [tiger], demoPace, { ...dependencies, subscribeClockJumps: jumped });
  reportJump({ from: time.now, to: time.now + 86_400_000 });
  for (let steps = 0; steps < 5; steps++) await time.step();
  expect((await eventsOf(store)).filter(({ type }) => type === 'ClockJumped')).toMatchObject([
    { from: start - 9_000, to: start },
    { from: start, to: start + 86_400_000 },
  ]);
});

describe('a shoe is retired', () => {
  const issue = {
    reason: 'behind-anchor',
    confirmation: 'nine-hearts two-clubs',
    missing: [{ stream: 'demo/table/tiger', has: 4, expected: 9 }],
  } as const;

  test('after a long time without a heartbeat: the round is void, stakes return, another shoe comes', async () => {
    const store = createMemoryStore();
    const { shoe, session, now, round } = await withBet(store);
    const { floor, table, until } = await reopenFloor(store, now + maxRestBeforeShoeRetirementMs + 1);
    await until(() => table.table.phase === 'betting' && table.table.round!.id !== round);
    expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'ShoesRetired', reason: 'long-rest', shoes: [shoe] });
    expect(table.table.shoe!.id).not.toBe(shoe);
    expect(sessionCredit(floor, session)).toBe(demoCredit);
    expect(await verifyStore(store)).toMatchObject({ problem: undefined });
  });

  test('but not after a short one', async () => {
    const store = createMemoryStore();
    const { shoe, now } = await withBet(store);
    const { table } = await reopenFloor(store, now + maxRestBeforeShoeRetirementMs);
    expect((await eventsOf(store)).map(({ type }) => type)).toEqual(['FloorStarted', 'FloorStarted']);
    expect(table.table.shoe!.id).toBe(shoe);
  });

  test('but not when the floor stopped before its first heartbeat', async () => {
    const store = createMemoryStore();
    const { shoe, now } = await withBet({ ...store, recordHeartbeats: async () => {} });
    const { table } = await reopenFloor(store, now + 1_000);
    expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'FloorStarted', since: start });
    expect(table.table.shoe!.id).toBe(shoe);
  });

  test('when the operator accepts a rollback, with the phrase typed', async () => {
    const store = createMemoryStore();
    const { shoe, session, now } = await withBet(store);
    const { floor, table, until } = await reopenFloor(store, now + 1_000, { integrityIssue: issue });
    expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'ShoesRetired', ...issue, shoes: [shoe] });
    await until(() => table.table.shoe !== null && table.table.shoe.id !== shoe);
    expect(sessionCredit(floor, session)).toBe(demoCredit);
    const events = await eventsOf(store, table.stream);
    expect(events.find(({ type }) => type === 'Interrupted')).toMatchObject({ stateLost: true });
    expect(events.filter(({ type }) => type === 'RoundVoided')).toHaveLength(1);
    expect(events.find(({ type }) => type === 'IrregularityFound')).toMatchObject({
      kind: 'order-altered',
      note: 'The event log was rolled back: the next cards of the shoe may be known.',
    });
    expect(await verifyStore(store)).toMatchObject({ problem: undefined });
  });

  test('for good: the next start acts on it when the process ended before', async () => {
    const store = createMemoryStore();
    const { shoe, now } = await withBet(store);
    await reopenFloor(store, now + 1_000, { integrityIssue: issue });
    const { table, until } = await reopenFloor(store, now + 2_000);
    await until(() => table.table.shoe !== null && table.table.shoe.id !== shoe);
    expect((await eventsOf(store)).map(({ type }) => type)).toEqual([
      'FloorStarted',
      'FloorStarted',
      'ShoesRetired',
      'FloorStarted',
    ]);
    const interrupted = (await eventsOf(store, table.stream)).filter(({ type }) => type === 'Interrupted');
    expect(interrupted).toMatchObject([{ stateLost: true }]);
  });

  test('when the encrypted order does not match its root', async () => {
    const store = createMemoryStore();
    const { shoe, now } = await withBet(store);
    const other = shuffleVirtualShoe(shoe, { deck: 'french', decks: 8 }, createSeededRandom('other'));
    await saveEncryptedShoe(store, other, key);
    const { table, until, warnings } = await reopenFloor(store, now + 1_000);
    await until(() => table.table.shoe !== null && table.table.shoe.id !== shoe);
    expect(warnings.join('\n')).toContain('does not match its root');
  });
});

describe('an impossible heartbeat is ignored and reported', () => {
  const far = 30 * 365 * 86_400_000;

  test.each([
    ['of a table, later than that of the floor', 'demo/table/tiger', {}, 'after the last heartbeat of the floor'],
    [
      'of the floor, later than the anchor allows',
      'floor',
      { latestHeartbeatAt: start + 3_600_000 },
      'but the anchor file shows',
    ],
  ])('one %s: the round is interrupted since the last event', async (_, name, more, reason) => {
    const store = createMemoryStore();
    const { now } = await withBet(store);
    await store.recordHeartbeats([name], now + far);
    const { table, warnings, until } = await reopenFloor(store, now + 60_000, more);
    await until(() => table.table.phase === 'idle');
    expect(warnings.join('\n')).toContain(`: The heartbeat of ${name === 'floor' ? 'the floor' : name} is dated 20`);
    expect(warnings.join('\n')).toMatch(
      new RegExp(`${reason}.* is ignored\\. Find out who wrote to the event store\\.`),
    );
    const events = await eventsOf(store, table.stream);
    const { since } = events.find(({ type }) => type === 'Interrupted') as { readonly since?: unknown };
    expect(since).toBe(events.findLast(({ type }) => type === 'SlipSet')!.at);
    expect(events.filter(({ type }) => type === 'RoundVoided')).toHaveLength(1);
  });

  test('and verify finds it', async () => {
    const store = createMemoryStore();
    const { now } = await withBet(store);
    expect((await verifyStore(store)).problem).toBeUndefined();
    await store.recordHeartbeats(['demo/table/tiger'], now + 1);
    expect((await verifyStore(store)).problem).toBe(
      'The heartbeat of demo/table/tiger is later than that of the floor.',
    );
  });
});

test('floor stream with an unknown epoch is damage, and nothing is written', async () => {
  const memory = new MemoryStoreContents();
  for (let opened = 1; opened <= 2; opened++) await startFloorOn(memory, opened);
  memory.epoch = 0;
  const store = createMemoryStore(memory);
  const { dependencies } = testDependencies(store, 'lost');
  await expect(openFloor(demoOwner, [tiger], demoPace, dependencies)).rejects.toThrow(
    'The floor stream was written in writer epoch 2, but the last writer epoch of the store is 0.',
  );
  expect(memory.epoch).toBe(0);
});

test('floor stream takes commands of the floor only, and nothing before a start', async () => {
  const store = createMemoryStore();
  const { floor } = await withBet(store);
  await floor.drain();
  await expect(floor.floorStream.recordClockJump(1, 2)).rejects.toThrow('The floor is not open; start it first.');
});
