import { type CommandRefusal } from '../runtime/stream/refusals.ts';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { type SeatLocations } from '../runtime/ports/presence.ts';
import {
  type ForwardResult,
  type ForwardedCommand,
  type ConnectionReport,
  type RefusedScan,
} from '../runtime/ports/clusterPort.ts';

/** What a floor does at the request of other nodes, and its notifications. */
export type NodeHandlers = {
  /** The lease of a table was acquired and its epoch raised; its last heartbeat was at `since`, if any. */
  readonly lead: (stream: string, since: number | undefined) => Promise<CommandRefusal | undefined>;
  /** Stops leading; waiting commands go to the next leader. */
  readonly follow: (stream: string) => Promise<void>;
  /** True between rounds or, if that takes too long, when no command is waiting. */
  readonly mayHandOver: (stream: string, isLate: boolean) => boolean;
  /** Executes a forwarded command as leader. */
  readonly execute: (stream: string, command: ForwardedCommand) => Promise<ForwardResult | 'moved'>;
  readonly connectionReported: (stream: string, from: string, report: ConnectionReport) => void;
  /** Streams have grown up to these heads. */
  readonly readUpTo: (heads: ReadonlyMap<string, number>) => Promise<void>;
  /** Streams whose heads are polled. */
  readonly streamsInMemory: () => readonly string[];
  /** Another node has changed a value of the key-value table. */
  readonly valueChanged: (kind: string, id: string) => void;
  /** Seats of terminals at another node, and the tables whose number of terminals changed. */
  readonly seatsReceived: (node: string, seats: SeatLocations, tables: Iterable<string>) => void;
  /** A node is gone, with the seats of its terminals. */
  readonly nodeLost: (node: string, seats: SeatLocations) => void;
  /** A card reader at another node gave a card that its table refused. */
  readonly refusedScanReceived: (table: string, scan: RefusedScan) => void;
  /** This node signs checkpoints from now on, or no longer does. */
  readonly signingChanged: (signs: boolean) => void;
};

/** Streams of all tables of a floor. */
export const tableStreams = ({ tables }: Pick<FloorRuntime, 'tables'>): readonly string[] =>
  [...tables.values()].map(({ stream }) => stream);

type NodeHandlersOptions = Pick<NodeHandlers, 'signingChanged'> & {
  readonly onWarning: (what: string, error: unknown) => void;
};

/** Handlers of a floor. The floor knows tables by id, other nodes by stream. */
export function createNodeHandlers(
  floor: FloorRuntime,
  { signingChanged, onWarning }: NodeHandlersOptions,
): NodeHandlers {
  const tableOf = (stream: string): string => stream.slice(`${floor.owner.property}/table/`.length);
  return {
    lead: (stream, since) => floor.lead(tableOf(stream), since),
    follow: (stream) => floor.follow(tableOf(stream)),
    mayHandOver: (stream, isLate) => floor.mayHandOver(tableOf(stream), isLate),
    execute: (stream, command) => floor.execute(stream, command),
    connectionReported: (stream, from, report) => floor.connectionReported(stream, from, report),
    readUpTo: (heads) => floor.readUpTo(heads),
    streamsInMemory: () => floor.streamsInMemory(),
    valueChanged: (kind, id) => {
      floor.valueChanged(kind, id).catch((error: unknown) => onWarning('nodes', error));
    },
    seatsReceived: (node, seats, tables) => floor.seatsReceived(node, seats, tables),
    nodeLost: (node, seats) => floor.nodeLost(node, seats),
    refusedScanReceived: (table, scan) => floor.refusedScanReceived(table, scan),
    signingChanged,
  };
}
