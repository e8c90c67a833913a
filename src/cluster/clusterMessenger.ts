import { setTimeout as pause } from 'node:timers/promises';
import { cannotRecord, resultUnknown } from '../runtime/stream/refusals.ts';
import { type SeatLocation, type SeatLocations, Presence } from '../runtime/ports/presence.ts';
import {
  type ForwardResult,
  type ForwardedCommand,
  type ConnectionReport,
  type RefusedScan,
} from '../runtime/ports/clusterPort.ts';
import { type NodeHandlers } from './nodeHandlers.ts';
import { type NodeConnections } from './nodeConnections.ts';

/**
 * Default time that a forwarded command searches for the leader of its table, in milliseconds: longer than a take-over.
 */
export const defaultSearchMs = 8_000;

/** Delay before the next attempt, in milliseconds, unless the leader changes earlier. */
const recheckMs = 100;

/** Time that notifications are collected before they are sent together, in milliseconds. */
const flushDelayMs = 10;

/** Time that a connection report is kept, to repeat it to a new leader, in milliseconds. */
const rememberMs = 60_000;

const maxSeatsPerMessage = 1_000;

type ClusterMessengerOptions = {
  readonly self: string;
  readonly connections: () => NodeConnections | undefined;
  readonly handlers: () => NodeHandlers | undefined;
  /** Lease holder of a table as of the last reply of the database. */
  readonly holderOf: (stream: string) => string | undefined;
  /** Whether this node leads the table. */
  readonly isLeading: (stream: string) => boolean;
  /** Renews leases soon, to read which node holds them. */
  readonly renewSoon: () => void;
  readonly searchMs: number;
  readonly onWarning: (what: string, error: unknown) => void;
};

/** Request to another node: execute a command as the leader of a stream. */
type ForwardRequest = { readonly stream: string; readonly command: ForwardedCommand };
/** Message to another node, which does not reply. Each field is a notification. */
type NodeMessage = {
  readonly heads?: { readonly [stream: string]: number };
  readonly values?: readonly (readonly [kind: string, id: string])[];
  readonly connection?: { readonly stream: string; readonly report: ConnectionReport };
  /** Seats of terminals at the sender. */
  readonly seats?: SeatLocations;
  /** True when `seats` replaces all seats that the sender sent before. */
  readonly reset?: boolean;
  /** A scanned card that its table refused. */
  readonly scan?: { readonly table: string; readonly scan: RefusedScan };
  /** Tables whose lease was released. */
  readonly free?: readonly string[];
  /** Tables that the sender leads from now on. */
  readonly leads?: readonly string[];
};

/** Connection reports of a table by session, and the leader that has received them (`to`). */
type ConnectionReports = {
  to: string | undefined;
  readonly sessions: Map<string, { readonly report: ConnectionReport; readonly at: number }>;
};

