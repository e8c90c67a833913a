import { expect, test } from 'vitest';
import { TestClock } from '../../chaos/time.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { type TableSettings } from '../../../src/table/schema/settings.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { start, testDependencies } from '../support/testDependencies.ts';

const baseSettings = demoSettings[0]!;
type Difference = { readonly table: string; readonly fields: readonly string[] };

/** A floor of one table with these settings, and the differences that it reports. */
async function floorWith(store: Store, setting: typeof baseSettings, seed: string, now = start) {
  const differences: Difference[] = [];
  const { dependencies, published, warnings, time } = testDependencies(store, seed, new TestClock(now));
  const differs = (table: string, fields: readonly string[]): void => void differences.push({ table, fields });
  const floor = await openFloor(demoOwner, [setting], demoPace, { ...dependencies, onSettingsDiffer: differs });
  const until = async (condition: (setting: TableSettings) => boolean): Promise<void> => {
    const { processor } = floor.tables.get(setting.table)!;
    for (let n = 0; n < 3_000 && !condition(processor.state!.settings); n++) await time.step();
  };
  const table = () => floor.tables.get(setting.table)!.table;
  return { differences, published, warnings, time, table, until };
}

test('changed settings are reported at the start, and a demo applies them between rounds', async () => {
  const store = createMemoryStore();
  const first = await floorWith(store, baseSettings, 'a');
  while (first.table().phase !== 'betting') await first.time.step();
  expect(first.differences).toEqual([]);
  const wanted = { ...baseSettings, bettingTime: 9_000, grace: 700 };
  const second = await floorWith(store, wanted, 'b', first.time.now);
  expect(second.differences).toEqual([{ table: baseSettings.table, fields: ['bettingTime', 'grace'] }]);
  expect(second.table().settings.bettingTime).toBe(15_000);
  await second.until(({ grace }) => grace === 700);
  expect(second.table()).toMatchObject({ phase: 'idle', settings: { bettingTime: 9_000, grace: 700 } });
  expect(second.published.filter(({ event }) => event.type === 'SettingsChanged')).toHaveLength(1);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 49] settings of a shoe change between shoes', async () => {
  const store = createMemoryStore();
  const short = { ...baseSettings, behind: 395 } as typeof baseSettings;
  const first = await floorWith(store, short, 'c');
  while (first.table().phase !== 'dealing') await first.time.step();
  const second = await floorWith(store, { ...short, behind: 394 } as typeof baseSettings, 'd', first.time.now);
  expect(second.differences).toEqual([{ table: baseSettings.table, fields: ['behind'] }]);
  await second.until(({ behind }) => behind === 394);
  expect(second.table()).toMatchObject({ shoe: null, settings: { behind: 394 } });
  const changed = second.published.findIndex(({ event }) => event.type === 'SettingsChanged');
  expect(second.published[changed - 1]!.event.type).toBe('ShoeEnded');
  expect(second.warnings).toEqual([]);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 49] settings of the event log hold outside a demo until two persons change them', async () => {
  const store = createMemoryStore();
  const real = { ...baseSettings, profile: { ...baseSettings.profile, name: 'sg' } };
  const first = await floorWith(store, real, 'e');
  while (first.table().phase !== 'betting') await first.time.step();
  const second = await floorWith(store, { ...real, grace: 700 }, 'f', first.time.now);
  expect(second.differences).toEqual([{ table: baseSettings.table, fields: ['grace'] }]);
  const rounds = () => second.published.filter(({ event }) => event.type === 'RoundSettled').length;
  for (let n = 0; n < 3_000 && rounds() < 3; n++) await second.time.step();
  expect(rounds()).toBe(3);
  expect(second.table().settings.grace).toBe(500);
  const { processor } = (
    await openFloor(
      demoOwner,
      [real],
      demoPace,
      testDependencies(store, 'g', new TestClock(second.time.now)).dependencies,
    )
  ).tables.get(baseSettings.table)!;
  const request = { type: 'ChangeSettings', actor: { system: 'floor' }, settings: { ...real, grace: 700 } };
  expect(await processor.submit('alone', request)).toMatchObject({ refused: 'not-your-role' });
});

test('order of the fields in the wanted settings makes no difference', async () => {
  const store = createMemoryStore();
  const first = await floorWith(store, baseSettings, 'h');
  while (first.table().phase !== 'betting') await first.time.step();
  const turned = Object.fromEntries(Object.entries(baseSettings).toReversed()) as typeof baseSettings;
  const second = await floorWith(store, turned, 'i', first.time.now);
  expect(second.differences).toEqual([]);
});

