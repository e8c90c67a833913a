import { type CommandRecord, type StoredPayload, type Store } from '../../store/store.ts';
import { type CommandRefusal } from '../stream/refusals.ts';

/**
 * A command that is forwarded to the leader of a table. The leader first reads each stream in `readPositions` up to the
 * given sequence, so that the leader decides on data that is at least as new as the data of the sender.
 */
export type ForwardedCommand = {
  readonly id: string;
  readonly request: StoredPayload;
  readonly context: CommandRecord['context'];
  readonly readPositions: { readonly [stream: string]: number };
};

/** First and last sequence of the command's entries in the stream of the table, or the refusal. */
export type ForwardResult = { readonly from: number; readonly to: number } | CommandRefusal;

/**
 * Report of a node that the terminal of a credit session has disconnected from that node or connected to it. `seated`
 * is true if the seat of the terminal is at the table that gets the report.
 */
export type SessionConnectionReport = {
  readonly session: string;
  readonly seated: boolean;
  readonly disconnected: boolean;
};

/**
 * A scan of a card reader that the table of the reader refused. `by` is the clause of the refusal; null if the refusal
 * has no clause.
 */
export type RefusedScan = {
  readonly at: number;
  readonly text: string;
  readonly code: string;
  readonly message: string;
  readonly by: string | null;
};

/** Where a terminal is: the id of its table, null for the lobby, false if it has disconnected. */
export type TerminalSeat = string | null | false;
export type TerminalSeats = { readonly [terminal: string]: TerminalSeat };

/** Terminals that are connected to other nodes. */
export type RemoteTerminalsPort = {
  readonly isPresent: (terminal: string) => boolean;
  /** Id of the table at which a terminal is seated; null if it has no seat or is not connected to another node. */
  readonly tableOf: (terminal: string) => string | null;
  /** Number of terminals at other nodes that are seated at a table. */
  readonly seatedAt: (table: string) => number;
};

/** Port of a floor to the other nodes of its cluster. */
export type ClusterPort = {
  /**
   * Returns the fenced store for the stream of a table. The fenced store appends with the fencing epoch of the lease,
   * and only while the lease is certain.
   */
  readonly fencedStoreOf: (stream: string) => Store;
  /**
   * Forwards a command to the leader of the table or its successor. Resolves to `result-unknown` if the command was
   * sent but got no result in time, and to `cannot-record` if no leader was reached.
   */
  readonly forward: (stream: string, command: ForwardedCommand) => Promise<ForwardResult>;
  /** Reports a disconnect or reconnect at this node to the leader of a table. */
  readonly reportConnection: (stream: string, report: SessionConnectionReport) => void;
  /** Notifies the other nodes soon that a stream has grown up to a sequence. */
  readonly publishHead: (stream: string, sequence: number) => void;
  /** Notifies the other nodes soon that a value of the key-value table has changed. */
  readonly publishValue: (kind: string, id: string) => void;
  /** Notifies the other nodes soon that a terminal at this node has taken, changed or left its seat. */
  readonly publishSeat: (terminal: string, seat: TerminalSeat) => void;
  readonly remoteTerminals: RemoteTerminalsPort;
  /** Publishes a refused scan of a card reader at this node. The dealer's console may be connected to another node. */
  readonly publishRefusedScan: (table: string, scan: RefusedScan) => void;
};
