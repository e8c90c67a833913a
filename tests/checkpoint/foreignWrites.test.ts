import { describe, expect, test } from 'vitest';
import { type CheckpointWriter } from '../../src/checkpoint/checkpointWriter.ts';
import { followCheckpoints } from '../../src/checkpoint/checks.ts';
import { openChecked } from '../../src/checkpoint/openStore.ts';
import { type EntryRow } from '../../src/store/hashChain.ts';
import { Memory, memoryStore } from '../../src/store/memoryStore.ts';
import { DamagedRecord, ResultUnknown, type Store, TakenOver } from '../../src/store/store.ts';
import { WriteFailed } from '../../src/store/failures.ts';
import { seededRandom } from '../../src/runtime/ports/random.ts';
import { seed } from '../seed.ts';
import { clock, credit, entry, grow, checkpointFolder } from './fixtures.ts';

// Whoever can write to the record while a floor runs on it would have the floor sign what he wrote.

const { places } = checkpointFolder();

/** A floor on a record in memory, with two streams that are signed; somebody else can reach the memory as well. */
async function runningFloor(around: (store: Store) => Store = (store) => store) {
  const memory = new Memory();
  const files = places();
  const { writer: keeper } = await openChecked(around(memoryStore(memory)), files, clock, undefined);
  const store = keeper.trackedStore();
  await grow(store, 'a', 3);
  await grow(store, 'b', 2);
  await keeper.checkpoint();
  const count = async (): Promise<number> => (await followCheckpoints(memoryStore(memory))).hashes.length;
  return { memory, files, keeper, store, count };
}

/** Something is done to the memory by somebody else, who knows how a record is written. */
async function asOtherWriter(memory: Memory, act: (store: Store) => Promise<unknown>): Promise<void> {
  const { epoch } = memory;
  await act(memoryStore(memory));
  memory.epoch = epoch;
}

/** What is said to be wrong where the record is to be signed. */
const problemOfCheckpoint = async (keeper: CheckpointWriter): Promise<string> => {
  const error: unknown = await keeper.checkpoint().catch((thrown: unknown) => thrown);
  return error instanceof DamagedRecord ? error.message : `no damage: ${String(error)}`;
};

