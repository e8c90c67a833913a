import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { basename, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { errorCodes } from '../../src/cli/support/errorCodes.ts';
import { run } from '../../src/cli/run.ts';
import { runtimeRefusalCodes } from '../../src/runtime/stream/refusals.ts';
import { terminalErrorCodes } from '../../src/terminal/decision.ts';
import { signInRefusalCodes } from '../../src/runtime/staff/signInRefusals.ts';
import { floorDeciderErrorCodes } from '../../src/floor/decide.ts';
import { staffRegisterErrorCodes } from '../../src/staff/decision.ts';
import { tableRefusals } from '../../src/table/schema/refusals.ts';
import { serverRefusalCodes } from '../../src/wire/serverRefusalCodes.ts';
import { games } from '../../src/games/registry.ts';
import { factValues } from '../../src/rules/facts.ts';
import { chipStepOf, wagerIdsOf } from '../../src/rules/game.ts';
import { hashOf } from '../../src/base/canonicalJson.ts';
import { temporaryFolder } from '../temporary.ts';
import { punto, startPunto } from './support/punto.ts';

const folder = temporaryFolder('cli');

const fileWith = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test('punto --help lists every command by group within 80 columns', async () => {
  const { status, stdout, stderr } = await punto(['--help']);
  expect([status, stderr]).toEqual([0, '']);
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) +[A-Z][^\n]+\.$/gm)].map(([, name]) => name!);
  const sources = new URL('../../src/cli/', import.meta.url);
  const modules = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => readFileSync(new URL(file, sources), 'utf8').includes(': CliCommand = {'))
    .map((file) => basename(file));
  expect(names.map((name) => `${name}.ts`).toSorted()).toEqual(modules.toSorted());
  expect(stdout.match(/^[A-Z][\w, ]+:$/gm)).toHaveLength(5);
});

test('each command prints its usage with --help and -h, on standard output', async () => {
  const { stdout: top } = await punto(['--help']);
  for (const [, name] of top.matchAll(/^ {2}([a-z]+) /gm)) {
    for (const word of ['--help', '-h']) {
      const { status, stdout, stderr } = await punto([name!, word]);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`Usage: punto ${name}`);
    }
  }
});

test('--version prints the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(startPunto(['--version'])).toEqual({ status: 0, stdout: `punto ${version}\n`, stderr: '' });
});

test('the process ends with the exit code of its command, and prints refusals to standard error', () => {
  expect(startPunto(['lobby'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'punto: punto has no command "lobby"; `punto --help` lists all commands and options. (unknown-command)\n',
  });
  expect(startPunto(['certain', '--jsonl'], '{"game":"tiger","cards":[]}\n{}\n')).toMatchObject({
    status: 1,
    stderr: '',
  });
});

test('a defect is printed with its stack and its cause', async () => {
  const cause = new Error('the reason behind it');
  const failing = new Writable({
    write() {
      throw new Error(`a sentence of more than sixty characters that ends with the word that matters`, { cause });
    },
  });
  let printed = '';
  const errors = new Writable({
    write(part: Buffer, _, done) {
      printed += part.toString('utf8');
      done();
    },
  });
  const status = await run(['games'], {
    input: Readable.from([]),
    output: failing,
    errors,
    signals: new EventEmitter(),
  });
  expect(status).toBe(1);
  expect(printed).toMatch(/^punto: Punto failed; please report it with the lines below\. \(broken\)\n/);
  expect(printed).toContain('ends with the word that matters');
  expect(printed).toContain('the reason behind it');
  expect(printed).toContain('commands.test.ts:');
});

test('games --json lists the ten games with book, date, wagers, step and hash', async () => {
  const { status, stdout, stderr } = await punto(['games', '--json']);
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
      stepCents: chipStepOf(game),
      wagers: wagerIdsOf(game),
      hash: hashOf(game),
    })),
  );
});

test('games prints one row for each game', async () => {
  const { stdout } = await punto(['games']);
  for (const { id, name } of games) expect(stdout).toMatch(new RegExp(`^${id} .*${name}$`, 'm'));
});

