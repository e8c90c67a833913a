import { applyDelta } from '../wire/viewDelta.ts';
import { type ServerMessageOf } from '../wire/messages.ts';
import { type LobbyTile, type PublicTableView } from '../wire/tableView.ts';

export const applyTableDelta = (view: PublicTableView, delta: ServerMessageOf<'change'>): PublicTableView =>
  applyDelta(view, delta);

export const applyTileDelta = (tiles: readonly LobbyTile[], delta: ServerMessageOf<'tile'>): readonly LobbyTile[] =>
  tiles.map((tile) => (tile.table === delta.table ? applyDelta(tile, delta) : tile));

/** Tracks the versions of a view and its deltas, so that a missing delta is noticed. */
export class ViewVersionTracker {
  #last: number | undefined;
  #hasRequested = false;

  /** Forgets the version. Deltas are ignored until the next full view; the first ignored delta requests that view. */
  reset(): void {
    this.#last = undefined;
    this.#hasRequested = false;
  }

  start(version: number): void {
    this.#last = version;
    this.#hasRequested = false;
  }

  /** True if the delta follows the last version. If a delta is missing, calls `requestFullView`, once for each gap. */
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
