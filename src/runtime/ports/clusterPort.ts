import { type CommandRecord, type StoredPayload, type Store } from '../../store/store.ts';
import { type CommandRefusal } from '../stream/refusals.ts';
import { type SeatLocation, type Presence } from './presence.ts';

/**
 * A command for the leader of a table. `seen` are read positions of the sender; the leader reads that far before it
 * decides.
 */
export type ForwardedCommand = {
  readonly id: string;
  readonly request: StoredPayload;
  readonly context: CommandRecord['context'];
  readonly readPositions: { readonly [stream: string]: number };
};

/** Positions of the command's entries in the table's stream, or the refusal. */
export type ForwardResult = { readonly from: number; readonly to: number } | CommandRefusal;

/** A session at another node was disconnected or is connected again. */
export type ConnectionReport = { readonly session: string; readonly seated: boolean; readonly disconnected: boolean };

/** A scanned card that its table refused. */
export type RefusedScan = {
  readonly at: number;
  readonly text: string;
  readonly code: string;
  readonly message: string;
  readonly by: string | null;
};

/** What a floor needs from the other nodes of its cluster. */
export type ClusterPort = {
  /** Fenced store of a table's stream: appends only while the lease is certain, with its fencing epoch. */
  readonly fencedStoreOf: (stream: string) => Store;
  /** Forwards a command to the leader, and to its successors, until there is a result or the result is unknown. */
  readonly forward: (stream: string, command: ForwardedCommand) => Promise<ForwardResult>;
  /** Reports a disconnect or reconnect at this node to the leader of a table. */
  readonly reportConnection: (stream: string, report: ConnectionReport) => void;
  /** A stream has grown; the other nodes are notified soon. */
  readonly publishHead: (stream: string, sequence: number) => void;
  /** A value of the key-value table has changed; the other nodes are notified soon. */
  readonly publishValue: (kind: string, id: string) => void;
  /** A terminal at this node has taken a seat, changed it or gone; the other nodes are notified soon. */
  readonly publishSeat: (terminal: string, seat: SeatLocation) => void;
  /** Terminals at other nodes. */
  readonly presence: Presence;
  /** The card reader is at this node, and the console of its table may be at another. */
  readonly publishRefusedScan: (table: string, scan: RefusedScan) => void;
};
