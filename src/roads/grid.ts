/** Position in the drawing of a road: column from 1, row from 1 to 6. */
export type RoadPosition = { readonly column: number; readonly row: number };

export const rowsPerColumn = 6;

/**
 * Places the entries of a road on a grid of six rows. A run goes down. At the bottom or above an occupied cell it
 * turns right (dragon tail). Only the drawing uses this grid; marks are not derived from it.
 */
export class RoadGrid {
  /** Occupied rows of each column, one bit per row. */
  readonly #occupied: number[] = [];
  #runColumn = 0;
  #lastPlace: RoadPosition = { column: 0, row: 0 };
  #isTurned = false;

  add(newRun: boolean): RoadPosition {
    const place = newRun ? this.#startRun() : this.#continueRun();
    this.#occupied[place.column] = (this.#occupied[place.column] ?? 0) | (1 << place.row);
    this.#lastPlace = place;
    return place;
  }

  /**
   * The new run starts at the top of a column: the first one to the right of the last run's start whose top cell is
   * free.
   */
  #startRun(): RoadPosition {
    this.#runColumn = this.#firstFreeColumn(this.#runColumn + 1, 1);
    this.#isTurned = false;
    return { column: this.#runColumn, row: 1 };
  }

  #continueRun(): RoadPosition {
    const { column, row } = this.#lastPlace;
    this.#isTurned ||= row === rowsPerColumn || this.#isOccupied(column, row + 1);
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
