import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorCodes } from '../../src/cli/stop.ts';
import { floorRefusals } from '../../src/floor/runner.ts';
import { tableRefusals } from '../../src/table/declare/refusals.ts';
import { wireRefusals } from '../../src/wire/refusals.ts';
import { games } from '../../src/games/registry.ts';
import { factValues } from '../../src/rules/facts.ts';
import { stepOf, wagerIdsOf } from '../../src/rules/game.ts';
import { hashOf } from '../../src/rules/hash.ts';
import { punto } from './punto.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'punto-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileWith = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('help is given for the command and for each sub-command, on standard output', () => {
  const top = punto(['--help']);
  expect([top.status, top.stderr]).toEqual([0, '']);
  for (const name of ['play', 'guide', 'games', 'rules', 'settle', 'certain', 'odds', 'simulate', 'roads', 'table']) {
    expect(top.stdout).toContain(`  ${name} `);
    for (const word of ['--help', '-h']) {
      const { status, stdout, stderr } = punto([name, word]);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`Usage: punto ${name}`);
    }
  }
});

test('--version tells the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(punto(['--version'])).toEqual({ status: 0, stdout: `punto ${version}\n`, stderr: '' });
});

test('games --json lists the ten games with book, date, wagers, step and hash', () => {
  const { status, stdout, stderr } = punto(['games', '--json']);
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual(
    games.map((game) => ({
      id: game.id,
      version: game.version,
      name: game.name,
      book: game.book,
      effective: game.effective,
      deck: game.deck,
      deckCards: game.deck === 'french' ? 52 : 65,
      stepCents: stepOf(game),
      wagers: wagerIdsOf(game),
      hash: hashOf(game),
    })),
  );
});

test('games prints one row a game', () => {
  const { stdout } = punto(['games']);
  for (const { id, name } of games) expect(stdout).toMatch(new RegExp(`^${id} .*${name}$`, 'm'));
});

