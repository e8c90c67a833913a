import { type Store, WriterTakenOverError } from '../store/store.ts';
import { type CheckpointWriter, type ClusterSigningOptions } from './checkpointWriter.ts';
import { type CheckpointChain } from './checks.ts';
import { type SignerAndAnchorPaths, takeOverSigning } from './storeCheck.ts';

type LeaderOptions = {
  readonly store: Store;
  readonly paths: SignerAndAnchorPaths;
  readonly clock: () => number;
  readonly cluster: ClusterSigningOptions;
  /**
   * Checkpoints that this node has verified already. When the node takes over signing, it reads only the later
   * checkpoints.
   */
  readonly chain?: CheckpointChain;
};

/**
 * Checkpoint writer of a cluster node. It takes over signing when the node gets the floor lease, and stops when
 * another node has the lease.
 */
export class LeaderCheckpointWriter {
  readonly #options: LeaderOptions;
  /** Checkpoint writer of this node; undefined while another node signs. */
  #writer: CheckpointWriter | undefined;
  /** Time and hash of the last checkpoint that this node signed; null before the first. */
  signed: CheckpointWriter['signed'] = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** `writer` is given when this node has opened the floor, and so signs already. */
  constructor(options: LeaderOptions, writer?: CheckpointWriter) {
    this.#options = options;
    this.#writer = writer;
  }

  checkpoint(isClosed = false): Promise<void> {
    return this.#enqueue((writer) => writer.checkpoint(isClosed));
  }

  anchor(): Promise<void> {
    return this.#enqueue((writer) => writer.anchor());
  }

  /** Runs tasks one at a time, so that two tasks do not both take over signing. */
  #enqueue(task: (writer: CheckpointWriter) => Promise<void>): Promise<void> {
    const done = this.#queue.then(() => this.#runAsLeader(task));
    this.#queue = done.catch(() => {});
    return done;
  }

  async #runAsLeader(task: (writer: CheckpointWriter) => Promise<void>): Promise<void> {
    const { store, paths, clock, cluster, chain } = this.#options;
    while (await cluster.isLeaseHolder()) {
      try {
        this.#writer ??= await takeOverSigning(store, paths, clock, cluster, chain);
        await task(this.#writer);
        this.signed = this.#writer.signed;
        return;
      } catch (error) {
        if (!(error instanceof WriterTakenOverError)) throw error;
        this.#writer = undefined;
      }
    }
    this.#writer = undefined;
  }
}
