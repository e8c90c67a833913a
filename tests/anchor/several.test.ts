import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { anchorIn } from '../../src/anchor/file.ts';
import { type Keeper } from '../../src/anchor/keeper.ts';
import { signerIn } from '../../src/anchor/signer.ts';
import { followCheckpoints } from '../../src/anchor/standing.ts';
import { type Places, joined, keepingLive, looked, trusted } from '../../src/anchor/start.ts';
import { Turn } from '../../src/anchor/turn.ts';
import { Watch } from '../../src/anchor/watch.ts';
import { seededChance } from '../../src/floor/chance.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { book, hashOfBody, prepared, unwritten } from '../../src/store/chain.ts';
import { Memory, memoryStore } from '../../src/store/memory.ts';
import { DamagedRecord, type Place, type Store, TakenOver } from '../../src/store/store.ts';
import { seed } from '../seed.ts';
import { opened } from '../store/shared.ts';
import { clock, credit, entry, grow, room } from './made.ts';

// Several programs write to one record, and one of them signs all of it.

const { places } = room();

/** One of them, with an anchor of its own and the key of all. */
function node(memory: Memory, signer: string) {
  const behind = opened(memory);
  const watch = new Watch(behind);
  const files: Places = { signer, anchor: places().anchor };
  const own = { isHolder: false };
  const others = { watch, isHolder: () => own.isHolder };
  return { behind, watch, store: watch.store, files, own, others };
}

type Node = ReturnType<typeof node>;

/** Two programs of which the first has begun the floor and signs; each has written something. */
async function pair() {
  const memory = new Memory();
  const { signer } = places();
  const [one, two] = [node(memory, signer), node(memory, signer)];
  one.own.isHolder = true;
  const { keeping } = await looked(one.behind, one.files, undefined);
  const { keeper, sign } = keeping(clock, one.others);
  await sign();
  await grow(one.store, 'a', 3);
  await grow(two.store, 'b', 2);
  await keeper.checkpoint();
  const count = (): number => memory.checkpoints.length;
  return { memory, one, two, keeper, count };
}

/** The second takes over what signs. */
async function takesOver(one: Node, two: Node): Promise<Keeper> {
  [one.own.isHolder, two.own.isHolder] = [false, true];
  return keepingLive(two.behind, two.files, clock, two.others);
}

const damageIn = async (act: Promise<unknown>): Promise<string> => {
  const error: unknown = await act.catch((thrown: unknown) => thrown);
  return error instanceof DamagedRecord ? error.message : `no damage: ${String(error)}`;
};

/** A record that all programs have left, looked at by the next one that starts. */
const foundBy = (memory: Memory, files: Places) => trusted(opened(memory), files, clock, undefined);