test('rules --json prints the game itself, and reads it back from a file', () => {
  for (const game of games) {
    const { status, stdout } = punto(['rules', game.id, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(game);
    const again = punto(['rules', '--file', fileWith(`${game.id}.json`, stdout), '--json']);
    expect(again).toMatchObject({ status: 0, stdout });
  }
});

test('rules prints every line of every wager with its clause', () => {
  for (const game of games) {
    const { stdout } = punto(['rules', `${game.id}@${game.version}`]);
    expect(stdout).toContain(hashOf(game));
    for (const [id, wager] of Object.entries(game.wagers)) {
      expect(stdout).toMatch(new RegExp(`^${id}( \\*)? `, 'm'));
      for (const { by } of wager.lines) expect(stdout).toContain(by);
    }
  }
});

test('rules --facts lists every fact with its values', () => {
  expect(JSON.parse(punto(['rules', '--facts', '--json']).stdout)).toEqual(factValues);
  const { stdout } = punto(['rules', '--facts']);
  for (const [name, values] of Object.entries(factValues)) {
    expect(stdout).toMatch(new RegExp(`^${name} +${values.join(' ')} `, 'm'));
  }
});

test('settle prints hands, winner, results and clauses', () => {
  const { status, stdout, stderr } = punto(['settle', 'tiger', '--cards', '9s 2c 9h 4d']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Player  9S 9H     8\nBanker  2C 4D     6\nPlayer wins.\n');
  expect(stdout).toMatch(/^tiger-pair +win +\+4 +ETG 4\.9$/m);
  expect(stdout).toMatch(/^banker +lose +-1 +ETG 3\.9$/m);
});

test('settle with stakes prints gross, commission, won and returned in money', () => {
  const stakes = ['--stake', 'banker=1000', '--stake', 'tie=200', '--stake', 'tiger=123400'];
  const { status, stdout } = punto(['settle', 'tiger', '--cards', '6S,10D,5D,6C,9H', '--decks', '6', ...stakes]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^banker +win +10\.00 +10\.00 +0\.50 +9\.50 +19\.50 +ETG 4\.7$/m);
  expect(stdout).toMatch(/^tie +lose +2\.00 +0\.00 +0\.00 +0\.00 +0\.00 +ETG 1\.1\.17$/m);
  expect(stdout).toMatch(/^tiger +win +1,234\.00 +14,808\.00 +0\.00 +14,808\.00 +16,042\.00 +ETG 4\.10$/m);
  expect(stdout).toMatch(/^total +1,246\.00 +14,818\.00 +0\.50 +14,817\.50 +16,061\.50$/m);
});

test('settle says who won, or that it is a tie', () => {
  const verdict = (cards: string) => punto(['settle', 'baccarat', '--cards', cards]).stdout.split('\n')[5];
  expect(verdict('8H 3C KD 5D')).toBe('Tie.');
  expect(verdict('KC 8S QD KH')).toBe('Banker wins.');
});

test('an output that cannot be written is said in one sentence', () => {
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
  const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${main}" games > /dev/full`], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    'punto: The output cannot be written (ENOSPC); make room for it. (unwritable-output)\n',
  ]);
});

test('settle takes a game of one’s own from a file', () => {
  const game = punto(['rules', 'tiger', '--json']).stdout.replace(/35,\n/, '45,\n');
  const file = fileWith('tiger45.json', game);
  const { status, stdout } = punto(['settle', '--file', file, '--cards', 'QD 9D AS 7S 5D']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^tiger-tie +win +\+45 +ETG 4\.10$/m);
  expect(punto(['settle', 'tiger', '--file', file, '--cards', 'QD 9D AS 7S 5D']).status).toBe(0);
  expect(punto(['settle', 'baccarat', '--file', file, '--cards', 'QD 9D AS 7S 5D'])).toMatchObject({
    status: 1,
    stdout: '',
  });
});

test('certain tells what stands', () => {
  const { status, stdout } = punto(['certain', 'tiger', '--cards', '2S 2C 4H']);
  expect(status).toBe(0);
  expect(stdout).toBe('An outcome is established: play goes on.\nwon   -\nlost  tiger small-tiger big-tiger\n');
  expect(punto(['certain', 'tiger', '--cards', '']).stdout).toContain('No outcome is established.');
  expect(punto(['certain', 'tiger', '--cards', '2S 2C 4H', '--wager', 'tie']).stdout).toContain('No outcome');
});

const cards = ['--cards', '9S 2C 9H 4D'];

/** One way to meet each code on the command line: the words, the code, the exit code. */
const errors: readonly (readonly [readonly string[], string, number])[] = [
  [[], 'missing-argument', 2],
  [['lobby'], 'unknown-command', 2],
  [['--colour'], 'unknown-option', 2],
  [['games', '--colour'], 'unknown-option', 2],
  [['games', '-x'], 'unknown-option', 2],
  [['games', 'tiger'], 'unexpected-argument', 2],
  [['games', '--json=yes'], 'malformed-argument', 2],
  [['rules'], 'missing-argument', 2],
  [['rules', 'lion'], 'unknown-game', 1],
  [['rules', 'tiger@1'], 'unknown-game', 1],
  [['rules', 'tiger', 'lion'], 'unexpected-argument', 2],
  [['rules', 'tiger', '--facts'], 'unexpected-argument', 2],
  [['rules', '--file'], 'missing-argument', 2],
  [['settle\nx'], 'unknown-command', 2],
  [['rules', '--file', '/nowhere/game.json'], 'unreadable-file', 1],
  [['settle'], 'missing-argument', 2],
  [['settle', 'tiger'], 'missing-argument', 2],
  [['settle', 'tiger', '--cards'], 'missing-argument', 2],
  [['settle', 'tiger', ...cards, ...cards], 'malformed-argument', 2],
  [['settle', 'tiger', ...cards, '--decks', '8', '--decks', '6'], 'malformed-argument', 2],
  [['settle', 'tiger', ...cards, '--stake', 'banker=99999999999999999999'], 'too-large-stake', 1],
  [
    [
      'settle',
      'sands-super',
      ...cards,
      '--stake',
      'tie=900719925474098',
      '--stake',
      'player=4503599627370494',
      '--stake',
      'banker=4503599627370494',
    ],
    'too-large-stake',
    1,
  ],
  [['settle', 'lion', ...cards], 'unknown-game', 1],
  [['settle', 'tiger', '--cards', ''], 'incomplete-deal', 1],
  [['settle', 'tiger', '--cards', '9S 2C 9H'], 'incomplete-deal', 1],
  [['settle', 'tiger', '--cards', '9S 2C 9H 4X'], 'unknown-card', 1],
  [['settle', 'tiger', '--cards', '9S 2C 9H 41'], 'wrong-deck', 1],
  [['settle', 'sands-elements', ...cards], 'wrong-deck', 1],
  [['settle', 'tiger', '--cards', '9S 2C 9H 4D 5D'], 'card-after-deal', 1],
  [['settle', 'tiger', '--decks', '4', '--cards', 'TS TS TS TS TS TS'], 'too-many-copies', 1],
  [['settle', 'tiger', ...cards, '--decks', '3'], 'bad-decks', 1],
  [['settle', 'tiger', ...cards, '--decks', '11'], 'bad-decks', 1],
  [['settle', 'tiger', ...cards, '--decks', '4.5'], 'bad-decks', 1],
  [['settle', 'tiger', ...cards, '--decks', 'many'], 'malformed-argument', 2],
  [['settle', 'tiger', ...cards, '--stake', 'banker'], 'malformed-argument', 2],
  [['settle', 'tiger', ...cards, '--stake', 'banker=ten'], 'malformed-argument', 2],
  [['settle', 'tiger', ...cards, '--stake', 'banker=20', '--stake', 'banker=20'], 'malformed-argument', 2],
  [['settle', 'tiger', ...cards, '--stake', 'lion=20'], 'unknown-wager', 1],
  [['settle', 'tiger', ...cards, '--stake', 'banker=10'], 'off-step-stake', 1],
  [['settle', 'tiger', ...cards, '--stake', 'banker=0'], 'bad-stake', 1],
  [['settle', 'tiger', ...cards, '--stake', 'banker=-20'], 'bad-stake', 1],
  [['settle', 'tiger', ...cards, '--stake', 'banker=20.5'], 'bad-stake', 1],
  [['settle', 'tiger', ...cards, '--stake', 'tiger-pair=9007199254740980'], 'too-large-stake', 1],
  [['settle', 'tiger', '--jsonl'], 'unexpected-argument', 2],
  [['settle', '--jsonl', ...cards], 'unexpected-argument', 2],
  [['roads'], 'missing-argument', 2],
  [['certain'], 'missing-argument', 2],
  [['certain', 'tiger'], 'missing-argument', 2],
  [['certain', 'tiger', ...cards, '--wager', 'tie', '--wager', 'tie'], 'repeated-wager', 1],
  [['certain', 'tiger', ...cards, '--wager', 'player-pair'], 'unknown-wager', 1],
];

test.for(errors)('punto %j is refused as %s with exit code %i', ([words, code, status]) => {
  const ran = punto(words);
  expect([ran.status, ran.stdout]).toEqual([status, '']);
  // One sentence on one line, with what to do after a semicolon or a colon, and the code.
  expect(ran.stderr).toMatch(new RegExp(`^punto: [^\\n]+[.] \\(${code}\\)\\n$`));
});

test('a bad game file is refused with the place', () => {
  const bad = fileWith('bad.json', punto(['rules', 'tiger', '--json']).stdout.replace('"tie"', '"tea"'));
  expect(punto(['rules', '--file', bad])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/wagers\.player\.lines\[0\]\.when\.winner: .*\(bad-game\)\n$/) as string,
  });
  expect(punto(['rules', '--file', fileWith('not.json', '{')])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('(not-json)') as string,
  });
});

