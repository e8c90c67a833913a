import { type TellOf } from '../wire/messages.ts';
import { type Tile, type View } from '../wire/views.ts';

/** The view of a table after a message that follows on from it. */
export function applied(view: View | null, { whole, view: told }: TellOf<'table'>): View {
  return whole ? (told as View) : { ...view!, ...told };
}

/** All tables after a message that follows on from them. */
export const appliedTiles = (tiles: readonly Tile[], { whole, tiles: told }: TellOf<'lobby'>): readonly Tile[] =>
  whole ? told : tiles.map((tile) => told.find(({ table }) => table === tile.table) ?? tile);

/** Counts the versions of what is told in parts: none may be missing. */
export class Versions {
  #last: number | undefined;
  #asked = false;

  /** Begins anew with the next whole. */
  forget(): void {
    this.#last = undefined;
    this.#asked = false;
  }

  /** Whether a message is the one to take now; where something is missing, the whole is asked for once. */
  takes({ version, whole }: { readonly version: number; readonly whole: boolean }, askForWhole: () => void): boolean {
    if (whole || version === (this.#last ?? version) + 1) {
      this.#last = version;
      if (whole) this.#asked = false;
      return true;
    }
    if (!this.#asked && version > (this.#last ?? -1)) {
      this.#asked = true;
      askForWhole();
    }
    return false;
  }
}
