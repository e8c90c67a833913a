import { type Account } from '../ledger/accounts.ts';
import { assert } from '../base/assert.ts';
import { isRefused } from '../base/refusal.ts';
import { type EntryRow, genesisHash, parseAndVerifyEntry, parseAndVerifyNextEntry } from './hashChain.ts';
import { planAppend, serializeAppend, emptyBalance, emptyHead } from './planAppend.ts';
import {
  type Balance,
  type StoredCheckpoint,
  type StreamHead,
  type CommandPosition,
  type Snapshot,
  type Store,
  type StoredEntry,
  WriterTakenOverError,
  defaultSubjectQueryLimit,
} from './store.ts';
import { checkpointConflictError } from './failures.ts';
import { decodeAppendReceipt, encodeAppendReceipt } from './appendCodec.ts';

const sortedByKey = <Key extends string, Value>(map: ReadonlyMap<Key, Value>): [Key, Value][] =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Contents of a memory store. The contents stay when the store is closed, so that a test can open the store again. */
export class MemoryStoreContents {
  readonly streams = new Map<string, EntryRow[]>();
  /** Entries by subject, in append order across all streams. */
  readonly subjects = new Map<string, EntryRow[]>();
  readonly balances = new Map<Account, Balance>();
  readonly commands = new Map<string, CommandPosition>();
  readonly snapshots = new Map<string, Snapshot>();
  readonly blobs = new Map<string, Uint8Array>();
  readonly heads = new Map<string, StreamHead>();
  readonly heartbeats = new Map<string, number>();
  readonly values = new Map<string, Map<string, string>>();
  readonly checkpoints: StoredCheckpoint[] = [];
  epoch = 0;
}

/** Cache of parsed entries, so that each row is parsed once. The entries are frozen, because callers share them. */
const parsedEntries = new WeakMap<EntryRow, StoredEntry>();

function parseEntryOnce(row: EntryRow): StoredEntry {
  let entry = parsedEntries.get(row);
  if (entry === undefined) parsedEntries.set(row, (entry = deepFreeze(parseAndVerifyEntry(row))));
  return entry;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

/** Event store in memory, for tests and benchmarks. Reads parse the stored text, as the other stores do. */
export function createMemoryStore(memory = new MemoryStoreContents()): Store {
  const {
    streams,
    subjects,
    balances,
    commands,
    snapshots,
    blobs,
    heads,
    heartbeats,
    values: keyValues,
    checkpoints,
  } = memory;
  const writerEpoch = memory.epoch + 1;
  let hasBegun = false;
  /** Wraps a write so that it throws `WriterTakenOverError` after another writer has begun an epoch. */
  const fenced =
    <Args extends readonly unknown[], Result>(write: (...args: Args) => Result) =>
    async (...args: Args): Promise<Result> => {
      if (memory.epoch !== (hasBegun ? writerEpoch : writerEpoch - 1))
        throw new WriterTakenOverError('The event store cannot be written, because another process has taken it over.');
      memory.epoch = writerEpoch;
      hasBegun = true;
      return write(...args);
    };

  return {
    writerEpoch,
    append: fenced((batch) => {
      const plan = planAppend(serializeAppend(batch), {
        head: (stream) => heads.get(stream) ?? emptyHead,
        balance: (account) => balances.get(account) ?? emptyBalance,
        existingCommands: () => commands,
      });
      if (isRefused(plan)) return plan;
      if (plan.entries.length === 0) return { entries: [] };
      const rows = streams.get(batch.stream) ?? [];
      streams.set(batch.stream, rows);
      for (const { sequence, hash, body, command, subject } of plan.entries) {
        const row = { stream: batch.stream, sequence, hash, body, command, subject };
        rows.push(row);
        if (command !== null) commands.set(command, { stream: batch.stream, sequence });
        if (subject === null) continue;
        const indexed = subjects.get(subject);
        if (indexed) indexed.push(row);
        else subjects.set(subject, [row]);
      }
      for (const [account, balance] of plan.balances) balances.set(account, balance);
      const last = plan.entries.at(-1)!;
      heads.set(batch.stream, { sequence: last.sequence, hash: last.hash, epoch: plan.epoch });
      return decodeAppendReceipt(batch, encodeAppendReceipt(plan));
    }),
    read: async function* (stream, after = 0, pageSize = 1000) {
      const rows = streams.get(stream) ?? [];
      for (let from = after; from < rows.length; from += pageSize) {
        yield rows
          .slice(from, from + pageSize)
          .map((row, index) =>
            parseAndVerifyNextEntry(row, rows[from + index - 1]?.hash ?? genesisHash, parseEntryOnce),
          );
      }
    },
    findBySubject: async (subject, { before, after, maxEntries = defaultSubjectQueryLimit } = {}) => {
      const rows = subjects.get(subject) ?? [];
      const from = before ?? after;
      const index = rows.findIndex(({ stream, sequence }) => stream === from?.stream && sequence === from.sequence);
      if (from !== undefined && index < 0) return [];
      if (after) return rows.slice(index + 1, index + 1 + maxEntries).map(parseEntryOnce);
      const end = from === undefined ? rows.length : index;
      return rows
        .slice(Math.max(0, end - maxEntries), end)
        .toReversed()
        .map(parseEntryOnce);
    },
    readHeadsAndBalances: async function* () {
      yield { heads: sortedByKey(heads), balances: sortedByKey(balances) };
    },
    streams: async () => [...streams.keys()].toSorted(),
    heads: async () => new Map(heads),
    balance: async (account) => balances.get(account) ?? emptyBalance,
    balances: async () => new Map(balances),
    findCommands: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const position = commands.get(id);
          return position ? [[id, position]] : [];
        }),
      ),
    saveSnapshot: fenced((stream, snapshot) => {
      if (snapshot === undefined) snapshots.delete(stream);
      else snapshots.set(stream, snapshot);
    }),
    snapshot: async (stream) => snapshots.get(stream),
    snapshots: async () => [...snapshots.keys()],
    putBlob: fenced((id, bytes) => void blobs.set(id, bytes.slice())),
    blob: async (id) => blobs.get(id)?.slice(),
    blobIds: async () => [...blobs.keys()].toSorted(),
    recordHeartbeats: fenced((names, at) => {
      for (const name of names) heartbeats.set(name, at);
    }),
    heartbeats: async () => new Map(heartbeats),
    listValues: async (kind, ids) => {
      const values = keyValues.get(kind);
      return new Map([...(values ?? [])].filter(([id]) => ids === undefined || ids.includes(id)));
    },
    putValue: fenced((kind, id, value) => {
      const values = keyValues.get(kind) ?? new Map<string, string>();
      keyValues.set(kind, values);
      if (value === undefined) values.delete(id);
      else values.set(id, value);
    }),
    putValueIfAbsent: fenced((kind, id, value) => {
      const values = keyValues.get(kind) ?? new Map<string, string>();
      keyValues.set(kind, values);
      const stored = values.get(id) ?? value;
      values.set(id, stored);
      return stored;
    }),
    saveCheckpoint: fenced((checkpoint) => {
      if (checkpoints[checkpoint.number - 1]) throw checkpointConflictError(checkpoint.number);
      assert(checkpoint.number === checkpoints.length + 1, 'a checkpoint has the next number');
      checkpoints.push(checkpoint);
    }),
    checkpoints: async function* (after = 0) {
      if (after < checkpoints.length) yield checkpoints.slice(after);
    },
    epoch: async () => memory.epoch,
    close: async () => {},
  };
}
