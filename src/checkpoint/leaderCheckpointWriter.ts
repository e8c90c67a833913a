import { type Store, WriterTakenOver } from '../store/store.ts';
import { type CheckpointWriter, type ClusterSigning } from './checkpointWriter.ts';
import { type CheckpointChain } from './checks.ts';
import { type SignerAndAnchorPaths, takeOverSigning } from './storeCheck.ts';

type LeaderOptions = {
  readonly store: Store;
  readonly paths: SignerAndAnchorPaths;
  readonly clock: () => number;
  readonly cluster: ClusterSigning;
  /** Checkpoints that are already verified. */
  readonly chain?: CheckpointChain;
};

/**
 * Signs checkpoints in a cluster while this node holds the lease for signing: takes over when it gets the lease, and stops
 * when another node has it.
 */
export class LeaderCheckpointWriter {
  readonly #options: LeaderOptions;
  /** Undefined while another node signs. */
  #writer: CheckpointWriter | undefined;
  /** Time and hash of the last checkpoint of this node. */
  signed: CheckpointWriter['signed'] = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** `writer`: given when this node has opened the floor and signs already. */
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

  /** One at a time, so that signing is taken over once. */
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
        if (!(error instanceof WriterTakenOver)) throw error;
        this.#writer = undefined;
      }
    }
    this.#writer = undefined;
  }
}
