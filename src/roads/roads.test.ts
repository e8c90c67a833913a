import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DerivedRoad, type DerivedRoadMark, derivedRoadNames, lookBackColumns } from './derived.ts';
import { type RoadResult, type Roads, roadsOf } from './roads.ts';

const winners = { B: 'banker', P: 'player', T: 'tie' } as const;
const resultsFrom = (letters: string): readonly RoadResult[] =>
  letters.split('').map((letter) => ({ winner: winners[letter as 'B'], playerPair: false, bankerPair: false }));
const roadsFrom = (letters: string): Roads => roadsOf(resultsFrom(letters));
const marks = (roads: Roads): string => derivedRoadNames.map((road) => roads.marksOf(road).join('') || '-').join(' ');
const nextMarks = (roads: Roads): string =>
  derivedRoadNames
    .map((road) => `${roads.ask('banker')[road] ?? ''}${roads.ask('player')[road] ?? ''}` || '-')
    .join(' ');

// Each row: results; marks of big eye boy, small road, cockroach pig; what each would show for Banker and for Player.
test.for([
  ['BBPPB', 'rr - -', 'rb rb -'],
  ['TTBBTPPTTB', 'rr - -', 'rb rb -'],
  ['BPBPBPBP', 'rrrrrr rrrrr rrrr', 'rb rb rb'],
  ['BBPBBPBBPBB', 'bbbbbbbb rrrrrrr bbbbb', 'rb br rb'],
  ['BBBPPPBBBPPPB', 'rrrrrrrrr rrrrrr rrr', 'rb rb rb'],
  ['BBBBBBBBPB', 'b - -', 'br rb -'],
  ['BBBBBBBBBPPPPPPPBBBBBBPB', 'rrrrrrbrrrrrbb rrrrrbb b', 'br rb rb'],
  [
    'PBBPPPBPBBBBPPBPBBPPPPPPPPBBPB',
    'bbrbbbrbrrbrbbrbbrbrrrrrbrbb brbbbbrrbbbbbbbbrrrrrrbrrb rbrrbbbbrbrrbrrrrrrbbbb',
    'br rb rb',
  ],
  ['BPPP', 'br - -', 'br - -'],
  ['', '- - -', '- - -'],
  ['TTT', '- - -', '- - -'],
] as const)('%s gives the marks %s and the next marks %s', ([letters, expected, queried]) => {
  const roads = roadsFrom(letters);
  expect([marks(roads), nextMarks(roads)]).toEqual([expected, queried]);
});

/** The lengths of the runs, computed without the roads. */
const runsOf = (letters: string): readonly number[] =>
  (letters.replaceAll('T', '').match(/B+|P+/g) ?? []).map((run) => run.length);

/** The rule of the derived roads in another form: red if, `back` columns to the left, this row and the row above agree. */
function byTwoCells(letters: string, back: number): string {
  const found: DerivedRoadMark[] = [];
  const runs = runsOf(letters);
  runs.forEach((length, column) => {
    for (let row = 1; row <= length; row++) {
      if (row > 1) {
        const left = runs[column - back];
        if (left !== undefined) found.push(left >= row === left >= row - 1 ? 'r' : 'b');
        continue;
      }
      // The first mark of a new column is the reverse of the mark for one more entry in the last column.
      const left = runs[column - 1 - back];
      if (left === undefined) continue;
      const next = runs[column - 1]! + 1;
      found.push(left >= next === left >= next - 1 ? 'b' : 'r');
    }
  });
  return found.join('');
}

test('on all 32,766 rows of up to 14 wins, marks, their number and next marks are those of the other form of the rule', () => {
  let rows = 0;
  for (let length = 1; length <= 14; length++) {
    for (let bits = 0; bits < 1 << length; bits++) {
      const letters = bits.toString(2).padStart(length, '0').replaceAll('0', 'B').replaceAll('1', 'P');
      const roads = roadsFrom(letters);
      const runs = runsOf(letters);
      for (const road of derivedRoadNames) {
        const back = lookBackColumns[road];
        const got = roads.marksOf(road).join('');
        const first = runs.slice(0, back).reduce((sum, run) => sum + run, 0);
        const expectedCount = Math.max(0, length - first - (runs.length > back ? 1 : 0));
        const [banker, player] = [roads.ask('banker')[road], roads.ask('player')[road]];
        const ok =
          got === byTwoCells(letters, back) &&
          got.length === expectedCount &&
          (banker !== undefined) === runs.length >= back + 1 &&
          (banker === undefined ? player === undefined : player !== banker && player !== undefined);
        if (!ok) expect.unreachable(`${road} of ${letters}: ${got}`);
      }
      rows++;
    }
  }
  expect(rows).toBe(32_766);
});

const anyShoe = fc.array(fc.constantFrom('B', 'P', 'T'), { maxLength: 90 }).map((letters) => letters.join(''));

test('an ask is the mark that the next result brings', () => {
  fc.assert(
    fc.property(anyShoe, fc.constantFrom('banker', 'player'), (letters, winner) => {
      const roads = roadsFrom(letters);
      const queried = roads.ask(winner);
      const before = derivedRoadNames.map((road) => roads.marksOf(road).length);
      roads.add({ winner, playerPair: false, bankerPair: false });
      derivedRoadNames.forEach((road, n) => expect(roads.marksOf(road)[before[n]!]).toBe(queried[road]));
    }),
  );
});

