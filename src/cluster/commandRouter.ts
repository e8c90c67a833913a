import { setTimeout as pause } from 'node:timers/promises';
import { cannotRecordRefusal, resultUnknownRefusal } from '../runtime/stream/refusals.ts';
import { type ForwardResult, type ForwardedCommand } from '../runtime/ports/clusterPort.ts';
import { type FloorHandlersForCluster } from './floorHandlersForCluster.ts';
import { type NodeConnections } from './nodeConnections.ts';

/**
 * Default time for which the router searches for the leader to which it can forward a command, in milliseconds. A
 * take-over with the default lease takes less.
 */
export const defaultLeaderSearchMs = 8_000;

/**
 * Delay before the router searches for the leader of a table again, in milliseconds. A change of leaders ends the
 * delay.
 */
const recheckMs = 100;

type CommandRouterOptions = {
  readonly self: string;
  readonly connections: () => NodeConnections | undefined;
  readonly handlers: () => FloorHandlersForCluster | undefined;
  /** Lease holder of a table as of the last reply of the database; undefined if the lease is free. */
  readonly holderOf: (stream: string) => string | undefined;
  readonly isLeading: (stream: string) => boolean;
  /** Renews leases soon; the reply of the database shows which node holds each lease. */
  readonly renewSoon: () => void;
  readonly searchMs: number;
};

type ForwardRequest = { readonly stream: string; readonly command: ForwardedCommand };

/** Command router: finds the leader of a table and forwards commands to it. */
export class CommandRouter {
  readonly #options: CommandRouterOptions;
  /**
   * By stream: the node that has announced itself as leader, and when. A newer reply of the database replaces an
   * announcement.
   */
  readonly #announcedLeaders = new Map<string, { readonly node: string; readonly at: number }>();
  #leadersChanged = Promise.withResolvers<void>();

  constructor(options: CommandRouterOptions) {
    this.#options = options;
  }

  /** Id of the node that leads a table, as far as this node can tell. */
  leaderOf(stream: string): string | undefined {
    return this.#announcedLeaders.get(stream)?.node ?? this.#options.holderOf(stream);
  }

  leaderAnnounced(stream: string, node: string): void {
    this.#announcedLeaders.set(stream, { node, at: performance.now() });
  }

  /**
   * Forgets which other node has announced itself as the leader of a table. Call when this node begins to lead the
   * table.
   */
  dropAnnouncement(stream: string): void {
    this.#announcedLeaders.delete(stream);
  }

  /**
   * Forgets that `leader` has announced itself as the leader of a table. Call when that node does not lead the table.
   */
  forgetLeader(stream: string, leader: string | undefined): void {
    if (this.#announcedLeaders.get(stream)?.node === leader) this.#announcedLeaders.delete(stream);
  }

  /**
   * Wakes the searches for a leader. Forgets announcements from before `requestedAt`, the time of a request to the
   * database, because the reply to that request is newer.
   */
  leadersChanged(requestedAt: number): void {
    for (const [stream, { at }] of this.#announcedLeaders) if (at < requestedAt) this.#announcedLeaders.delete(stream);
    this.#leadersChanged.resolve();
    this.#leadersChanged = Promise.withResolvers();
  }

  /**
   * Forwards a command to the leader of its stream, and again if the leader changes. The command id ensures that the
   * command is executed only once.
   */
  async forward(stream: string, command: ForwardedCommand): Promise<ForwardResult> {
    const until = performance.now() + this.#options.searchMs;
    for (let isSent = false; ;) {
      const left = until - performance.now();
      if (left <= 0) return isSent ? resultUnknownRefusal : cannotRecordRefusal;
      const changed = this.#leadersChanged.promise;
      const leader = this.leaderOf(stream);
      const answer =
        leader === this.#options.self
          ? await this.#executeHere(stream, command, left)
          : await this.#sendTo(leader, { stream, command }, left);
      if (answer === 'unanswered') isSent = true;
      else if (answer !== 'moved') return answer;
      if (answer === 'moved') this.forgetLeader(stream, leader);
      if (this.leaderOf(stream) === leader) {
        this.#options.renewSoon();
        await Promise.race([changed, pause(Math.min(recheckMs, left))]);
      }
    }
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

  /** Resolves when another node leads the table: the former leader may never reply, so the result is unknown. */
  async #untilReplaced(stream: string, leader: string, signal: AbortSignal): Promise<'unanswered'> {
    for (;;) {
      await this.#leadersChanged.promise;
      if (signal.aborted) return 'unanswered';
      const now = this.leaderOf(stream);
      if (now !== undefined && now !== leader) return 'unanswered';
    }
  }

  /**
   * Executes a command at this node, as soon as this node leads the table. Returns `moved` if this node does not hold
   * the lease, or does not begin to lead in time.
   */
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
}
