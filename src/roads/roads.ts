import { type Facts } from '../rules/facts.ts';
import { type DerivedRoad, type Mark, derivedNames, derivedRoads, markOf } from './derived.ts';
import { Grid, type Place, rows } from './grid.ts';

/** What the roads want to know of a settled round. Voids are no results. */
export type RoadResult = Pick<Facts, 'winner' | 'playerPair' | 'bankerPair'>;

/** A cell of the big road: a round that a hand won, with the ties that came after it (before it, for the first). */
export type Cell = Place & {
  readonly winner: 'player' | 'banker';
  readonly ties: number;
  readonly playerPair: boolean;
  readonly bankerPair: boolean;
};

/** A round on the bead plate: every result in its order, column by column. */
export type Bead = Place & RoadResult;
/** A mark of a derived road in its place. */
export type DerivedCell = Place & { readonly mark: Mark };

/** What a derived road would show next. */
export type Ask = { readonly [R in DerivedRoad]: Mark | undefined };

type Derived = { readonly marks: Mark[]; readonly cells: DerivedCell[]; readonly grid: Grid };

/** All roads of a shoe, added to result by result; each step takes the same short time however long the shoe is. */
export class Roads {
  readonly beads: Bead[] = [];
  readonly bigRoad: Cell[] = [];
  /** Ties before the first hand has won. */
  leadingTies = 0;

  readonly #columnLengths: number[] = [];
  readonly #grid = new Grid();
  readonly #derived: { readonly [R in DerivedRoad]: Derived } = {
    bigEye: newDerived(),
    small: newDerived(),
    cockroach: newDerived(),
  };

  add(result: RoadResult): void {
    const { winner, playerPair, bankerPair } = result;
    const bead = this.beads.length;
    this.beads.push({ column: Math.floor(bead / rows) + 1, row: (bead % rows) + 1, winner, playerPair, bankerPair });
    if (winner === 'tie') this.#addTie();
    else this.#addWin({ winner, playerPair, bankerPair });
  }

  marksOf(road: DerivedRoad): readonly Mark[] {
    return this.#derived[road].marks;
  }

  cellsOf(road: DerivedRoad): readonly DerivedCell[] {
    return this.#derived[road].cells;
  }

  /** The marks that the derived roads would get if that hand won the next round. */
  ask(winner: 'player' | 'banker'): Ask {
    const lengths = withNextEntry(this.#columnLengths, this.bigRoad.at(-1)?.winner !== winner);
    const mark = (road: DerivedRoad): Mark | undefined => markOf(lengths, lengths.at(-1)!, derivedRoads[road]);
    return { bigEye: mark('bigEye'), small: mark('small'), cockroach: mark('cockroach') };
  }

  #addTie(): void {
    const last = this.bigRoad.at(-1);
    if (last) this.bigRoad[this.bigRoad.length - 1] = { ...last, ties: last.ties + 1 };
    else this.leadingTies++;
  }

  #addWin(result: Omit<Cell, 'column' | 'row' | 'ties'>): void {
    const last = this.bigRoad.at(-1);
    const newRun = last?.winner !== result.winner;
    const ties = last ? 0 : this.leadingTies;
    this.bigRoad.push({ ...this.#grid.add(newRun), ...result, ties });

    if (newRun) this.#columnLengths.push(1);
    else this.#columnLengths[this.#columnLengths.length - 1]!++;
    for (const road of derivedNames) {
      const mark = markOf(this.#columnLengths, this.#columnLengths.at(-1)!, derivedRoads[road]);
      if (mark) addMark(this.#derived[road], mark);
    }
  }
}

const newDerived = (): Derived => ({ marks: [], cells: [], grid: new Grid() });

/** Marks of a derived road are laid out as the big road is: equal ones down, a change to a new column. */
function addMark({ marks, cells, grid }: Derived, mark: Mark): void {
  cells.push({ ...grid.add(marks.at(-1) !== mark), mark });
  marks.push(mark);
}

/** The lengths with one more entry. Only the last five columns are ever looked at. */
function withNextEntry(lengths: readonly number[], newRun: boolean): readonly number[] {
  const recent = lengths.slice(-5);
  return newRun ? [...recent, 1] : [...recent.slice(0, -1), recent.at(-1)! + 1];
}

/** The roads of a shoe from its results; after a correction in the past they are simply made again. */
export function roadsOf(results: readonly RoadResult[]): Roads {
  const roads = new Roads();
  for (const result of results) roads.add(result);
  return roads;
}

/** All roads as plain data, for a screen to draw. */
export const roadsView = (roads: Roads) => ({
  bead: roads.beads,
  big: roads.bigRoad,
  bigEye: roads.cellsOf('bigEye'),
  small: roads.cellsOf('small'),
  cockroach: roads.cellsOf('cockroach'),
  ask: { player: roads.ask('player'), banker: roads.ask('banker') },
});
