/** Where a mark is drawn: columns from 1, rows from 1 to 6. */
export type Place = { readonly column: number; readonly row: number };

/** As many rows as every road has. */
export const rows = 6;

/**
 * A board of six rows on which runs of equal marks go down and turn right into a dragon tail where they meet the bottom
 * or a mark that is there already. It only says where things are drawn: nothing is ever derived from it.
 */
export class Grid {
  /** The rows taken in each column, as bits. */
  readonly #occupied: number[] = [];
  #runColumn = 0;
  #lastPlace: Place = { column: 0, row: 0 };
  #isTurned = false;

  /** The place of the next mark, which begins a new run or goes on with the last one. */
  add(newRun: boolean): Place {
    const place = newRun ? this.#startRun() : this.#continueRun();
    this.#occupied[place.column] = (this.#occupied[place.column] ?? 0) | (1 << place.row);
    this.#lastPlace = place;
    return place;
  }

  /** The first column to the right of where the last run began whose top is free. */
  #startRun(): Place {
    this.#runColumn = this.#firstFreeColumn(this.#runColumn + 1, 1);
    this.#isTurned = false;
    return { column: this.#runColumn, row: 1 };
  }

  #continueRun(): Place {
    const { column, row } = this.#lastPlace;
    this.#isTurned ||= row === rows || this.#isOccupied(column, row + 1);
    return this.#isTurned ? { column: this.#firstFreeColumn(column + 1, row), row } : { column, row: row + 1 };
  }

  #isOccupied(column: number, row: number): boolean {
    return ((this.#occupied[column] ?? 0) & (1 << row)) !== 0;
  }

  #firstFreeColumn(column: number, row: number): number {
    let free = column;
    while (this.#isOccupied(free, row)) free++;
    return free;
  }
}
