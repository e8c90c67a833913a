import { type Store, TakenOver } from '../store/store.ts';
import { type Keeper, type Others } from './keeper.ts';
import { type Places, keepingLive } from './start.ts';
import { type Followed } from './standing.ts';

type Parts = {
  readonly store: Store;
  readonly places: Places;
  readonly clock: () => number;
  readonly others: Others;
  /** Who signs from the beginning, where this program has begun the floor. */
  readonly keeper?: Keeper;
  /** The checkpoints as they were when this program joined others. */
  readonly followed?: Followed;
};

/** Signs how far a record of several programs has got, whenever it is this program's turn, and leaves it alone otherwise. */
export class Turns {
  readonly #parts: Parts;
  #keeper: Keeper | undefined;
  #beginning: Promise<Keeper | undefined> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#keeper = parts.keeper;
  }

  get signed(): Keeper['signed'] {
    return this.#keeper?.signed ?? null;
  }

  checkpoint(isClosed = false): Promise<void> {
    return this.#act((keeper) => keeper.checkpoint(isClosed));
  }

  anchor(): Promise<void> {
    return this.#act((keeper) => keeper.anchor());
  }

  async #act(act: (keeper: Keeper) => Promise<void>): Promise<void> {
    if (!(await this.#parts.others.isHolder())) {
      this.#keeper = undefined;
      return;
    }
    try {
      const keeper = this.#keeper ?? (await (this.#beginning ??= this.#begin()));
      if (keeper) await act(keeper);
    } catch (error) {
      // Whoever signs by now has seen to it.
      if (!(error instanceof TakenOver)) throw error;
      this.#keeper = undefined;
    }
  }

  async #begin(): Promise<Keeper | undefined> {
    const { store, places, clock, others, followed } = this.#parts;
    try {
      this.#keeper = await keepingLive(store, places, clock, others, followed);
      return this.#keeper;
    } finally {
      this.#beginning = undefined;
    }
  }
}
