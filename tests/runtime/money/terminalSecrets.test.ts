import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { demoCredit, demoOwner, demoPace } from '../support/demo.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { WriteResultUnknownError, type Store } from '../../../src/store/store.ts';
import { testDependencies } from '../support/testDependencies.ts';

test('revoked secret gets no seat, nor one that is being revoked', async () => {
  const { dependencies } = testDependencies(createMemoryStore(), 'dead');
  const { terminals } = await openFloor(demoOwner, [], demoPace, dependencies);
  terminals.reserve('a');
  const [renewed, seat] = await Promise.all([terminals.renew('a', 'b'), terminals.seat('a', demoCredit)]);
  expect([renewed, seat]).toMatchObject([undefined, { refused: 'secret-revoked' }]);
  expect(await terminals.renew('a', 'c')).toMatchObject({ refused: 'secret-revoked' });
  expect(await terminals.seat('b', demoCredit)).toBe('T1');
  const [other, reopened] = await Promise.all([terminals.seat('b', demoCredit), terminals.renew('b', 'c')]);
  expect([other, reopened, terminals.bindings.terminalOf('b'), terminals.bindings.terminalOf('c')]).toEqual([
    'T1',
    undefined,
    undefined,
    'T1',
  ]);
  expect(await terminals.seat('b', demoCredit)).toMatchObject({ refused: 'secret-revoked' });
});

test('secret renewed before anything is stored leaves nothing behind, however often', async () => {
  const store = createMemoryStore();
  const { dependencies } = testDependencies(store, 'unwritten');
  const { terminals } = await openFloor(demoOwner, [], demoPace, dependencies);
  terminals.reserve('0');
  for (let n = 0; n < 100; n++) expect(await terminals.renew(String(n), String(n + 1))).toBeUndefined();
  expect([terminals.terminalOf('100'), terminals.terminalOf('99'), terminals.isRevoked('99')]).toEqual([
    'T1',
    undefined,
    true,
  ]);
  // Only the last secret of a seat is kept, and none after the seat is released.
  expect(Array.from({ length: 100 }, (_, n) => terminals.isRevoked(String(n))).filter(Boolean)).toHaveLength(1);
  terminals.release('T1');
  expect([terminals.terminalOf('100'), terminals.isRevoked('99')]).toEqual([undefined, false]);
  expect([(await store.listValues('revoked')).size, (await store.listValues('binding')).size]).toEqual([0, 0]);
});

/** Writes to the key-value table that fail or have no reply, in the given order. */
function withFailingValues(store: Store) {
  const faults: ('fails' | 'is not answered' | undefined)[] = [];
  const disk: Store = {
    ...store,
    putValue: async (...what) => {
      const fault = faults.shift();
      if (fault === 'fails') throw new Error('The disk is full.');
      await store.putValue(...what);
      if (fault === 'is not answered') throw new WriteResultUnknownError('The answer of the disk was lost.');
    },
  };
  return { disk, faults };
}

test.each([
  [['fails'], 'cannot-record'],
  [['is not answered'], 'cannot-record'],
  [[undefined, 'fails'], 'cannot-record'],
  [[undefined, 'is not answered'], 'cannot-record'],
  // The old secret is invalid by then.
  [[undefined, undefined, 'fails'], undefined],
] as const)('change of secrets with write results %j completes when it is sent again', async (ends, reported) => {
  const store = createMemoryStore();
  const { disk, faults } = withFailingValues(store);
  const { dependencies, failures, warnings } = testDependencies(disk, 'halves');
  const { terminals } = await openFloor(demoOwner, [], demoPace, dependencies);
  expect(await terminals.seat('a', demoCredit)).toBe('T1');
  faults.push(...ends);
  const first = await terminals.renew('a', 'b');
  expect(first?.refused).toBe(reported);
  expect([failures.length, warnings]).toEqual([1, []]);
  if (first) {
    expect([terminals.terminalOf('a'), terminals.isRevoked('a')]).toEqual(['T1', false]);
    expect(await terminals.renew('a', 'b')).toBeUndefined();
  }
  const after = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'halves-2').dependencies);
  for (const { terminals: now } of [{ terminals }, after]) {
    expect([now.terminalOf('a'), now.isRevoked('a'), now.terminalOf('b')]).toEqual([undefined, true, 'T1']);
  }
});

test('secret with an uncertain binding stays revoked after its renewal', async () => {
  const store = createMemoryStore();
  const { disk, faults } = withFailingValues(store);
  const { terminals } = await openFloor(demoOwner, [], demoPace, testDependencies(disk, 'first-run').dependencies);
  terminals.reserve('a');
  faults.push('is not answered', 'fails');
  expect(await terminals.seat('a', demoCredit)).toMatchObject({ refused: 'cannot-record' });
  expect(await terminals.renew('a', 'b')).toMatchObject({ refused: 'cannot-record' });
  expect(await terminals.renew('a', 'b')).toBeUndefined();
  expect(await terminals.seat('b', demoCredit)).toBe('T1');
  const after = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'second-run').dependencies);
  expect([after.terminals.terminalOf('a'), after.terminals.isRevoked('a'), after.terminals.terminalOf('b')]).toEqual([
    undefined,
    true,
    'T1',
  ]);
});

test('forged binding is reported in one line, and uses up no number', async () => {
  const store = createMemoryStore();
  await store.putValue('binding', 'mine', `T${Number.MAX_SAFE_INTEGER} forged`);
  const reported: string[] = [];
  const { dependencies } = testDependencies(store, 'forged');
  const onWarning = (what: string, error: unknown) => reported.push(`problem with ${what}: ${inspect(error)}`);
  const { terminals } = await openFloor(demoOwner, [], demoPace, { ...dependencies, onWarning });
  expect(reported).toEqual([
    'problem with terminal "T9007199254740991": A stored secret of this terminal was not written with the data key of this store and is ignored. Find out who wrote to the event store.',
  ]);
  expect(await terminals.seat('a', demoCredit)).toBe('T1');
  expect(terminals.terminalOf('mine')).toBeUndefined();
});
