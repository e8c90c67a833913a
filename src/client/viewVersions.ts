import { applyDelta } from '../wire/viewDelta.ts';
import { type ServerMessageOf } from '../wire/messages.ts';
import { type Tile, type View } from '../wire/tableView.ts';

/** The view of a table after a change that follows on from it. */
export const applyTableDelta = (view: View, change: ServerMessageOf<'change'>): View => applyDelta(view, change);

/** All tables after a change of one that follows on from them. */
export const appliedTile = (tiles: readonly Tile[], change: ServerMessageOf<'tile'>): readonly Tile[] =>
  tiles.map((tile) => (tile.table === change.table ? applyDelta(tile, change) : tile));

/** Counts the versions of what is told in parts: none may be missing. */
export class Versions {
  #last: number | undefined;
  #asked = false;

  /** Waits for the next whole. */
  forget(): void {
    this.#last = undefined;
    this.#asked = false;
  }

  /** The whole is told. */
  begin(version: number): void {
    this.#last = version;
    this.#asked = false;
  }

  /** Whether a change is the one to take now; where something is missing, the whole is asked for once. */
  takes(version: number, askForWhole: () => void): boolean {
    if (this.#last !== undefined && version === this.#last + 1) {
      this.#last = version;
      return true;
    }
    if (!this.#asked && version > (this.#last ?? -1)) {
      this.#asked = true;
      askForWhole();
    }
    return false;
  }
}
