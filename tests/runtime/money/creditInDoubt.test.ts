import { expect, test } from 'vitest';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { WriteResultUnknownError, type Store } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { seatPatron, testDependencies } from '../support/testDependencies.ts';

const game = demoSettings[0]!.table;

/** A patron at a table that takes bets, on a store that appends without a reply while the test says so. */
async function openWithCreditInDoubt(seed: string) {
  const store = createMemoryStore();
  let silent: { readonly stream: string; left: number } | undefined;
  let isAway = false;
  const disk: Store = {
    ...store,
    append: async (batch) => {
      const appended = await store.append(batch);
      if (silent === undefined || !batch.stream.endsWith(silent.stream) || silent.left === 0) return appended;
      silent.left -= 1;
      throw new WriteResultUnknownError('The answer of the disk was lost.');
    },
    read: (...from) => {
      if (isAway) throw new Error('The disk is away.');
      return store.read(...from);
    },
  };
  const { dependencies, warnings, failures, time } = testDependencies(disk, seed);
  const pauses: PromiseWithResolvers<void>[] = [];
  const pause = (): Promise<void> => {
    const setup = Promise.withResolvers<void>();
    pauses.push(setup);
    return setup.promise;
  };
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, {
    ...dependencies,
    sleep: pause,
  });
  const session = await seatPatron(floor, 'hash', demoCredit);
  const table = floor.tables.get(game)!;
  while (table.table.phase !== 'betting') await time.step();
  const slip = (id: string, stake: number) =>
    table.submit(id, {
      type: 'SetSlip',
      actor: { terminal: session },
      round: table.table.round!.id,
      slip: stake === 0 ? {} : { player: stake },
    });
  return {
    store,
    floor,
    slip,
    warnings,
    failures,
    silence: (stream: string, left = 1): void => void (silent = { stream, left }),
    /** The stream processor pauses before it reads the store again, until the test resolves the pause. */
    pauses,
    away: (is: boolean): void => void (isAway = is),
  };
}

test('[READING 60] COLLECT waits after a lost reply until the store shows what became of the stake', async () => {
  const { store, floor, slip, silence, pauses } = await openWithCreditInDoubt('freed');
  expect(await slip('s1', 1000)).toHaveProperty('entries');
  silence(`/${game}`);
  const freed = slip('s2', 0);
  await flushPromises();
  expect(pauses).toHaveLength(1);
  // The stake is perhaps taken off: it must not return to a session that has ended.
  expect(await floor.terminals.collect('T1', 'c1', 'cash')).toMatchObject({ refused: 'stakes-open' });
  pauses[0]!.resolve();
  expect(await freed).toHaveProperty('entries');
  expect(await floor.terminals.collect('T1', 'c2', 'cash')).toMatchObject({
    entries: [{ event: { type: 'CreditCollected', amount: demoCredit } }],
  });
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 60] terminal whose stream could not be read starts again with its committed credit, none reserved', async () => {
  const { store, floor, silence, pauses, away, failures } = await openWithCreditInDoubt('loaded');
  silence('/T1');
  const load = { type: 'LoadCredit', method: 'cash', amount: 5000 } as const;
  const loaded = floor.terminals.submit('T1', 'l1', load);
  await flushPromises();
  away(true);
  // A few tries are made before the result counts as unknown.
  for (let tries = 0; tries < 6; tries++) {
    pauses.at(-1)!.resolve();
    await flushPromises();
  }
  expect(await loaded).toMatchObject({ refused: 'result-unknown' });
  expect(failures.at(-1)).toBe('T1: Error: The disk is away.');
  await expect(floor.terminals.collect('T1', 'c1', 'cash')).rejects.toThrow('The disk is away.');
  away(false);
  expect(await floor.terminals.collect('T1', 'c2', 'cash')).toMatchObject({
    entries: [{ event: { type: 'CreditCollected', amount: demoCredit + 5000 } }],
  });
  expect(await floor.terminals.submit('T1', 'l1', load)).toMatchObject({
    entries: [{ event: { type: 'CreditLoaded', amount: 5000 } }],
  });
  expect((await verifyStore(store)).problem).toBeUndefined();
});
