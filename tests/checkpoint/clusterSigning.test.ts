import { describe, expect, test } from 'vitest';
import { readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { followCheckpoints } from '../../src/checkpoint/checks.ts';
import { seededRandom } from '../../src/runtime/ports/random.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { hashOfBody } from '../../src/store/hashChain.ts';
import { planAppend, prepareAppend, emptyHead } from '../../src/store/planAppend.ts';
import { type Memory, memoryStore } from '../../src/store/memoryStore.ts';
import { type EntryPosition } from '../../src/store/store.ts';
import { seed } from '../seed.ts';
import { credit, entry, grow, checkpointFolder } from './fixtures.ts';
import { type Node, damageOf, checkAs, nodePairs } from './nodePair.ts';

// Several programs write to one record, and one of them signs all of it.

const { places } = checkpointFolder();
const pair = nodePairs(places);

describe('signing in a cluster', () => {
  test('covers the writes of all nodes', async () => {
    const { memory, one, two, keeper, count } = await pair();
    expect(count()).toBe(2);
    await grow(two.store, 'a', 2);
    await grow(one.store, 'b', 1);
    await grow(two.store, 'c', 1);
    await keeper.checkpoint();
    await keeper.checkpoint();
    expect(count()).toBe(3);
    const { last, heads: named } = await followCheckpoints(memoryStore(memory));
    expect(last).toMatchObject({ number: 3, whole: false });
    expect(Array.from(named, ([stream, { sequence }]) => [stream, sequence])).toEqual([
      ['a', 5],
      ['b', 3],
      ['c', 1],
    ]);
    await keeper.checkpoint(true);
    await keeper.anchor();
    await expect(grow(one.store, 'a', 1)).rejects.toThrow('It is signed that nothing follows in the record.');
    const { issue: doubt, unsigned: uncovered } = await checkAs(memory, one.files);
    expect([doubt, uncovered]).toEqual([undefined, undefined]);
  });

  test('updates the anchor of a node with what it wrote and read, and never goes back', async () => {
    const { one, two, keeper } = await pair();
    await keeper.anchor();
    await grow(one.store, 'a', 1);
    await grow(two.store, 'a', 1);
    await grow(two.store, 'b', 2);
    await grow(two.store, 'c', 1);
    for await (const _ of one.store.read('b', 3));
    await keeper.anchor();
    const ends = (): object =>
      Object.fromEntries(
        Array.from(readAnchor(one.files.anchor)!.heads, ([stream, { sequence }]) => [stream, sequence]),
      );
    expect(ends()).toEqual({ a: 4, b: 4 });
    await keeper.checkpoint();
    await keeper.anchor();
    expect(ends()).toEqual({ a: 5, b: 4, c: 1 });
    // Something older that is read again is no news.
    for await (const entries of one.store.read('a', 0, 2)) if (entries.length > 0) break;
    await grow(two.store, 'c', 1);
    await keeper.anchor();
    expect(ends()).toEqual({ a: 5, b: 4, c: 1 });
  });

  test('refuses an entry that does not follow the signed one', async () => {
    const { memory, two, keeper, count } = await pair();
    const before = count();
    // Made anew from its second entry on, with hashes that fit each other.
    const rows = memory.streams.get('b')!;
    const [first, , third] = [rows[0]!, rows[1], entry('x', 1)];
    const again = planAppend(prepareAppend({ stream: 'b', after: 1, entries: [entry('other', 1), third] }), {
      head: () => ({ ...emptyHead, sequence: 1, hash: first.hash }),
      balance: (account) => memory.balances.get(account)!,
      existingCommands: () => new Set(),
    });
    if ('refused' in again) throw new Error(again.refused);
    const forged = again.entries.map((one) => ({ stream: 'b', ...one }));
    memory.streams.set('b', [first, ...forged]);
    memory.heads.set('b', { sequence: 3, hash: forged[1]!.hash, epoch: 0 });
    expect(await damageOf(keeper.checkpoint())).toBe('Entry 3 of b does not follow the entry before it.');
    await grow(two.store, 'a', 1);
    expect(await damageOf(keeper.checkpoint())).toMatch('Entry 3 of b');
    expect(count()).toBe(before);
  });

  test('refuses a stream that was truncated, is missing, or has a wrong head', async () => {
    const acts: readonly [(memory: Memory) => void, RegExp][] = [
      [
        (memory) => {
          memory.streams.get('b')!.pop();
          memory.heads.set('b', { sequence: 1, hash: memory.streams.get('b')![0]!.hash, epoch: 0 });
        },
        /^The stream b ends with entry 1, and entry 2 was there\.$/,
      ],
      [(memory) => void memory.heads.delete('b'), /^The stream b ends with entry 0, and entry 2 was there\.$/],
      [
        (memory) => void memory.heads.set('b', { sequence: 2, hash: `sha256:${'0'.repeat(64)}`, epoch: 0 }),
        /^Entry 2 of b is another than the one that was there\.$/,
      ],
      [
        (memory) => void memory.heads.set('b', { sequence: 3, hash: `sha256:${'0'.repeat(64)}`, epoch: 0 }),
        /^The stream b does not end with the entry last written there\.$/,
      ],
    ];
    for (const [act, says] of acts) {
      const { memory, keeper, count } = await pair();
      const before = count();
      act(memory);
      expect(await damageOf(keeper.checkpoint())).toMatch(says);
      expect(count()).toBe(before);
    }
  });

  test('refuses an entry that replaces one read since the last checkpoint', async () => {
    const { memory, one, two, keeper } = await pair();
    await grow(two.store, 'b', 1);
    for await (const _ of one.store.read('b', 2));
    const rows = memory.streams.get('b')!;
    const held = new Map(memory.balances);
    const again = planAppend(prepareAppend({ stream: 'b', after: 2, entries: [entry('other'), entry('another')] }), {
      head: () => ({ ...emptyHead, sequence: 2, hash: rows[1]!.hash }),
      balance: (account) => held.get(account)!,
      existingCommands: () => new Set(),
    });
    if ('refused' in again) throw new Error(again.refused);
    rows.splice(2, 1, ...again.entries.map((row) => ({ stream: 'b', ...row })));
    memory.heads.set('b', { sequence: 4, hash: again.entries[1]!.hash, epoch: 0 });
    expect(await damageOf(keeper.checkpoint())).toBe('Entry 3 of b is another than the one that was there.');
  });

  test('refuses a balance that does not follow from the entries', async () => {
    const other: Account = 'sg1/SGD/terminal/T8.1';
    const acts: readonly [(memory: Memory, two: Node) => Promise<unknown> | undefined, RegExp][] = [
      [
        (memory) => {
          const { amount, version } = memory.balances.get(credit)!;
          memory.balances.set(credit, { amount: amount + 1000, version });
          return undefined;
        },
        /^The balances are not those that were signed and what was written since\.$/,
      ],
      [
        (memory) => {
          memory.balances.set(other, { amount: 5, version: 1 });
          return undefined;
        },
        /^The balances are not those/,
      ],
      [
        async (memory, two) => {
          await grow(two.store, 'b', 1);
          const { amount, version } = memory.balances.get(credit)!;
          memory.balances.set(credit, { amount: amount + 1000, version });
        },
        /^The account sg1\/SGD\/terminal\/T7\.1 does not hold what the entries/,
      ],
      [
        // One that an entry says, which moves less than that.
        async (memory, two) => {
          await grow(two.store, 'b', 1);
          const rows = memory.streams.get('b')!;
          const row = rows.pop()!;
          const held = memory.balances.get(credit)!;
          const amount = held.amount + 1000;
          const body = String(row.body).replace(`"toAfter":${held.amount}`, `"toAfter":${amount}`);
          const hash = hashOfBody(body);
          rows.push({ ...row, body, hash });
          memory.heads.set('b', { sequence: row.sequence, hash, epoch: 0 });
          memory.balances.set(credit, { ...held, amount });
        },
        /^The account sg1\/SGD\/terminal\/T7\.1 does not hold what the entries/,
      ],
      [
        // One that is younger than the last signature, and gone.
        async (memory, two) => {
          const postings = [{ from: 'sg1/SGD/external/T7', to: other, amount: 1 }] as const;
          await two.store.append({ stream: 'b', after: 2, entries: [{ ...entry('new'), postings }] });
          memory.balances.delete(other);
        },
        /^The account sg1\/SGD\/terminal\/T8\.1 does not hold what the entries/,
      ],
    ];
    for (const [act, says] of acts) {
      const { memory, two, keeper, count } = await pair();
      const before = count();
      await act(memory, two);
      expect(await damageOf(keeper.checkpoint())).toMatch(says);
      expect(count()).toBe(before);
    }
  });

  test('finds no false problem under concurrent appends', async () => {
    const chance = seededRandom(`several ${seed}`);
    const pause = async (): Promise<void> => {
      for (let turns = chance.below(4); turns > 0; turns--) await new Promise(setImmediate);
    };
    const { memory, one, two, keeper, count } = await pair();
    // Heads and balances of one moment come one by one, and others write between them.
    const { readHeadsAndBalances: standing, read } = one.behind;
    Object.assign(one.behind, {
      // Streams that have moved by a little are read together, also behind that moment.
      from: async function* (all: readonly EntryPosition[], most: number) {
        for (const { stream, sequence } of all) {
          for await (const entries of read(stream, sequence - 1, most)) {
            yield entries;
            break;
          }
        }
      },
      standing: async function* () {
        for await (const { heads, balances } of standing()) {
          for (const head of heads) {
            yield { heads: [head], balances: [] };
            await pause();
          }
          for (const balance of balances) yield { heads: [], balances: [balance] };
        }
      },
    });
    const writing = [one, two].flatMap(({ store }, place) =>
      ['a', 'b', 'c'].map(async (stream) => {
        for (let n = 0; count() < 15; n++) {
          const to = `sg1/SGD/terminal/T${place}.${chance.below(5)}` as const;
          const postings = [{ from: 'sg1/SGD/external/T7', to, amount: 1 }] as const;
          const batch = { ...entry(`${stream}-${place}-${n}`), postings };
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
      await keeper.checkpoint();
      await keeper.anchor();
      await pause();
    }
    await Promise.all(writing);
    await keeper.checkpoint(true);
    await keeper.anchor();
    const { issue: doubt, unsigned: uncovered } = await checkAs(memory, one.files);
    expect([doubt, uncovered]).toEqual([undefined, undefined]);
  });
});
