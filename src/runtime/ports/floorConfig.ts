import {
  type StreamsMissingEntries,
  type ShoeRetirementReason,
  type UnsignedEntriesSummary,
} from '../../floor/commands.ts';

/** An integrity issue of the event log that the operator has accepted at the start; its shoes are retired. */
export type AcceptedIntegrityIssue = {
  readonly reason: Exclude<ShoeRetirementReason, 'long-rest'>;
  /** The phrase that the operator typed to confirm. */
  readonly confirmation: string;
  /** Entries that the anchor knows and the event log lacks. */
  readonly missing: StreamsMissingEntries;
};

/** How staff begin, and their settings. */
export type StaffConfig = {
  /** Demo staff sign in with one click. */
  readonly demo: boolean;
  /** Idle timeout in milliseconds; five minutes if absent. */
  readonly idle?: number;
  /** Cost of one try at a secret; default if absent. */
  readonly cost?: ScryptCost;
};

/** Cost of one try; stored with each hash, so that it can be raised. */
export type ScryptCost = { readonly N: number; readonly r: number; readonly p: number };

/** Values that a floor is opened with. */
export type FloorConfig = {
  /** Data key of the property. */
  readonly key: Buffer;
  /** A COLLECT above this amount becomes a hand-pay; no limit if absent. */
  readonly handPayLimit?: number;
  /** Disconnects are reported together this long after the first, in milliseconds. */
  readonly disconnectReportMs?: number;
  /** Unique number of this process in a cluster: part of terminal names, so that two nodes never give the same name. */
  readonly terminalNamespace?: number;
  /** True when another node has started this floor already: the start is not recorded again. */
  readonly isJoining?: boolean;
  /** How staff begin; if absent, only staff that are in the event log exist. */
  readonly staff?: StaffConfig;
  /** The operator goes on although the shoes of the event log cannot be trusted. */
  readonly integrityIssue?: AcceptedIntegrityIssue;
  /** Frames of an incomplete last write that were cut off, if any. */
  readonly truncatedFrames?: number;
  /** Entries without a signature at the start, if any. */
  readonly unsignedEntries?: UnsignedEntriesSummary;
  /** No trusted heartbeat can be later than this. */
  readonly latestHeartbeatAt?: number;
};