test('ties change no derived road and no place of the big road', () => {
  fc.assert(
    fc.property(anyShoe, (letters) => {
      const [withTies, without] = [roadsFrom(letters), roadsFrom(letters.replaceAll('T', ''))];
      expect(marks(withTies)).toBe(marks(without));
      expect(withTies.bigRoad.map(({ column, row }) => [column, row])).toEqual(
        without.bigRoad.map(({ column, row }) => [column, row]),
      );
      const ties = withTies.bigRoad.reduce((sum, cell) => sum + cell.ties, 0);
      expect(withTies.bigRoad.length > 0 ? ties : withTies.leadingTies).toBe(letters.split('T').length - 1);
    }),
  );
});

const drawn = (letters: string): string =>
  roadsFrom(letters)
    .bigRoad.map(({ column, row }) => `${column}.${row}`)
    .join(' ');

test('dragon tails turn right at the bottom and where a cell is taken', () => {
  expect(drawn('BBBBBBBBBPPPPPPPBBBBBBPB')).toBe(
    '1.1 1.2 1.3 1.4 1.5 1.6 2.6 3.6 4.6 2.1 2.2 2.3 2.4 2.5 3.5 4.5 3.1 3.2 3.3 3.4 4.4 5.4 4.1 5.1',
  );
});

test('six long runs after each other climb to the top row, and the next run begins to the right of the tail there', () => {
  // Each run of twelve turns one row higher than the last. The sixth turns in row 1 and occupies the tops of the next
  // columns.
  const run = (winner: string) => winner.repeat(12);
  const letters = `${run('B')}${run('P')}${run('B')}${run('P')}${run('B')}${run('P')}B`;
  const cells = roadsFrom(letters).bigRoad;
  const sixth = cells.slice(60, 72);
  expect(new Set(sixth.map(({ row }) => row))).toEqual(new Set([1]));
  expect(sixth.map(({ column }) => column)).toEqual(Array.from({ length: 12 }, (_, n) => 6 + n));
  expect(cells.at(-1)).toMatchObject({ column: 18, row: 1 });
});

test('no two cells of a board share a place, rows are one to six, and a turned run never goes down again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('B', 'P'), fc.integer({ min: 1, max: 15 })), { maxLength: 20 }),
      (runs) => {
        const roads = roadsFrom(runs.map(([winner, length]) => winner.repeat(length)).join(''));
        const boards = [roads.bigRoad, ...derivedRoadNames.map((road) => roads.cellsOf(road))];
        for (const cells of boards) {
          expect(new Set(cells.map(({ column, row }) => `${column}.${row}`)).size).toBe(cells.length);
          for (const { row } of cells) expect(row >= 1 && row <= 6).toBe(true);
        }
        let turned = false;
        roads.bigRoad.forEach((cell, n) => {
          const before = roads.bigRoad[n - 1];
          if (before?.winner !== cell.winner) turned = false;
          else if (cell.column !== before.column) turned = true;
          else expect([turned, cell.row]).toEqual([false, before.row + 1]);
        });
      },
    ),
  );
});

test('the bead plate has every round, ties too, six to a column', () => {
  const { beads } = roadsFrom('BPTBPTB');
  expect(beads.map(({ column, row, winner }) => `${column}.${row} ${winner}`)).toEqual([
    '1.1 banker',
    '1.2 player',
    '1.3 tie',
    '1.4 banker',
    '1.5 player',
    '1.6 tie',
    '2.1 banker',
  ]);
});

test('pairs are marked on the round that had them; those of a tie on the bead plate only', () => {
  const roads = roadsOf([
    { winner: 'banker', playerPair: true, bankerPair: false },
    { winner: 'tie', playerPair: true, bankerPair: true },
    { winner: 'player', playerPair: false, bankerPair: true },
  ]);
  expect(roads.bigRoad).toMatchObject([
    { playerPair: true, bankerPair: false, ties: 1 },
    { playerPair: false, bankerPair: true, ties: 0 },
  ]);
  expect(roads.beads.map(({ playerPair, bankerPair }) => [playerPair, bankerPair])).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
});

test('adding one by one and making all anew after a correction come to the same', () => {
  fc.assert(
    fc.property(
      anyShoe.filter((letters) => letters.length > 0),
      fc.nat(),
      fc.constantFrom('B', 'P', 'T'),
      (letters, at, right) => {
        const place = at % letters.length;
        const corrected = resultsFrom(letters).with(place, resultsFrom(right)[0]!);
        const again = roadsOf(corrected);
        const straight = roadsFrom(`${letters.slice(0, place)}${right}${letters.slice(place + 1)}`);
        expect([marks(again), again.bigRoad, again.beads]).toEqual([marks(straight), straight.bigRoad, straight.beads]);
      },
    ),
  );
});

test('a derived road is laid out like a big road of its own', () => {
  const cells = roadsFrom('PBBPPPBPBBBBPPBPBBPPPPPPPPBBPB').cellsOf('bigEye' satisfies DerivedRoad);
  expect(
    cells
      .map(({ column, row, mark }) => `${mark}${column}.${row}`)
      .slice(0, 9)
      .join(' '),
  ).toBe('b1.1 b1.2 r2.1 b3.1 b3.2 b3.3 r4.1 b5.1 r6.1');
});
