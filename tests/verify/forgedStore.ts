import { expect } from 'vitest';
import { flushPromises } from '../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../runtime/support/demo.ts';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { floorActor } from '../../src/access/actor.ts';
import { tableDecider } from '../../src/deciders/deciders.ts';
import { type Posting } from '../../src/ledger/tablePostings.ts';
import { payloadHash, compactPayload, expandPayload } from '../../src/store/commandRecord.ts';
import { entryBodyOf, hashEntryBody } from '../../src/store/hashChain.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import {
  type StoredPayload,
  type CommandRecord,
  type NewEntry,
  type RecordedEvent,
  type Store,
  type StoredEntry,
} from '../../src/store/store.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { seatPatron, testDependencies } from '../runtime/support/testDependencies.ts';

/** Streams of the event log that tests forge. */
export const tiger = 'demo/table/tiger';
export const baccarat = 'demo/table/baccarat';
export const terminal = 'demo/terminal/T2';

/** An entry before it is appended. */
export type UnwrittenEntry = NewEntry & { readonly event: RecordedEvent; readonly postings: readonly Posting[] };
export type Streams = { readonly [stream: string]: readonly UnwrittenEntry[] };

const slips = [
  { 'T1.1': { player: 1000, tie: 500 }, 'T2.1': { banker: 2000 }, 'T3.1': { tiger: 300, banker: 400 } },
  { 'T1.1': { banker: 700 }, 'T2.1': { tie: 100, player: 100 }, 'T3.1': { player: 5000 } },
] as const;

/** Honest event log: two tables, three terminals that bet at one of them, a void, a continued round, an ended shoe. */
export const honestStreams = (): Promise<Streams> => (honestStreamsOnce ??= honestStore().then(streamsOf));

/** The store of the same log, with its blobs and key-value table. */
export const honestStore = (): Promise<Store> => (honestStoreOnce ??= playHonestFloor());

/** Created once; no test changes it. */
let honestStreamsOnce: Promise<Streams> | undefined;
let honestStoreOnce: Promise<Store> | undefined;

async function playHonestFloor(): Promise<Store> {
  const store = createMemoryStore();
  const { dependencies, published, warnings, time } = testDependencies(store, 'forged');
  const settings = demoSettings
    .filter(({ table }) => table === 'tiger' || table === 'baccarat')
    .map((settingsOfTable) =>
      settingsOfTable.table === 'tiger' ? { ...settingsOfTable, chunk: 2, behind: 395 } : settingsOfTable,
    );
  const floor = await openFloor(demoOwner, settings, demoPace, dependencies);
  for (const secret of ['a', 'b', 'c']) await seatPatron(floor, secret, demoCredit);
  const { processor } = floor.tables.get('tiger')!;
  let ids = 0;
  const until = async (condition: () => boolean): Promise<void> => {
    for (let steps = 0; !condition(); steps++) {
      expect(steps).toBeLessThan(5000);
      await time.step();
    }
  };
  const bet = async (round: number): Promise<void> => {
    await until(() => processor.state?.phase === 'betting');
    for (const [session, slip] of Object.entries(slips[round % 2]!)) {
      void processor.submit(`bet-${ids++}`, {
        type: 'SetSlip',
        actor: { terminal: session },
        round: processor.state!.round!.id,
        slip,
      });
    }
    await flushPromises();
  };
  const count = (type: string): number =>
    published.filter(({ stream, event }) => stream === tiger && event.type === type).length;
  const stall = async (): Promise<void> => {
    const before = count('Interrupted');
    time.now += 60_000;
    await until(() => count('Interrupted') > before);
  };

  await bet(0);
  await bet(1);
  const { round } = processor.state!;
  void processor.submit('logged', { type: 'ReportInterruption', actor: floorActor, since: time.now, stateLost: false });
  await until(() => processor.state?.round?.id !== round!.id && processor.state?.phase === 'betting');
  await bet(0);
  time.now += 60_000;
  void processor.submit('early', { type: 'ReportInterruption', actor: floorActor, since: 0, stateLost: false });
  await flushPromises();
  await until(() => processor.state?.phase === 'betting');
  await bet(0);
  await stall();
  await until(() => processor.state?.phase === 'betting');
  await bet(1);
  await until(() => (processor.state?.round?.cards.length ?? 0) === 4);
  await stall();
  for (let n = 0; count('ShoeEnded') < 1; n++) {
    await bet(n);
    await until(() => processor.state?.phase === 'idle');
    await until(() => processor.state?.phase === 'betting' || count('ShoeEnded') > 0);
  }
  await bet(0);
  await until(() => processor.state?.phase === 'idle' && processor.state.pendingSettlements.length === 0);
  await bet(1);
  await until(() => (processor.state?.round?.cards.length ?? 0) === 2);
  for (const table of floor.tables.values()) await table.processor.idle();
  expect(warnings).toEqual([]);
  return store;
}

