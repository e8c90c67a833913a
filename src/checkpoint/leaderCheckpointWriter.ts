import { type Store, TakenOver } from '../store/store.ts';
import { type CheckpointWriter, type ClusterSigning } from './checkpointWriter.ts';
import { type CheckpointChain } from './checks.ts';
import { type KeyPaths, takeOverSigning } from './openStore.ts';

type Parts = {
  readonly store: Store;
  readonly places: KeyPaths;
  readonly clock: () => number;
  readonly others: ClusterSigning;
  /** The checkpoints that were followed already. */
  readonly followed?: CheckpointChain;
};

/**
 * Signs a record that several programs write to, whenever it is this one's turn: begins to when it comes to hold what signs,
 * and leaves it to whoever signs after it. While it is another's turn nothing is done.
 */
export class LeaderCheckpointWriter {
  readonly #parts: Parts;
  /** Who signs here, where it is this program's turn. */
  #keeper: CheckpointWriter | undefined;
  /** When the record was last signed by this program, and the hash of what was signed. */
  signed: CheckpointWriter['signed'] = null;
  #acting: Promise<unknown> = Promise.resolve();

  /** Whoever has begun the floor signs by then. */
  constructor(parts: Parts, keeper?: CheckpointWriter) {
    this.#parts = parts;
    this.#keeper = keeper;
  }

  checkpoint(isClosed = false): Promise<void> {
    return this.#act((keeper) => keeper.checkpoint(isClosed));
  }

  anchor(): Promise<void> {
    return this.#act((keeper) => keeper.anchor());
  }

  /** One after another, so that it is begun once. */
  #act(act: (keeper: CheckpointWriter) => Promise<void>): Promise<void> {
    const done = this.#acting.then(() => this.#inTurn(act));
    this.#acting = done.catch(() => {});
    return done;
  }

  async #inTurn(act: (keeper: CheckpointWriter) => Promise<void>): Promise<void> {
    const { store, places, clock, others, followed } = this.#parts;
    while (await others.isHolder()) {
      try {
        this.#keeper ??= await takeOverSigning(store, places, clock, others, followed);
        await act(this.#keeper);
        this.signed = this.#keeper.signed;
        return;
      } catch (error) {
        if (!(error instanceof TakenOver)) throw error;
        this.#keeper = undefined;
      }
    }
    this.#keeper = undefined;
  }
}
