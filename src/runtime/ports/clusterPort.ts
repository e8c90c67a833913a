import { type CommandRecord, type StoredPayload, type Store } from '../../store/store.ts';
import { type CommandRefusal } from '../stream/refusals.ts';
import { type TerminalLocation, type RemoteTerminals } from './remoteTerminals.ts';

/**
 * A command that is forwarded to the leader of a table. The leader first reads each stream in `readPositions` up to
 * that sequence, so that it decides on data at least as new as the sender's.
 */
export type ForwardedCommand = {
  readonly id: string;
  readonly request: StoredPayload;
  readonly context: CommandRecord['context'];
  readonly readPositions: { readonly [stream: string]: number };
};

/** First and last sequence of the command's entries in the stream of the table, or the refusal. */
export type ForwardResult = { readonly from: number; readonly to: number } | CommandRefusal;

/** Report of another node that a credit session has disconnected or reconnected. */
export type ConnectionReport = { readonly session: string; readonly seated: boolean; readonly disconnected: boolean };

/** A scan of a card reader that its table refused, with code and message of the refusal. */
export type RefusedScan = {
  readonly at: number;
  readonly text: string;
  readonly code: string;
  readonly message: string;
  readonly by: string | null;
};

/** Port of a floor to the other nodes of its cluster. */
export type ClusterPort = {
  /** Fenced store for the stream of a table: it appends only while the lease is certain, with its fencing epoch. */
  readonly fencedStoreOf: (stream: string) => Store;
  /** Forwards a command to the leader or its successors. Gives `result-unknown` if no result can be found out. */
  readonly forward: (stream: string, command: ForwardedCommand) => Promise<ForwardResult>;
  /** Reports a disconnect or reconnect at this node to the leader of a table. */
  readonly reportConnection: (stream: string, report: ConnectionReport) => void;
  /** Notifies the other nodes soon that a stream has grown up to a sequence. */
  readonly publishHead: (stream: string, sequence: number) => void;
  /** Notifies the other nodes soon that a value of the key-value table has changed. */
  readonly publishValue: (kind: string, id: string) => void;
  /** Notifies the other nodes soon that a terminal at this node has taken, changed or left its seat. */
  readonly publishSeat: (terminal: string, seat: TerminalLocation) => void;
  /** Terminals that are connected to other nodes. */
  readonly remoteTerminals: RemoteTerminals;
  /** Publishes a refused scan to the other nodes: the card reader is at this one, but the console may be at another. */
  readonly publishRefusedScan: (table: string, scan: RefusedScan) => void;
};
