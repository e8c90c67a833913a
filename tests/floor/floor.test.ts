import { expect, test } from 'vitest';
import { MadeTime, rest } from '../../src/chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../../src/floor/demo.ts';
import { Floor } from '../../src/floor/floor.ts';
import { verify } from '../../src/floor/verify.ts';
import { memoryStore } from '../../src/store/memory.ts';
import { ResultUnknown, type Store } from '../../src/store/store.ts';
import { worldOf } from './made.ts';

test('a demo floor of ten tables deals by itself, shoe after shoe', async () => {
  const time = new MadeTime(1_700_006_400_000);
  const { world, published, troubles } = worldOf(memoryStore(), 'a', time);
  const opening = Floor.open(demoOwner, demoSettings, demoPace, world);
  const floor = await opening;
  const rounds = () => published.filter(({ event }) => event.type === 'RoundSettled').length;
  for (let n = 0; n < 200_000 && rounds() < 1000; n++) await time.step();
  expect(troubles).toEqual([]);
  expect(rounds()).toBe(1000);
  expect(floor.tables.size).toBe(10);
  expect(published.filter(({ event }) => event.type === 'ShoeEnded').length).toBeGreaterThan(5);
});

test('a bet at a demo table is taken, paid, and its credit adds up', async () => {
  const time = new MadeTime(1_700_006_400_000);
  const { world, published } = worldOf(memoryStore(), 'b', time);
  const floor = await Floor.open(demoOwner, demoSettings.slice(0, 1), demoPace, world);
  const terminal = await floor.seat('hash', demoCredit);
  expect(floor.creditOf(terminal)).toBe(100_000);
  const table = floor.tables.get('baccarat')!;
  while (table.runner.table?.phase !== 'betting') await time.step();
  const round = table.table.round!.id;
  const answered = table.submit('c1', { type: 'SetSlip', who: { terminal }, round, slip: { player: 1000, tie: 100 } });
  await rest();
  expect(await answered).toMatchObject({ entries: [{ event: { type: 'SlipSet', hold: 1100 } }] });
  expect(
    await table.submit('c1', { type: 'SetSlip', who: { terminal }, round, slip: { player: 1000, tie: 100 } }),
  ).toMatchObject({
    entries: [{ event: { type: 'SlipSet', hold: 1100 } }],
  });
  expect(await table.submit('c1', { type: 'SetSlip', who: { terminal }, round, slip: { tie: 100 } })).toMatchObject({
    refused: 'command-reused',
  });
  expect(floor.creditOf(terminal)).toBe(98_900);
  while (!published.some(({ event }) => event.type === 'RoundSettled')) await time.step();
  const settled = published.find(({ event }) => event.type === 'RoundSettled')!.event;
  const results = settled['results'] as { [wager: string]: { result: string; pays: [number, number] } };
  const back = (wager: string, stake: number): number => {
    const { result, pays } = results[wager]!;
    return result === 'lose' ? 0 : stake + (stake * pays[0]) / pays[1];
  };
  expect(floor.creditOf(terminal)).toBe(98_900 + back('player', 1000) + back('tie', 100));
});

test('a seat that failed to be written leaves its number unused: no two secrets ever share a terminal', async () => {
  const time = new MadeTime(1_700_006_400_000);
  const store = memoryStore();
  let failing = 0;
  const disk: Store = {
    ...store,
    append: async (batch) => {
      if (failing === 1) {
        failing = 0;
        throw new Error('The disk failed before the write.');
      }
      const appended = await store.append(batch);
      if (failing === 2) {
        failing = 0;
        throw new ResultUnknown('The answer of the disk was lost.');
      }
      return appended;
    },
  };
  const floor = await Floor.open(demoOwner, [], demoPace, worldOf(disk, 'c', time).world);
  const first = await floor.seat('a', demoCredit);
  failing = 1;
  await expect(floor.seat('b', demoCredit)).rejects.toThrow('The disk failed');
  expect(floor.terminalOf('b')).toBeUndefined();
  failing = 2;
  const lost = await floor.seat('c', demoCredit);
  const others = [await floor.seat('b', demoCredit), await floor.seat('d', demoCredit)];
  expect(new Set([first, lost, ...others]).size).toBe(4);
  for (const terminal of [first, lost, ...others]) expect(floor.creditOf(terminal)).toBe(demoCredit);
  const again = await Floor.open(demoOwner, [], demoPace, worldOf(store, 'd', time).world);
  expect(['a', 'b', 'c', 'd'].map((secret) => again.terminalOf(secret))).toEqual([first, others[0], lost, others[1]]);
  expect([first, lost, ...others]).not.toContain(await again.seat('e', demoCredit));
});

