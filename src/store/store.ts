import { type Account } from '../ledger/accounts.ts';
import { type Posting } from '../ledger/tablePostings.ts';

// The record: streams of entries, one hash chain a stream, with the balances that their postings lead to. One small
// interface; memory and SQLite keep it, and one suite of tests holds both to it.

/** Anything that happened, as it is recorded: flat, with a version of its form. */
export type RecordedEvent = {
  readonly type: string;
  readonly v: number;
  readonly at: number;
  readonly [field: string]: unknown;
};

/** What somebody asked: the command by its name, who gave it, and what it is about. */
export type StoredRequest = {
  readonly type: string;
  readonly who: { readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

/**
 * The command behind an entry, as its first entry holds it: what was asked, a hash of that and of nothing else, so that an
 * id cannot be used for something else and a resend is known; what was brought to it (credits, slips, the post by which it
 * was given); and by which decider and which book it was decided.
 */
export type CommandRecord = {
  readonly id: string;
  readonly hash: string;
  readonly asked: StoredRequest;
  readonly brought: { readonly [field: string]: unknown };
  readonly decider: string;
  readonly book?: string;
};

/** The other entries of a command name it. */
type CommandName = { readonly id: string };

/** What somebody wants to record. */
export type NewEntry = {
  readonly event: RecordedEvent;
  readonly postings: readonly Posting[];
  readonly command: CommandRecord | CommandName;
};

/** A posting with what both accounts held before and after it, and how many postings each had seen by then. */
export type BookedPosting = Posting & {
  readonly fromBefore: number;
  readonly fromAfter: number;
  readonly fromVersion: number;
  readonly toBefore: number;
  readonly toAfter: number;
  readonly toVersion: number;
};

/** What an account holds, and how many postings it has seen. */
export type Balance = { readonly amount: number; readonly version: number };

/** An entry as it stands in the record. */
export type StoredEntry = {
  readonly stream: string;
  readonly sequence: number;
  readonly at: number;
  readonly event: RecordedEvent;
  readonly postings: readonly BookedPosting[];
  readonly command: CommandRecord | CommandName;
  /** The hash of the entry before it in its stream; of nothing, for the first. */
  readonly previous: string;
  readonly hash: string;
};

/**
 * Entries for one stream, behind the entry with that sequence: 0 for a new stream. Whoever writes in an epoch ends all
 * earlier ones of the stream.
 */
export type AppendRequest = {
  readonly stream: string;
  readonly after: number;
  readonly epoch?: number;
  readonly entries: readonly NewEntry[];
};

export type AppendResult =
  | { readonly entries: readonly StoredEntry[] }
  /** The stream has moved on: somebody else wrote to it. */
  | { readonly refused: 'stream-moved'; readonly at: number }
  /** The stream is written to by a later epoch. */
  | { readonly refused: 'epoch-over'; readonly epoch: number }
  /** That entry would drive an account below zero that may not go there. */
  | { readonly refused: 'balance-guard'; readonly account: Account; readonly entry: number }
  /** That entry would have an account hold more than can be counted exactly. */
  | { readonly refused: 'balance-range'; readonly account: Account; readonly entry: number }
  /** The id of a command was used before, for this or for something else. */
  | { readonly refused: 'command-known'; readonly command: string; readonly entry: number };

/** Where an entry stands. */
export type EntryPosition = { readonly stream: string; readonly sequence: number };

/** So many entries about something are read at once, unless said otherwise. */
export const usualMost = 1000;

/** Where entries about something are read from, in which direction, and how many at most. */
type From = { readonly before?: EntryPosition; readonly after?: EntryPosition; readonly most?: number };

/** Where a command's first entry stands. */
export type CommandPosition = EntryPosition;

/** The last entry of a stream, and the epoch of whoever may write to it. */
export type StreamHead = { readonly sequence: number; readonly hash: string; readonly epoch: number };

/** A part of where all streams stand and of what all accounts hold. */
export type HeadsAndBalances = {
  readonly heads: readonly (readonly [string, StreamHead])[];
  readonly balances: readonly (readonly [Account, Balance])[];
};

/** A state of a form worked out up to a sequence, with a hash that binds it to the entry there. */
export type Snapshot = {
  readonly sequence: number;
  readonly form: number;
  readonly state: string;
  readonly hash: string;
};

/** A signed text on how far the record reached; they are numbered from 1. */
export type StoredCheckpoint = { readonly number: number; readonly text: string; readonly signature: string };

/** Something in the record is not as it was written. */
export class DamagedRecord extends Error {}

/** An entry is not as it was written. */
export class DamagedEntry extends DamagedRecord {
  readonly stream: string;
  readonly sequence: number;

  constructor(stream: string, sequence: number, what: string) {
    super(`Entry ${sequence} of ${stream} ${what}.`);
    this.stream = stream;
    this.sequence = sequence;
  }
}

/** There is no record where one has been. */
export class MissingRecord extends Error {}

/** The record can be neither read nor written as it lies there; the sentence says what to do. */
export class UnusableData extends Error {}

/** Nobody knows whether it was written: read the stream again before going on. */
export class ResultUnknown extends Error {}

/** Another program has opened the record since, and writes to it now: nothing more is written here. */
export class TakenOver extends Error {}

/** What can be read of a record. */
export type StoreReader = {
  /** The entries of a stream behind a sequence, in order, so many at a time; a damaged one is thrown, not given. */
  readonly read: (stream: string, after?: number, atOnce?: number) => AsyncIterable<readonly StoredEntry[]>;
  /**
   * For many streams at once, by place: the entries from there on, so many at most. Only where that is quicker than to read
   * one stream after another; a damaged entry is thrown, not given.
   */
  readonly readMany?: (places: readonly EntryPosition[], most: number) => AsyncIterable<readonly StoredEntry[]>;
  readonly streams: () => Promise<readonly string[]>;
  /** The last entry of each stream, as it was when it was written. */
  readonly heads: () => Promise<ReadonlyMap<string, StreamHead>>;
  readonly balance: (account: Account) => Promise<Balance>;
  readonly balances: () => Promise<ReadonlyMap<Account, Balance>>;
  /** Those of the commands that are in the record. */
  readonly findCommands: (ids: readonly string[]) => Promise<ReadonlyMap<string, CommandPosition>>;
  readonly snapshot: (stream: string) => Promise<Snapshot | undefined>;
  /** The streams that have one. */
  readonly snapshots: () => Promise<readonly string[]>;
  readonly blob: (id: string) => Promise<Uint8Array | undefined>;
  /** The ids of all that is sealed. */
  readonly blobIds: () => Promise<readonly string[]>;
  /** When each was last alive. */
  readonly heartbeats: () => Promise<ReadonlyMap<string, number>>;
  /** The checkpoints behind a number, in order, so many at a time. */
  readonly checkpoints: (after?: number) => AsyncIterable<readonly StoredCheckpoint[]>;
  /** How often the record has been opened and written to. */
  readonly epoch: () => Promise<number>;
  /** All that is kept of a kind beside the chain, by id; of those ids alone, where they are named. */
  readonly listValues: (kind: string, ids?: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly close: () => Promise<void>;
};

export type Store = StoreReader & {
  /**
   * The epoch of this opener, which begins with the first that it writes; once somebody else has begun one, whatever is to be
   * written here fails as `TakenOver`.
   */
  readonly writerEpoch: number;
  /**
   * Entries that are about something, in all streams: stakes are found by their session, anything else by its round. So many
   * at most: the newest first, or from one of them, named by its place, backwards or onwards.
   */
  readonly findBySubject: (subject: string, from?: From) => Promise<readonly StoredEntry[]>;
  /**
   * Where all streams stand and then what all accounts hold, each in the order of their names, at one and the same moment. It
   * comes in parts, between which whatever else waits has its turn: a record may have very many accounts.
   */
  readonly readHeadsAndBalances: () => AsyncIterable<HeadsAndBalances>;
  /** All or nothing, and durable once it is answered. */
  readonly append: (batch: AppendRequest) => Promise<AppendResult>;
  /** The state of a stream at a sequence, to begin from instead of its first entry. No state: none is kept. */
  readonly saveSnapshot: (stream: string, snapshot: Snapshot | undefined) => Promise<void>;
  /** Sealed bytes that belong to the record but not to its chain. */
  readonly putBlob: (id: string, bytes: Uint8Array) => Promise<void>;
  /** Those were alive at that time. */
  readonly recordHeartbeats: (names: readonly string[], at: number) => Promise<void>;
  /** What may be changed and forgotten lives beside the chain: sessions, names, projections. No value: forgotten. */
  readonly putValue: (kind: string, id: string, value: string | undefined) => Promise<void>;
  /** The same where nothing is kept under the id; gives what is, so that of several who claim it all know whose it is. */
  readonly putValueIfAbsent: (kind: string, id: string, value: string) => Promise<string>;
  /**
   * Keeps the next checkpoint. Where several may sign, one that another was faster with fails as `TakenOver`; one of any
   * other number is a defect.
   */
  readonly checkpoint: (checkpoint: StoredCheckpoint) => Promise<void>;
};