/** Cluster messenger: forwards commands to leaders and exchanges notifications between nodes. */
export class ClusterMessenger {
  readonly #options: ClusterMessengerOptions;
  /** Leaders that have announced themselves since the last reply of the database. */
  readonly #announcedLeaders = new Map<string, { readonly node: string; readonly at: number }>();
  readonly #connectionReports = new Map<string, ConnectionReports>();
  #leadersChanged = Promise.withResolvers<void>();
  #heads = new Map<string, number>();
  #values = new Map<string, readonly [kind: string, id: string]>();
  /** Seats of the terminals at this node. */
  readonly #ownSeats = new Map<string, string | null>();
  /** Changed seats that were not sent to the other nodes yet. */
  #changedSeats = new Map<string, SeatLocation>();
  /** Seats of the terminals at other nodes. */
  readonly presence = new Presence();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClusterMessengerOptions) {
    this.#options = options;
  }

  /** Id of the node that leads a table, as far as this node can tell. */
  leaderOf(stream: string): string | undefined {
    return this.#announcedLeaders.get(stream)?.node ?? this.#options.holderOf(stream);
  }

  /**
   * Call it when leaders may have changed: after a reply of the database (with the time of the request), after a node
   * has connected, and after an announcement.
   */
  leadersChanged(requestedAt = -Infinity): void {
    for (const [stream, { at }] of this.#announcedLeaders) if (at < requestedAt) this.#announcedLeaders.delete(stream);
    this.#leadersChanged.resolve();
    this.#leadersChanged = Promise.withResolvers();
    for (const stream of this.#connectionReports.keys()) this.#sendReports(stream);
  }

  /** Forwards a command to the leader of its stream, or to the next one. Its id ensures that it is executed once. */
  async forward(stream: string, command: ForwardedCommand): Promise<ForwardResult> {
    const until = performance.now() + this.#options.searchMs;
    for (let isSent = false; ;) {
      const left = until - performance.now();
      if (left <= 0) return isSent ? resultUnknown : cannotRecord;
      const changed = this.#leadersChanged.promise;
      const leader = this.leaderOf(stream);
      const answer =
        leader === this.#options.self
          ? await this.#executeHere(stream, command, left)
          : await this.#sendTo(leader, { stream, command }, left);
      if (answer === 'unanswered') isSent = true;
      else if (answer !== 'moved') return answer;
      if (answer === 'moved') this.#forgetLeader(stream, leader);
      if (this.leaderOf(stream) === leader) {
        this.#options.renewSoon();
        await Promise.race([changed, pause(Math.min(recheckMs, left))]);
      }
    }
  }

  /** Drops an announcement that proved wrong. */
  #forgetLeader(stream: string, leader: string | undefined): void {
    if (this.#announcedLeaders.get(stream)?.node === leader) this.#announcedLeaders.delete(stream);
  }

  async #sendTo(
    leader: string | undefined,
    request: ForwardRequest,
    maxMs: number,
  ): Promise<ForwardResult | 'moved' | 'unanswered'> {
    const peers = this.#options.connections();
    if (leader === undefined || peers === undefined) return 'moved';
    const left = new AbortController();
    try {
      const reply = await Promise.race([
        peers.request(leader, request, maxMs),
        this.#untilReplaced(request.stream, leader, left.signal),
      ]);
      if (reply === 'unsent') return 'moved';
      return reply === 'unanswered' ? reply : (reply.answer as ForwardResult | 'moved');
    } finally {
      left.abort();
    }
  }

  /** Resolves when another node leads the table, because then the former leader does not reply any more. */
  async #untilReplaced(stream: string, leader: string, signal: AbortSignal): Promise<'unanswered'> {
    for (;;) {
      await this.#leadersChanged.promise;
      if (signal.aborted) return 'unanswered';
      const now = this.leaderOf(stream);
      if (now !== undefined && now !== leader) return 'unanswered';
    }
  }

  /** Executes a command at this node, as soon as it leads the table whose lease it holds. */
  async #executeHere(stream: string, command: ForwardedCommand, maxMs: number): Promise<ForwardResult | 'moved'> {
    const { self, handlers, holderOf, isLeading } = this.#options;
    const until = performance.now() + maxMs;
    while (holderOf(stream) === self) {
      const answering = handlers();
      if (answering === undefined) break;
      if (isLeading(stream)) return answering.execute(stream, command);
      const left = until - performance.now();
      if (left <= 0) break;
      await Promise.race([this.#leadersChanged.promise, pause(Math.min(recheckMs, left))]);
    }
    return 'moved';
  }

  async requestReceived(body: unknown): Promise<ForwardResult | 'moved'> {
    const { stream, command } = body as ForwardRequest;
    return this.#executeHere(stream, command, this.#options.searchMs);
  }

  messageReceived(from: string, body: unknown): void {
    const { heads, values, connection, seats, reset, scan, free, leads } = body as NodeMessage;
    const { handlers: handlersOf, renewSoon, onWarning } = this.#options;
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
    for (const stream of leads ?? []) this.#announcedLeaders.set(stream, { node: from, at: performance.now() });
    if (leads) this.leadersChanged();
    for (const stream of free ?? []) this.#forgetLeader(stream, from);
    if (free) renewSoon();
  }

  /** Announces to the other nodes that this node leads a table. */
  announceLeading(stream: string): void {
    this.#announcedLeaders.delete(stream);
    this.#broadcast({ leads: [stream] });
    this.leadersChanged();
  }

  /** Announces to the other nodes that this node has released leases. */
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

  publishSeat(terminal: string, seat: SeatLocation): void {
    if (seat === false) this.#ownSeats.delete(terminal);
    else this.#ownSeats.set(terminal, seat);
    this.#changedSeats.set(terminal, seat);
    this.#flushSoon();
  }

  publishRefusedScan(table: string, scan: RefusedScan): void {
    this.#broadcast({ scan: { table, scan } });
  }

  /** Sends all seats of this node to a node that has connected. */
  nodeConnected(node: string): void {
    const all = [...this.#ownSeats];
    for (let from = 0; from === 0 || from < all.length; from += maxSeatsPerMessage) {
      const seats = Object.fromEntries(all.slice(from, from + maxSeatsPerMessage));
      this.#options.connections()?.send(node, { seats, ...(from === 0 && { reset: true }) } satisfies NodeMessage);
    }
    this.leadersChanged();
  }

  /** Removes the terminals of a node that has disconnected. */
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

  /** Reports the disconnect or reconnect of a terminal to the leader of a table, and to the next leader. */
  reportConnection(stream: string, report: ConnectionReport): void {
    const reports = this.#connectionReports.get(stream) ?? { to: undefined, sessions: new Map() };
    this.#connectionReports.set(stream, reports);
    reports.sessions.delete(report.session);
    reports.sessions.set(report.session, { report, at: performance.now() });
    if (
      reports.to !== undefined &&
      reports.to === this.leaderOf(stream) &&
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
    const leader = this.leaderOf(stream);
    if (leader === undefined || leader === reports.to) return;
    const isSent = [...reports.sessions.values()].every(({ report }) => this.#sendReport(leader, stream, report));
    reports.to = isSent ? leader : undefined;
  }

  #sendReport(leader: string, stream: string, report: ConnectionReport): boolean {
    const { self, handlers: handlersOf, isLeading, connections } = this.#options;
    if (leader !== self)
      return connections()?.send(leader, { connection: { stream, report } } satisfies NodeMessage) ?? false;
    if (!isLeading(stream)) return false;
    handlersOf()?.connectionReported(stream, self, report);
    return true;
  }
}
