import { expect, test } from 'vitest';
import { answersIn, punto } from '../support/punto.ts';

const roads = (input: string) => punto(['roads', '--jsonl'], input);

test('roads --jsonl prints marks, next marks and the big road', async () => {
  const ran = await roads('{"results":"TTBBTPPTTB","pairs":"-B-D----P-"}\n');
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(answersIn(ran)).toMatchObject([
    {
      bigEye: 'rr',
      small: '',
      cockroach: '',
      ask: {
        banker: { bigEye: 'r', small: 'r', cockroach: '' },
        player: { bigEye: 'b', small: 'b', cockroach: '' },
      },
      bigRoad: [
        { column: 1, row: 1, winner: 'B', ties: 2, pair: '-' },
        { column: 1, row: 2, winner: 'B', ties: 1, pair: 'D' },
        { column: 2, row: 1, winner: 'P', ties: 0, pair: '-' },
        { column: 2, row: 2, winner: 'P', ties: 2, pair: '-' },
        { column: 3, row: 1, winner: 'B', ties: 0, pair: '-' },
      ],
      beadPlate: { 1: { column: 1, row: 2, winner: 'T', pair: 'B' }, 8: { column: 2, row: 3, winner: 'T', pair: 'P' } },
    },
  ]);
});

test('roads prints cells without pairs when none are given', async () => {
  const [answer] = answersIn(await roads('{"results":"TB"}'));
  expect(answer).toEqual({
    bigEye: '',
    small: '',
    cockroach: '',
    ask: { banker: { bigEye: '', small: '', cockroach: '' }, player: { bigEye: '', small: '', cockroach: '' } },
    bigRoad: [{ column: 1, row: 1, winner: 'B', ties: 1 }],
    beadPlate: [
      { column: 1, row: 1, winner: 'T' },
      { column: 1, row: 2, winner: 'B' },
    ],
  });
});

test('roads prints no cell for ties alone or no results', async () => {
  expect(answersIn(await roads('{"results":"TT"}\n{"results":""}'))).toMatchObject([
    { bigEye: '', bigRoad: [], ask: { banker: { bigEye: '' } } },
    { bigEye: '', bigRoad: [], beadPlate: [] },
  ]);
});

test('roads draws the five roads of the results given', async () => {
  const { status, stdout, stderr } = await punto(['roads', 'BBPTBBBBBBBP', '--pairs=--B-D-------']);
  expect([status, stderr]).toEqual([0, '']);
  const [title, ...lines] = stdout.split('\n');
  expect(title).toMatch(/^bead plate +big road$/);
  const big = lines.slice(0, 6).map((line) => line.slice(26).split(/ +/, 4));
  expect(big).toEqual([
    ['B', 'P1', 'B', 'P'],
    ['B', '.', 'B', '.'],
    ['.', '.', 'B', '.'],
    ['.', '.', 'B', '.'],
    ['.', '.', 'B', '.'],
    ['.', '.', 'B', 'B'],
  ]);
  expect(lines[2]).toMatch(/^Pb B /);
  expect(stdout).toMatch(/^big eye boy +small road +cockroach pig$/m);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test.for([
  [['roads'], 'missing-argument', 2],
  [['roads', 'BXP'], 'bad-results', 1],
  [['roads', 'BP', '--pairs', 'B'], 'bad-results', 1],
  [['roads', 'BP', '--jsonl'], 'unexpected-argument', 2],
  [['roads', '--pairs', 'B', '--jsonl'], 'unexpected-argument', 2],
] as const)('punto %j is refused as %s with exit code %i', async ([args, code, status]) => {
  const ran = await punto(args);
  expect([ran.status, ran.stdout]).toEqual([status, '']);
  expect(ran.stderr).toMatch(new RegExp(`^punto: [^\\n]+[.] \\(${code}\\)\\n$`));
});

test.for([
  ['{"results":"BXP"}', 'bad-results'],
  ['{"results":"bp"}', 'bad-results'],
  ['{"results":"BB","pairs":"-"}', 'bad-results'],
  ['{"results":"BB","pairs":"-X"}', 'bad-results'],
  ['{"results":["B"]}', 'bad-request'],
  ['{"results":"B","pairs":1}', 'bad-request'],
  ['{}', 'bad-request'],
  ['{"results":"B","road":"big"}', 'unknown-field'],
] as const)('%s is refused as %s', async ([line, code]) => {
  const ran = await roads(line);
  expect(ran.status).toBe(1);
  expect(answersIn(ran)).toMatchObject([{ error: { code }, line: 1 }]);
});
