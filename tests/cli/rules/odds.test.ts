import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { writeParSheets } from '../../../src/cli/rules/odds.ts';
import { type Game, versionedGameId, wagerIdsOf } from '../../../src/rules/game.ts';
import { hashOf } from '../../../src/base/canonicalJson.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';

const folder = temporaryFolder('odds');

const fileWith = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

type Sheet = {
  game: string;
  hash: string;
  decks?: number;
  cards?: number;
  deals: string;
  wagers: {
    [id: string]: {
      outcomes: { net: string; probability: string; count: string }[];
      expected: string;
      houseEdge: number;
    };
  };
  covariance: { [a: string]: { [b: string]: number } };
};
const sheet = async (...args: string[]): Promise<Sheet> =>
  JSON.parse((await punto(['odds', ...args, '--json'])).stdout) as Sheet;

test('odds --json gives every wager with outcomes, exact fractions and figures', async () => {
  const { game, decks, deals, wagers, covariance } = await sheet('tiger');
  expect({ game, decks, deals }).toEqual({ game: 'tiger', decks: 8, deals: '4998398275503360' });
  expect(Object.keys(wagers)).toEqual(wagerIdsOf(games.find(({ id }) => id === 'tiger')!));
  expect(wagers['tie']).toMatchObject({
    outcomes: [
      { net: '-1', probability: '5889024543008/6508331087895', count: '4522770849030144' },
      { net: '8', probability: '619306544887/6508331087895', count: '475627426473216' },
    ],
    houseEdge: expect.closeTo(0.14359629, 8) as number,
    rtp: expect.closeTo(0.85640371, 8) as number,
    hitRate: expect.closeTo(0.09515597, 8) as number,
    pushRate: 0,
    variance: expect.closeTo(6.97419, 4) as number,
    sd: expect.closeTo(2.640869, 5) as number,
  });
  expect(covariance['tie']!['tiger']).toBe(covariance['tiger']!['tie']);
  for (const { outcomes } of Object.values(wagers)) {
    expect(outcomes.reduce((sum, { count }) => sum + BigInt(count), 0n)).toBe(4_998_398_275_503_360n);
  }
});

test('odds reads the number of decks, a partly dealt shoe and a game from a file', async () => {
  expect((await sheet('baccarat', '--decks', '6')).deals).toBe('878869206895680');
  const left = await sheet('baccarat', '--shoe', fileWith('shoe.json', '{"KD":3,"4S":2,"9H":4}'));
  expect([left.cards, left.deals, left.decks]).toEqual([9, '60480', null]);
  const paying45 = (await punto(['rules', 'tiger', '--json'])).stdout.replace(/35,\n/, '45,\n');
  const designed = await sheet('--file', fileWith('tiger45.json', paying45));
  expect(designed.wagers['tiger-tie']!.houseEdge).toBeCloseTo(0.11495247, 8);
});

test('odds prints a table, CSV rows and a self-contained page', async () => {
  const { stdout } = await punto(['odds', 'baccarat']);
  expect(stdout).toMatch(/^banker +1\.0579 % +98\.9421 % +45\.8597 % +9\.5156 % +0\.8600 +0\.9274 /m);
  expect(stdout).toContain('Largest payout, with one unit on each winning wager: 30 (tie, player-pair, banker-pair).');
  expect(stdout).toMatch(/^banker +93\.19 % to 104\.69 % /m);
  expect((await punto(['odds', 'baccarat', '--csv'])).stdout.trimEnd().split('\n')).toHaveLength(1 + 3 + 3 + 2 + 2 + 2);
  const html = (await punto(['odds', 'baccarat', '--html'])).stdout;
  expect(html).toMatch(/^<!doctype html>/);
  expect(html).toContain('2292252566437888');
  expect(html).not.toMatch(/(?:src|href)="http|<script|<link/);
});

/** Parses CSV into rows by column name. */
async function rowsOf(args: readonly string[]): Promise<readonly { readonly [head: string]: string }[]> {
  const [heads, ...rows] = (await punto(['odds', ...args])).stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) => {
    expect(row).toHaveLength(heads!.length);
    return Object.fromEntries(heads!.map((head, n) => [head, row[n]!]));
  });
}

