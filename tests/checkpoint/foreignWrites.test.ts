import { describe, expect, test } from 'vitest';
import { type CheckpointWriter } from '../../src/checkpoint/checkpointWriter.ts';
import { verifyCheckpointChain } from '../../src/checkpoint/checks.ts';
import { checkAndSignStore } from '../../src/checkpoint/storeCheck.ts';
import { type EntryRow } from '../../src/store/hashChain.ts';
import { MemoryStoreContents, createMemoryStore } from '../../src/store/memoryStore.ts';
import { DamagedStoreError, WriteResultUnknownError, type Store, WriterTakenOverError } from '../../src/store/store.ts';
import { WriteFailedError } from '../../src/store/failures.ts';
import { createSeededRandom } from '../../src/runtime/ports/random.ts';
import { seed } from '../seed.ts';
import { clock, credit, entry, grow, checkpointFolder } from './fixtures.ts';

// An attacker with write access to the event store would have a running floor sign forged data.

const { newKeyPaths } = checkpointFolder();

/** A floor on a store in memory with two signed streams; another writer can change the memory too. */
async function runningFloor(around: (store: Store) => Store = (store) => store) {
  const memory = new MemoryStoreContents();
  const files = newKeyPaths();
  const { writer } = await checkAndSignStore(around(createMemoryStore(memory)), files, clock, undefined);
  const store = writer.trackedStore();
  await grow(store, 'a', 3);
  await grow(store, 'b', 2);
  await writer.checkpoint();
  const count = async (): Promise<number> => (await verifyCheckpointChain(createMemoryStore(memory))).hashes.length;
  return { memory, files, writer, store, count };
}

/** Changes the memory as another writer that knows the format of the store. */
async function asOtherWriter(memory: MemoryStoreContents, act: (store: Store) => Promise<unknown>): Promise<void> {
  const { epoch } = memory;
  await act(createMemoryStore(memory));
  memory.epoch = epoch;
}

/** The problem with which a checkpoint is refused. */
const problemOfCheckpoint = async (writer: CheckpointWriter): Promise<string> => {
  const error: unknown = await writer.checkpoint().catch((thrown: unknown) => thrown);
  return error instanceof DamagedStoreError ? error.message : `no damage: ${String(error)}`;
};

