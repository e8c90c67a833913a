import { type NodeStage, type OtherNode } from '../store/postgres/clusterMembership.ts';
import { type NodeLeases } from './nodeLeases.ts';

/**
 * Name of the floor lease. Its holder signs checkpoints, and starts the floor if no other node has an open floor.
 */
export const floorLeaseName = 'floor';

/** Number of database replies that a joining node waits for. */
const repliesToJoin = 2;

/** Lifecycle of a node: coming, joining, open, leaving. The replies of the database determine the next stage. */
export class NodeLifecycle {
  readonly #leases: NodeLeases;
  readonly #leaseMs: number;
  #stage: NodeStage = 'coming';
  /** Number of database replies since this node announced that it joins. */
  #repliesWhileJoining = 0;
  /** True after this node has started, as the first node or by joining. */
  #hasStarted = false;
  /** True if this node starts the floor as the first node. */
  #isFirst = false;
  #wasOpen = false;
  readonly #startedAt = performance.now();
  #repliedAt = -Infinity;

  constructor(leases: NodeLeases, leaseMs: number) {
    this.#leases = leases;
    this.#leaseMs = leaseMs;
  }

  get stage(): NodeStage {
    return this.#stage;
  }

  get isFirst(): boolean {
    return this.#isFirst;
  }

  /** Other nodes whose last heartbeat is less than `maxSilentMs` milliseconds ago. */
  aliveWithin(maxSilentMs: number): readonly OtherNode[] {
    return this.#leases.nodes.filter(({ silent }) => silent < maxSilentMs);
  }

  /** Other live nodes with an open floor. A node is live for one lease time after its last heartbeat. */
  get openNodes(): readonly OtherNode[] {
    return this.aliveWithin(this.#leaseMs).filter(({ stage }) => stage === 'open');
  }

  /** Other live nodes that are joining, open or leaving. */
  get activeNodes(): readonly OtherNode[] {
    return this.aliveWithin(this.#leaseMs).filter(({ stage }) => stage !== 'coming');
  }

  /**
   * True when another open node sent a heartbeat after this node started. A node that crashed before this node started
   * does not count.
   */
  get #isOpenElsewhere(): boolean {
    return this.openNodes.some(({ silent }) => silent < this.#repliedAt - this.#startedAt);
  }

  /** True when this node leaves and must close the floor, because no other node stays. */
  get isClosing(): boolean {
    const others = this.activeNodes;
    if (this.#stage !== 'leaving' || others.some(({ stage }) => stage !== 'leaving')) return false;
    return others.length === 0 || this.#leases.isHeld(floorLeaseName);
  }

  /** True if this node leaves and was open, no node holds the floor lease, and no other node is active. */
  get isLastNode(): boolean {
    const isFree = !this.#leases.isHeld(floorLeaseName) && !this.#leases.others.has(floorLeaseName);
    return isFree && this.#stage === 'leaving' && this.#wasOpen && this.activeNodes.length === 0;
  }

  /**
   * True when this node should request or renew the floor lease. The holder renews the lease. A free floor lease is
   * requested by the first node of a floor, by every open node that may lead, and by the last node that leaves.
   */
  isFloorLeaseWanted(mayLead: boolean): boolean {
    if (this.#leases.isHeld(floorLeaseName) || this.isLastNode) return true;
    if (!mayLead || this.#leases.others.has(floorLeaseName)) return false;
    return this.#stage === 'open' || (this.#stage === 'coming' && this.openNodes.length === 0);
  }

  databaseReplied(): void {
    this.#repliedAt = performance.now();
  }

  /**
   * Moves to the next stage after a reply of the database. A node that finds an open floor announces that it joins. The
   * node has joined if the floor is still open in a later reply. A leaving node likewise announces that it leaves
   * before it looks for joining nodes. So of a joining and a leaving node, at least one notices the other.
   */
  advance(): void {
    if (this.#stage === 'joining') {
      this.#repliesWhileJoining += 1;
      const isAnnounced = this.#repliesWhileJoining >= repliesToJoin;
      if (isAnnounced && this.openNodes.length === 0 && !this.#hasStarted) this.#stage = 'coming';
    } else if (this.#stage === 'coming' && !this.#isFirst && this.#isOpenElsewhere) {
      this.#stage = 'joining';
      this.#repliesWhileJoining = 0;
    }
  }

  /** How this node may start now: as the first node, or by joining an open floor. Undefined if it must wait. */
  tryStart(): 'first' | 'joins' | undefined {
    this.#isFirst =
      this.#stage === 'coming' &&
      this.#leases.isCertain(floorLeaseName) &&
      this.openNodes.length === 0 &&
      !this.aliveWithin(this.#leaseMs).some(({ stage }) => stage === 'joining');
    const isJoined = this.#stage === 'joining' && this.#repliesWhileJoining >= repliesToJoin;
    if (!this.#isFirst && !isJoined) return undefined;
    this.#hasStarted = true;
    return this.#isFirst ? 'first' : 'joins';
  }

  open(): void {
    this.#stage = 'open';
    this.#wasOpen = true;
  }

  leave(): void {
    this.#stage = 'leaving';
  }
}
