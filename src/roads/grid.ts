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
  readonly #taken: number[] = [];
  #start = 0;
  #last: Place = { column: 0, row: 0 };
  #turned = false;

  /** The place of the next mark, which begins a new run or goes on with the last one. */
  add(newRun: boolean): Place {
    const place = newRun ? this.#begin() : this.#goOn();
    this.#taken[place.column] = (this.#taken[place.column] ?? 0) | (1 << place.row);
    this.#last = place;
    return place;
  }

  /** The first column to the right of where the last run began whose top is free. */
  #begin(): Place {
    this.#start = this.#freeFrom(this.#start + 1, 1);
    this.#turned = false;
    return { column: this.#start, row: 1 };
  }

  #goOn(): Place {
    const { column, row } = this.#last;
    this.#turned ||= row === rows || this.#isTaken(column, row + 1);
    return this.#turned ? { column: this.#freeFrom(column + 1, row), row } : { column, row: row + 1 };
  }

  #isTaken(column: number, row: number): boolean {
    return ((this.#taken[column] ?? 0) & (1 << row)) !== 0;
  }

  #freeFrom(column: number, row: number): number {
    let free = column;
    while (this.#isTaken(free, row)) free++;
    return free;
  }
}
