import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AnchorState, readAnchor } from '../../../src/checkpoint/anchorFile.ts';
import { type CheckpointWriter } from '../../../src/checkpoint/checkpointWriter.ts';
import {
  findTruncatedStreams,
  describeEntryDivergence,
  verifyCheckpointChain,
} from '../../../src/checkpoint/checks.ts';
import { checkStoreOnJoin, takeOverSigning, checkStoreBeforeStart } from '../../../src/checkpoint/storeCheck.ts';
import { HeadTracker } from '../../../src/checkpoint/headTracker.ts';
import { type Account } from '../../../src/ledger/accounts.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { openPostgresWholeStoreReader } from '../../../src/store/postgres/postgresStore.ts';
import { DamagedStoreError, type Store, WriterTakenOverError } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestClock } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../../runtime/support/demo.ts';
import { joinFloor } from '../../runtime/support/joinFloor.ts';
import { testDependencies } from '../../runtime/support/testDependencies.ts';
import { temporaryFolder } from '../../temporary.ts';
import { entry, external } from '../storeContract.ts';
import { databases, server } from './databases.ts';
import { withClient } from './postgres.ts';

// One of several nodes on a database signs the entries of all.

const { createDatabase, open } = databases('checkpoints');
const root = temporaryFolder('checkpoints');
let folderCount = 0;

async function pair(clock = Date.now) {
  const database = await createDatabase();
  const folder = join(root, String(folderCount++));
  const openNode = async (name: string) => {
    const store = await open(database);
    const watch = new HeadTracker(store);
    const own = { isHolder: false };
    const files = { signer: `${folder}.signer`, anchor: `${folder}.${name}.anchor` };
    return { store, watch, own, files, others: { headTracker: watch, isLeaseHolder: () => own.isHolder } };
  };
  const [one, two] = [await openNode('one'), await openNode('two')];
  one.own.isHolder = true;
  const { startSigning } = await checkStoreBeforeStart(one.store, one.files, undefined);
  const { writer, sign } = startSigning(clock, one.others);
  await sign();
  return { database, one, two, writer };
}

test('verify finds no problem while two nodes write and one signs', async () => {
  const time = new TestClock(Date.now());
  const { database, one, two, writer } = await pair(time.clock);
  const settings = demoSettings.slice(0, 3);
  const { dependencies, warnings } = testDependencies(one.watch.store, 'one', time);
  const floor = await openFloor(demoOwner, settings, demoPace, {
    ...dependencies,
    terminalNamespace: one.store.writerEpoch,
  });
  const { terminals } = await joinFloor(two.watch.store, 'two', time);
  const checked = { isOver: false };
  /** The moment at which the check begins: test time runs faster than the database. */
  let moment: (() => Promise<void>) | undefined;
  const play = async (): Promise<void> => {
    for (let turn = 0; !checked.isOver; turn++) {
      await terminals.seat(`two ${turn}`, demoCredit);
      await floor.terminals.seat(`one ${turn}`, demoCredit);
      await time.step();
      await floor.recordHeartbeats();
      if (turn % 3 === 0) await writer.checkpoint();
      await writer.anchor();
      await moment?.();
    }
  };
  const check = async (): Promise<void> => {
    const checkStarted =
      Promise.withResolvers<readonly [AnchorState, Awaited<ReturnType<typeof openPostgresWholeStoreReader>>]>();
    moment = async () => {
      moment = undefined;
      const anchor = readAnchor(one.files.anchor)!;
      const reader = await openPostgresWholeStoreReader(`${server}/${database}`);
      await reader.epoch();
      checkStarted.resolve([anchor, reader]);
    };
    const [anchor, reader] = await checkStarted.promise;
    const before = (await one.store.heads()).size;
    const { problem, truncatedStreams, signatures } = await verifyStore(reader, { anchor, isSigned: true });
    await reader.close();
    expect([problem, truncatedStreams]).toEqual([undefined, []]);
    expect(signatures!.checkpoints).toBeGreaterThan(1);
    expect((await one.store.heads()).size).toBeGreaterThan(before);
  };
  const checks = async (): Promise<void> => {
    try {
      for (let count = 0; count < 5; count++) await check();
    } finally {
      checked.isOver = true;
    }
  };
  await Promise.all([play(), checks()]);
  expect(warnings).toEqual([]);
});

/** Counts the entries that all writers have written; they stop when it is over. */
type Writing = { written: number; isOver: boolean };

/** Appends to streams, with entries of other writers in between. */
async function writeEntries(store: Store, node: number, streams: readonly string[], writing: Writing): Promise<void> {
  const ends = new Map<string, number>();
  for (let round = 0; !writing.isOver; round++) {
    const stream = streams[round % streams.length]!;
    const to: Account = `sg1/SGD/terminal/T${round % 37}`;
    const entries = [1, 2].map((n) => entry(1, [{ from: external, to, amount: n }], `${node}.${stream}.${round}.${n}`));
    for (let isAppended = false; !isAppended;) {
      const result = await store.append({ stream, after: ends.get(stream) ?? 0, entries });
      isAppended = 'entries' in result;
      if ('entries' in result) ends.set(stream, result.entries.at(-1)!.sequence);
      else if (result.refused === 'stream-moved') ends.set(stream, result.at);
      else throw new Error(result.refused);
    }
    writing.written += entries.length;
  }
}

