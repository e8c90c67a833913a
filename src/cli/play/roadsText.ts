import { rowsPerColumn } from '../../roads/grid.ts';
import { type roadsView } from '../../roads/roads.ts';

type Roads = ReturnType<typeof roadsView>;
type BoardCell = { readonly column: number; readonly row: number; readonly text: string };

/**
 * Size of a printed road: its number of columns, and the number of characters in each column. If a road has more
 * columns than fit, the newest are shown.
 */
type Size = { readonly columns: number; readonly letters: number };
const beadSize: Size = { columns: 8, letters: 3 };
const roadSize: Size = { columns: 18, letters: 3 };
const derivedSize: Size = { columns: 12, letters: 2 };

const winners = { banker: 'B', player: 'P', tie: 'T' } as const;

const pairSign = ({ bankerPair, playerPair }: { readonly bankerPair: boolean; readonly playerPair: boolean }): string =>
  bankerPair ? (playerPair ? 'd' : 'b') : playerPair ? 'p' : '';

const tieSign = (ties: number): string => (ties === 0 ? '' : ties > 9 ? '+' : String(ties));

/** Formats a road as lines: the title and six rows. An empty cell is a dot. */
function board(title: string, { columns, letters }: Size, marks: readonly BoardCell[]): readonly string[] {
  const last = Math.max(columns, ...marks.map(({ column }) => column));
  const texts = new Map(marks.map(({ column, row, text }) => [`${column} ${row}`, text]));
  const cell = (column: number, row: number): string => (texts.get(`${column} ${row}`) ?? '.').padEnd(letters);
  const lines = Array.from({ length: rowsPerColumn }, (_, row) =>
    Array.from({ length: columns }, (__, index) => cell(last - columns + index + 1, row + 1)).join(''),
  );
  return [title.padEnd(columns * letters), ...lines];
}

const sideBySide = (boards: readonly (readonly string[])[]): readonly string[] =>
  Array.from({ length: rowsPerColumn + 1 }, (_, row) =>
    boards
      .map((lines) => lines[row]!)
      .join('  ')
      .trimEnd(),
  );

export const beadAndBigRoadLines = ({ bead, big }: Roads): readonly string[] =>
  sideBySide([
    board(
      'bead plate',
      beadSize,
      bead.map((one) => ({ ...one, text: `${winners[one.winner]}${pairSign(one)}` })),
    ),
    board(
      'big road',
      roadSize,
      big.map((cell) => ({ ...cell, text: `${winners[cell.winner]}${tieSign(cell.ties)}` })),
    ),
  ]);

/** Formats all five roads as lines. The next marks of the three derived roads and a legend follow. */
export function allRoadsLines(roads: Roads): readonly string[] {
  const derivedBoard = (title: string, cells: Roads['small']): readonly string[] =>
    board(
      title,
      derivedSize,
      cells.map((cell) => ({ ...cell, text: cell.mark })),
    );
  const nextMarks = ({ bigEye, small, cockroach }: Roads['ask']['player']): string =>
    [bigEye, small, cockroach].map((mark) => mark ?? '-').join(' ');
  return [
    ...beadAndBigRoadLines(roads),
    '',
    ...sideBySide([
      derivedBoard('big eye boy', roads.bigEye),
      derivedBoard('small road', roads.small),
      derivedBoard('cockroach pig', roads.cockroach),
    ]),
    '',
    `Next marks of the lower three: ${nextMarks(roads.ask.banker)} if Banker wins, ${nextMarks(roads.ask.player)} if Player wins.`,
    'B, P, T: winner. Bead plate: b, p, d: a pair of Banker, of Player, of both.',
    'Big road: a digit is the number of ties after that round.',
    'Lower three roads: r is red (regular), b is blue (irregular).',
  ];
}
