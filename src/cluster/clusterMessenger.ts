import { RemoteTerminalSeats } from '../runtime/terminals/remoteTerminalSeats.ts';
import {
  type SessionConnectionReport,
  type RefusedScan,
  type TerminalSeat,
  type TerminalSeats,
} from '../runtime/ports/clusterPort.ts';
import { type CommandRouter } from './commandRouter.ts';
import { type FloorHandlersForCluster } from './floorHandlersForCluster.ts';
import { type NodeConnections } from './nodeConnections.ts';

/** Time during which notifications are collected before they are sent together, in milliseconds. */
const flushDelayMs = 10;

/** Time during which a connection report is kept, so that it can be repeated to a new leader, in milliseconds. */
const rememberMs = 60_000;

const maxSeatsPerMessage = 1_000;

type ClusterMessengerOptions = {
  readonly self: string;
  readonly connections: () => NodeConnections | undefined;
  readonly handlers: () => FloorHandlersForCluster | undefined;
  readonly router: CommandRouter;
  readonly isLeading: (stream: string) => boolean;
  /** Renews leases soon; the reply of the database shows which node holds each lease. */
  readonly renewSoon: () => void;
  readonly onWarning: (what: string, error: unknown) => void;
};

type NodeMessage = {
  readonly heads?: { readonly [stream: string]: number };
  readonly values?: readonly (readonly [kind: string, id: string])[];
  readonly connection?: { readonly stream: string; readonly report: SessionConnectionReport };
  /**
   * Seats of terminals that are connected to the sender. `reset`: the receiver first forgets all earlier seats of the
   * sender.
   */
  readonly seats?: TerminalSeats;
  readonly reset?: boolean;
  readonly scan?: { readonly table: string; readonly scan: RefusedScan };
  /** Names of leases that the sender has released. */
  readonly free?: readonly string[];
  /** Tables that the sender leads from now on. */
  readonly leads?: readonly string[];
};

/**
 * Connection reports of a table by session. `to`: the leader to which all these reports were sent; undefined if they
 * must be sent again.
 */
type ConnectionReports = {
  to: string | undefined;
  readonly sessions: Map<string, { readonly report: SessionConnectionReport; readonly at: number }>;
};