test('rules --json prints the game itself, and reads it back from a file', async () => {
  for (const game of games) {
    const { status, stdout } = await punto(['rules', game.id, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(game);
    const again = await punto(['rules', '--file', fileWith(`${game.id}.json`, stdout), '--json']);
    expect(again).toMatchObject({ status: 0, stdout });
  }
});

test('rules prints every line of every wager with its clause', async () => {
  for (const game of games) {
    const { stdout } = await punto(['rules', `${game.id}@${game.version}`]);
    expect(stdout).toContain(hashOf(game));
    for (const [id, wager] of Object.entries(game.wagers)) {
      expect(stdout).toMatch(new RegExp(`^${id}( \\*)? `, 'm'));
      for (const { by } of wager.lines) expect(stdout).toContain(by);
    }
  }
});

test('rules --facts lists every fact with its values', async () => {
  expect(JSON.parse((await punto(['rules', '--facts', '--json'])).stdout)).toEqual(factValues);
  const { stdout } = await punto(['rules', '--facts']);
  for (const [name, values] of Object.entries(factValues)) {
    expect(stdout).toMatch(new RegExp(`^${name} +${values.join(' ')} `, 'm'));
  }
});

test('settle prints hands, winner, results and clauses', async () => {
  const { status, stdout, stderr } = await punto(['settle', 'tiger', '--cards', '9s 2c 9h 4d']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Player  9S 9H     8\nBanker  2C 4D     6\nPlayer wins.\n');
  expect(stdout).toMatch(/^tiger-pair +win +\+4 +ETG 4\.9$/m);
  expect(stdout).toMatch(/^banker +lose +-1 +ETG 3\.9$/m);
});

test('settle with stakes prints gross, commission, won and returned in money', async () => {
  const stakes = ['--stake', 'banker=1000', '--stake', 'tie=200', '--stake', 'tiger=123400'];
  const { status, stdout } = await punto(['settle', 'tiger', '--cards', '6S,10D,5D,6C,9H', '--decks', '6', ...stakes]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^banker +win +10\.00 +10\.00 +0\.50 +9\.50 +19\.50 +ETG 4\.7$/m);
  expect(stdout).toMatch(/^tie +lose +2\.00 +0\.00 +0\.00 +0\.00 +0\.00 +ETG 1\.1\.17$/m);
  expect(stdout).toMatch(/^tiger +win +1,234\.00 +14,808\.00 +0\.00 +14,808\.00 +16,042\.00 +ETG 4\.10$/m);
  expect(stdout).toMatch(/^total +1,246\.00 +14,818\.00 +0\.50 +14,817\.50 +16,061\.50$/m);
});

test('[BAC 1.1.1] a settled line gives gross win, commission and net, and a tie or a lost stake bears none', async () => {
  const lineOf = async (cards: string): Promise<string | undefined> => {
    const { stdout } = await punto(['settle', 'baccarat', '--cards', cards, '--stake', 'banker=1000']);
    expect(stdout).toMatch(/^wager +result +stake +gross +commission +won +returned +clause$/m);
    return /^banker .+$/m.exec(stdout)?.[0].replaceAll(/ +/g, ' ');
  };
  expect(await lineOf('JS 9D TC 8D 5C')).toBe('banker win 10.00 10.00 0.50 9.50 19.50 BAC 4.1');
  expect(await lineOf('8H 3C KD 5D')).toBe('banker push 10.00 0.00 0.00 0.00 10.00 BAC 3.10.1');
  expect(await lineOf('9S 2C 9H 4D')).toBe('banker lose 10.00 0.00 0.00 0.00 0.00 BAC 3.10');
});

test('settle accepts a stake by the step of its wager, also written 1e3', async () => {
  const stakes = ['--stake', 'tie=5', '--stake', 'player=1e3'];
  const { status, stdout } = await punto(['settle', 'tiger', '--cards', '8H 3C KD 5D', ...stakes]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^tie +win +0\.05 +0\.40 +0\.00 +0\.40 +0\.45 +ETG /m);
  expect(stdout).toMatch(/^player +push +10\.00 /m);
  expect(await punto(['settle', 'tiger', '--cards', '8H 3C KD 5D', '--stake', 'banker=1'])).toMatchObject({
    status: 1,
    stderr: 'punto: A stake of 1 cent on banker cannot be paid exactly; use a multiple of 20 cents. (off-step-stake)\n',
  });
});

test('settle prints the winner or the tie', async () => {
  const verdict = async (cards: string) =>
    (await punto(['settle', 'baccarat', '--cards', cards])).stdout.split('\n')[5];
  expect(await verdict('8H 3C KD 5D')).toBe('Tie.');
  expect(await verdict('KC 8S QD KH')).toBe('Banker wins.');
});

test('a command fails with one sentence when its output cannot be written', () => {
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
  const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${main}" games > /dev/full`], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    'punto: The output cannot be written (ENOSPC); free disk space and try again. (unwritable-output)\n',
  ]);
});

test('settle reads a custom game from a file', async () => {
  const game = (await punto(['rules', 'tiger', '--json'])).stdout.replace(/35,\n/, '45,\n');
  const file = fileWith('tiger45.json', game);
  const { status, stdout } = await punto(['settle', '--file', file, '--cards', 'QD 9D AS 7S 5D']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^tiger-tie +win +\+45 +ETG 4\.10$/m);
  expect((await punto(['settle', 'tiger', '--file', file, '--cards', 'QD 9D AS 7S 5D'])).status).toBe(0);
  expect(await punto(['settle', 'baccarat', '--file', file, '--cards', 'QD 9D AS 7S 5D'])).toMatchObject({
    status: 1,
    stdout: '',
  });
});

test('certain prints the wagers that are decided', async () => {
  const { status, stdout } = await punto(['certain', 'tiger', '--cards', '2S 2C 4H']);
  expect(status).toBe(0);
  expect(stdout).toBe(
    'An outcome is established: after an interruption the round continues.\nwon   -\nlost  tiger small-tiger big-tiger\n',
  );
  expect((await punto(['certain', 'tiger', '--cards', ''])).stdout).toContain(
    'No outcome is established: after an interruption the round is void.',
  );
  expect((await punto(['certain', 'tiger', '--cards', '2S 2C 4H', '--wager', 'tie'])).stdout).toContain('No outcome');
});

const cards = ['--cards', '9S 2C 9H 4D'];

/** One command line for each error code: arguments, code, exit code. */
const errors: readonly (readonly [readonly string[], string, number])[] = [
  [[], 'missing-argument', 2],
  [['lobby'], 'unknown-command', 2],
  [['--colour'], 'unknown-option', 2],
  [['games', '--colour'], 'unknown-option', 2],
  [['games', '-x'], 'unknown-option', 2],
  [['games', 'tiger'], 'unexpected-argument', 2],
  [['games', '--json=yes'], 'malformed-argument', 2],
  [['vectors'], 'missing-argument', 2],
  [['vectors', '--out', '.'], 'folder-not-empty', 1],
  [['labpack', '--out', '.'], 'folder-not-empty', 1],
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
  [['settle', 'tiger', ...cards, '--stake', 'banker=1e'], 'malformed-argument', 2],
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

test.for(errors)('punto %j is refused as %s with exit code %i', async ([args, code, status]) => {
  const ran = await punto(args);
  expect([ran.status, ran.stdout]).toEqual([status, '']);
  // One sentence on one line, with what to do after a semicolon or a colon, and the code.
  expect(ran.stderr).toMatch(new RegExp(`^punto: [^\\n]+[.] \\(${code}\\)\\n$`));
});

test('a malformed game file is refused with the path of the mistake', async () => {
  const bad = fileWith('bad.json', (await punto(['rules', 'tiger', '--json'])).stdout.replace('"tie"', '"tea"'));
  expect(await punto(['rules', '--file', bad])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/wagers\.player\.lines\[0\]\.when\.winner: .*\(bad-game\)\n$/) as string,
  });
  expect(await punto(['rules', '--file', fileWith('not.json', '{')])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('(not-json)') as string,
  });
});

