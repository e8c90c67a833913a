import { type CommandRefusal } from '../runtime/stream/refusals.ts';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import {
  type ForwardResult,
  type ForwardedCommand,
  type SessionConnectionReport,
  type RefusedScan,
  type TerminalSeats,
} from '../runtime/ports/clusterPort.ts';

/** Handlers of the floor for requests and notifications of the cluster. */
export type FloorHandlersForCluster = {
  /**
   * Leads a table whose lease this node has acquired; returns a refusal if the table cannot be opened. `since`: last
   * heartbeat of a former leader, in milliseconds since 1970; undefined if there is no heartbeat.
   */
  readonly lead: (stream: string, since: number | undefined) => Promise<CommandRefusal | undefined>;
  /** Stops leading a table. Commands in its queue are forwarded to the next leader. */
  readonly follow: (stream: string) => Promise<void>;
  /**
   * True when the table can be handed over: when it is between rounds and all its settlements are posted. If the
   * hand-over is overdue (`isLate`), it is enough that the command queue of the table is empty.
   */
  readonly mayHandOver: (stream: string, isLate: boolean) => boolean;
  /** Executes a forwarded command. Returns `moved` if this node does not lead the table. */
  readonly execute: (stream: string, command: ForwardedCommand) => Promise<ForwardResult | 'moved'>;
  /** Called when another node reports that a terminal at the table has disconnected or reconnected. */
  readonly connectionReported: (stream: string, from: string, report: SessionConnectionReport) => void;
  /** Reads streams up to the sequences in `heads`, because other nodes have appended to them. */
  readonly readUpTo: (heads: ReadonlyMap<string, number>) => Promise<void>;
  /** Streams that this node has in memory. The heads of these streams are polled. */
  readonly streamsInMemory: () => readonly string[];
  /** Called when another node has changed a value of the key-value table. */
  readonly valueChanged: (kind: string, id: string) => void;
  /**
   * Called when another node reports the seats of its terminals. `tables`: tables whose number of terminals changed.
   */
  readonly seatsReceived: (node: string, seats: TerminalSeats, tables: Iterable<string>) => void;
  /** Called when another node has disconnected. `seats`: the seats of its terminals. */
  readonly nodeLost: (node: string, seats: TerminalSeats) => void;
  /** Called when another node reports that a table has refused a scan of one of that node's card readers. */
  readonly refusedScanReceived: (table: string, scan: RefusedScan) => void;
  /** Called when this node begins or stops to sign checkpoints. */
  readonly signingChanged: (signs: boolean) => void;
};

export const tableStreamsOf = ({ tables }: Pick<FloorRuntime, 'tables'>): readonly string[] =>
  [...tables.values()].map(({ stream }) => stream);

type NodeHandlersOptions = Pick<FloorHandlersForCluster, 'signingChanged'> & {
  readonly onWarning: (what: string, error: unknown) => void;
};

/** Creates the handlers of a floor. Other nodes name a table by its stream, but the floor names it by its id. */
export function createFloorHandlersForCluster(
  floor: FloorRuntime,
  { signingChanged, onWarning }: NodeHandlersOptions,
): FloorHandlersForCluster {
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
