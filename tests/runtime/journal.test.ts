import { describe, expect, test } from 'vitest';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type Jump } from '../../src/runtime/ports/clock.ts';
import { longRest } from '../../src/runtime/floor/floorStream.ts';
import { seededChance } from '../../src/runtime/ports/random.ts';
import { encryptShoe } from '../../src/runtime/encryption/encryptedBlobs.ts';
import { hiddenShoe } from '../../src/runtime/tables/virtualShoe.ts';
import { type RuntimeDependencies } from '../../src/runtime/ports/runtimeDependencies.ts';
import { type StoredRequest, type RecordedEvent, type Store } from '../../src/store/store.ts';
import { Memory, memoryStore } from '../../src/store/memoryStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { MadeTime } from '../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from './demo.ts';
import { creditIn, key, seated, start, worldOf } from './made.ts';

const tiger = demoSettings.find(({ table }) => table === 'tiger')!;
const stream = 'demo/journal/floor';

async function eventsOf(store: Store, of = stream): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for await (const entries of store.read(of)) found.push(...entries.map(({ event }) => event));
  return found;
}

/** A floor with one table, a patron whose bet stands in an open round, and the time. */
async function withBet(store: Store) {
  const { world, time } = worldOf(store, 'first');
  const floor = await FloorRuntime.open(demoOwner, [tiger], demoPace, world);
  const session = await seated(floor, 'a', demoCredit);
  const { runner } = floor.tables.get('tiger')!;
  while (runner.state?.phase !== 'betting') await time.step();
  const asked: StoredRequest = {
    type: 'SetSlip',
    who: { terminal: session },
    round: runner.state.round!.id,
    slip: { player: 1000 },
  };
  expect(await runner.submit('slip', asked)).toHaveProperty('entries');
  await floor.beat();
  return { floor, session, now: time.now, shoe: runner.state.shoe!.id, round: runner.state.round!.id };
}

/** A floor that began on a memory, some time after the one before. */
async function begunOn(memory: Memory, opened: number): Promise<void> {
  const { world } = worldOf(memoryStore(memory), `opened-${opened}`, new MadeTime(start + opened * 1_000));
  await FloorRuntime.open(demoOwner, [tiger], demoPace, world);
}

/** The same record under another program, some time later. */
async function again(store: Store, now: number, more: Partial<RuntimeDependencies> = {}) {
  const { world, time, troubles } = worldOf(store, `again-${now}`, new MadeTime(now));
  const floor = await FloorRuntime.open(demoOwner, [tiger], demoPace, { ...world, ...more });
  const table = floor.tables.get('tiger')!;
  await floor.terminals.open('T1');
  const until = async (holds: () => boolean): Promise<void> => {
    for (let steps = 0; !holds(); steps++) {
      expect(steps).toBeLessThan(2000);
      await time.step();
    }
  };
  return { floor, table, until, time, troubles };
}

test('the journal tells when a floor ran, and when it was last seen before that', async () => {
  const store = memoryStore();
  const { floor, now } = await withBet(store);
  await floor.park();
  await again(store, now + 5_000);
  expect(await eventsOf(store)).toMatchObject([
    { type: 'FloorStarted', property: 'demo', currency: demoOwner.currency, epoch: 1, since: null, at: start },
    { type: 'FloorClosed', at: now },
    { type: 'FloorStarted', epoch: 1, since: now, at: now + 5_000 },
  ]);
  expect(await verifyStore(store)).toMatchObject({ problem: undefined });
});

test('a jump of the clock is an event', async () => {
  const store = memoryStore();
  const { floor, now } = await withBet(store);
  await floor.journal.jumped(now, now + 45_000);
  expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'ClockJumped', from: now, to: now + 45_000 });
  expect(await verifyStore(store)).toMatchObject({ problem: undefined });
});

test('a floor listens to its clock, also to what it did before the floor began', async () => {
  const store = memoryStore();
  const { world, time } = worldOf(store, 'jumps');
  let tell: (jump: Jump) => void = () => {};
  const jumped = (heard: typeof tell): void => {
    heard({ from: start - 9_000, to: start });
    tell = heard;
  };
  await FloorRuntime.open(demoOwner, [tiger], demoPace, { ...world, jumped });
  tell({ from: time.now, to: time.now + 86_400_000 });
  for (let steps = 0; steps < 5; steps++) await time.step();
  expect((await eventsOf(store)).filter(({ type }) => type === 'ClockJumped')).toMatchObject([
    { from: start - 9_000, to: start },
    { from: start, to: start + 86_400_000 },
  ]);
});