test('a table that breaks stops alone: it answers so, the others go on, and its record stays sound', async () => {
  const store = memoryStore();
  const disk: Store = {
    ...store,
    append: async (batch) => {
      if (batch.stream.endsWith('/tiger') && batch.after > 3) throw new Error('The disk is gone.');
      return store.append(batch);
    },
  };
  const { world, published, troubles, time } = worldOf(disk, 'e');
  const floor = await Floor.open(demoOwner, demoSettings, demoPace, world);
  const rounds = (): number => published.filter(({ event }) => event.type === 'RoundSettled').length;
  for (let n = 0; n < 20_000 && rounds() < 30; n++) await time.step();
  expect(rounds()).toBeGreaterThanOrEqual(30);
  expect(troubles).toEqual(['tiger: Error: The disk is gone.']);
  const terminal = await floor.seat('hash', demoCredit);
  const slip = { type: 'SetSlip', who: { terminal }, round: 'any', slip: { tie: 100 } } as const;
  expect(await floor.tables.get('tiger')!.submit('late', slip)).toMatchObject({ refused: 'table-stopped' });
  expect(published.some(({ stream, event }) => stream.endsWith('/tiger') && event.type === 'RoundSettled')).toBe(false);
  expect((await verify(store)).problem).toBeUndefined();
});

test('one credit is spent once, however many tables are asked at the same moment', async () => {
  const { world, time } = worldOf(memoryStore(), 'f');
  const floor = await Floor.open(demoOwner, demoSettings, demoPace, world);
  const terminal = await floor.seat('hash', demoCredit);
  while ([...floor.tables.values()].some(({ table }) => table.phase !== 'betting')) await time.step();
  const answers = await Promise.all(
    [...floor.tables.values()].map((table, n) =>
      table.submit(`c${n}`, {
        type: 'SetSlip',
        who: { terminal },
        round: table.table.round!.id,
        slip: { player: 30_000 },
      }),
    ),
  );
  const refused = answers.flatMap((answer) => ('refused' in answer ? [answer.refused] : []));
  expect(refused).toEqual(Array.from({ length: 7 }, () => 'not-enough-credit'));
  expect(floor.creditOf(terminal)).toBe(10_000);
});

test('an id that comes twice at once is decided once; for something else it is refused', async () => {
  const { world, published, time } = worldOf(memoryStore(), 'g');
  const floor = await Floor.open(demoOwner, demoSettings.slice(0, 1), demoPace, world);
  const terminal = await floor.seat('hash', demoCredit);
  const table = floor.tables.get('baccarat')!;
  while (table.runner.table?.phase !== 'betting') await time.step();
  const slip = { type: 'SetSlip', who: { terminal }, round: table.table.round!.id, slip: { tie: 100 } } as const;
  const [one, two, other] = await Promise.all([
    table.submit('c1', slip),
    table.submit('c1', slip),
    table.submit('c1', { ...slip, slip: { tie: 200 } }),
  ]);
  expect(one).toMatchObject({ entries: [{ event: { type: 'SlipSet', slip: { tie: 100 } } }] });
  expect(two).toBe(one);
  expect(other).toMatchObject({ refused: 'command-reused' });
  expect(published.filter(({ event }) => event.type === 'SlipSet')).toHaveLength(1);
});
