import { type Account } from '../ledger/accounts.ts';
import { type Posting } from '../ledger/tablePostings.ts';

// Event store: streams of entries, one hash chain per stream, and the balances that follow from their postings. One
// interface; the memory, SQLite and PostgreSQL stores pass the same contract tests.

/** An event as it is stored: flat, with the version of its schema. */
export type RecordedEvent = {
  readonly type: string;
  readonly v: number;
  readonly at: number;
  readonly [field: string]: unknown;
};

/** The payload of a command as it is stored: its type, its actor and its own fields. */
export type StoredPayload = {
  readonly type: string;
  readonly actor: { readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/**
 * The command behind an entry; the first entry of the command holds it. `request` is the payload and `hash` covers
 * nothing else, so a resend is recognised and an id cannot be reused for another command. `context` is what the runtime
 * added (credits, slips, the role of the actor). `decider` and `rulebook` name the rules that decided it.
 */
export type CommandRecord = {
  readonly id: string;
  readonly hash: string;
  readonly request: StoredPayload;
  readonly context: { readonly [field: string]: unknown };
  readonly decider: string;
  readonly rulebook?: string;
};

/** The later entries of a command only name it. */
type CommandName = { readonly id: string };

/** An entry to append. */
export type NewEntry = {
  readonly event: RecordedEvent;
  readonly postings: readonly Posting[];
  readonly command: CommandRecord | CommandName;
};

/** A posting with the balance of both accounts before and after it; `…Version` counts the postings of the account. */
export type PostingWithBalances = Posting & {
  readonly fromBefore: number;
  readonly fromAfter: number;
  readonly fromVersion: number;
  readonly toBefore: number;
  readonly toAfter: number;
  readonly toVersion: number;
};

/** `version` counts the postings of the account. */
export type Balance = { readonly amount: number; readonly version: number };

export type StoredEntry = {
  readonly stream: string;
  readonly sequence: number;
  readonly at: number;
  readonly event: RecordedEvent;
  readonly postings: readonly PostingWithBalances[];
  readonly command: CommandRecord | CommandName;
  /** Hash of the entry before it in its stream; `genesisHash` for the first. */
  readonly previous: string;
  readonly hash: string;
};

/** Optimistic concurrency: `after` is the expected last sequence, 0 for a new stream. An `epoch` fences earlier epochs. */
export type AppendRequest = {
  readonly stream: string;
  readonly after: number;
  readonly epoch?: number;
  readonly entries: readonly NewEntry[];
};

export type AppendResult =
  | { readonly entries: readonly StoredEntry[] }
  /** Another writer has appended to the stream since. */
  | { readonly refused: 'stream-moved'; readonly at: number }
  /** Fenced: a later epoch writes to the stream. */
  | { readonly refused: 'epoch-over'; readonly epoch: number }
  /** The entry would make the balance of a guarded account negative. */
  | { readonly refused: 'balance-guard'; readonly account: Account; readonly entry: number }
  /** The entry would make a balance larger than a safe integer. */
  | { readonly refused: 'balance-range'; readonly account: Account; readonly entry: number }
  /** Idempotency: the command id is already stored, for the same or another payload. */
  | { readonly refused: 'command-known'; readonly command: string; readonly entry: number };

export type EntryPosition = { readonly stream: string; readonly sequence: number };

/** Page size of `findBySubject`. */
export const defaultSubjectQueryLimit = 1000;

/** `before` pages to older entries, `after` to newer ones. */
type SubjectRange = { readonly before?: EntryPosition; readonly after?: EntryPosition; readonly maxEntries?: number };

/** Position of the first entry of a command. */
export type CommandPosition = EntryPosition;

/** The last entry of a stream, and the epoch that may write to it. */
export type StreamHead = { readonly sequence: number; readonly hash: string; readonly epoch: number };

/** One chunk of all heads and balances. */
export type HeadsAndBalancesChunk = {
  readonly heads: readonly (readonly [string, StreamHead])[];
  readonly balances: readonly (readonly [Account, Balance])[];
};

/** State of a stream at a sequence. The hash authenticates it together with the entry at that sequence. */
export type Snapshot = {
  readonly sequence: number;
  readonly version: number;
  readonly state: string;
  readonly hash: string;
};

/** A signed checkpoint; numbers begin at 1. */
export type StoredCheckpoint = { readonly number: number; readonly text: string; readonly signature: string };

/** Corruption: stored data differs from what was written. */
export class DamagedStore extends Error {}

export class DamagedEntry extends DamagedStore {
  readonly stream: string;
  readonly sequence: number;

  constructor(stream: string, sequence: number, what: string) {
    super(`Entry ${sequence} of ${stream} ${what}.`);
    this.stream = stream;
    this.sequence = sequence;
  }
}

/** The event store is missing although it must exist. */
export class MissingStore extends Error {}

/** The data folder or database cannot be used in its present state; the message says what to do. */
export class UnusableStore extends Error {}

/** In doubt: it is unknown whether the append was committed. Read the stream again before the next write. */
export class WriteResultUnknown extends Error {}

/** Another process has opened the store and writes to it now; every further write here fails. */
export class WriterTakenOver extends Error {}

export type StoreReader = {
  /** Entries after a sequence, in order, in pages. A damaged entry throws. */
  readonly read: (stream: string, after?: number, pageSize?: number) => AsyncIterable<readonly StoredEntry[]>;
  /**
   * Reads many streams at once, each from the given position on. Implemented only where that is faster than one stream
   * after another. A damaged entry throws.
   */
  readonly readMany?: (
    positions: readonly EntryPosition[],
    maxEntries: number,
  ) => AsyncIterable<readonly StoredEntry[]>;
  readonly streams: () => Promise<readonly string[]>;
  /** The last entry of each stream, as the writer recorded it. */
  readonly heads: () => Promise<ReadonlyMap<string, StreamHead>>;
  readonly balance: (account: Account) => Promise<Balance>;
  readonly balances: () => Promise<ReadonlyMap<Account, Balance>>;
  /** Positions of the given commands; ids that are not stored are left out. */
  readonly findCommands: (ids: readonly string[]) => Promise<ReadonlyMap<string, CommandPosition>>;
  readonly snapshot: (stream: string) => Promise<Snapshot | undefined>;
  /** Streams that have a snapshot. */
  readonly snapshots: () => Promise<readonly string[]>;
  readonly blob: (id: string) => Promise<Uint8Array | undefined>;
  readonly blobIds: () => Promise<readonly string[]>;
  /** Time of the last heartbeat, by name. */
  readonly heartbeats: () => Promise<ReadonlyMap<string, number>>;
  /** Checkpoints after a number, in order, in pages. */
  readonly checkpoints: (after?: number) => AsyncIterable<readonly StoredCheckpoint[]>;
  /** Number of times that the store has been opened and written to. */
  readonly epoch: () => Promise<number>;
  /** Key-value table: the values of a kind by id, or only those of the given ids. */
  readonly listValues: (kind: string, ids?: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly close: () => Promise<void>;
};

export type Store = StoreReader & {
  /**
   * Fencing epoch of this writer. It begins with the first write. After another writer has begun an epoch, every write here
   * fails with `WriterTakenOver`.
   */
  readonly writerEpoch: number;
  /**
   * Entries of all streams about a subject: a slip is found by its session, any other entry by its round. Newest first, or
   * from a position backwards or onwards.
   */
  readonly findBySubject: (subject: string, from?: SubjectRange) => Promise<readonly StoredEntry[]>;
  /**
   * All heads, then all balances, each sorted by name, as of one moment. It comes in chunks and yields to other work in
   * between, because there may be very many accounts.
   */
  readonly readHeadsAndBalances: () => AsyncIterable<HeadsAndBalancesChunk>;
  /** Atomic, and durable once it resolves. */
  readonly append: (batch: AppendRequest) => Promise<AppendResult>;
  /** Saves the state from which the stream is loaded next time; `undefined` deletes the snapshot. */
  readonly saveSnapshot: (stream: string, snapshot: Snapshot | undefined) => Promise<void>;
  /** Encrypted bytes outside the hash chain. */
  readonly putBlob: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly recordHeartbeats: (names: readonly string[], at: number) => Promise<void>;
  /** Key-value table, outside the hash chain: sessions, names, projections. `undefined` deletes the value. */
  readonly putValue: (kind: string, id: string, value: string | undefined) => Promise<void>;
  /** Writes only when the id has no value; returns the value that is stored then, so that all claimants see the owner. */
  readonly putValueIfAbsent: (kind: string, id: string, value: string) => Promise<string>;
  /**
   * Saves the next checkpoint. Fails with `WriterTakenOver` when another node has saved that number first; any other number is a
   * defect.
   */
  readonly saveCheckpoint: (checkpoint: StoredCheckpoint) => Promise<void>;
};