describe('of several programs on a record', () => {
  test('one signs what all of them write', async () => {
    const { memory, one, two, keeper, count } = await pair();
    expect(count()).toBe(2);
    await grow(two.store, 'a', 2);
    await grow(one.store, 'b', 1);
    await grow(two.store, 'c', 1);
    await keeper.checkpoint();
    await keeper.checkpoint();
    expect(count()).toBe(3);
    const { last, places: named } = await followCheckpoints(memoryStore(memory));
    expect(last).toMatchObject({ number: 3, whole: false });
    expect(Array.from(named, ([stream, { sequence }]) => [stream, sequence])).toEqual([
      ['a', 5],
      ['b', 3],
      ['c', 1],
    ]);
    await keeper.checkpoint(true);
    await keeper.anchor();
    await expect(grow(one.store, 'a', 1)).rejects.toThrow('It is signed that nothing follows in the record.');
    const { doubt, uncovered } = await foundBy(memory, one.files);
    expect([doubt, uncovered]).toEqual([undefined, undefined]);
  });

  test('the anchor tells what its program wrote and read, and with each checkpoint all of it, and never goes back', async () => {
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
        Array.from(anchorIn(one.files.anchor)!.places, ([stream, { sequence }]) => [stream, sequence]),
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

  test('no entry is signed that does not follow the one that was signed, whoever wrote it', async () => {
    const { memory, two, keeper, count } = await pair();
    const before = count();
    // Made anew from its second entry on, with hashes that fit each other.
    const rows = memory.streams.get('b')!;
    const [first, , third] = [rows[0]!, rows[1], entry('x', 1)];
    const again = book(prepared({ stream: 'b', after: 1, entries: [entry('other', 1), third] }), {
      head: () => ({ ...unwritten, sequence: 1, hash: first.hash }),
      balance: (account) => memory.balances.get(account)!,
      known: () => new Set(),
    });
    if ('refused' in again) throw new Error(again.refused);
    const forged = again.entries.map((one) => ({ stream: 'b', ...one }));
    memory.streams.set('b', [first, ...forged]);
    memory.heads.set('b', { sequence: 3, hash: forged[1]!.hash, epoch: 0 });
    expect(await damageIn(keeper.checkpoint())).toBe('Entry 3 of b does not follow the entry before it.');
    await grow(two.store, 'a', 1);
    expect(await damageIn(keeper.checkpoint())).toMatch('Entry 3 of b');
    expect(count()).toBe(before);
  });

  test('nor a stream that was cut, that is gone, or whose end is another than its last entry', async () => {
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
      expect(await damageIn(keeper.checkpoint())).toMatch(says);
      expect(count()).toBe(before);
    }
  });

  test('nor an entry in the place of one that this program has seen since it signed', async () => {
    const { memory, one, two, keeper } = await pair();
    await grow(two.store, 'b', 1);
    for await (const _ of one.store.read('b', 2));
    const rows = memory.streams.get('b')!;
    const held = new Map(memory.balances);
    const again = book(prepared({ stream: 'b', after: 2, entries: [entry('other'), entry('another')] }), {
      head: () => ({ ...unwritten, sequence: 2, hash: rows[1]!.hash }),
      balance: (account) => held.get(account)!,
      known: () => new Set(),
    });
    if ('refused' in again) throw new Error(again.refused);
    rows.splice(2, 1, ...again.entries.map((row) => ({ stream: 'b', ...row })));
    memory.heads.set('b', { sequence: 4, hash: again.entries[1]!.hash, epoch: 0 });
    expect(await damageIn(keeper.checkpoint())).toBe('Entry 3 of b is another than the one that was there.');
  });

  test('nor a balance that no entry leads to', async () => {
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
      expect(await damageIn(keeper.checkpoint())).toMatch(says);
      expect(count()).toBe(before);
    }
  });

  test('another takes over while they write, follows what was signed, and names all streams anew', async () => {
    const { memory, one, two, keeper, count } = await pair();
    await grow(two.store, 'a', 1);
    await grow(one.store, 'c', 1);
    await joined(two.behind, two.files);
    const second = await takesOver(one, two);
    expect(count()).toBe(3);
    const { last } = await followCheckpoints(memoryStore(memory));
    expect(last).toMatchObject({ whole: true, epoch: 2 });
    expect(Object.keys(last!.heads)).toEqual(['a', 'b', 'c']);
    await second.anchor();
    expect(anchorIn(two.files.anchor)!.last).toMatchObject({ whole: true, checkpoint: { number: 3 } });
    for (const late of [keeper.checkpoint(), keeper.anchor(), keeper.checkpoint(true)]) {
      await expect(late).rejects.toThrow(TakenOver);
    }
    // Not even where it may again: it has not followed what the other signed.
    one.own.isHolder = true;
    await expect(keeper.anchor()).rejects.toThrow('Another program signs the record.');
    expect(count()).toBe(3);
    const third = await takesOver(two, one);
    await grow(two.store, 'b', 1);
    await third.checkpoint();
    await third.anchor();
    for (const { files } of [one, two]) {
      expect((await looked(opened(memory), files, undefined)).uncovered).toBeUndefined();
    }
  });

  test('whoever takes over signs nothing that does not lead on from what was signed', async () => {
    const { memory, one, two } = await pair();
    await grow(one.store, 'a', 1);
    const { amount, version } = memory.balances.get(credit)!;
    memory.balances.set(credit, { amount: amount + 1, version });
    expect(await damageIn(takesOver(one, two))).toMatch(/^The account sg1\/SGD\/terminal\/T7\.1 does not hold/);
    expect(existsSync(two.files.anchor)).toBe(false);
  });

  test('nor where the record ends before the anchor that it has', async () => {
    const { memory, one, two, keeper } = await pair();
    await grow(two.store, 'b', 1);
    for await (const _ of one.store.read('b'));
    await keeper.anchor();
    const shared = { ...two, files: one.files };
    memory.streams.get('b')!.pop();
    memory.heads.set('b', { sequence: 2, hash: memory.streams.get('b')![1]!.hash, epoch: 0 });
    expect(await damageIn(takesOver(one, shared))).toBe('The stream b ends with entry 2, and entry 3 was there.');
    await expect(joined(two.behind, one.files)).rejects.toThrow(
      /^The stream b ends with entry 2, and the anchor .+ knows of entry 3\. Put back the newest record; where the others/,
    );
  });

  test('nor behind the close of the floor', async () => {
    const { one, two, keeper } = await pair();
    await keeper.checkpoint(true);
    await grow(two.behind, 'b', 1);
    expect(await damageIn(takesOver(one, two))).toMatch(
      /^No signature covers 1 entry, .* behind the close of the floor/,
    );
  });

  test('of two who sign at once one does, and the other finds out and signs no more', async () => {
    const { memory, one, two, keeper, count } = await pair();
    await grow(one.store, 'a', 1);
    // The first does not know yet that its time is over.
    two.own.isHolder = true;
    const second = await keepingLive(two.behind, two.files, clock, two.others);
    await grow(two.store, 'b', 1);
    const before = count();
    const ended = await Promise.allSettled([keeper.checkpoint(), second.checkpoint()]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect((ended[0] as PromiseRejectedResult).reason).toBeInstanceOf(TakenOver);
    await expect(keeper.anchor()).rejects.toThrow(TakenOver);
    expect(count()).toBe(before + 1);
    expect((await followCheckpoints(memoryStore(memory))).hashes).toHaveLength(before + 1);
  });

  test('what the one before had still under way is followed by whoever takes over', async () => {
    const { one, two, keeper, count } = await pair();
    await grow(one.store, 'a', 1);
    two.own.isHolder = true;
    let late: Promise<void> | undefined;
    const slow: Store = {
      ...two.behind,
      standing: async function* () {
        if (late === undefined) await (late = keeper.checkpoint());
        yield* two.behind.standing();
      },
    };
    const second = await keepingLive(slow, two.files, clock, two.others);
    expect(count()).toBe(4);
    await grow(one.store, 'a', 1);
    await second.checkpoint();
    expect(count()).toBe(5);
  });

  test('a start after all of them were killed finds what nobody has signed, and goes on', async () => {
    const { memory, one, two, keeper } = await pair();
    await keeper.anchor();
    const second = await takesOver(one, two);
    await second.anchor();
    await grow(one.store, 'a', 2);
    await grow(two.store, 'c', 1);
    for (const { files } of [one, two]) {
      const { doubt, uncovered } = await looked(opened(memory), files, undefined);
      expect([doubt, uncovered]).toEqual([undefined, expect.objectContaining({ count: 3 })]);
    }
    await foundBy(memory, one.files);
    expect((await looked(opened(memory), two.files, undefined)).uncovered).toBeUndefined();
  });

  test('each signs in its turn, begins to by itself, and does nothing while it is the turn of another', async () => {
    const { memory, one, two, keeper, count } = await pair();
    const parts = ({ behind, files, others }: Node) => ({ store: behind, places: files, clock, others });
    const first = new Turn(parts(one), keeper);
    const second = new Turn({ ...parts(two), followed: await joined(two.behind, two.files) });
    const hands = (to: Node): void => {
      for (const each of [one, two]) each.own.isHolder = each === to;
    };
    const all = async (): Promise<void> => {
      await grow(one.store, 'a', 1);
      await grow(two.store, 'b', 1);
      await Promise.all([first, second].flatMap((turn) => [turn.checkpoint(), turn.anchor(), turn.checkpoint()]));
    };
    await all();
    expect([count(), existsSync(two.files.anchor)]).toEqual([3, false]);
    expect([first.signed?.at, second.signed]).toEqual([clock(), null]);
    hands(two);
    await all();
    expect([count(), existsSync(two.files.anchor)]).toEqual([4, true]);
    // It comes back, and neither has noticed in between.
    hands(one);
    await first.checkpoint();
    hands(two);
    await all();
    expect((await followCheckpoints(memoryStore(memory))).last).toMatchObject({ number: 6, whole: true });
    await second.checkpoint(true);
    await second.anchor();
    for (const { files } of [one, two]) {
      expect(await looked(opened(memory), files, undefined)).toMatchObject({ doubt: undefined, uncovered: undefined });
    }
    // What is wrong with the record is said by whose turn it is, and by nobody else.
    memory.balances.delete(credit);
    await first.checkpoint();
    expect(await damageIn(second.checkpoint())).toMatch('The balances are not those');
  });

  test('one that joins has the key of the record, and an anchor that is its own, or none', async () => {
    const { one, two, keeper } = await pair();
    await keeper.anchor();
    await joined(two.behind, two.files);
    await joined(two.behind, one.files);
    const nobody = places();
    await expect(joined(two.behind, { ...two.files, signer: nobody.signer })).rejects.toThrow('is missing; put back');
    signerIn(nobody.signer, true);
    await expect(joined(two.behind, { ...two.files, signer: nobody.signer })).rejects.toThrow('put back its own key');
    const stranger = await pair();
    await stranger.keeper.anchor();
    await expect(joined(two.behind, { ...two.files, anchor: stranger.one.files.anchor })).rejects.toThrow(
      /^The anchor is signed by .* Put back the anchor of this record\.$/,
    );
    appendFileSync(one.files.anchor, 'something else\n');
    await expect(joined(two.behind, one.files)).rejects.toThrow('is not as it was written');
    rmSync(one.files.anchor);
    await joined(two.behind, one.files);
  });

  test('however writing and signing fall together nothing is found that is not so', async () => {
    const chance = seededChance(`several ${seed}`);
    const pause = async (): Promise<void> => {
      for (let turns = chance.below(4); turns > 0; turns--) await new Promise(setImmediate);
    };
    const { memory, one, two, keeper, count } = await pair();
    // Heads and balances of one moment come one by one, and others write between them.
    const { standing, read } = one.behind;
    Object.assign(one.behind, {
      // Streams that have moved by a little are read together, also behind that moment.
      from: async function* (all: readonly Place[], most: number) {
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
    const { doubt, uncovered } = await foundBy(memory, one.files);
    expect([doubt, uncovered]).toEqual([undefined, undefined]);
  });
});
