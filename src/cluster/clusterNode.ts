import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { uptime } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClusterPort } from '../runtime/ports/clusterPort.ts';
import { type OtherNodeLease, type OtherNode } from '../store/postgres/clusterMembership.ts';
import { type Store, WriterTakenOverError } from '../store/store.ts';
import { TableLeadership, defaultHandOverLimitMs } from './tableLeadership.ts';
import { LeaseUncertainError } from './fencedStore.ts';
import { NodeLeases } from './nodeLeases.ts';
import { NodeLifecycle, floorLeaseName } from './nodeLifecycle.ts';
import { type NodeListenOptions, type ClusterNodeOptions, type FloorForCluster } from './clusterNodeOptions.ts';
import { NodeConnections } from './nodeConnections.ts';
import { HeadPoller } from './headPoller.ts';
import { tableShareOfNode } from './tableShareOfNode.ts';
import { ClusterMessenger } from './clusterMessenger.ts';
import { CommandRouter, defaultLeaderSearchMs } from './commandRouter.ts';
import { createClusterPort } from './clusterPort.ts';
import { RenewalLoop, minRenewalIntervalMs } from './renewalLoop.ts';

/** Number of retries of the first renewal before the start fails. */
const maxFirstTries = 5;

/** Interval in milliseconds at which `untilTablesLed` checks that all tables have a leader. */
const pollMs = 20;

/**
 * A leaving node waits at most this much longer than the hand-over limit, in milliseconds: until other nodes have its
 * tables or, if this node closes the floor, until the other nodes have left.
 */
const handOverGraceMs = 15_000;

/** One node of a cluster: leads its share of the tables and follows the other tables. */
export class ClusterNode {
  readonly id: string;
  readonly #options: ClusterNodeOptions;
  readonly #leases: NodeLeases;
  readonly #router: CommandRouter;
  readonly #messenger: ClusterMessenger;
  #connections: NodeConnections | undefined;
  #opened: FloorForCluster | undefined;
  #leadership: TableLeadership | undefined;
  #address = '';
  readonly #lifecycle: NodeLifecycle;
  readonly #renewals: RenewalLoop;
  #poller: HeadPoller | undefined;
  #ignoresMessages = false;
  #leaving: Promise<void> | undefined;
  #replied = Promise.withResolvers<void>();