/** All entries of a store, in a form that can be appended again. */
export async function streamsOf(store: Store): Promise<Streams> {
  const streams: { [stream: string]: readonly UnwrittenEntry[] } = {};
  for (const stream of await store.streams()) {
    const own: UnwrittenEntry[] = [];
    for await (const chunk of store.read(stream)) own.push(...chunk.map(unwrittenOf));
    streams[stream] = own;
  }
  return streams;
}

const unwrittenOf = ({ event, postings, command }: StoredEntry): UnwrittenEntry => ({
  event,
  postings: postings.map(({ from, to, amount }) => ({ from, to, amount })),
  command,
});

/** Appends entries to a store: hash chains and balances are right, whatever the entries contain. */
export async function writeStore(streams: Streams, store = createMemoryStore()): Promise<Store> {
  // Streams of terminals come first, since a stake needs credit.
  for (const stream of Object.keys(streams).toSorted().toReversed()) {
    expect(await store.append({ stream, after: 0, entries: streams[stream]! })).toHaveProperty('entries');
  }
  return store;
}

/** First-entry record of an invented command. */
export const commandRecord = (
  id: string,
  request: StoredPayload,
  more: Partial<CommandRecord> = {},
): CommandRecord => ({
  id,
  hash: payloadHash(request),
  request: { ...request, same: [] },
  context: {},
  decider: `table@${tableDecider.version}`,
  rulebook: 'ETG@2021-10-28',
  ...more,
});

export function expectRecord({ command }: Pick<UnwrittenEntry, 'command'>): CommandRecord {
  expect(command).toHaveProperty('request');
  return command as CommandRecord;
}

/** The whole request of an entry. */
export const requestOf = (entry: UnwrittenEntry): StoredPayload =>
  expandPayload(expectRecord(entry).request, entry.event);

/** Entry with changed event fields. Its request is the same, compacted against the changed event. */
export function withEvent(entry: UnwrittenEntry, fields: object): UnwrittenEntry {
  const event = JSON.parse(JSON.stringify({ ...entry.event, ...fields })) as RecordedEvent;
  if (!('request' in entry.command)) return { ...entry, event };
  const command = { ...entry.command, request: compactPayload(requestOf(entry), event) };
  return { ...entry, event, command };
}

/** Entry whose request has changed fields and a matching hash, optionally with another command id. */
export function withRequest(entry: UnwrittenEntry, fields: object, id = entry.command.id): UnwrittenEntry {
  const request = { ...requestOf(entry), ...fields };
  const command = { ...expectRecord(entry), id, request: { ...request, same: [] }, hash: payloadHash(request) };
  return { ...entry, command };
}

/** Store in which one entry is changed and all later hashes follow. */
export const rewrittenChain = (
  store: Store,
  stream: string,
  sequence: number,
  change: (entry: StoredEntry) => object,
): Store => ({
  ...store,
  read: async function* (name, after, atOnce) {
    let previous: string | undefined;
    for await (const chunk of store.read(name, after, atOnce)) {
      yield chunk.map((entry) => {
        const isIt = name === stream && entry.sequence === sequence;
        if (!isIt && previous === undefined) return entry;
        const other = (isIt ? change(entry) : { ...entry, previous }) as StoredEntry;
        previous = hashEntryBody(entryBodyOf(other));
        return { ...other, hash: previous };
      });
    }
  },
});

/** The value without one of its fields. */
export const withoutField = (value: object, field: string): { readonly [field: string]: unknown } =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));

/** The problem that verification finds. */
export const verifyProblem = async (streams: Streams): Promise<string | undefined> =>
  (await verifyStore(await writeStore(streams))).problem;

/** Matches a message that names the entry and its fault. */
export const entryMessage = (stream: string, sequence: number, what: RegExp): RegExp =>
  new RegExp(`^Entry ${sequence} of ${stream} .*${what.source}`, what.flags);
