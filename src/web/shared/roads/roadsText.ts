import { type DerivedRoadMark } from '../../../roads/derived.ts';
import { type Bead, type BigRoadCell, type DerivedCell } from '../../../roads/roads.ts';
import { sharedStrings } from '../text/strings.ts';

// Roads as text for screen readers, oldest result first.

const listed = (parts: readonly string[]): string =>
  parts.length === 0 ? sharedStrings().noResults : parts.join(', ');

/** The bead plate as text: "Banker, Player Player pair, Tie". */
export function spokenBeadPlate(beads: readonly Bead[]): string {
  const t = sharedStrings();
  return listed(
    beads.map(({ winner, playerPair, bankerPair }) =>
      [t[winner], ...(playerPair ? [t.pairs.playerPair] : []), ...(bankerPair ? [t.pairs.bankerPair] : [])].join(' '),
    ),
  );
}

/** The big road as text. Each run of wins of the same hand is one part, with its ties: "Banker 3 (1 tie), Player 1". */
export function spokenBigRoad(cells: readonly BigRoadCell[], leadingTies: number): string {
  const t = sharedStrings();
  const runs: { winner: 'player' | 'banker'; length: number; ties: number }[] = [];
  for (const { winner, ties } of cells) {
    const run = runs.at(-1);
    if (run?.winner === winner) {
      run.length += 1;
      run.ties += ties;
    } else runs.push({ winner, length: 1, ties });
  }
  if (runs.length === 0 && leadingTies > 0) return t.ties(leadingTies);
  return listed(
    runs.map(({ winner, length, ties }) => `${t[winner]} ${length}${ties > 0 ? ` (${t.ties(ties)})` : ''}`),
  );
}

/** A derived road as text. Each run of the same mark is one part: "red 3, blue 1". */
export function spokenDerivedRoad(cells: readonly DerivedCell[]): string {
  const t = sharedStrings();
  const runs: { mark: DerivedRoadMark; length: number }[] = [];
  for (const { mark } of cells) {
    const run = runs.at(-1);
    if (run?.mark === mark) run.length += 1;
    else runs.push({ mark, length: 1 });
  }
  return runs.length === 0 ? t.noMark : runs.map(({ mark, length }) => `${t.marks[mark]} ${length}`).join(', ');
}