test('the codes that a command line or a line of input can meet are all of them but a few', () => {
  // Those of lines, shoes and files are met in the tests beside this one; these need a table, a clock, a defect or a full disk.
  const elsewhere = [
    'wager-not-optional',
    'game-not-in-force',
    'broken',
    'unwritable-output',
    'unmet-expectation',
    ...floorRefusals,
    ...Object.keys(tableRefusals),
    // Of a server: tests/server, and serve.test.ts beside this one.
    ...wireRefusals,
    'address-unavailable',
    'damaged-record',
    'data-in-use',
    'newer-record',
    'not-found',
    'unusable-data',
    'wrong-key',
  ];
  const ofLines = [
    'bad-shoe',
    'bad-simulation',
    'bad-request',
    'bad-results',
    'empty-line',
    'line-too-long',
    'not-json',
    'unknown-field',
    'bad-game',
  ];
  const met = new Set([...errors.map(([, code]) => code), ...ofLines, ...elsewhere]);
  expect([...met].toSorted()).toEqual(errorCodes);
});

test('guide shows the ten games, a pay table and a settled round', () => {
  const { status, stdout, stderr } = punto(['guide']);
  expect([status, stderr]).toEqual([0, '']);
  for (const { name } of games) expect(stdout).toContain(name);
  expect(stdout).toContain('HOW TO READ A PAY TABLE');
  expect(stdout).toMatch(/^ {2}banker +win +10\.00 +10\.00 +0\.50 +9\.50 +19\.50 +ETG 4\.7$/m);
});

test('bin/punto runs from any folder, through a link, and hands on input, output and exit code', () => {
  const bin = fileURLToPath(new URL('../../bin/punto', import.meta.url));
  const link = join(folder, 'punto');
  symlinkSync(bin, link);
  const good = spawnSync(process.execPath, [link, 'settle', '--jsonl'], {
    cwd: folder,
    input: '{"game":"tiger","cards":["9S","2C","9H","4D"]}\n',
    encoding: 'utf8',
  });
  expect([good.status, good.stderr]).toEqual([0, '']);
  expect(JSON.parse(good.stdout)).toMatchObject({ game: 'tiger', winner: 'player' });
  const bad = spawnSync(process.execPath, [link, 'lobby'], { cwd: folder, encoding: 'utf8' });
  expect([bad.status, bad.stdout]).toEqual([2, '']);
});
