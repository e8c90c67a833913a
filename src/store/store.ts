import { type Account } from '../ledger/accounts.ts';
import { type Posting } from '../ledger/tablePostings.ts';

// Event store: streams of entries with one hash chain per stream, and the balances that follow from the postings of the
// entries. The memory, SQLite and PostgreSQL stores have the same interface and pass the same contract tests.

/**
 * An event as it is stored: one flat object. `v` is the version of the event's schema; `at` is in milliseconds since
 * 1970.
 */
export type RecordedEvent = {
  readonly type: string;
  readonly v: number;
  readonly at: number;
  readonly [field: string]: unknown;
};

/**
 * Payload of a command as it is stored: type, actor and the fields of that type. Entries contain it in compact form
 * (see `compactPayload`).
 */
export type StoredPayload = {
  readonly type: string;
  readonly actor: { readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/**
 * A stored command, in the first entry that it wrote. `request` is its payload in compact form. `hash` is the hash of
 * the whole payload without the context, so that a resend is recognised and an id cannot be reused for another command.
 * `context` is what the runtime added, such as the credit and the role of the actor. `decider` and `rulebook` name the
 * rules that decided the command.
 */
export type CommandRecord = {
  readonly id: string;
  readonly hash: string;
  readonly request: StoredPayload;
  readonly context: { readonly [field: string]: unknown };
  readonly decider: string;
  readonly rulebook?: string;
};

/** A command in all its entries after the first entry: only the command id. */
type CommandReference = { readonly id: string };

export type NewEntry = {
  readonly event: RecordedEvent;
  readonly postings: readonly Posting[];
  readonly command: CommandRecord | CommandReference;
};

/**
 * A stored posting, with the balances of both accounts before and after it. `fromVersion` and `toVersion` count the
 * postings of each account so far, including this posting.
 */
export type PostingWithBalances = Posting & {
  readonly fromBefore: number;
  readonly fromAfter: number;
  readonly fromVersion: number;
  readonly toBefore: number;
  readonly toAfter: number;
  readonly toVersion: number;
};

/** Balance of an account. `version` is the number of its postings so far. */
export type Balance = { readonly amount: number; readonly version: number };

export type StoredEntry = {
  readonly stream: string;
  readonly sequence: number;
  readonly at: number;
  readonly event: RecordedEvent;
  readonly postings: readonly PostingWithBalances[];
  readonly command: CommandRecord | CommandReference;
  /** Hash of the previous entry in the stream; `genesisHash` in the first entry. */
  readonly previous: string;
  readonly hash: string;
};

/**
 * Append with optimistic concurrency. `after` is the expected last sequence of the stream, 0 for a new stream. `epoch`
 * is the fencing epoch of the writer: the append is refused if the stream has a higher fencing epoch.
 */
export type AppendRequest = {
  readonly stream: string;
  readonly after: number;
  readonly epoch?: number;
  readonly entries: readonly NewEntry[];
};

export type AppendResult =
  | { readonly entries: readonly StoredEntry[] }
  /** Another writer has appended to the stream; `at` is the last sequence of the stream now. */
  | { readonly refused: 'stream-moved'; readonly at: number }
  /** Fenced: another leader has taken over the stream with the later epoch `epoch`. */
  | { readonly refused: 'epoch-over'; readonly epoch: number }
  /** The entry with the index `entry` in the request would make the balance of a guarded account negative. */
  | { readonly refused: 'balance-guard'; readonly account: Account; readonly entry: number }
  /** The entry with the index `entry` would make a balance too large for an exact number (a safe integer). */
  | { readonly refused: 'balance-range'; readonly account: Account; readonly entry: number }
  /**
   * A command with this id is already stored, or comes earlier in the same request. The payloads of the two commands
   * are not compared.
   */
  | { readonly refused: 'command-known'; readonly command: string; readonly entry: number };

export type EntryPosition = { readonly stream: string; readonly sequence: number };

export const defaultSubjectQueryLimit = 1000;

/** Limits `findBySubject` to entries that were appended before the entry `before`, or after the entry `after`. */
type SubjectRange = { readonly before?: EntryPosition; readonly after?: EntryPosition; readonly maxEntries?: number };

/** Position of the first entry of a command. */
export type CommandPosition = EntryPosition;

/**
 * Sequence and hash of the last entry of a stream. `epoch` is its fencing epoch: appends with a lower fencing epoch are
 * refused.
 */
export type StreamHead = { readonly sequence: number; readonly hash: string; readonly epoch: number };

export type HeadsAndBalancesChunk = {
  readonly heads: readonly (readonly [string, StreamHead])[];
  readonly balances: readonly (readonly [Account, Balance])[];
};

/**
 * Saved state of a stream after the entry at `sequence`. `version` is the schema version of the state. `hash` is a MAC
 * over the state and the hash of that entry.
 */
export type Snapshot = {
  readonly sequence: number;
  readonly version: number;
  readonly state: string;
  readonly hash: string;
};

/** A signed checkpoint as it is stored. The first checkpoint has number 1. */
export type StoredCheckpoint = { readonly number: number; readonly text: string; readonly signature: string };

/** Error: stored data is damaged, because it differs from what was written. */
export class DamagedStoreError extends Error {}

/** Error: an entry is damaged. `problem` completes the sentence "Entry 3 of sg1/table/B01 …". */
export class DamagedEntryError extends DamagedStoreError {
  readonly stream: string;
  readonly sequence: number;

  constructor(stream: string, sequence: number, problem: string) {
    super(`Entry ${sequence} of ${stream} ${problem}.`);
    this.stream = stream;
    this.sequence = sequence;
  }
}

/** Error: an event store must exist, but is missing. */
export class MissingStoreError extends Error {}

/** Error: the data folder, the database or its URL cannot be used; the message says what to do. */
export class UnusableStoreError extends Error {}

/**
 * Error: the database did not confirm a write, so the write may be committed or not. Read the stream again before the
 * next write.
 */
export class WriteResultUnknownError extends Error {}

/**
 * Error: another process has taken over the store or the signing of its checkpoints. A retry of the same write cannot
 * succeed.
 */
export class WriterTakenOverError extends Error {}

export type StoreReader = {
  /** Reads the entries of a stream after a sequence, in order, in pages. Throws `DamagedEntryError`. */
  readonly read: (stream: string, after?: number, pageSize?: number) => AsyncIterable<readonly StoredEntry[]>;
  /**
   * Reads many streams at once: at most `maxEntries` entries of each stream, from its given position on. Unlike `read`,
   * this method does not verify that the hash in `previous` is the hash of the entry before. Throws
   * `DamagedEntryError`. Only the PostgreSQL store has this method, to save round trips.
   */
  readonly readMany?: (
    positions: readonly EntryPosition[],
    maxEntries: number,
  ) => AsyncIterable<readonly StoredEntry[]>;
  readonly streams: () => Promise<readonly string[]>;
  /** Heads of all streams, from the table of heads. The entries themselves are not read. */
  readonly heads: () => Promise<ReadonlyMap<string, StreamHead>>;
  readonly balance: (account: Account) => Promise<Balance>;
  readonly balances: () => Promise<ReadonlyMap<Account, Balance>>;
  /** Positions of the given commands by id. Commands that are not stored are absent from the map. */
  readonly findCommands: (ids: readonly string[]) => Promise<ReadonlyMap<string, CommandPosition>>;
  readonly snapshot: (stream: string) => Promise<Snapshot | undefined>;
  /** Names of the streams that have a snapshot. */
  readonly snapshots: () => Promise<readonly string[]>;
  readonly blob: (id: string) => Promise<Uint8Array | undefined>;
  readonly blobIds: () => Promise<readonly string[]>;
  /** Time of the last heartbeat of the floor and of each table, by name, in milliseconds since 1970. */
  readonly heartbeats: () => Promise<ReadonlyMap<string, number>>;
  /** Reads the checkpoints after a number, in order, in pages. */
  readonly checkpoints: (after?: number) => AsyncIterable<readonly StoredCheckpoint[]>;
  /** Last writer epoch that has begun. Each writer begins a writer epoch of its own with its first write. */
  readonly epoch: () => Promise<number>;
  /** Values of a kind in the key-value table, by id. With `ids`, only the values of these ids. */
  readonly listValues: (kind: string, ids?: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly close: () => Promise<void>;
};

export type Store = StoreReader & {
  /**
   * Writer epoch of this opened store. The epoch begins with the first write. In the memory and SQLite stores, every
   * later write fails with `WriterTakenOverError` once another writer has begun an epoch.
   */
  readonly writerEpoch: number;
  /**
   * Entries of all streams about a subject. The subject of a slip is its credit session, the subject of any other
   * entry is its round. Newest first; with `after`, oldest first.
   */
  readonly findBySubject: (subject: string, from?: SubjectRange) => Promise<readonly StoredEntry[]>;
  /**
   * Reads all heads, then all balances, each sorted by name, as of one moment. Other work of the process runs between
   * two chunks, because there may be very many accounts.
   */
  readonly readHeadsAndBalances: () => AsyncIterable<HeadsAndBalancesChunk>;
  /** Appends all entries, or changes nothing. The entries are durable when the promise resolves. */
  readonly append: (batch: AppendRequest) => Promise<AppendResult>;
  /** Saves the snapshot from which the stream is loaded next time; `undefined` deletes the snapshot. */
  readonly saveSnapshot: (stream: string, snapshot: Snapshot | undefined) => Promise<void>;
  /** Stores encrypted bytes under an id. The hash chain does not cover them. */
  readonly putBlob: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly recordHeartbeats: (names: readonly string[], at: number) => Promise<void>;
  /**
   * Writes a value to the key-value table; `undefined` deletes the value. The table contains sign-in sessions, names
   * and projections. The hash chain does not cover the table.
   */
  readonly putValue: (kind: string, id: string, value: string | undefined) => Promise<void>;
  /**
   * Writes the value unless the id already has a value. Returns the value that is stored then. So if several writers
   * call at once, all of them get the value that was first.
   */
  readonly putValueIfAbsent: (kind: string, id: string, value: string) => Promise<string>;
  /**
   * Saves the next checkpoint. Throws `WriterTakenOverError` when another node has already saved a checkpoint with the same
   * number. To skip a number is a defect.
   */
  readonly saveCheckpoint: (checkpoint: StoredCheckpoint) => Promise<void>;
};
