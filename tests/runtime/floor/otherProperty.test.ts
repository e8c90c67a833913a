import { expect, test } from 'vitest';
import { TestClock } from '../../chaos/time.ts';
import { mayReplaceSettings } from '../../../src/runtime/tables/settingsDiff.ts';
import { PropertyFileMismatchError, openFloor } from '../../../src/runtime/openFloor.ts';
import { BalanceCache } from '../../../src/runtime/stream/balanceCache.ts';
import { TableRuntime } from '../../../src/runtime/tables/tableRuntime.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { noRetiredShoes, seatPatron, testDependencies } from '../support/testDependencies.ts';

// An event store that is started with another property file than its own.

const [first, second] = demoSettings as [(typeof demoSettings)[number], (typeof demoSettings)[number]];
const real = { ...first, profile: { ...first.profile, name: 'sg' } };

/** Event store of one table that has had no shoe yet. */
async function storeOfTable(setting: typeof first = first) {
  const store = createMemoryStore();
  const { dependencies, time } = testDependencies(store, 'begun');
  const floor = await openFloor(demoOwner, [setting], demoPace, dependencies);
  await floor.drain();
  return { store, now: time.now + 1000, table: floor.tables.get(setting.table)!.table };
}

const headsOf = async (store: Store) => [...(await store.heads())];

test.each([
  ['currency', 'has the currency XTS, but its property file has SGD', { ...first, currency: 'SGD' }, first],
  ['demo flag, from a demo to a property', 'is of a demo, but its property file is not', real, first],
  ['demo flag, from a property to a demo', 'is not of a demo, but its property file is', first, real],
  ['demo flag with other tables', 'is of a demo, but its property file is not', { ...real, table: 'X1' }, first],
])('another %s is refused before anything is written', async (_, message, otherOwner, setting) => {
  const { store, now } = await storeOfTable(setting);
  const before = await headsOf(store);
  const { dependencies, published } = testDependencies(store, 'other', new TestClock(now));
  const owner = { property: otherOwner.property, currency: otherOwner.currency };
  const opened = openFloor(owner, [otherOwner], demoPace, dependencies);
  await expect(opened).rejects.toThrow(PropertyFileMismatchError);
  await expect(opened).rejects.toThrow(
    `The event log of demo ${message}; use another data folder, or correct the property file.`,
  );
  expect(published).toEqual([]);
  expect(await headsOf(store)).toEqual(before);
});

test('credit in another currency is another property, even without tables', async () => {
  const store = createMemoryStore();
  const floor = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'credit').dependencies);
  await seatPatron(floor, 'hash', demoCredit);
  const owner = { ...demoOwner, currency: 'SGD' };
  await expect(openFloor(owner, [], demoPace, testDependencies(store, 'other').dependencies)).rejects.toThrow(
    PropertyFileMismatchError,
  );
});

test('[HOUSE 10] property and id of a table never change', async () => {
  const { table } = await storeOfTable();
  expect(mayReplaceSettings({ ...first, grace: 700 }, table)).toBe(true);
  for (const fixed of [{ property: 'sg1' }, { table: 'A1' }, { currency: 'SGD' }]) {
    expect(mayReplaceSettings({ ...first, ...fixed }, table)).toBe(false);
  }
});

test('[READING 49] system never turns a demo into a property; its dealer tries once and continues', async () => {
  const { store, now } = await storeOfTable();
  const { dependencies, published, time, warnings } = testDependencies(store, 'real', new TestClock(now));
  const table = new TableRuntime(
    { settings: real, pace: demoPace },
    demoOwner,
    new BalanceCache(new Map()),
    dependencies,
    noRetiredShoes,
  );
  await table.load();
  const request = { type: 'ChangeSettings', actor: { system: 'floor' } };
  expect(await table.submitAsFloor({ ...request, settings: real })).toMatchObject({ refused: 'not-your-role' });
  expect(await table.submitAsFloor({ ...request, settings: { ...first, game: 'lion' } })).toMatchObject({
    refused: 'unknown-game',
  });
  await table.start(undefined);
  for (let n = 0; n < 50 && table.table.phase !== 'betting'; n++) await time.step();
  expect(table.table).toMatchObject({ phase: 'betting', settings: { profile: { name: 'demo' } } });
  expect(published.some(({ event }) => event.type === 'SettingsChanged')).toBe(false);
  expect(warnings).toEqual([]);
});

test('[READING 60] unlisted table is reported, and its open stakes block COLLECT', async () => {
  const store = createMemoryStore();
  const one = testDependencies(store, 'both');
  const floor = await openFloor(demoOwner, [first, second], demoPace, one.dependencies);
  const session = await seatPatron(floor, 'hash', demoCredit);
  const table = floor.tables.get(first.table)!;
  while (table.table.phase !== 'betting') await one.time.step();
  const request = {
    type: 'SetSlip',
    actor: { terminal: session },
    round: table.table.round!.id,
    slip: { player: 1000 },
  };
  expect(await table.submit('slip', request)).toHaveProperty('entries');
  await floor.drain();
  const reportedTables: string[] = [];
  const two = testDependencies(store, 'less', new TestClock(one.time.now + 1000));
  const unlisted = (id: string): void => void reportedTables.push(id);
  const less = await openFloor(demoOwner, [second], demoPace, {
    ...two.dependencies,
    onUnlistedTable: unlisted,
  });
  expect([reportedTables, [...less.tables.keys()]]).toEqual([[first.table], [second.table]]);
  expect(await less.terminals.collect('T1', 'out', 'cash')).toMatchObject({ refused: 'stakes-open' });
  const { sequence } = (await store.heads()).get(table.stream)!;
  for (let n = 0; n < 50; n++) await two.time.step();
  expect((await store.heads()).get(table.stream)!.sequence).toBe(sequence);
  const three = testDependencies(store, 'again', new TestClock(two.time.now + 600_000));
  const reopened = await openFloor(demoOwner, [first, second], demoPace, three.dependencies);
  for (let n = 0; n < 50 && reopened.terminals.creditOf('T1') === demoCredit - 1000; n++) await three.time.step();
  expect(await reopened.terminals.collect('T1', 'out-2', 'cash')).toHaveProperty('entries');
  expect((await verifyStore(store)).problem).toBeUndefined();
});