test('every error code but the listed ones is reached by a command line or an input line', () => {
  // Those of lines, shoes and files are met in the tests beside this one; these need a table, a clock, a defect or a full disk.
  const elsewhere = [
    'wager-not-optional',
    'game-not-in-force',
    'broken',
    'unwritable-output',
    'unmet-expectation',
    ...runtimeRefusalCodes,
    ...Object.keys(tableRefusals),
    ...terminalErrorCodes,
    // Of a server: tests/server; floor/{serve,disk,tls,network}, eventLog/{anchor,encryptedBlobs,unsignedEntries} here.
    ...serverRefusalCodes,
    ...floorDeciderErrorCodes,
    // Of staff: tests/staff, tests/runtime/staff/staffAccounts.test.ts.
    ...staffRegisterErrorCodes,
    ...signInRefusalCodes,
    'address-unavailable',
    'already-enrolled',
    'anchor-missing',
    'bad-certificate',
    'behind-anchor',
    'clock-far',
    'damaged-anchor',
    'damaged-backup',
    'damaged-blob',
    'damaged-record',
    'data-in-use',
    'missing-record',
    'newer-record',
    'older-record',
    'not-found',
    'record-lost',
    'unknown-terminal',
    'unsigned-entries',
    'unusable-anchor',
    'unusable-data',
    'wrong-key',
    // Of an installation: installation.test.ts beside this one.
    'screens-not-built',
    // Of a property: floor/property.test.ts.
    'bad-property',
    'file-exists',
    'other-property',
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

test('guide shows the ten games, a pay table and a settled round', async () => {
  const { status, stdout, stderr } = await punto(['guide']);
  expect([status, stderr]).toEqual([0, '']);
  for (const { name } of games) expect(stdout).toContain(name);
  expect(stdout).toContain('HOW TO READ A PAY TABLE');
  expect(stdout).toMatch(/^ {2}banker +win +10\.00 +10\.00 +0\.50 +9\.50 +19\.50 +ETG 4\.7$/m);
});

test('bin/punto runs from any folder and through a symbolic link, and passes on input, output and exit code', () => {
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