test('checkpoints of one node and then of another find no problem while both write', async () => {
  const { one, two, writer: first } = await pair();
  const writing: Writing = { written: 0, isOver: false };
  const own = (name: string): string[] => Array.from({ length: 30 }, (_, n) => `${name}${n}`);
  const writers = [one, two].flatMap(({ watch }, node) =>
    // Few streams that grow fast, many that grow slowly, and some that both nodes append to.
    [[`fast${node}`], own(`own${node}.`), ['both0', 'both1', 'both2']].map((streams, chunk) =>
      writeEntries(watch.store, node * 3 + chunk, streams, writing),
    ),
  );
  let writer: CheckpointWriter = first;
  const stopped = Promise.all(writers).finally(() => (writing.isOver = true));
  for (let signed = 1; signed <= 20; signed++) {
    const enough = writing.written + 30;
    while (writing.written < enough && !writing.isOver) await new Promise((resolve) => setTimeout(resolve, 5));
    await writer.checkpoint();
    await writer.anchor();
    if (signed !== 10) continue;
    await checkStoreOnJoin(two.store, two.files);
    [one.own.isHolder, two.own.isHolder] = [false, true];
    writer = await takeOverSigning(two.store, two.files, Date.now, two.others);
    await expect(first.checkpoint()).rejects.toThrow(WriterTakenOverError);
  }
  writing.isOver = true;
  await stopped;
  await writer.checkpoint(true);
  await writer.anchor();
  // Twenty, plus those of the start, of the second signer, and of the close.
  const { last, heads: signedHeads } = await verifyCheckpointChain(one.store);
  expect(last).toMatchObject({ number: 23, closed: true });
  expect([...signedHeads.values()].reduce((sum, { sequence }) => sum + sequence, 0)).toBe(writing.written);
  for (const { files } of [one, two]) {
    const { heads: anchored } = readAnchor(files.anchor)!;
    expect(findTruncatedStreams(await one.store.heads(), anchored)).toEqual([]);
    expect(await describeEntryDivergence(one.store, anchored)).toBeUndefined();
    expect(await checkStoreBeforeStart(one.store, files, undefined)).toMatchObject({
      issue: undefined,
      unsigned: undefined,
    });
  }
});

test('a checkpoint refuses data that was changed in the database since the last one', async () => {
  const changes: readonly [string, RegExp][] = [
    [
      "UPDATE balances SET amount = amount + 1 WHERE account LIKE '%/T1'",
      /^The account .+\/T1 does not have the balance/,
    ],
    [
      "UPDATE balances SET amount = amount + 1 WHERE account LIKE '%/T9'",
      /^The stored balances differ from the signed balances/,
    ],
    [
      `UPDATE entries SET body = replace(body, '"at":1', '"at":9') WHERE stream = 'a' AND sequence = 22`,
      /^Entry 22 of a/,
    ],
    ["DELETE FROM entries WHERE stream = 'a' AND sequence = 22", /^Entry 22 of a is missing/],
    ["DELETE FROM entries WHERE stream = 'b' AND sequence = 2", /^The stream b does not end with/],
    [
      "UPDATE heads SET sequence = 1 WHERE stream = 'c'",
      /^The stream c ends with entry 1, but entry 2 was read or signed before/,
    ],
    ["DELETE FROM heads WHERE stream = 'c'", /^The stream c ends with entry 0, but entry 2 was read or signed before/],
  ];
  const { database, two, writer } = await pair();
  const load = async (stream: string, after: number, count: number, to: Account): Promise<void> => {
    const entries = Array.from({ length: count }, (_, n) =>
      entry(1, [{ from: external, to, amount: 1 }], `${stream}.${after + n}`),
    );
    expect(await two.watch.store.append({ stream, after, entries })).toHaveProperty('entries');
  };
  await load('c', 0, 2, 'sg1/SGD/terminal/T9');
  await writer.checkpoint();
  await load('a', 0, 50, 'sg1/SGD/terminal/T1');
  await load('b', 0, 2, 'sg1/SGD/terminal/T2');
  const tables = ['entries', 'heads', 'balances'];
  await withClient(server, database, async (client) => {
    for (const table of tables) await client.query(`CREATE TABLE kept_${table} AS TABLE ${table}`);
    for (const [change, message] of changes) {
      await client.query(change);
      const found: unknown = await writer.checkpoint().catch((error: unknown) => error);
      expect(found).toBeInstanceOf(DamagedStoreError);
      expect((found as Error).message).toMatch(message);
      for (const table of tables) {
        await client.query(`DELETE FROM ${table}`);
        await client.query(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`);
      }
    }
  });
  await writer.checkpoint();
  expect((await verifyCheckpointChain(two.store)).last?.number).toBe(3);
});

test('one of two nodes signs a checkpoint number and the other gets WriterTakenOverError', async () => {
  const { one, two } = await pair();
  for (let number = 2; number < 12; number++) {
    const ended = await Promise.allSettled(
      [one, two].map(({ store }, node) => store.saveCheckpoint({ number, text: `${node}`, signature: 'x' })),
    );
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const lost = ended.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).toBeInstanceOf(WriterTakenOverError);
  }
});