describe('a shoe is given up', () => {
  const doubt = {
    why: 'behind-anchor',
    words: 'nine-hearts two-clubs',
    missing: [{ stream: 'demo/table/tiger', has: 4, known: 9 }],
  } as const;

  test('where the floor was not seen for long: the round is void, stakes go back, another shoe comes', async () => {
    const store = memoryStore();
    const { shoe, session, now, round } = await withBet(store);
    const { floor, table, until } = await again(store, now + longRest + 1);
    await until(() => table.table.phase === 'betting' && table.table.round!.id !== round);
    expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'ShoesRetired', why: 'long-rest', shoes: [shoe] });
    expect(table.table.shoe!.id).not.toBe(shoe);
    expect(creditIn(floor, session)).toBe(demoCredit);
    expect(await verifyStore(store)).toMatchObject({ problem: undefined });
  });

  test('and not after a shorter rest', async () => {
    const store = memoryStore();
    const { shoe, now } = await withBet(store);
    const { table } = await again(store, now + longRest);
    expect((await eventsOf(store)).map(({ type }) => type)).toEqual(['FloorStarted', 'FloorStarted']);
    expect(table.table.shoe!.id).toBe(shoe);
  });

  test('and not where the floor ended before its first heartbeat', async () => {
    const store = memoryStore();
    const { shoe, now } = await withBet({ ...store, recordHeartbeats: async () => {} });
    const { table } = await again(store, now + 1_000);
    expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'FloorStarted', since: start });
    expect(table.table.shoe!.id).toBe(shoe);
  });

  test('where the operator goes on with a record that ends too early, in his words', async () => {
    const store = memoryStore();
    const { shoe, session, now } = await withBet(store);
    const { floor, table, until } = await again(store, now + 1_000, { doubt });
    expect((await eventsOf(store)).at(-1)).toMatchObject({ type: 'ShoesRetired', ...doubt, shoes: [shoe] });
    await until(() => table.table.shoe !== null && table.table.shoe.id !== shoe);
    expect(creditIn(floor, session)).toBe(demoCredit);
    const events = await eventsOf(store, table.stream);
    expect(events.find(({ type }) => type === 'Interrupted')).toMatchObject({ stateLost: true });
    expect(events.filter(({ type }) => type === 'RoundVoided')).toHaveLength(1);
    expect(events.find(({ type }) => type === 'IrregularityFound')).toMatchObject({
      kind: 'order-altered',
      note: 'The record was turned back: what comes next in the shoe may have been seen.',
    });
    expect(await verifyStore(store)).toMatchObject({ problem: undefined });
  });

  test('for good: a program that ends before it has acted on it leaves that to the next', async () => {
    const store = memoryStore();
    const { shoe, now } = await withBet(store);
    await again(store, now + 1_000, { doubt });
    const { table, until } = await again(store, now + 2_000);
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

  test('where what is sealed is not what its root was taken of', async () => {
    const store = memoryStore();
    const { shoe, now } = await withBet(store);
    const other = hiddenShoe(shoe, { deck: 'french', decks: 8 }, seededChance('other'));
    await encryptShoe(store, other, key);
    const { table, until, troubles } = await again(store, now + 1_000);
    await until(() => table.table.shoe !== null && table.table.shoe.id !== shoe);
    expect(troubles.join('\n')).toContain('is not what its root was taken of');
  });
});

describe('a heartbeat that cannot be is not believed, and that is said', () => {
  const far = 30 * 365 * 86_400_000;

  test.each([
    ['of a table, later than that of the floor', 'demo/table/tiger', {}],
    ['of the floor, later than the anchor allows', 'floor', { latest: start + 3_600_000 }],
  ])('one %s: the round is interrupted since the last event', async (_, name, more) => {
    const store = memoryStore();
    const { now } = await withBet(store);
    await store.recordHeartbeats([name], now + far);
    const { table, troubles, until } = await again(store, now + 60_000, more);
    await until(() => table.table.phase === 'idle');
    expect(troubles.join('\n')).toMatch(/: its heartbeat of 20\d\d-.+ is not believed; find out who wrote/);
    const events = await eventsOf(store, table.stream);
    const { since } = events.find(({ type }) => type === 'Interrupted') as { readonly since?: unknown };
    expect(since).toBe(events.findLast(({ type }) => type === 'SlipSet')!.at);
    expect(events.filter(({ type }) => type === 'RoundVoided')).toHaveLength(1);
  });

  test('and verify finds it', async () => {
    const store = memoryStore();
    const { now } = await withBet(store);
    expect((await verifyStore(store)).problem).toBeUndefined();
    await store.recordHeartbeats(['demo/table/tiger'], now + 1);
    expect((await verifyStore(store)).problem).toBe(
      'The heartbeat of demo/table/tiger is later than that of the floor, which beats for all.',
    );
  });
});

test('a journal of an epoch that the record does not know of is damage, and nothing is written', async () => {
  const memory = new Memory();
  for (let opened = 1; opened <= 2; opened++) await begunOn(memory, opened);
  memory.epoch = 0;
  const store = memoryStore(memory);
  const { world } = worldOf(store, 'lost');
  await expect(FloorRuntime.open(demoOwner, [tiger], demoPace, world)).rejects.toThrow(
    'The journal tells of epoch 2, and the record knows of 0 epochs.',
  );
  expect(memory.epoch).toBe(0);
});

test('nobody else writes to the journal, and nothing is noted of a floor that has not started', async () => {
  const store = memoryStore();
  const { floor } = await withBet(store);
  await floor.park();
  await expect(floor.journal.jumped(1, 2)).rejects.toThrow('The floor has not started; start it first.');
});
