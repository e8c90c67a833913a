import { type Account } from '../ledger/accounts.ts';
import { type Posting } from '../ledger/tablePostings.ts';

// Event store: streams of entries, one hash chain per stream, and the balances that follow from their postings. One
// interface; the memory, SQLite and PostgreSQL stores pass the same contract tests.

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

/** The payload of a command as it is stored: type, actor and the fields of that type. */
export type StoredPayload = {
  readonly type: string;
  readonly actor: { readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/**
 * A stored command. Only the first of its entries contains it. `request` is the payload. `hash` is the hash of the
 * payload alone, so that a resend is recognised and an id cannot be reused for another command. `context` is what the
 * runtime added: credit, slips, the role of the actor. `decider` and `rulebook` name the rules that decided the
 * command.
 */
export type CommandRecord = {
  readonly id: string;
  readonly hash: string;
  readonly request: StoredPayload;
  readonly context: { readonly [field: string]: unknown };
  readonly decider: string;
  readonly rulebook?: string;
};

/** Command of an entry other than the first that the command wrote: only its id. */
type CommandReference = { readonly id: string };

/** An entry before its append: it has no sequence and no hash yet. */
export type NewEntry = {
  readonly event: RecordedEvent;
  readonly postings: readonly Posting[];
  readonly command: CommandRecord | CommandReference;
};

/**
 * A stored posting: the balances of both accounts before and after it. `fromVersion` and `toVersion` are the number of
 * postings of each account so far, this one included.
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
  /** Hash of the entry before it in its stream; `genesisHash` for the first. */
  readonly previous: string;
  readonly hash: string;
};

/**
 * Append with optimistic concurrency: `after` is the expected last sequence of the stream, 0 for a new stream. `epoch`
 * is the fencing epoch of the writer; a lower one than that of the stream is refused.
 */
export type AppendRequest = {
  readonly stream: string;
  readonly after: number;
  readonly epoch?: number;
  readonly entries: readonly NewEntry[];
};

export type AppendResult =
  | { readonly entries: readonly StoredEntry[] }
  /** Another writer has appended to the stream; `at` is its last sequence now. */
  | { readonly refused: 'stream-moved'; readonly at: number }
  /** Fenced: another leader has taken over the stream with this later epoch. */
  | { readonly refused: 'epoch-over'; readonly epoch: number }
  /** The entry (an index of the request) would make the balance of a guarded account negative. */
  | { readonly refused: 'balance-guard'; readonly account: Account; readonly entry: number }
  /** The entry would make a balance too large for an exact number (a safe integer). */
  | { readonly refused: 'balance-range'; readonly account: Account; readonly entry: number }
  /** The command id is already stored, with the same payload or another. */
  | { readonly refused: 'command-known'; readonly command: string; readonly entry: number };

export type EntryPosition = { readonly stream: string; readonly sequence: number };

/** Entries that `findBySubject` returns at most, unless the caller sets a limit. */
export const defaultSubjectQueryLimit = 1000;

/** Part of the entries about a subject: those older than `before`, or newer than `after`. */
type SubjectRange = { readonly before?: EntryPosition; readonly after?: EntryPosition; readonly maxEntries?: number };

/** Position of the first entry of a command. */
export type CommandPosition = EntryPosition;

/** The last entry of a stream, and the fencing epoch of its writer. */
export type StreamHead = { readonly sequence: number; readonly hash: string; readonly epoch: number };

/** One chunk of the heads and balances of the whole store. */
export type HeadsAndBalancesChunk = {
  readonly heads: readonly (readonly [string, StreamHead])[];
  readonly balances: readonly (readonly [Account, Balance])[];
};

/** Saved state of a stream after the entry at `sequence`. `hash` is a MAC over the state and the hash of that entry. */
export type Snapshot = {
  readonly sequence: number;
  readonly version: number;
  readonly state: string;
  readonly hash: string;
};

/** A signed checkpoint as it is stored. The first has number 1. */
export type StoredCheckpoint = { readonly number: number; readonly text: string; readonly signature: string };

/** Error: stored data is damaged, because it differs from what was written. */
export class DamagedStore extends Error {}

/** Error: an entry is damaged. `problem` is the end of the sentence "Entry 3 of sg1/table/B01 …". */
export class DamagedEntry extends DamagedStore {
  readonly stream: string;
  readonly sequence: number;

  constructor(stream: string, sequence: number, problem: string) {
    super(`Entry ${sequence} of ${stream} ${problem}.`);
    this.stream = stream;
    this.sequence = sequence;
  }
}

/** Error: the event store must exist and is missing. */
export class MissingStore extends Error {}

/** Error: the data folder, the database or its URL cannot be used; the message says what to do. */
export class UnusableStore extends Error {}

/** Error: the database did not confirm a write, which may be committed or not. Read again before the next write. */
export class WriteResultUnknown extends Error {}

/** Error: another process has taken over the store or its signing. All later writes of this process fail too. */
export class WriterTakenOver extends Error {}

export type StoreReader = {
  /** Reads the entries of a stream after a sequence, in order, in pages. Throws `DamagedEntry`. */
  readonly read: (stream: string, after?: number, pageSize?: number) => AsyncIterable<readonly StoredEntry[]>;
  /**
   * Reads many streams at once, each from its given position on. Only the PostgreSQL store has it, to save round trips.
   * Throws `DamagedEntry`.
   */
  readonly readMany?: (
    positions: readonly EntryPosition[],
    maxEntries: number,
  ) => AsyncIterable<readonly StoredEntry[]>;
  /** Names of all streams that have entries. */
  readonly streams: () => Promise<readonly string[]>;
  /** Heads of all streams, from the table of heads; the entries themselves are not read. */
  readonly heads: () => Promise<ReadonlyMap<string, StreamHead>>;
  readonly balance: (account: Account) => Promise<Balance>;
  readonly balances: () => Promise<ReadonlyMap<Account, Balance>>;
  /** Positions of the given commands by id. Commands that are not stored are absent from the map. */
  readonly findCommands: (ids: readonly string[]) => Promise<ReadonlyMap<string, CommandPosition>>;
  readonly snapshot: (stream: string) => Promise<Snapshot | undefined>;
  /** Streams that have a snapshot. */
  readonly snapshots: () => Promise<readonly string[]>;
  readonly blob: (id: string) => Promise<Uint8Array | undefined>;
  readonly blobIds: () => Promise<readonly string[]>;
  /** Time of the last heartbeat of the floor and of each table, by name, in milliseconds since 1970. */
  readonly heartbeats: () => Promise<ReadonlyMap<string, number>>;
  /** Reads the checkpoints after a number, in order, in pages. */
  readonly checkpoints: (after?: number) => AsyncIterable<readonly StoredCheckpoint[]>;
  /** Last epoch of the store. Each writer begins an epoch of its own with its first write. */
  readonly epoch: () => Promise<number>;
  /** Values of a kind in the key-value table, by id: all, or only those of the given ids. */
  readonly listValues: (kind: string, ids?: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly close: () => Promise<void>;
};

export type Store = StoreReader & {
  /**
   * Epoch of this writer, which begins with its first write. In memory and SQLite, every write fails with
   * `WriterTakenOver` after another writer has begun an epoch.
   */
  readonly writerEpoch: number;
  /**
   * Entries of all streams about a subject. The subject of a slip is its credit session, that of any other entry its
   * round. Newest first; with `after`, oldest first.
   */
  readonly findBySubject: (subject: string, from?: SubjectRange) => Promise<readonly StoredEntry[]>;
  /**
   * Reads all heads, then all balances, each sorted by name, as of one moment. Other work runs between two chunks,
   * because there may be very many accounts.
   */
  readonly readHeadsAndBalances: () => AsyncIterable<HeadsAndBalancesChunk>;
  /** Appends all entries or none. They are durable when the promise resolves. */
  readonly append: (batch: AppendRequest) => Promise<AppendResult>;
  /** Saves the snapshot from which the stream is loaded next time; `undefined` deletes it. */
  readonly saveSnapshot: (stream: string, snapshot: Snapshot | undefined) => Promise<void>;
  /** Stores encrypted bytes under an id. The hash chain does not cover them. */
  readonly putBlob: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly recordHeartbeats: (names: readonly string[], at: number) => Promise<void>;
  /**
   * Writes a value to the key-value table (sessions, names, projections), which the hash chain does not cover.
   * `undefined` deletes the value.
   */
  readonly putValue: (kind: string, id: string, value: string | undefined) => Promise<void>;
  /**
   * Writes the value unless the id has one already. Returns the stored value, so that all claimants learn who was
   * first.
   */
  readonly putValueIfAbsent: (kind: string, id: string, value: string) => Promise<string>;
  /**
   * Saves the next checkpoint. Throws `WriterTakenOver` when another node has saved that number first. A number that
   * skips one is a defect.
   */
  readonly saveCheckpoint: (checkpoint: StoredCheckpoint) => Promise<void>;
};
