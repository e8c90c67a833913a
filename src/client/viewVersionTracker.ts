import { applyDelta } from '../wire/viewDelta.ts';
import { type ServerMessageOf } from '../wire/messages.ts';
import { type LobbyTile, type PublicTableView } from '../wire/tableView.ts';

export const applyTableDelta = (view: PublicTableView, delta: ServerMessageOf<'change'>): PublicTableView =>
  applyDelta(view, delta);

export const applyTileDelta = (tiles: readonly LobbyTile[], delta: ServerMessageOf<'tile'>): readonly LobbyTile[] =>
  tiles.map((tile) => (tile.table === delta.table ? applyDelta(tile, delta) : tile));

/** Tracks the version of a view, in order to notice that a delta is missing. */
export class ViewVersionTracker {
  #last: number | undefined;
  #hasRequested = false;

  /**
   * Forgets the version. Until the next full view every delta is ignored, and the first of them requests the full view.
   */
  reset(): void {
    this.#last = undefined;
    this.#hasRequested = false;
  }

  start(version: number): void {
    this.#last = version;
    this.#hasRequested = false;
  }

  /**
   * True if the delta is the next after the last version. If a delta in between is missing, `requestFullView` is
   * called, but only once until the next full view.
   */
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