/** Cluster messenger: exchanges notifications between nodes. */
export class ClusterMessenger {
  readonly #options: ClusterMessengerOptions;
  readonly #connectionReports = new Map<string, ConnectionReports>();
  #heads = new Map<string, number>();
  #values = new Map<string, readonly [kind: string, id: string]>();
  readonly #ownSeats = new Map<string, string | null>();
  #changedSeats = new Map<string, TerminalSeat>();
  readonly presence = new RemoteTerminalSeats();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClusterMessengerOptions) {
    this.#options = options;
  }

  /**
   * Call when leaders of tables may have changed: after a node has connected, after a leader has announced itself, and
   * after a reply of the database. Only in the last case give `requestedAt`, the monotonic time of the request to the
   * database.
   */
  leadersChanged(requestedAt = -Infinity): void {
    this.#options.router.leadersChanged(requestedAt);
    for (const stream of this.#connectionReports.keys()) this.#sendReports(stream);
  }

  messageReceived(from: string, body: unknown): void {
    const { heads, values, connection, seats, reset, scan, free, leads } = body as NodeMessage;
    const { handlers: handlersOf, router, renewSoon, onWarning } = this.#options;
    const calls = handlersOf();
    if (heads) calls?.readUpTo(new Map(Object.entries(heads))).catch((error: unknown) => onWarning('nodes', error));
    for (const [kind, id] of values ?? []) calls?.valueChanged(kind, id);
    if (connection) calls?.connectionReported(connection.stream, from, connection.report);
    if (reset) this.presence.removeNode(from);
    if (seats) {
      const tables = this.presence.update(from, seats);
      calls?.seatsReceived(from, seats, tables);
    }
    if (scan) calls?.refusedScanReceived(scan.table, scan.scan);
    for (const stream of leads ?? []) router.leaderAnnounced(stream, from);
    if (leads) this.leadersChanged();
    for (const stream of free ?? []) router.forgetLeader(stream, from);
    if (free) renewSoon();
  }

  announceLeading(stream: string): void {
    this.#options.router.dropAnnouncement(stream);
    this.#broadcast({ leads: [stream] });
    this.leadersChanged();
  }

  announceFree(streams: readonly string[]): void {
    this.#broadcast({ free: streams });
  }

  #broadcast(message: NodeMessage): void {
    this.#options.connections()?.broadcast(message);
  }

  publishHead(stream: string, sequence: number): void {
    this.#heads.set(stream, Math.max(sequence, this.#heads.get(stream) ?? 0));
    this.#flushSoon();
  }

  publishValue(kind: string, id: string): void {
    this.#values.set(JSON.stringify([kind, id]), [kind, id]);
    this.#flushSoon();
  }

  publishSeat(terminal: string, seat: TerminalSeat): void {
    if (seat === false) this.#ownSeats.delete(terminal);
    else this.#ownSeats.set(terminal, seat);
    this.#changedSeats.set(terminal, seat);
    this.#flushSoon();
  }

  publishRefusedScan(table: string, scan: RefusedScan): void {
    this.#broadcast({ scan: { table, scan } });
  }

  /** Sends the seats of all terminals at this node to a node that has connected. */
  nodeConnected(node: string): void {
    const all = [...this.#ownSeats];
    for (let from = 0; from === 0 || from < all.length; from += maxSeatsPerMessage) {
      const seats = Object.fromEntries(all.slice(from, from + maxSeatsPerMessage));
      this.#options.connections()?.send(node, { seats, ...(from === 0 && { reset: true }) } satisfies NodeMessage);
    }
    this.leadersChanged();
  }

  /** Forgets the seats of the terminals at a node that has disconnected. */
  nodeDisconnected(node: string): void {
    this.#options.handlers()?.nodeLost(node, this.presence.removeNode(node));
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), flushDelayMs);
  }

  /** Sends the collected notifications to all nodes. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [heads, values, seats] = [this.#heads, this.#values, this.#changedSeats];
    if (heads.size + values.size + seats.size === 0) return;
    this.#heads = new Map();
    this.#values = new Map();
    this.#changedSeats = new Map();
    this.#broadcast({
      ...(heads.size > 0 && { heads: Object.fromEntries(heads) }),
      ...(values.size > 0 && { values: [...values.values()] }),
      ...(seats.size > 0 && { seats: Object.fromEntries(seats) }),
    });
  }

  /** Reports the disconnect or reconnect of a terminal to the leader of a table. A new leader gets the report again. */
  reportConnection(stream: string, report: SessionConnectionReport): void {
    const reports = this.#connectionReports.get(stream) ?? { to: undefined, sessions: new Map() };
    this.#connectionReports.set(stream, reports);
    reports.sessions.delete(report.session);
    reports.sessions.set(report.session, { report, at: performance.now() });
    if (
      reports.to !== undefined &&
      reports.to === this.#options.router.leaderOf(stream) &&
      this.#sendReport(reports.to, stream, report)
    )
      return;
    reports.to = undefined;
    this.#sendReports(stream);
  }

  #sendReports(stream: string): void {
    const reports = this.#connectionReports.get(stream)!;
    const now = performance.now();
    for (const [session, { at }] of reports.sessions) {
      if (now - at < rememberMs) break;
      reports.sessions.delete(session);
    }
    if (reports.sessions.size === 0) this.#connectionReports.delete(stream);
    const leader = this.#options.router.leaderOf(stream);
    if (leader === undefined || leader === reports.to) return;
    const isSent = [...reports.sessions.values()].every(({ report }) => this.#sendReport(leader, stream, report));
    reports.to = isSent ? leader : undefined;
  }

  #sendReport(leader: string, stream: string, report: SessionConnectionReport): boolean {
    const { self, handlers: handlersOf, isLeading, connections } = this.#options;
    if (leader !== self)
      return connections()?.send(leader, { connection: { stream, report } } satisfies NodeMessage) ?? false;
    if (!isLeading(stream)) return false;
    handlersOf()?.connectionReported(stream, self, report);
    return true;
  }
}
