import {
  type StreamsMissingEntries,
  type ShoeRetirementReason,
  type UnsignedEntriesSummary,
} from '../../floor/commands.ts';

/**
 * An integrity issue of the event log that the operator has accepted at the start. The acceptance retires all virtual
 * shoes in use.
 */
export type AcceptedIntegrityIssue = {
  readonly reason: Exclude<ShoeRetirementReason, 'long-rest'>;
  /** The phrase by which the operator confirmed that the floor starts despite the issue. */
  readonly confirmation: string;
  /** Streams that have fewer entries than a checkpoint or the anchor file names. */
  readonly missing: StreamsMissingEntries;
};

export type StaffConfig = {
  /**
   * True to create demo staff, who sign in with one click. Otherwise one administrator is created. Existing staff are
   * not changed.
   */
  readonly demo: boolean;
  /** Time without activity after which a sign-in session is locked, in milliseconds; five minutes if absent. */
  readonly idleTimeoutMs?: number;
  /** Cost of hashing a PIN or password; the default if absent. */
  readonly scryptCost?: ScryptCost;
};

/** Cost parameters of scrypt. They are stored with each hash, so that they can be raised later. */
export type ScryptCost = { readonly N: number; readonly r: number; readonly p: number };

export type FloorConfig = {
  /** Data key: it encrypts blobs, and authenticates snapshots and stored values. */
  readonly key: Buffer;
  /** A collect above this amount, in minor units, becomes a hand-pay; no limit if absent. */
  readonly handPayLimit?: number;
  /**
   * Time after a first disconnect in which further disconnects are added to the same report, in milliseconds; 3 s if
   * absent.
   */
  readonly disconnectReportMs?: number;
  /**
   * Number that is unique among the processes of a cluster. It is part of the terminal names that this process gives;
   * absent without a cluster.
   */
  readonly terminalNamespace?: number;
  /** True if another node has started this floor already, so that the start is not recorded again. */
  readonly isJoining?: boolean;
  /** Settings of initial staff and of sign-in; if absent, no staff are created. */
  readonly staff?: StaffConfig;
  /** Integrity issue of the event log that the operator has accepted; absent if there is none. */
  readonly integrityIssue?: AcceptedIntegrityIssue;
  /**
   * Number of frames of the write-ahead log that SQLite ignored, because they belong to an unfinished last commit;
   * absent if there were none.
   */
  readonly truncatedFrames?: number;
  /** Entries that no signed checkpoint covered at the start; absent if there were none. */
  readonly unsignedEntries?: UnsignedEntriesSummary;
  /**
   * Latest time that a heartbeat can have, in milliseconds since 1970; a later heartbeat is ignored. No limit if
   * absent.
   */
  readonly latestHeartbeatAt?: number;
};
