import { describe, expect, test } from 'vitest';
import { readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { verifyCheckpointChain } from '../../src/checkpoint/checks.ts';
import { createSeededRandom } from '../../src/runtime/ports/random.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { hashEntryBody } from '../../src/store/hashChain.ts';
import { planAppend, serializeAppend, emptyHead } from '../../src/store/planAppend.ts';
import { type MemoryStoreContents, createMemoryStore } from '../../src/store/memoryStore.ts';
import { type EntryPosition, type Store } from '../../src/store/store.ts';
import { seed } from '../seed.ts';
import { credit, entry, grow, checkpointFolder } from './fixtures.ts';
import { type Node, damageOf, checkAs, nodePairs } from './nodePair.ts';

// Several processes append to one event store, and one of them signs everything.

const { newKeyPaths } = checkpointFolder();
const pair = nodePairs(newKeyPaths);

describe('signing in a cluster', () => {
  test('covers the writes of all nodes', async () => {
    const { memory, one, two, writer, count } = await pair();
    expect(count()).toBe(2);
    await grow(two.store, 'a', 2);
    await grow(one.store, 'b', 1);
    await grow(two.store, 'c', 1);
    await writer.checkpoint();
    await writer.checkpoint();
    expect(count()).toBe(3);
    const { last, heads: named } = await verifyCheckpointChain(createMemoryStore(memory));
    expect(last).toMatchObject({ number: 3, whole: false });
    expect(Array.from(named, ([stream, { sequence }]) => [stream, sequence])).toEqual([
      ['a', 5],
      ['b', 3],
      ['c', 1],
    ]);
    await writer.checkpoint(true);
    await writer.anchor();
    await expect(grow(one.store, 'a', 1)).rejects.toThrow(
      'The floor is closed; nothing more can be written to the event log.',
    );
    const { issue, unsigned } = await checkAs(memory, one.files);
    expect([issue, unsigned]).toEqual([undefined, undefined]);
  });

  test('updates the anchor of a node with what it wrote and read, and never goes back', async () => {
    const { one, two, writer } = await pair();
    await writer.anchor();
    await grow(one.store, 'a', 1);
    await grow(two.store, 'a', 1);
    await grow(two.store, 'b', 2);
    await grow(two.store, 'c', 1);
    for await (const _ of one.store.read('b', 3));
    await writer.anchor();
    const ends = (): object =>
      Object.fromEntries(
        Array.from(readAnchor(one.files.anchor)!.heads, ([stream, { sequence }]) => [stream, sequence]),
      );
    expect(ends()).toEqual({ a: 4, b: 4 });
    await writer.checkpoint();
    await writer.anchor();
    expect(ends()).toEqual({ a: 5, b: 4, c: 1 });
    // A repeated read of an earlier entry is no news.
    for await (const entries of one.store.read('a', 0, 2)) if (entries.length > 0) break;
    await grow(two.store, 'c', 1);
    await writer.anchor();
    expect(ends()).toEqual({ a: 5, b: 4, c: 1 });
  });

  test('refuses an entry that does not follow the signed one', async () => {
    const { memory, two, writer, count } = await pair();
    const before = count();
    // Rewritten from the second entry on, with matching hashes.
    const rows = memory.streams.get('b')!;
    const [first, , third] = [rows[0]!, rows[1], entry('x', 1)];
    const again = planAppend(serializeAppend({ stream: 'b', after: 1, entries: [entry('other', 1), third] }), {
      head: () => ({ ...emptyHead, sequence: 1, hash: first.hash }),
      balance: (account) => memory.balances.get(account)!,
      existingCommands: () => new Set(),
    });
    if ('refused' in again) throw new Error(again.refused);
    const forged = again.entries.map((one) => ({ stream: 'b', ...one }));
    memory.streams.set('b', [first, ...forged]);
    memory.heads.set('b', { sequence: 3, hash: forged[1]!.hash, epoch: 0 });
    expect(await damageOf(writer.checkpoint())).toBe('Entry 3 of b does not follow the entry before it.');
    await grow(two.store, 'a', 1);
    expect(await damageOf(writer.checkpoint())).toMatch('Entry 3 of b');
    expect(count()).toBe(before);
  });

  test('refuses a stream that was truncated, is missing, or has a wrong head', async () => {
    const acts: readonly [(memory: MemoryStoreContents) => void, RegExp][] = [
      [
        (memory) => {
          memory.streams.get('b')!.pop();
          memory.heads.set('b', { sequence: 1, hash: memory.streams.get('b')![0]!.hash, epoch: 0 });
        },
        /^The stream b ends with entry 1, but entry 2 was read or signed before\.$/,
      ],
      [
        (memory) => void memory.heads.delete('b'),
        /^The stream b ends with entry 0, but entry 2 was read or signed before\.$/,
      ],
      [
        (memory) => void memory.heads.set('b', { sequence: 2, hash: `sha256:${'0'.repeat(64)}`, epoch: 0 }),
        /^Entry 2 of b is not the one that was read or signed before\.$/,
      ],
      [
        (memory) => void memory.heads.set('b', { sequence: 3, hash: `sha256:${'0'.repeat(64)}`, epoch: 0 }),
        /^The stream b does not end with its stored head, which is entry 3 with the hash sha256:0{64}\.$/,
      ],
    ];
    for (const [act, message] of acts) {
      const { memory, writer, count } = await pair();
      const before = count();
      act(memory);
      expect(await damageOf(writer.checkpoint())).toMatch(message);
      expect(count()).toBe(before);
    }
  });

  test('refuses an entry that replaces one read since the last checkpoint', async () => {
    const { memory, one, two, writer } = await pair();
    await grow(two.store, 'b', 1);
    for await (const _ of one.store.read('b', 2));
    const rows = memory.streams.get('b')!;
    const balancesBefore = new Map(memory.balances);
    const again = planAppend(serializeAppend({ stream: 'b', after: 2, entries: [entry('other'), entry('another')] }), {
      head: () => ({ ...emptyHead, sequence: 2, hash: rows[1]!.hash }),
      balance: (account) => balancesBefore.get(account)!,
      existingCommands: () => new Set(),
    });
    if ('refused' in again) throw new Error(again.refused);
    rows.splice(2, 1, ...again.entries.map((row) => ({ stream: 'b', ...row })));
    memory.heads.set('b', { sequence: 4, hash: again.entries[1]!.hash, epoch: 0 });
    expect(await damageOf(writer.checkpoint())).toBe('Entry 3 of b is not the one that was read or signed before.');
  });

  test('refuses a balance that does not follow from the entries', async () => {
    const other: Account = 'sg1/SGD/terminal/T8.1';
    const acts: readonly [(memory: MemoryStoreContents, two: Node) => Promise<unknown> | undefined, RegExp][] = [
      [
        (memory) => {
          const { amount, version } = memory.balances.get(credit)!;
          memory.balances.set(credit, { amount: amount + 1000, version });
          return undefined;
        },
        /^The stored balances differ from the signed balances plus all later postings\.$/,
      ],
      [
        (memory) => {
          memory.balances.set(other, { amount: 5, version: 1 });
          return undefined;
        },
        /^The stored balances differ from the signed balances/,
      ],
      [
        async (memory, two) => {
          await grow(two.store, 'b', 1);
          const { amount, version } = memory.balances.get(credit)!;
          memory.balances.set(credit, { amount: amount + 1000, version });
        },
        /^The account sg1\/SGD\/terminal\/T7\.1 does not have the balance that its postings/,
      ],
      [
        // An entry whose posting is made smaller than the change of the balance.
        async (memory, two) => {
          await grow(two.store, 'b', 1);
          const rows = memory.streams.get('b')!;
          const row = rows.pop()!;
          const balancesBefore = memory.balances.get(credit)!;
          const amount = balancesBefore.amount + 1000;
          const body = String(row.body).replace(`"toAfter":${balancesBefore.amount}`, `"toAfter":${amount}`);
          const hash = hashEntryBody(body);
          rows.push({ ...row, body, hash });
          memory.heads.set('b', { sequence: row.sequence, hash, epoch: 0 });
          memory.balances.set(credit, { ...balancesBefore, amount });
        },
        /^The account sg1\/SGD\/terminal\/T7\.1 does not have the balance that its postings/,
      ],
      [
        // An account that is newer than the last checkpoint is removed.
        async (memory, two) => {
          const postings = [{ from: 'sg1/SGD/external/T7', to: other, amount: 1 }] as const;
          await two.store.append({ stream: 'b', after: 2, entries: [{ ...entry('new'), postings }] });
          memory.balances.delete(other);
        },
        /^The account sg1\/SGD\/terminal\/T8\.1 does not have the balance that its postings/,
      ],
    ];
    for (const [act, message] of acts) {
      const { memory, two, writer, count } = await pair();
      const before = count();
      await act(memory, two);
      expect(await damageOf(writer.checkpoint())).toMatch(message);
      expect(count()).toBe(before);
    }
  });

  test('finds no false problem under concurrent appends', async () => {
    const chance = createSeededRandom(`several ${seed}`);
    const pause = async (): Promise<void> => {
      for (let turns = chance.below(4); turns > 0; turns--) await new Promise(setImmediate);
    };
    const { memory, one, two, writer, count } = await pair();
    // Heads and balances of one moment come in chunks, with appends of others in between.
    const { readHeadsAndBalances, read } = one.inner;
    Object.assign(one.inner, {
      // Streams with few new entries are read together, also beyond that moment.
      readMany: async function* (all: readonly EntryPosition[], maxEntries: number) {
        for (const { stream, sequence } of all) {
          for await (const entries of read(stream, sequence - 1, maxEntries)) {
            yield entries;
            break;
          }
        }
      },
      readHeadsAndBalances: async function* () {
        for await (const { heads, balances } of readHeadsAndBalances()) {
          for (const head of heads) {
            yield { heads: [head], balances: [] };
            await pause();
          }
          for (const balance of balances) yield { heads: [], balances: [balance] };
        }
      },
    } satisfies Partial<Store>);
    const writing = [one, two].flatMap(({ store }, index) =>
      ['a', 'b', 'c'].map(async (stream) => {
        for (let n = 0; count() < 15; n++) {
          const to = `sg1/SGD/terminal/T${index}.${chance.below(5)}` as const;
          const postings = [{ from: 'sg1/SGD/external/T7', to, amount: 1 }] as const;
          const batch = { ...entry(`${stream}-${index}-${n}`), postings };
          for (;;) {
            await pause();
            const after = (await store.heads()).get(stream)?.sequence ?? 0;
            await pause();
            if ('entries' in (await store.append({ stream, after, entries: [batch] }))) break;
          }
        }
      }),
    );
    while (count() < 15) {
      await writer.checkpoint();
      await writer.anchor();
      await pause();
    }
    await Promise.all(writing);
    await writer.checkpoint(true);
    await writer.anchor();
    const { issue, unsigned } = await checkAs(memory, one.files);
    expect([issue, unsigned]).toEqual([undefined, undefined]);
  });
});
