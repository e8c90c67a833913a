import { type NodeStage, type OtherNode } from '../store/postgres/membership.ts';
import { type NodeLeases } from './leases.ts';

/** Lease of the floor: its holder signs checkpoints, and starts the floor if no other node is open. */
export const floorLeaseName = 'floor';

/** Replies of the database that a joining node waits for. */
const repliesToJoin = 2;

/** Lifecycle of a node: coming, joining an open floor, open, leaving; decided from what the database replies. */
export class NodeLifecycle {
  readonly #leases: NodeLeases;
  readonly #leaseMs: number;
  #stage: NodeStage = 'coming';
  /** Replies of the database since this node announced that it joins. */
  #repliesWhileJoining = 0;
  /** Whether it is decided how this node starts, and whether as the first. */
  #hasStarted = false;
  #isFirst = false;
  #wasOpen = false;
  /** When this node started, and when the database last replied. */
  readonly #startedAt = performance.now();
  #repliedAt = -Infinity;

  constructor(leases: NodeLeases, leaseMs: number) {
    this.#leases = leases;
    this.#leaseMs = leaseMs;
  }

  get stage(): NodeStage {
    return this.#stage;
  }

  /** Whether this node starts the floor. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  aliveWithin(maxSilentMs: number): readonly OtherNode[] {
    return this.#leases.nodes.filter(({ silent }) => silent < maxSilentMs);
  }

  /** OtherNode nodes with an open floor, no longer than a lease ago. */
  get openNodes(): readonly OtherNode[] {
    return this.aliveWithin(this.#leaseMs).filter(({ stage }) => stage === 'open');
  }

  /** OtherNode nodes that are joining, open or leaving. */
  get activeNodes(): readonly OtherNode[] {
    return this.aliveWithin(this.#leaseMs).filter(({ stage }) => stage !== 'coming');
  }

  /** True if one of them was alive after this node started; a node that crashed before never is. */
  get #isOpenElsewhere(): boolean {
    return this.openNodes.some(({ silent }) => silent < this.#repliedAt - this.#startedAt);
  }

  /** Whether this node leaves and is the one to close the floor. */
  get isClosing(): boolean {
    const others = this.activeNodes;
    if (this.#stage !== 'leaving' || others.some(({ stage }) => stage !== 'leaving')) return false;
    return others.length === 0 || this.#leases.isHeld(floorLeaseName);
  }

  /** Whether this node leaves, was open, and no other node could sign. */
  get isLastNode(): boolean {
    const isFree = !this.#leases.isHeld(floorLeaseName) && !this.#leases.others.has(floorLeaseName);
    return isFree && this.#stage === 'leaving' && this.#wasOpen && this.activeNodes.length === 0;
  }

  databaseReplied(): void {
    this.#repliedAt = performance.now();
  }

  /**
   * A node that finds an open floor announces that it joins, and has joined if a floor is still open in a later reply.
   * A leaving node announces itself before it looks, so at least one of the two sees the other.
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

  /** VerifyOptions this node may start now: as the first, or joining an open floor; undefined if it must wait. */
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
