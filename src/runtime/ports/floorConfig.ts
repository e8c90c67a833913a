import {
  type StreamsMissingEntries,
  type ShoeRetirementReason,
  type UnsignedEntriesSummary,
} from '../../floor/commands.ts';

/** An integrity issue of the event log that the operator has accepted at the start. All shoes in use are retired. */
export type AcceptedIntegrityIssue = {
  readonly reason: Exclude<ShoeRetirementReason, 'long-rest'>;
  /** The phrase by which the operator confirmed that the floor starts despite the issue. */
  readonly confirmation: string;
  /** Entries that the anchor file proves and the event log lacks. */
  readonly missing: StreamsMissingEntries;
};

/** Settings of initial staff and of sign-in. */
export type StaffConfig = {
  /** True to create demo staff, who sign in with one click; else the first administrator is created. */
  readonly demo: boolean;
  /** Time without activity after which a session is locked, in milliseconds; five minutes if absent. */
  readonly idleTimeoutMs?: number;
  /** Cost of hashing a PIN or password; the default if absent. */
  readonly scryptCost?: ScryptCost;
};

/** Cost parameters of scrypt. They are stored with each hash, so that they can be raised later. */
export type ScryptCost = { readonly N: number; readonly r: number; readonly p: number };

/** Configuration with which a floor is opened. */
export type FloorConfig = {
  /** Data key, which encrypts blobs and authenticates snapshots. */
  readonly key: Buffer;
  /** A collect above this amount, in minor units, becomes a hand-pay; no limit if absent. */
  readonly handPayLimit?: number;
  /** Delay in milliseconds after the first disconnect, until all disconnects since are reported together. */
  readonly disconnectReportMs?: number;
  /** Number of this process in a cluster. It is part of terminal names, so that no two nodes give the same name. */
  readonly terminalNamespace?: number;
  /** True if another node has started this floor already, so that the start is not recorded again. */
  readonly isJoining?: boolean;
  /** Settings of initial staff and of sign-in; if absent, no staff are created. */
  readonly staff?: StaffConfig;
  /** Integrity issue of the event log that the operator has accepted; absent if there is none. */
  readonly integrityIssue?: AcceptedIntegrityIssue;
  /** Number of frames that were cut off the event log because its last write was incomplete; absent if none was. */
  readonly truncatedFrames?: number;
  /** Entries that no signed checkpoint covered at the start; absent if there were none. */
  readonly unsignedEntries?: UnsignedEntriesSummary;
  /** Latest time that a heartbeat can have; a later one is not trusted. */
  readonly latestHeartbeatAt?: number;
};