describe('the checkpoint writer of a single process', () => {
  test('does not sign a balance that was changed in the store', async () => {
    const { memory, writer, store, count } = await runningFloor();
    const { amount, version } = memory.balances.get(credit)!;
    memory.balances.set(credit, { amount: amount + 1000, version });
    const before = await count();
    await expect(writer.checkpoint()).rejects.toThrow(DamagedStoreError);
    // Also after later postings of the account.
    await grow(store, 'a', 1);
    expect(await problemOfCheckpoint(writer)).toMatch(/^The stored balances differ from the signed balances/);
    expect(await count()).toBe(before);
    // Also when the account is newer than the last checkpoint.
    const second = await runningFloor();
    const to = 'sg1/SGD/terminal/T8.1';
    const postings = [{ from: 'sg1/SGD/external/T7', to, amount: 1 }] as const;
    await second.store.append({ stream: 'b', after: 2, entries: [{ ...entry('new'), postings }] });
    second.memory.balances.set(to, { amount: 1000, version: 1 });
    expect(await problemOfCheckpoint(second.writer)).toMatch(
      /^The account sg1\/SGD\/terminal\/T8\.1 does not have the balance that this process wrote/,
    );
  });

  test('does not sign when a balance is missing or one was added', async () => {
    for (const act of [
      (memory: MemoryStoreContents) => void memory.balances.delete(credit),
      (memory: MemoryStoreContents) => void memory.balances.set('sg1/SGD/terminal/T8.1', { amount: 5, version: 1 }),
    ]) {
      const { memory, writer } = await runningFloor();
      act(memory);
      expect(await problemOfCheckpoint(writer)).toMatch(/^The stored balances differ from the signed balances/);
    }
  });

  test('does not sign an entry of another writer even when chain and balances fit', async () => {
    const { memory, writer, store, count } = await runningFloor();
    const before = await count();
    await asOtherWriter(memory, (other) => grow(other, 'b', 1));
    expect(await problemOfCheckpoint(writer)).toMatch('Entry 3 of b was not written by this process');
    await grow(store, 'a', 1);
    expect(await problemOfCheckpoint(writer)).toMatch('Entry 3 of b');
    expect(await count()).toBe(before);
  });

  test('does not sign a stream of another writer, nor own entries after a foreign one', async () => {
    const { memory, writer } = await runningFloor();
    await asOtherWriter(memory, (other) => grow(other, 'c', 2));
    expect(await problemOfCheckpoint(writer)).toMatch('Entry 1 of c');
    const second = await runningFloor();
    await asOtherWriter(second.memory, (other) => grow(other, 'b', 1));
    await grow(second.store, 'b', 1);
    expect(await problemOfCheckpoint(second.writer)).toMatch('Entry 3 of b');
  });

  test('does not sign a stream that was replaced or truncated', async () => {
    for (const act of [
      (_: EntryRow[], memory: MemoryStoreContents) =>
        void memory.heads.set('b', { ...memory.heads.get('b')!, hash: `sha256:${'0'.repeat(64)}` }),
      (rows: EntryRow[], memory: MemoryStoreContents) =>
        void memory.heads.set('b', { ...memory.heads.get('b')!, sequence: 1, hash: rows[0]!.hash }),
    ]) {
      const { memory, writer } = await runningFloor();
      act(memory.streams.get('b')!, memory);
      expect(await problemOfCheckpoint(writer)).toMatch(/^Entry [12] of b was not written by this process/);
    }
  });

  test('accepts unknown entries only after an append in doubt', async () => {
    let how: 'well' | 'fails' | 'lost' = 'well';
    const { memory, writer, store, count } = await runningFloor((behind) => ({
      ...behind,
      append: async (batch) => {
        if (how === 'fails') throw new WriteFailedError('The disk is full.');
        const appended = await behind.append(batch);
        if (how === 'lost') throw new WriteResultUnknownError('Nobody knows.');
        return appended;
      },
    }));
    const before = await count();
    how = 'lost';
    await expect(store.append({ stream: 'a', after: 3, entries: [entry('x', 1)] })).rejects.toThrow(
      WriteResultUnknownError,
    );
    how = 'well';
    await grow(store, 'a', 1);
    await writer.checkpoint();
    await grow(store, 'a', 1);
    await writer.checkpoint();
    expect(await count()).toBe(before + 2);
    how = 'fails';
    await expect(store.append({ stream: 'a', after: 6, entries: [entry('y', 1)] })).rejects.toThrow(WriteFailedError);
    const { amount, version } = memory.balances.get(credit)!;
    memory.balances.set(credit, { amount: amount + 1, version });
    expect(await problemOfCheckpoint(writer)).toMatch(/^The stored balances differ from the signed balances/);
  });

  test('reports a take-over and not damage when another process has taken over', async () => {
    let meanwhile = async (): Promise<void> => {};
    const { memory, writer } = await runningFloor((behind) => ({
      ...behind,
      readHeadsAndBalances: async function* () {
        await meanwhile();
        yield* behind.readHeadsAndBalances();
      },
    }));
    meanwhile = () => grow(createMemoryStore(memory), 'b', 1);
    await expect(writer.checkpoint()).rejects.toThrow(WriterTakenOverError);
  });

  test('accepts own appends at any moment during a checkpoint', async () => {
    const chance = createSeededRandom(`foreign ${seed}`);
    const pause = async (): Promise<void> => {
      for (let turns = chance.below(4); turns > 0; turns--) await new Promise(setImmediate);
    };
    // Heads and balances come in chunks, and a result comes some time after its append.
    const { memory, writer, store, files, count } = await runningFloor((behind) => ({
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
    const writing = streams.map(async (stream, index) => {
      let { sequence = 0 } = memory.heads.get(stream) ?? {};
      for (let n = 0; n < 60; n++) {
        const to = `sg1/SGD/terminal/T${index}.${chance.below(5)}` as const;
        const from = 'sg1/SGD/external/T7';
        const one = { ...entry(`${stream}-own-${n}`), postings: [{ from, to, amount: 1 }] } as const;
        await store.append({ stream, after: sequence, entries: [one] });
        sequence += 1;
      }
    });
    const allWritten = Promise.all(writing).then(() => true);
    do await writer.checkpoint();
    while (!(await Promise.race([allWritten, new Promise((resolve) => setImmediate(resolve, false))])));
    await writer.checkpoint(true);
    await writer.anchor();
    expect(await count()).toBeGreaterThan(5);
    expect((await checkAndSignStore(createMemoryStore(memory), files, clock, undefined)).unsigned).toBeUndefined();
  });
});