const month = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*-\d+$/;

const significantDigits = (field: string): string =>
  field.replace(/e.*$/, '').replaceAll(/[-.]/g, '').replace(/^0+/, '');

/** A number of at most 15 significant digits, which no spreadsheet rounds, or a text that it takes for nothing else. */
const isKept = (field: string): boolean =>
  /^-?\d+(\.\d+)?(e-\d+)?$/.test(field)
    ? significantDigits(field).length <= 15
    : /^[a-z][a-z0-9-]+(@[\w.-]+)?$|^\d+ (decks|cards left)$|^-?\d{1,3}(_\d{3})+$/.test(field) && !month.test(field);

const exact = (digits: string | undefined): bigint => BigInt(digits!.replaceAll('_', ''));

test('CSV of odds holds nothing that a spreadsheet rounds or takes for a date, for every game', async () => {
  expect(['1/2', '2021-10-28', 'mar-1', '4522770849030145', '0.012350813289166138', '12:30'].filter(isKept)).toEqual(
    [],
  );
  const shoe = fileWith('csv.json', '{"KD":3,"4S":2,"9H":4}');
  for (const args of [
    ...games.map((game) => [versionedGameId(game), '--decks', '10']),
    ['sands-super', '--decks', '8'],
    ['baccarat', '--shoe', shoe],
  ]) {
    for (const format of ['--csv', '--covariances']) {
      const fields = (await rowsOf([...args, format])).flatMap((row) => Object.values(row));
      expect(fields.filter((field) => !isKept(field))).toEqual([]);
    }
  }
});

test('CSV of odds gives fractions as decimals with exact numerators and denominators, and exact counts', async () => {
  const rows = await rowsOf(['sands-super', '--csv']);
  expect(rows.find(({ wager, net }) => wager === 'banker' && net === '0.5')).toMatchObject({
    game: 'sands-super@2017-07-28',
    shoe: '8 decks',
    netNumerator: '1',
    netDenominator: '2',
    deals: '4_998_398_275_503_360',
  });
  const { wagers } = await sheet('sands-super');
  for (const [wager, { outcomes, expected }] of Object.entries(wagers)) {
    const own = rows.filter((row) => row['wager'] === wager);
    expect(own.map(({ count }) => exact(count))).toEqual(outcomes.map(({ count }) => BigInt(count)));
    for (const { expectedNumerator, expectedDenominator, ...row } of own) {
      expect(`${exact(expectedNumerator)}/${exact(expectedDenominator)}`).toBe(expected);
      expect(Number(row['probability'])).toBeCloseTo(Number(exact(row['count'])) / Number(exact(row['deals'])), 15);
      expect(Number(row['houseEdge'])).toBe(-Number(row['expected']));
    }
  }
});

test('odds --covariances gives a row of CSV for each pair of wagers', async () => {
  const { covariance } = await sheet('tiger');
  expect(await rowsOf(['tiger', '--covariances'])).toEqual(
    Object.entries(covariance).flatMap(([wager, others]) =>
      Object.entries(others).map(([other, value]) => ({
        game: 'tiger@2021-10-28',
        shoe: '8 decks',
        wager,
        other,
        covariance: String(Number(value.toPrecision(15))),
      })),
    ),
  );
});

test('odds --all --out writes seventy sheets in two forms and an index', async () => {
  const out = join(folder, 'deep', 'sheets');
  const ran = await punto(['odds', '--all', '--out', out]);
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(readdirSync(out)).toHaveLength(141);
  const elements = games.find(({ id }) => id === 'sands-elements')!;
  expect(JSON.parse(readFileSync(join(out, `${versionedGameId(elements)}-10.json`), 'utf8'))).toMatchObject({
    game: 'sands-elements',
    version: elements.version,
    decks: 10,
  });
  const index = readFileSync(join(out, 'index.html'), 'utf8');
  for (const game of games) expect(index).toContain(`href="${versionedGameId(game)}-4.html"`);
});

