import { type Bead, type Cell } from '../../roads/roads.ts';
import { words } from './words.ts';

const rows = 6;
const size = 20;

type Placed = { readonly column: number; readonly row: number };

/** The columns that are shown: the newest, at most so many. */
const firstColumn = (marks: readonly Placed[], columns: number): number =>
  Math.max(0, Math.max(0, ...marks.map(({ column }) => column)) - columns);

function Board({ columns, label, children }: { columns: number; label: string; children: preact.ComponentChildren }) {
  const lines: preact.JSX.Element[] = [];
  for (let n = 0; n <= columns; n++) lines.push(<path key={`c${n}`} d={`M${n * size} 0V${rows * size}`} />);
  for (let n = 0; n <= rows; n++) lines.push(<path key={`r${n}`} d={`M0 ${n * size}H${columns * size}`} />);
  return (
    <svg class="board" viewBox={`-0.5 -0.5 ${columns * size + 1} ${rows * size + 1}`} role="img" aria-label={label}>
      <rect width={columns * size} height={rows * size} fill="#fbf9f0" />
      <g stroke="#d9d3bf" stroke-width="1">
        {lines}
      </g>
      {children}
    </svg>
  );
}

const inks = { banker: '#b3202c', player: '#12568f', tie: '#1d6b2f' } as const;

/** How often each hand has won, in words. */
function tally(results: readonly { readonly winner: string }[]): string {
  const t = words();
  if (results.length === 0) return t.noResults;
  const count = (winner: string): number => results.filter((one) => one.winner === winner).length;
  return `${t.banker} ${count('banker')}, ${t.player} ${count('player')}`;
}

/** Runs of the same winner go down; letters double the colours. */
export function BigRoad({ cells, columns }: { cells: readonly Cell[]; columns: number }) {
  const t = words();
  const first = firstColumn(cells, columns);
  return (
    <Board columns={columns} label={`${t.bigRoad}: ${tally(cells)}`}>
      {cells
        .filter(({ column }) => column > first)
        .map(({ column, row, winner, ties }) => {
          const x = (column - first - 0.5) * size;
          const y = (row - 0.5) * size;
          return (
            <g key={`${column} ${row}`}>
              <circle cx={x} cy={y} r="7.6" fill="none" stroke={inks[winner]} stroke-width="2" />
              <text x={x} y={y + 3.6} font-size="10" font-weight="700" text-anchor="middle" fill={inks[winner]}>
                {winner === 'banker' ? (t.banker[0] ?? '') : (t.player[0] ?? '')}
              </text>
              {ties > 0 && (
                <g>
                  <path d={`M${x - 8} ${y + 8}L${x + 8} ${y - 8}`} stroke={inks.tie} stroke-width="2" />
                  {ties > 1 && (
                    <text x={x + 6} y={y + 9} font-size="8" font-weight="700" text-anchor="middle" fill={inks.tie}>
                      {ties}
                    </text>
                  )}
                </g>
              )}
            </g>
          );
        })}
    </Board>
  );
}

/** One bead a round, ties as well; a small dot for a pair of Banker (above) or Player (below). */
export function BeadPlate({ beads, columns }: { beads: readonly Bead[]; columns: number }) {
  const t = words();
  const first = firstColumn(beads, columns);
  return (
    <Board columns={columns} label={`${t.bead}: ${tally(beads)}`}>
      {beads
        .filter(({ column }) => column > first)
        .map(({ column, row, winner, playerPair, bankerPair }) => {
          const x = (column - first - 0.5) * size;
          const y = (row - 0.5) * size;
          return (
            <g key={`${column} ${row}`}>
              <circle cx={x} cy={y} r="8.4" fill={inks[winner]} />
              <text x={x} y={y + 4} font-size="11" font-weight="700" text-anchor="middle" fill="#fff">
                {t[winner][0] ?? ''}
              </text>
              {bankerPair && <circle cx={x - 6.5} cy={y - 6.5} r="3" fill={inks.banker} stroke="#fff" />}
              {playerPair && <circle cx={x + 6.5} cy={y + 6.5} r="3" fill={inks.player} stroke="#fff" />}
            </g>
          );
        })}
    </Board>
  );
}