describe('the checkpoint writer of a single process', () => {
  test('does not sign a balance that was changed in the store', async () => {
    const { memory, keeper, store, count } = await runningFloor();
    const { amount, version } = memory.balances.get(credit)!;
    memory.balances.set(credit, { amount: amount + 1000, version });
    const before = await count();
    await expect(keeper.checkpoint()).rejects.toThrow(DamagedRecord);
    // Also where money has moved there since.
    await grow(store, 'a', 1);
    expect(await problemOfCheckpoint(keeper)).toMatch(/^The balances are not those that were signed/);
    expect(await count()).toBe(before);
    // And where the account is younger than the last signature.
    const second = await runningFloor();
    const to = 'sg1/SGD/terminal/T8.1';
    const postings = [{ from: 'sg1/SGD/external/T7', to, amount: 1 }] as const;
    await second.store.append({ stream: 'b', after: 2, entries: [{ ...entry('new'), postings }] });
    second.memory.balances.set(to, { amount: 1000, version: 1 });
    expect(await problemOfCheckpoint(second.keeper)).toMatch(
      /^The account sg1\/SGD\/terminal\/T8\.1 does not hold what this program has left/,
    );
  });

  test('does not sign when a balance is missing or one was added', async () => {
    for (const act of [
      (memory: Memory) => void memory.balances.delete(credit),
      (memory: Memory) => void memory.balances.set('sg1/SGD/terminal/T8.1', { amount: 5, version: 1 }),
    ]) {
      const { memory, keeper } = await runningFloor();
      act(memory);
      expect(await problemOfCheckpoint(keeper)).toMatch(/^The balances are not those/);
    }
  });

  test('does not sign an entry of another writer even when chain and balances fit', async () => {
    const { memory, keeper, store, count } = await runningFloor();
    const before = await count();
    await asOtherWriter(memory, (other) => grow(other, 'b', 1));
    expect(await problemOfCheckpoint(keeper)).toMatch('Entry 3 of b is not one that this program has written');
    await grow(store, 'a', 1);
    expect(await problemOfCheckpoint(keeper)).toMatch('Entry 3 of b');
    expect(await count()).toBe(before);
  });

  test('does not sign a stream of another writer, nor own entries after a foreign one', async () => {
    const { memory, keeper } = await runningFloor();
    await asOtherWriter(memory, (other) => grow(other, 'c', 2));
    expect(await problemOfCheckpoint(keeper)).toMatch('Entry 1 of c');
    const second = await runningFloor();
    await asOtherWriter(second.memory, (other) => grow(other, 'b', 1));
    await grow(second.store, 'b', 1);
    expect(await problemOfCheckpoint(second.keeper)).toMatch('Entry 3 of b');
  });

  test('does not sign a stream that was replaced or truncated', async () => {
    for (const act of [
      (_: EntryRow[], memory: Memory) =>
        void memory.heads.set('b', { ...memory.heads.get('b')!, hash: `sha256:${'0'.repeat(64)}` }),
      (rows: EntryRow[], memory: Memory) =>
        void memory.heads.set('b', { ...memory.heads.get('b')!, sequence: 1, hash: rows[0]!.hash }),
    ]) {
      const { memory, keeper } = await runningFloor();
      act(memory.streams.get('b')!, memory);
      expect(await problemOfCheckpoint(keeper)).toMatch(/^Entry [12] of b is not one/);
    }
  });

  test('accepts unknown entries only after an append in doubt', async () => {
    let how: 'well' | 'fails' | 'lost' = 'well';
    const { memory, keeper, store, count } = await runningFloor((behind) => ({
      ...behind,
      append: async (batch) => {
        if (how === 'fails') throw new WriteFailed('The disk is full.');
        const appended = await behind.append(batch);
        if (how === 'lost') throw new ResultUnknown('Nobody knows.');
        return appended;
      },
    }));
    const before = await count();
    how = 'lost';
    await expect(store.append({ stream: 'a', after: 3, entries: [entry('x', 1)] })).rejects.toThrow(ResultUnknown);
    how = 'well';
    await grow(store, 'a', 1);
    await keeper.checkpoint();
    await grow(store, 'a', 1);
    await keeper.checkpoint();
    expect(await count()).toBe(before + 2);
    how = 'fails';
    await expect(store.append({ stream: 'a', after: 6, entries: [entry('y', 1)] })).rejects.toThrow(WriteFailed);
    const { amount, version } = memory.balances.get(credit)!;
    memory.balances.set(credit, { amount: amount + 1, version });
    expect(await problemOfCheckpoint(keeper)).toMatch(/^The balances are not those/);
  });

  test('reports a take-over and not damage when another process has taken over', async () => {
    let meanwhile = async (): Promise<void> => {};
    const { memory, keeper } = await runningFloor((behind) => ({
      ...behind,
      readHeadsAndBalances: async function* () {
        await meanwhile();
        yield* behind.readHeadsAndBalances();
      },
    }));
    meanwhile = () => grow(memoryStore(memory), 'b', 1);
    await expect(keeper.checkpoint()).rejects.toThrow(TakenOver);
  });

  test('accepts own appends at any moment during a checkpoint', async () => {
    const chance = seededRandom(`foreign ${seed}`);
    const pause = async (): Promise<void> => {
      for (let turns = chance.below(4); turns > 0; turns--) await new Promise(setImmediate);
    };
    // Heads and balances come one by one, and an answer comes some time after what it answers was written.
    const { memory, keeper, store, files, count } = await runningFloor((behind) => ({
      ...behind,
      append: async (batch) => {
        await pause();
        const appended = await behind.append(batch);
        await pause();
        return appended;
      },
      readHeadsAndBalances: async function* () {
        for await (const { heads, balances } of behind.readHeadsAndBalances()) {
          for (const head of heads) {
            yield { heads: [head], balances: [] };
            await pause();
          }
          for (const balance of balances) {
            yield { heads: [], balances: [balance] };
            await pause();
          }
        }
      },
    }));
    const streams = ['a', 'b', 'c', 'd', 'e'];
    const writing = streams.map(async (stream, place) => {
      let { sequence = 0 } = memory.heads.get(stream) ?? {};
      for (let n = 0; n < 60; n++) {
        const to = `sg1/SGD/terminal/T${place}.${chance.below(5)}` as const;
        const from = 'sg1/SGD/external/T7';
        const one = { ...entry(`${stream}-own-${n}`), postings: [{ from, to, amount: 1 }] } as const;
        await store.append({ stream, after: sequence, entries: [one] });
        sequence += 1;
      }
    });
    const written = Promise.all(writing).then(() => true);
    do await keeper.checkpoint();
    while (!(await Promise.race([written, new Promise((resolve) => setImmediate(resolve, false))])));
    await keeper.checkpoint(true);
    await keeper.anchor();
    expect(await count()).toBeGreaterThan(5);
    expect((await openChecked(memoryStore(memory), files, clock, undefined)).unsigned).toBeUndefined();
  });
});
