import { type Account } from '../ledger/accounts.ts';
import { assert } from '../base/assert.ts';
import { isRefused } from '../base/refusal.ts';
import {
  type EntryRow,
  genesisHash,
  planAppend,
  entryFrom,
  verifyNext,
  prepared,
  untouched,
  emptyHead,
} from './hashChain.ts';
import {
  type Balance,
  type StoredCheckpoint,
  type StreamHead,
  type CommandPosition,
  type Snapshot,
  type Store,
  type StoredEntry,
  TakenOver,
  usualMost,
} from './store.ts';
import { signedBefore } from './failures.ts';
import { decodeReceipt, encodeReceipt } from './appendCodec.ts';

const inOrder = <Key extends string, Value>(all: ReadonlyMap<Key, Value>): [Key, Value][] =>
  [...all].toSorted(([one], [other]) => (one < other ? -1 : 1));

/** What a store in memory keeps: whoever opens it again finds it as it was left. */
export class Memory {
  readonly streams = new Map<string, EntryRow[]>();
  /** The entries about each subject, in the order in which they were written. */
  readonly subjects = new Map<string, EntryRow[]>();
  readonly balances = new Map<Account, Balance>();
  readonly commands = new Map<string, CommandPosition>();
  readonly snapshots = new Map<string, Snapshot>();
  readonly sealed = new Map<string, Uint8Array>();
  readonly heads = new Map<string, StreamHead>();
  readonly beats = new Map<string, number>();
  readonly asides = new Map<string, Map<string, string>>();
  readonly checkpoints: StoredCheckpoint[] = [];
  epoch = 0;
}

/** What was read from its text before. Nobody can change it. */
const entries = new WeakMap<EntryRow, StoredEntry>();

/** An entry from its text, which is looked at once. */
function entryOnce(row: EntryRow): StoredEntry {
  let entry = entries.get(row);
  if (entry === undefined) entries.set(row, (entry = frozen(entryFrom(row))));
  return entry;
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}

/** The record in memory: for tests, and for a table in a terminal. What it gives out is read from text, as from a disk. */
export function memoryStore(memory = new Memory()): Store {
  const { streams, subjects, balances, commands, snapshots, sealed, heads, beats, asides, checkpoints } = memory;
  const held = memory.epoch + 1;
  let isBegun = false;
  /** Nothing is written once somebody else has opened the memory. */
  const writing =
    <Given extends readonly unknown[], Gives>(write: (...given: Given) => Gives) =>
    async (...given: Given): Promise<Gives> => {
      if (memory.epoch !== (isBegun ? held : held - 1))
        throw new TakenOver('The record cannot be written: another program has opened it');
      memory.epoch = held;
      isBegun = true;
      return write(...given);
    };

  return {
    writerEpoch: held,
    append: writing((batch) => {
      const booked = planAppend(prepared(batch), {
        head: (stream) => heads.get(stream) ?? emptyHead,
        balance: (account) => balances.get(account) ?? untouched,
        known: () => commands,
      });
      if (isRefused(booked)) return booked;
      if (booked.entries.length === 0) return { entries: [] };
      const rows = streams.get(batch.stream) ?? [];
      streams.set(batch.stream, rows);
      for (const { sequence, hash, body, command, subject } of booked.entries) {
        const row = { stream: batch.stream, sequence, hash, body, command, subject };
        rows.push(row);
        if (command !== null) commands.set(command, { stream: batch.stream, sequence });
        if (subject === null) continue;
        const known = subjects.get(subject);
        if (known) known.push(row);
        else subjects.set(subject, [row]);
      }
      for (const [account, balance] of booked.balances) balances.set(account, balance);
      const last = booked.entries.at(-1)!;
      heads.set(batch.stream, { sequence: last.sequence, hash: last.hash, epoch: booked.epoch });
      return decodeReceipt(batch, encodeReceipt(booked));
    }),
    read: async function* (stream, after = 0, atOnce = 1000) {
      const rows = streams.get(stream) ?? [];
      for (let from = after; from < rows.length; from += atOnce) {
        yield rows
          .slice(from, from + atOnce)
          .map((row, place) => verifyNext(row, rows[from + place - 1]?.hash ?? genesisHash, entryOnce));
      }
    },
    findBySubject: async (subject, { before, after, most = usualMost } = {}) => {
      const rows = subjects.get(subject) ?? [];
      const from = before ?? after;
      const place = rows.findIndex(({ stream, sequence }) => stream === from?.stream && sequence === from.sequence);
      if (from !== undefined && place < 0) return [];
      if (after) return rows.slice(place + 1, place + 1 + most).map(entryOnce);
      const end = from === undefined ? rows.length : place;
      return rows
        .slice(Math.max(0, end - most), end)
        .toReversed()
        .map(entryOnce);
    },
    readHeadsAndBalances: async function* () {
      yield { heads: inOrder(heads), balances: inOrder(balances) };
    },
    streams: async () => [...streams.keys()].toSorted(),
    heads: async () => new Map(heads),
    balance: async (account) => balances.get(account) ?? untouched,
    balances: async () => new Map(balances),
    findCommands: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const known = commands.get(id);
          return known ? [[id, known]] : [];
        }),
      ),
    saveSnapshot: writing((stream, snapshot) => {
      if (snapshot === undefined) snapshots.delete(stream);
      else snapshots.set(stream, snapshot);
    }),
    snapshot: async (stream) => snapshots.get(stream),
    snapshots: async () => [...snapshots.keys()],
    putBlob: writing((id, bytes) => void sealed.set(id, bytes.slice())),
    blob: async (id) => sealed.get(id)?.slice(),
    blobIds: async () => [...sealed.keys()].toSorted(),
    recordHeartbeats: writing((names, at) => {
      for (const name of names) beats.set(name, at);
    }),
    heartbeats: async () => new Map(beats),
    listValues: async (kind, ids) => {
      const kept = asides.get(kind);
      return new Map([...(kept ?? [])].filter(([id]) => ids === undefined || ids.includes(id)));
    },
    putValue: writing((kind, id, value) => {
      const kept = asides.get(kind) ?? new Map<string, string>();
      asides.set(kind, kept);
      if (value === undefined) kept.delete(id);
      else kept.set(id, value);
    }),
    putValueIfAbsent: writing((kind, id, value) => {
      const kept = asides.get(kind) ?? new Map<string, string>();
      asides.set(kind, kept);
      const stands = kept.get(id) ?? value;
      kept.set(id, stands);
      return stands;
    }),
    checkpoint: writing((checkpoint) => {
      if (checkpoints[checkpoint.number - 1]) throw signedBefore(checkpoint.number);
      assert(checkpoint.number === checkpoints.length + 1, 'a checkpoint is the next');
      checkpoints.push(checkpoint);
    }),
    checkpoints: async function* (after = 0) {
      if (after < checkpoints.length) yield checkpoints.slice(after);
    },
    epoch: async () => memory.epoch,
    close: async () => {},
  };
}
