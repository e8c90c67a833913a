import { applyDelta } from '../wire/viewDelta.ts';
import { type ServerMessageOf } from '../wire/messages.ts';
import { type Tile, type View } from '../wire/tableView.ts';

export const applyTableDelta = (view: View, delta: ServerMessageOf<'change'>): View => applyDelta(view, delta);

export const applyTileDelta = (tiles: readonly Tile[], delta: ServerMessageOf<'tile'>): readonly Tile[] =>
  tiles.map((tile) => (tile.table === delta.table ? applyDelta(tile, delta) : tile));

/** Version counter of a view with deltas: none may be missing. */
export class ViewVersions {
  #last: number | undefined;
  #hasRequested = false;

  /** Waits for the next full view. */
  reset(): void {
    this.#last = undefined;
    this.#hasRequested = false;
  }

  /** A full view arrived. */
  start(version: number): void {
    this.#last = version;
    this.#hasRequested = false;
  }

  /** True if the delta is the next one; after a gap the full view is requested, once. */
  accepts(version: number, requestFullView: () => void): boolean {
    if (this.#last !== undefined && version === this.#last + 1) {
      this.#last = version;
      return true;
    }
    if (!this.#hasRequested && version > (this.#last ?? -1)) {
      this.#hasRequested = true;
      requestFullView();
    }
    return false;
  }
}
