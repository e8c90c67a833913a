import { type Facts } from '../rules/facts.ts';
import {
  type DerivedRoad,
  type DerivedRoadMark,
  derivedRoadNames,
  lookBackColumns,
  derivedRoadMarkOf,
} from './derived.ts';
import { RoadGrid, type RoadPosition, rowsPerColumn } from './grid.ts';

/** The facts of a settled round that roads use. Void rounds do not appear on roads. */
export type RoadResult = Pick<Facts, 'winner' | 'playerPair' | 'bankerPair'>;

/**
 * A cell of the big road: a round won by Player or Banker. `ties` counts the ties after that round; in the first cell
 * it also counts the ties before that round.
 */
export type BigRoadCell = RoadPosition & {
  readonly winner: 'player' | 'banker';
  readonly ties: number;
  readonly playerPair: boolean;
  readonly bankerPair: boolean;
};

/** A bead of the bead plate. The plate shows every result in order, column by column. */
export type Bead = RoadPosition & RoadResult;
export type DerivedCell = RoadPosition & { readonly mark: DerivedRoadMark };

/** The mark that the next result would add to each derived road; undefined when the result adds no mark. */
export type NextMarks = { readonly [R in DerivedRoad]: DerivedRoadMark | undefined };

type Derived = { readonly marks: DerivedRoadMark[]; readonly cells: DerivedCell[]; readonly grid: RoadGrid };

/** All roads of a shoe. Each result is added without a rebuild. */
export class Roads {
  readonly beads: Bead[] = [];
  readonly bigRoad: BigRoadCell[] = [];
  /** Number of ties before the first win of Player or Banker. */
  leadingTies = 0;

  readonly #columnLengths: number[] = [];
  readonly #grid = new RoadGrid();
  readonly #derived: { readonly [R in DerivedRoad]: Derived } = {
    bigEye: newDerived(),
    small: newDerived(),
    cockroach: newDerived(),
  };

  add(result: RoadResult): void {
    const { winner, playerPair, bankerPair } = result;
    const bead = this.beads.length;
    this.beads.push({
      column: Math.floor(bead / rowsPerColumn) + 1,
      row: (bead % rowsPerColumn) + 1,
      winner,
      playerPair,
      bankerPair,
    });
    if (winner === 'tie') this.#addTie();
    else this.#addWin({ winner, playerPair, bankerPair });
  }

  marksOf(road: DerivedRoad): readonly DerivedRoadMark[] {
    return this.#derived[road].marks;
  }

  cellsOf(road: DerivedRoad): readonly DerivedCell[] {
    return this.#derived[road].cells;
  }

  /** The marks that derived roads would get next if this hand won. */
  ask(winner: 'player' | 'banker'): NextMarks {
    const lengths = withNextEntry(this.#columnLengths, this.bigRoad.at(-1)?.winner !== winner);
    const mark = (road: DerivedRoad): DerivedRoadMark | undefined =>
      derivedRoadMarkOf(lengths, lengths.at(-1)!, lookBackColumns[road]);
    return { bigEye: mark('bigEye'), small: mark('small'), cockroach: mark('cockroach') };
  }

  #addTie(): void {
    const last = this.bigRoad.at(-1);
    if (last) this.bigRoad[this.bigRoad.length - 1] = { ...last, ties: last.ties + 1 };
    else this.leadingTies++;
  }

  #addWin(result: Omit<BigRoadCell, 'column' | 'row' | 'ties'>): void {
    const last = this.bigRoad.at(-1);
    const newRun = last?.winner !== result.winner;
    const ties = last ? 0 : this.leadingTies;
    this.bigRoad.push({ ...this.#grid.add(newRun), ...result, ties });

    if (newRun) this.#columnLengths.push(1);
    else this.#columnLengths[this.#columnLengths.length - 1]!++;
    for (const road of derivedRoadNames) {
      const mark = derivedRoadMarkOf(this.#columnLengths, this.#columnLengths.at(-1)!, lookBackColumns[road]);
      if (mark) addMark(this.#derived[road], mark);
    }
  }
}

const newDerived = (): Derived => ({ marks: [], cells: [], grid: new RoadGrid() });

/**
 * Adds a mark to a derived road. As on the big road, a mark that equals the last one goes below it, and a different
 * mark starts a new column.
 */
function addMark({ marks, cells, grid }: Derived, mark: DerivedRoadMark): void {
  cells.push({ ...grid.add(marks.at(-1) !== mark), mark });
  marks.push(mark);
}

/** The lengths of the last columns after one more entry. Earlier columns are left out, since no road needs them. */
function withNextEntry(lengths: readonly number[], newRun: boolean): readonly number[] {
  const recent = lengths.slice(-5);
  return newRun ? [...recent, 1] : [...recent.slice(0, -1), recent.at(-1)! + 1];
}

/** Builds the roads from all results of a shoe. Build them again after a correction. */
export function roadsOf(results: readonly RoadResult[]): Roads {
  const roads = new Roads();
  for (const result of results) roads.add(result);
  return roads;
}

export const roadsView = (roads: Roads) => ({
  bead: roads.beads,
  big: roads.bigRoad,
  bigEye: roads.cellsOf('bigEye'),
  small: roads.cellsOf('small'),
  cockroach: roads.cellsOf('cockroach'),
  ask: { player: roads.ask('player'), banker: roads.ask('banker') },
});
