import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAnchor } from '../../../src/checkpoint/anchorFile.ts';
import { takeOverSigning, checkStoreBeforeStart } from '../../../src/checkpoint/storeCheck.ts';
import { HeadTracker } from '../../../src/checkpoint/headTracker.ts';
import { type ClockJump } from '../../../src/runtime/ports/clock.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { MemoryStoreContents } from '../../../src/store/memoryStore.ts';
import { type RecordedEvent, type Store } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestClock, flushPromises } from '../../chaos/time.ts';
import { openSharedMemory } from '../../store/sharedMemoryStore.ts';
import { temporaryFolder } from '../../temporary.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { joinFloor } from '../support/joinFloor.ts';
import { start, testDependencies } from '../support/testDependencies.ts';

// An event store to which several processes have appended at once, as start and check find it.

const root = temporaryFolder('several');

const tiger = demoSettings.find(({ table }) => table === 'tiger')!;

async function floorEvents(store: Store): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for await (const entries of store.read('demo/floor/main')) found.push(...entries.map(({ event }) => event));
  return found;
}

test('process that opened the store before the floor started joins it and records clock jumps', async () => {
  const memory = new MemoryStoreContents();
  const [early, first] = [openSharedMemory(memory), openSharedMemory(memory)];
  const time = new TestClock(start);
  await openFloor(demoOwner, [tiger], demoPace, testDependencies(first, 'first', time).dependencies);
  expect((await floorEvents(first))[0]).toMatchObject({ type: 'FloorStarted', epoch: 2 });
  let reportJump: (jump: ClockJump) => void = () => {};
  const { floorStream } = await joinFloor(early, 'early', time, {
    subscribeClockJumps: (listener) => void (reportJump = listener),
  });
  reportJump({ from: time.now, to: time.now + 9_000 });
  await flushPromises();
  expect((await floorEvents(first)).map(({ type }) => type)).toEqual(['FloorStarted', 'ClockJumped']);
  floorStream.stopRetrying();
  await flushPromises();
  expect((await floorEvents(first)).at(-1)).toMatchObject({ type: 'ClockJumped' });
  expect((await verifyStore(early)).problem).toBeUndefined();
});

test('process that waited since before the last start may start the floor, with the later epoch', async () => {
  const memory = new MemoryStoreContents();
  const [early, first] = [openSharedMemory(memory), openSharedMemory(memory)];
  await openFloor(demoOwner, [tiger], demoPace, testDependencies(first, 'first').dependencies);
  await openFloor(
    demoOwner,
    [tiger],
    demoPace,
    testDependencies(early, 'early', new TestClock(start + 1_000)).dependencies,
  );
  expect(await floorEvents(early)).toMatchObject([
    { type: 'FloorStarted', epoch: 2 },
    { type: 'FloorStarted', epoch: 2 },
  ]);
  expect((await verifyStore(early)).problem).toBeUndefined();
});

test('entries of two processes that signed in turn pass the check, live and after both were killed', async () => {
  const memory = new MemoryStoreContents();
  const time = new TestClock(start);
  const signer = join(root, 'all.signer');
  const nodes = ['one', 'two'].map((name) => {
    const behind = openSharedMemory(memory);
    const own = { isHolder: false };
    const watch = new HeadTracker(behind);
    const files = { signer, anchor: join(root, `${name}.anchor`) };
    return { behind, own, watch, files, others: { headTracker: watch, isLeaseHolder: () => own.isHolder } };
  });
  const [two, one] = nodes as [(typeof nodes)[number], (typeof nodes)[number]];
  const check = async (anchor?: string) => {
    const { problem, truncatedStreams } = await verifyStore(openSharedMemory(memory), {
      isSigned: true,
      ...(anchor !== undefined && { anchor: readAnchor(anchor)! }),
    });
    return [problem, truncatedStreams];
  };
  const clean = [undefined, []];
  // The node that starts the floor has opened the store last.
  one.own.isHolder = true;
  const { startSigning } = await checkStoreBeforeStart(one.behind, one.files, undefined);
  const { writer, sign } = startSigning(time.clock, one.others);
  const { dependencies } = testDependencies(one.watch.store, 'one', time);
  const floor = await openFloor(demoOwner, [tiger], demoPace, {
    ...dependencies,
    terminalNamespace: one.behind.writerEpoch,
    beforeFirstWrite: () => sign(),
  });
  const there = await joinFloor(two.watch.store, 'two', time);
  let signs = writer;
  const play = async (): Promise<void> => {
    for (let steps = 0; steps < 40; steps++) {
      await time.step();
      await floor.recordHeartbeats();
      await signs.anchor();
    }
    await time.step();
  };
  for (const seat of ['a', 'b']) await there.terminals.seat(`two ${seat}`, demoCredit);
  await floor.terminals.seat('one', demoCredit);
  await play();
  await writer.checkpoint();
  await play();
  expect(await check(one.files.anchor)).toEqual(clean);
  [one.own.isHolder, two.own.isHolder] = [false, true];
  signs = await takeOverSigning(two.behind, two.files, time.clock, two.others);
  await there.floorStream.recordClockJump(time.now, time.now);
  await there.terminals.seat('two c', demoCredit);
  await play();
  for (const { files } of nodes) expect(await check(files.anchor)).toEqual(clean);
  // Both are killed; the next start finds what they left.
  for (const { files } of nodes) {
    const { issue, unsigned } = await checkStoreBeforeStart(openSharedMemory(memory), files, undefined);
    expect(issue).toBeUndefined();
    expect(unsigned?.count).toBeGreaterThan(0);
  }
  const third = openSharedMemory(memory);
  const found = await checkStoreBeforeStart(third, one.files, undefined);
  const later = new TestClock(time.now + 5_000);
  const watch = new HeadTracker(third);
  const signing = found.startSigning(later.clock, { headTracker: watch, isLeaseHolder: () => true });
  const reopened = await openFloor(demoOwner, [tiger], demoPace, {
    ...testDependencies(watch.store, 'third', later).dependencies,
    beforeFirstWrite: () => signing.sign(),
  });
  expect(await check()).toEqual(clean);
  const park = { isOver: false };
  const parked = reopened.drain().finally(() => (park.isOver = true));
  for (await flushPromises(); !park.isOver; await flushPromises()) await later.step();
  await parked;
  await signing.writer.checkpoint(true);
  await signing.writer.anchor();
  for (const { files } of nodes) expect(await check(files.anchor)).toEqual(clean);
});
