import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { loadOrCreateSigner } from '../../src/checkpoint/signingKey.ts';
import { verifyCheckpointChain } from '../../src/checkpoint/checks.ts';
import { checkStoreOnJoin, takeOverSigning, checkStoreBeforeStart } from '../../src/checkpoint/storeCheck.ts';
import { LeaderCheckpointWriter } from '../../src/checkpoint/leaderCheckpointWriter.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type Store, WriterTakenOverError } from '../../src/store/store.ts';
import { openSharedMemory } from '../store/sharedMemoryStore.ts';
import { clock, credit, grow, checkpointFolder } from './fixtures.ts';
import { type Node, damageOf, checkAs, nodePairs, takeOver } from './nodePair.ts';

// Which of several processes on an event store signs it, and what its successor trusts.

const { newKeyPaths } = checkpointFolder();
const pair = nodePairs(newKeyPaths);

describe('signing in a cluster', () => {
  test('is taken over during writes with a checkpoint of all heads', async () => {
    const { memory, one, two, writer, count } = await pair();
    await grow(two.store, 'a', 1);
    await grow(one.store, 'c', 1);
    await checkStoreOnJoin(two.inner, two.files);
    const second = await takeOver(one, two);
    expect(count()).toBe(3);
    const { last } = await verifyCheckpointChain(createMemoryStore(memory));
    expect(last).toMatchObject({ whole: true, epoch: 2 });
    expect(Object.keys(last!.heads)).toEqual(['a', 'b', 'c']);
    await second.anchor();
    expect(readAnchor(two.files.anchor)!.last).toMatchObject({ whole: true, checkpoint: { number: 3 } });
    for (const late of [writer.checkpoint(), writer.anchor(), writer.checkpoint(true)]) {
      await expect(late).rejects.toThrow(WriterTakenOverError);
    }
    // Not even when it holds the lease again: it has not followed the checkpoints of the other.
    one.lease.isHolder = true;
    await expect(writer.anchor()).rejects.toThrow('Another node signs the checkpoints now.');
    expect(count()).toBe(3);
    const third = await takeOver(two, one);
    await grow(two.store, 'b', 1);
    await third.checkpoint();
    await third.anchor();
    for (const { files } of [one, two]) {
      expect((await checkStoreBeforeStart(openSharedMemory(memory), files, undefined)).unsigned).toBeUndefined();
    }
  });

  test('refuses a take-over when the store does not continue the last checkpoint', async () => {
    const { memory, one, two } = await pair();
    await grow(one.store, 'a', 1);
    const { amount, version } = memory.balances.get(credit)!;
    memory.balances.set(credit, { amount: amount + 1, version });
    expect(await damageOf(takeOver(one, two))).toMatch(
      /^The account sg1\/SGD\/terminal\/T7\.1 does not have the balance/,
    );
    expect(existsSync(two.files.anchor)).toBe(false);
  });

  test('refuses a take-over when the store ends before the anchor of the node', async () => {
    const { memory, one, two, writer } = await pair();
    await grow(two.store, 'b', 1);
    for await (const _ of one.store.read('b'));
    await writer.anchor();
    const shared = { ...two, files: one.files };
    memory.streams.get('b')!.pop();
    memory.heads.set('b', { sequence: 2, hash: memory.streams.get('b')![1]!.hash, epoch: 0 });
    expect(await damageOf(takeOver(one, shared))).toBe(
      'The stream b ends with entry 2, but entry 3 was read or signed before.',
    );
    await expect(checkStoreOnJoin(two.inner, one.files)).rejects.toThrow(
      /^The stream b ends with entry 2, but the anchor .+ lists entry 3\. Restore the newest event store; if the other nodes/,
    );
  });

  test('refuses a take-over when entries follow the close', async () => {
    const { one, two, writer } = await pair();
    await writer.checkpoint(true);
    await grow(two.inner, 'b', 1);
    expect(await damageOf(takeOver(one, two))).toMatch(
      /^No signature covers 1 entry, .* follow the close of the floor/,
    );
  });

  test('lets one of two concurrent signers sign and stops the other', async () => {
    const { memory, one, two, writer, count } = await pair();
    await grow(one.store, 'a', 1);
    // The first has not noticed yet that its lease is over.
    two.lease.isHolder = true;
    const second = await takeOverSigning(two.inner, two.files, clock, two.signingOptions);
    await grow(two.store, 'b', 1);
    const before = count();
    const ended = await Promise.allSettled([writer.checkpoint(), second.checkpoint()]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect((ended[0] as PromiseRejectedResult).reason).toBeInstanceOf(WriterTakenOverError);
    await expect(writer.anchor()).rejects.toThrow(WriterTakenOverError);
    expect(count()).toBe(before + 1);
    expect((await verifyCheckpointChain(createMemoryStore(memory))).hashes).toHaveLength(before + 1);
  });

  test('verifies a checkpoint that the previous signer had under way', async () => {
    const { one, two, writer, count } = await pair();
    await grow(one.store, 'a', 1);
    two.lease.isHolder = true;
    let late: Promise<void> | undefined;
    const slow: Store = {
      ...two.inner,
      readHeadsAndBalances: async function* () {
        if (late === undefined) await (late = writer.checkpoint());
        yield* two.inner.readHeadsAndBalances();
      },
    };
    const second = await takeOverSigning(slow, two.files, clock, two.signingOptions);
    expect(count()).toBe(4);
    await grow(one.store, 'a', 1);
    await second.checkpoint();
    expect(count()).toBe(5);
  });

  test('leaves unsigned entries that a start after a kill of all nodes reports', async () => {
    const { memory, one, two, writer } = await pair();
    await writer.anchor();
    const second = await takeOver(one, two);
    await second.anchor();
    await grow(one.store, 'a', 2);
    await grow(two.store, 'c', 1);
    for (const { files } of [one, two]) {
      const { issue, unsigned } = await checkStoreBeforeStart(openSharedMemory(memory), files, undefined);
      expect([issue, unsigned]).toEqual([undefined, expect.objectContaining({ count: 3 })]);
    }
    await checkAs(memory, one.files);
    expect((await checkStoreBeforeStart(openSharedMemory(memory), two.files, undefined)).unsigned).toBeUndefined();
  });

  test('happens only on the node that holds the lease', async () => {
    const { memory, one, two, writer, count } = await pair();
    const optionsOf = ({ inner, files, signingOptions }: Node) => ({
      store: inner,
      paths: files,
      clock,
      cluster: signingOptions,
    });
    const first = new LeaderCheckpointWriter(optionsOf(one), writer);
    const second = new LeaderCheckpointWriter({
      ...optionsOf(two),
      chain: await checkStoreOnJoin(two.inner, two.files),
    });
    const hands = (to: Node): void => {
      for (const each of [one, two]) each.lease.isHolder = each === to;
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
    // The lease returns, and neither node noticed in between.
    hands(one);
    await first.checkpoint();
    hands(two);
    await all();
    expect((await verifyCheckpointChain(createMemoryStore(memory))).last).toMatchObject({ number: 6, whole: true });
    await second.checkpoint(true);
    await second.anchor();
    for (const { files } of [one, two]) {
      expect(await checkStoreBeforeStart(openSharedMemory(memory), files, undefined)).toMatchObject({
        issue: undefined,
        unsigned: undefined,
      });
    }
    // Only the lease holder reports a problem of the event store.
    memory.balances.delete(credit);
    await first.checkpoint();
    expect(await damageOf(second.checkpoint())).toMatch('The stored balances differ from the signed balances');
  });

  test('is checked on joining: key of the store, and own anchor or none', async () => {
    const { one, two, writer } = await pair();
    await writer.anchor();
    await checkStoreOnJoin(two.inner, two.files);
    await checkStoreOnJoin(two.inner, one.files);
    const noFiles = newKeyPaths();
    await expect(checkStoreOnJoin(two.inner, { ...two.files, signer: noFiles.signer })).rejects.toThrow(
      'is missing; restore',
    );
    loadOrCreateSigner(noFiles.signer, true);
    await expect(checkStoreOnJoin(two.inner, { ...two.files, signer: noFiles.signer })).rejects.toThrow(
      'restore the key that signed it',
    );
    const stranger = await pair();
    await stranger.writer.anchor();
    await expect(checkStoreOnJoin(two.inner, { ...two.files, anchor: stranger.one.files.anchor })).rejects.toThrow(
      /^The anchor is signed by .* Restore the anchor of this event store\.$/,
    );
    appendFileSync(one.files.anchor, 'something else\n');
    await expect(checkStoreOnJoin(two.inner, one.files)).rejects.toThrow('was changed or damaged');
    rmSync(one.files.anchor);
    await checkStoreOnJoin(two.inner, one.files);
  });
});