test('[READING 49] unattended table of the event log stays unattended when its file wants staff', async () => {
  const store = createMemoryStore();
  const real = { ...baseSettings, profile: { ...baseSettings.profile, name: 'sg' } };
  const first = await floorWith(store, real, 'o');
  while (first.table().phase !== 'betting') await first.time.step();
  const staffed = { ...real, attended: true, dealing: 'keyed' } as typeof baseSettings;
  const second = await floorWith(store, staffed, 'p', first.time.now);
  expect(second.differences).toEqual([{ table: baseSettings.table, fields: ['dealing', 'attended'] }]);
  const rounds = () => second.published.filter(({ event }) => event.type === 'RoundSettled').length;
  for (let n = 0; n < 3_000 && rounds() < 3; n++) await second.time.step();
  expect(rounds()).toBe(3);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 49] attended table of the event log waits for staff when its file wants none, and no shoe is encrypted', async () => {
  const store = createMemoryStore();
  const real = { ...baseSettings, profile: { ...baseSettings.profile, name: 'sg' } };
  const settings = { ...real, attended: true, dealing: 'keyed' };
  const { dependencies, time } = testDependencies(store, 'q');
  const table = (await openFloor(demoOwner, [settings], demoPace, dependencies)).tables.get(baseSettings.table)!;
  const open = { type: 'OpenTable', actor: { person: 'p1' }, second: { person: 'm1' }, settings };
  const context = { authority: { role: 'pit-manager' }, secondAuthority: { role: 'gaming-shift-manager' } };
  const opened = await table.submit('open', open, time.now, context);
  expect(opened).toHaveProperty('entries');
  const later = await floorWith(store, real, 'r', time.now);
  expect(later.differences).toEqual([{ table: baseSettings.table, fields: ['dealing', 'attended'] }]);
  expect(await later.time.step()).toBe(false);
  expect([later.published, await store.blobIds()]).toEqual([[], ['key', 'tickets/1']]);
});

test('[READING 49] demo becomes attended by its file between shoes, and then waits for staff', async () => {
  const store = createMemoryStore();
  const short = { ...baseSettings, behind: 395 } as typeof baseSettings;
  const first = await floorWith(store, short, 's');
  while (first.table().phase !== 'dealing') await first.time.step();
  const staffed = { ...short, attended: true, dealing: 'keyed' } as typeof baseSettings;
  const second = await floorWith(store, staffed, 't', first.time.now);
  await second.until(({ attended }) => attended);
  expect(second.table()).toMatchObject({ shoe: null, settings: { attended: true, dealing: 'keyed' } });
  expect(await second.time.step()).toBe(false);
  expect(second.warnings).toEqual([]);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 49] attended demo applies its file once between rounds, and later changes by two persons hold', async () => {
  const store = createMemoryStore();
  const staffed = { ...baseSettings, attended: true, dealing: 'keyed' } as typeof baseSettings;
  const first = await floorWith(store, staffed, 's');
  expect(first.table().settings).toMatchObject({ attended: true, bettingTime: 15_000 });
  const wanted = { ...staffed, bettingTime: 9_000 };
  const { dependencies, time } = testDependencies(store, 't', new TestClock(first.time.now));
  const table = (await openFloor(demoOwner, [wanted], demoPace, dependencies)).tables.get(baseSettings.table)!;
  for (let n = 0; n < 100 && table.table.settings.bettingTime !== 9_000; n++) await time.step();
  expect(table.table).toMatchObject({ phase: 'idle', settings: { bettingTime: 9_000, attended: true } });
  const change = { type: 'ChangeSettings', settings: { ...staffed, bettingTime: 12_000 } };
  const proposed = await table.submit('change', { ...change, actor: { person: 'p1' } }, time.now, {
    authority: { role: 'pit-manager' },
  });
  expect(proposed).toHaveProperty('entries');
  const { id: proposal, hash } = table.table.proposal!;
  const approve = { type: 'Approve', actor: { person: 'm1' }, proposal, hash };
  const manager = { authority: { role: 'gaming-shift-manager' } };
  expect(await table.submit('approve', approve, time.now, manager)).toHaveProperty('entries');
  for (let n = 0; n < 100; n++) await time.step();
  expect(table.table.settings.bettingTime).toBe(12_000);
  expect((await verifyStore(store)).problem).toBeUndefined();
});