  private constructor(options: ClusterNodeOptions) {
    const {
      id = randomBytes(4).toString('hex'),
      membership,
      leaseMs,
      onClockError,
      searchMs = defaultLeaderSearchMs,
      onWarning,
    } = options;
    this.id = id;
    this.#options = options;
    this.#leases = new NodeLeases({
      renew: (wanted, ledNames) =>
        membership.renew(
          {
            id,
            browserUrl: this.#address,
            nodeUrl: this.#connections?.address ?? '',
            mayLead: this.#mayLead,
            stage: this.#lifecycle.stage,
          },
          wanted,
          ledNames,
          leaseMs,
        ),
      leaseMs,
      monotonic: options.monotonic ?? (() => [performance.now(), uptime() * 1_000]),
      wall: options.wall ?? (() => Date.now()),
      onClockError,
      onTaken: (name) => name === floorLeaseName && this.#opened?.handlers.signingChanged(true),
      onLost: (name) =>
        name === floorLeaseName ? this.#opened?.handlers.signingChanged(false) : this.#leadership?.leaseLost(name),
    });
    this.#lifecycle = new NodeLifecycle(this.#leases, leaseMs);
    this.#renewals = new RenewalLoop({
      renew: () => this.#leases.renew(this.#wantedLeases(), this.#leadership?.led ?? []),
      onReply: (requestedAt) => this.#onRenewed(requestedAt),
      onFailure: options.onDatabaseFailure,
      nextMs: () => this.#leases.nextRenewalMs(this.#wantedLeases()),
      retryMs: leaseMs / 4,
    });
    const routing = {
      self: id,
      connections: () => this.#connections,
      handlers: () => (this.#ignoresMessages ? undefined : this.#opened?.handlers),
      isLeading: (stream: string) => this.isLeading(stream),
      renewSoon: () => this.#renewals.renewSoon(),
    };
    this.#router = new CommandRouter({
      ...routing,
      holderOf: (stream) => (this.#leases.isHeld(stream) ? id : this.#leases.others.get(stream)?.node),
      searchMs,
    });
    this.#messenger = new ClusterMessenger({ ...routing, router: this.#router, onWarning });
  }

  /** Registers a node at the database and keeps its leases renewed. */
  static async start(options: ClusterNodeOptions): Promise<ClusterNode> {
    const node = new ClusterNode(options);
    await node.#firstRenewal();
    node.#renewals.schedule();
    return node;
  }

  /**
   * Waits for the first reply of the database. A busy machine may need several tries. After the last retry the start
   * fails.
   */
  async #firstRenewal(): Promise<void> {
    for (let left = maxFirstTries; ; left--) {
      try {
        await this.#leases.renew([], []);
        return this.#lifecycle.advance();
      } catch (error) {
        if (left > 0) continue;
        await this.#options.membership.close();
        throw error;
      }
    }
  }

  get #mayLead(): boolean {
    return this.#options.mayLead && this.#lifecycle.stage === 'open' && this.#leases.isClockRight;
  }

  isLeading(stream: string): boolean {
    return this.#leadership?.isLeading(stream) ?? false;
  }

  /** Longest time for which any table has had no leader, in milliseconds; 0 if all tables have a leader. */
  get maxUnledMs(): number {
    return this.#leadership?.maxUnledMs ?? 0;
  }

  /**
   * Milliseconds since the table lost its leader, or since this node first failed to take the table over, whichever is
   * more. 0 if neither has happened.
   */
  stuckMs(stream: string): number {
    return this.#leadership?.stuckMs(stream) ?? 0;
  }

  isLeaseCertain(stream: string): boolean {
    return this.#leases.isCertain(stream);
  }

  /** True if this node certainly holds the floor lease, whose holder signs checkpoints. */
  get isSigner(): boolean {
    return this.#leases.isCertain(floorLeaseName);
  }

  /**
   * True when this node may sign checkpoints now. Throws `LeaseUncertainError` if this node has the floor lease, but
   * the lease has become uncertain.
   */
  maySign(): boolean {
    if (this.#leases.isHeld(floorLeaseName) && !this.isSigner) throw new LeaseUncertainError();
    return this.isSigner;
  }

  /** Other nodes as of the last reply of the database. */
  get otherNodes(): readonly OtherNode[] {
    return this.#leases.nodes;
  }

  /** Leases of other nodes as of the last reply of the database, by name. */
  get holders(): ReadonlyMap<string, OtherNodeLease> {
    return this.#leases.others;
  }

  /** How far the clock of a table's leader is ahead of this node's clock, in milliseconds; 0 if unknown. */
  offsetOf(stream: string): number {
    const leader = this.#router.leaderOf(stream);
    return leader === undefined || leader === this.id ? 0 : (this.#connections?.offset(leader) ?? 0);
  }

  #assignment() {
    const { leaseMs } = this.#options;
    const tables = this.#opened?.tables ?? [];
    const held = tables.filter((table) => this.#leases.isHeld(table));
    return tableShareOfNode({
      self: this.id,
      mayLead: this.#mayLead,
      otherLeaders: this.#lifecycle
        .aliveWithin(leaseMs)
        .filter(({ mayLead, stage }) => mayLead && stage === 'open')
        .map(({ id }) => id),
      tables,
      holders: new Map([
        ...[...this.#leases.others.values()].map(({ name, node }) => [name, node] as const),
        ...held.map((table) => [table, this.id] as const),
      ]),
    });
  }

  /**
   * Names of the leases that this node should request or renew: the floor lease in some cases, and its share of the
   * tables.
   */
  #wantedLeases(): readonly string[] {
    const isFloorWanted = this.#lifecycle.isFloorLeaseWanted(this.#options.mayLead);
    const tables = this.#assignment().wanted.filter((table) => this.#leadership?.isLeaseWanted(table) ?? true);
    return [...(isFloorWanted ? [floorLeaseName] : []), ...tables];
  }

  #onRenewed(requestedAt: number): void {
    const { leaseMs, onDatabaseReply } = this.#options;
    onDatabaseReply();
    this.#lifecycle.databaseReplied();
    this.#lifecycle.advance();
    this.#connections?.setNodes(this.#lifecycle.aliveWithin(2 * leaseMs));
    const held = this.#opened?.tables.filter((table) => this.#leases.isHeld(table)) ?? [];
    this.#leadership?.leadHeld(held);
    this.#leadership?.handOverSurplus();
    const tables = this.#lifecycle.stage === 'open' ? this.#opened!.tables : [];
    this.#leadership?.setUnled(
      tables.filter((table) => !this.#leases.others.has(table) && !this.isLeaseCertain(table)),
    );
    this.#messenger.leadersChanged(requestedAt);
    this.#replied.resolve();
    this.#replied = Promise.withResolvers();
  }

  /** Waits until this node may start, as the first node or by joining an open floor. Undefined if aborted. */
  async waitToStart(signal: AbortSignal): Promise<'first' | 'joins' | undefined> {
    const aborted = once(signal, 'abort');
    while (!signal.aborted) {
      const start = this.#lifecycle.tryStart();
      if (start !== undefined) return start;
      if (this.#lifecycle.stage === 'joining') this.#renewals.renewSoon();
      await Promise.race([this.#replied.promise, aborted]);
    }
    return undefined;
  }

  async connect(listenOptions: NodeListenOptions): Promise<void> {
    this.#connections = await NodeConnections.open({
      ...listenOptions,
      id: this.id,
      onRequest: (_, body) => this.#router.requestReceived(body),
      onMessage: (from, body) => this.#messenger.messageReceived(from, body),
      onUp: (node) => this.#messenger.nodeConnected(node),
      onDown: (node) => this.#messenger.nodeDisconnected(node),
      onWarning: this.#options.onWarning,
    });
    this.#renewals.renewSoon();
  }

  clusterPort(store: Store): ClusterPort {
    return createClusterPort(store, {
      router: this.#router,
      messenger: this.#messenger,
      isLeaseCertain: (stream) => this.#leases.isCertain(stream),
      epochOf: (stream) => this.#leadership?.epochOf(stream),
    });
  }

  /** Call when this node has opened the floor. From then on this node leads tables if it may. */
  floorOpened(opened: FloorForCluster): void {
    const {
      membership,
      onDatabaseFailure,
      onWarning,
      handOverLimitMs = defaultHandOverLimitMs,
      onLeaseChange = () => {},
    } = this.#options;
    if (this.#lifecycle.isFirst && !this.#leases.isHeld(floorLeaseName))
      throw new WriterTakenOverError(
        'This node has lost the floor lease, so another node may open the floor. Start this node again.',
      );
    this.#opened = opened;
    this.#address = opened.address;
    this.#lifecycle.open();
    this.#leadership = new TableLeadership({
      handlers: opened.handlers,
      isHeld: (stream) => this.#leases.isHeld(stream),
      surplus: () => (this.#lifecycle.isClosing ? 0 : this.#assignment().surplus),
      handOverLimitMs,
      beginEpochs: (streams) => membership.beginEpochs(this, streams),
      releaseLease: (stream) => this.#releaseLease(stream),
      onLeading: (stream) => this.#messenger.announceLeading(stream),
      onLeaseChange,
      onWarning,
    });
    if (this.#leases.isHeld(floorLeaseName)) opened.handlers.signingChanged(true);
    const readHeads = membership.readHeads.bind(membership);
    this.#poller = new HeadPoller({ handlers: opened.handlers, headsOf: readHeads, onDatabaseFailure, onWarning });
    void this.#renewals.renew();
  }

  /** Waits until every table has a leader, but two lease times at most. */
  async untilTablesLed(signal: AbortSignal): Promise<void> {
    const until = performance.now() + 2 * this.#options.leaseMs;
    const isLed = (stream: string): boolean => this.isLeading(stream) || this.#leases.others.has(stream);
    while (!signal.aborted && performance.now() < until && !this.#opened!.tables.every(isLed)) await pause(pollMs);
  }

  /** Releases a lease. Waits first for a running renewal, which could renew the lease again. */
  async #releaseLease(stream: string): Promise<void> {
    await this.#renewals.untilIdle();
    try {
      await this.#options.membership.releaseLeases(this, [stream]);
    } finally {
      this.#leases.release(stream);
    }
    this.#messenger.announceFree([stream]);
  }

  /**
   * First step of leaving: takes no more tables, and hands over its tables between rounds. Returns true if this node
   * must close the floor, because no other node stays. If all nodes leave at once, the holder of the floor lease waits
   * until the other nodes have left, and closes the floor.
   */
  async handOver(): Promise<boolean> {
    const isLast = await this.#handOver();
    // This node is about to close its `FloorRuntime`, so messages of other nodes must no longer reach that object.
    this.#ignoresMessages = true;
    await this.#poller?.stop();
    return isLast;
  }

  async #handOver(): Promise<boolean> {
    const { handOverLimitMs = defaultHandOverLimitMs } = this.#options;
    const wasOpen = this.#lifecycle.stage === 'open';
    this.#lifecycle.leave();
    // The first renewal announces that this node leaves. The reply to the second renewal shows every node that had
    // announced itself as joining by then.
    await this.#renewals.renewTimes(2);
    const until = performance.now() + handOverLimitMs + handOverGraceMs;
    while (performance.now() < until) {
      if (this.#lifecycle.activeNodes.length === 0) {
        // The node that closes the floor signs the last checkpoint, and needs the floor lease for that. If another node
        // has got the floor lease, that node is starting the floor, and this node does not close it.
        if (this.#lifecycle.isLastNode) await this.#renewals.renewTimes(1);
        return wasOpen && !this.#leases.others.has(floorLeaseName);
      }
      if (!this.#lifecycle.isClosing && !this.#leadsTables) return false;
      this.#leadership?.handOverSurplus();
      this.#renewals.renewSoon();
      await pause(minRenewalIntervalMs);
    }
    return wasOpen && this.#lifecycle.isClosing;
  }

  get #leadsTables(): boolean {
    const tables = this.#opened?.tables ?? [];
    return tables.some((table) => this.#leases.isHeld(table) && this.#leadership!.epochOf(table) !== undefined);
  }

  /** Last step of leaving: releases all leases and disconnects. */
  leave(): Promise<void> {
    return (this.#leaving ??= this.#leave());
  }

  async #leave(): Promise<void> {
    await this.#renewals.stop();
    await this.#poller?.stop();
    await this.#leadership?.stop();
    this.#messenger.flush();
    try {
      await this.#options.membership.leave(this);
      this.#messenger.announceFree([floorLeaseName]);
    } catch (error) {
      // Leases that could not be released will expire.
      this.#options.onDatabaseFailure(error);
    }
    await this.#connections?.close();
    await this.#options.membership.close();
  }
}