test('[READING 47] two versions of a game have their sheets side by side, each with its own hash and odds', () => {
  const tiger = games.find(({ id }) => id === 'tiger')!;
  const paying45 = { ...tiger.wagers['tiger-tie']!.lines[0]!, pays: [45, 1] } as const;
  const later: Game = {
    ...tiger,
    version: '2031-01-01',
    wagers: { ...tiger.wagers, 'tiger-tie': { ...tiger.wagers['tiger-tie']!, lines: [paying45] } },
  };
  const out = mkdtempSync(join(folder, 'versions-'));
  expect(writeParSheets(out, [tiger, later])).toBe(14);
  expect(readdirSync(out)).toHaveLength(2 * 14 + 1);
  const [old, young] = [tiger, later].map(
    (game) => JSON.parse(readFileSync(join(out, `${versionedGameId(game)}-8.json`), 'utf8')) as Sheet,
  );
  expect([old!.hash, young!.hash]).toEqual([hashOf(tiger), hashOf(later)]);
  expect(old!.wagers['tiger-tie']!.houseEdge).toBeCloseTo(0.3073541, 8);
  expect(young!.wagers['tiger-tie']!.houseEdge).toBeCloseTo(0.11495247, 8);
  expect(young!.wagers['banker']).toEqual(old!.wagers['banker']);
  const index = readFileSync(join(out, 'index.html'), 'utf8');
  const linkedFiles = [...index.matchAll(/href="([^"]+)"/g)].map(([, file]) => file!);
  expect(linkedFiles.toSorted()).toEqual(
    readdirSync(out)
      .filter((file) => file !== 'index.html')
      .toSorted(),
  );
  for (const version of ['2021-10-28', '2031-01-01']) expect(index).toContain(`<code>tiger@${version}</code>`);
});

test.for([
  [['odds'], 'missing-argument', 2],
  [['odds', 'lion'], 'unknown-game', 1],
  [['odds', 'tiger', '--decks', '3'], 'bad-decks', 1],
  [['odds', 'tiger', '--json', '--csv'], 'unexpected-argument', 2],
  [['odds', 'tiger', '--csv', '--covariances'], 'unexpected-argument', 2],
  [['odds', 'tiger', '--shoe', '/nowhere.json'], 'unreadable-file', 1],
  [['odds', 'tiger', '--shoe', '/nowhere.json', '--decks', '8'], 'unexpected-argument', 2],
  [['odds', '--all'], 'missing-argument', 2],
  [['odds', '--out', '/tmp/x'], 'missing-argument', 2],
  [['odds', 'tiger', '--all', '--out', '/tmp/x'], 'missing-argument', 2],
] as const)('punto %j is refused as %s with exit code %i', async ([args, code, status]) => {
  const ran = await punto(args);
  expect([ran.status, ran.stdout]).toEqual([status, '']);
  expect(ran.stderr).toMatch(new RegExp(`^punto: [^\\n]+[.] \\(${code}\\)\\n$`));
});

test('odds refuses a folder that it cannot create', async () => {
  for (const out of [fileWith('a-file', 'x'), join(fileWith('b-file', 'x'), 'deeper'), '/proc/nowhere/sheets']) {
    const ran = await punto(['odds', '--all', '--out', out]);
    expect([ran.status, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toMatch(/^punto: [^\n]+[.] \(unwritable-output\)\n$/);
  }
});

test('odds refuses an impossible shoe', async () => {
  const ran = await punto(['odds', 'tiger', '--shoe', fileWith('few.json', '{"KD":5}')]);
  expect([ran.status, ran.stdout]).toEqual([1, '']);
  expect(ran.stderr).toContain('(bad-shoe)');
});
