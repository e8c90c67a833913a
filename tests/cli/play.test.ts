import { formatMoney } from '../../src/base/formatMoney.ts';
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { autoPlay } from '../../src/cli/play/autoPlay.ts';
import { type RandomSource, createSeededRandom, fairShuffle, systemRandom } from '../../src/runtime/ports/random.ts';
import { playInteractively } from '../../src/cli/play/interactive.ts';
import { run } from '../../src/cli/run.ts';
import { Seat } from '../../src/cli/play/seat.ts';
import { parseInput } from '../../src/cli/play/parseInput.ts';
import { errorCodes } from '../../src/cli/support/errorCodes.ts';
import { findGame, games } from '../../src/games/registry.ts';
import { cardsOfDeck } from '../../src/rules/card.ts';
import { type Game, wagerIdsOf } from '../../src/rules/game.ts';
import { Kept, punto } from './support/punto.ts';

const tiger = findGame('tiger', '2026-01-01T00:00:00') as Game;
const neverAborted = new AbortController().signal;

/** A clock that advances at each read. */
const clock = (): (() => number) => {
  let at = 1_700_006_400_000;
  return () => (at += 3000);
};

const seatAt = (game: Game, seed: string, credit?: number): Seat =>
  new Seat(game, { random: createSeededRandom(seed), clock: clock(), ...(credit !== undefined && { credit }) });

async function playAutomatically(seat: Seat, rounds: number, signal = neverAborted): Promise<string> {
  const lines: string[] = [];
  await autoPlay(seat, rounds, (...more) => lines.push(...more), signal);
  return lines.join('\n');
}

/** Output after these input lines. */
async function playLines(seat: Seat, ...lines: readonly string[]): Promise<string> {
  const output = new PassThrough();
  let text = '';
  output.on('data', (part: Buffer) => (text += part.toString()));
  await playInteractively(seat, { input: Readable.from(lines.map((line) => `${line}\n`)), output, cardDelayMs: 0 });
  return text;
}

/** Answers at the prompt, one line each. */
const answersIn = (text: string): readonly string[] => text.split('\n> ').map((answer) => answer.split('\n')[0]!);

test('the same seed plays the same rounds, another seed others, and the credits add up', async () => {
  const seat = seatAt(tiger, 'one');
  const text = await playAutomatically(seat, 20);
  expect(await playAutomatically(seatAt(tiger, 'one'), 20)).toBe(text);
  expect(await playAutomatically(seatAt(tiger, 'two'), 20)).not.toBe(text);
  const { rounds, loaded, staked, returned, credit } = seat.totals;
  expect([rounds, loaded, staked]).toEqual([20, 100_000, 6000]);
  expect(loaded + returned - staked).toBe(credit);
  expect(text.split('\n').at(-1)).toMatch(
    new RegExp(`^ +20 +1,000\\.00 +60\\.00 +${formatMoney(returned)} +${formatMoney(credit)}$`),
  );
});

test.for(games.map((game) => [game.id, game] as const))(
  '%s plays 200 rounds over a change of shoe, with a stake on every wager',
  async ([, game]) => {
    const seat = seatAt(game, game.id);
    const text = await playAutomatically(seat, 200);
    const { rounds, loaded, staked, returned, credit } = seat.totals;
    expect(rounds).toBe(200);
    expect(loaded + returned - staked).toBe(credit);
    const size = 8 * cardsOfDeck(game.deck).length;
    const counted = `has ended. Its cards and salts match the root: ${size} cards expected, ${size} seen, missing none, extra none.`;
    expect(text).toContain(`Shoe V1 ${counted}`);
    expect(text).toContain(`Shoe V2 ${counted}`);
    expect(text).toContain('The cutting card is out: this is the last round of the shoe.');
    for (const wager of wagerIdsOf(game)) expect(text).toMatch(new RegExp(`^${wager} +(win|push|lose) +1\\.00 `, 'm'));
  },
);

test('a round shows its cards with the totals, why a third card is drawn, the payments, the credit and the roads', async () => {
  const text = await playAutomatically(seatAt(tiger, 'a'), 3);
  expect(text).toContain(
    [
      'Round 3 of shoe V1. Place your bets, please.',
      'Bet 3.00 (tiger-tie 1.00, tiger-pair 1.00, player 1.00), credit 993.00.',
      'No more bets.',
      '  P1  KC  Player 0',
      '  B1  JS  Banker 0',
      '  P2  JD  Player 0',
      '  B2  3H  Banker 3',
      '  P3  5H  Player 5   draws on 0',
      '  B3  6H  Banker 9   draws on 3 against 5',
      'Banker wins with 9 against 5.',
      '',
      'wager       result  stake   won  commission  returned  clause',
      'tiger-tie   lose     1.00  0.00        0.00      0.00  ETG 1.1.20',
      'tiger-pair  lose     1.00  0.00        0.00      0.00  ETG 1.1.19',
      'player      lose     1.00  0.00        0.00      0.00  ETG 3.9',
      'total                3.00  0.00        0.00      0.00',
      'Credit 993.00.',
      '',
      'bead plate                big road',
      'P  .  .  .  .  .  .  .    P  B  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .',
      'P  .  .  .  .  .  .  .    P  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .',
      'B  .  .  .  .  .  .  .    .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .',
    ].join('\n'),
  );
  expect(text).toContain('A natural: Player wins with 8 against 4.');
  expect(text).toMatch(/^ {2}[0-9a-f]{64}$/m);
});

test('play --auto loads demo credit and prints it when the credit is too low for any stake', async () => {
  const seat = seatAt(tiger, 'low', 250);
  const text = await playAutomatically(seat, 40);
  expect(text).toContain('The credit is too low for any stake. Loaded 1,000.00 of demo credit.');
  const { loaded, staked, returned, credit } = seat.totals;
  expect(loaded).toBe(100_250);
  expect(loaded + returned - staked).toBe(credit);
});

test('play --auto exits 130 on SIGINT and says how many of the rounds were played', async () => {
  const [output, errors, signals] = [new Kept(), new Kept(), new EventEmitter()];
  const running = run(['play', '--auto', '10000'], { input: Readable.from([]), output, errors, signals });
  await once(output, 'kept');
  signals.emit('SIGINT');
  expect(await running).toBe(130);
  expect(errors.text).toMatch(/^punto: Interrupted after \d+ of 10000 rounds\.\n$/);
});

test('a signal stops automatic play between two rounds', async () => {
  const stop = new AbortController();
  stop.abort();
  const seat = seatAt(tiger, 'stop');
  expect(await playAutomatically(seat, 5, stop.signal)).toMatch(/ 0 +1,000\.00 +0\.00 +0\.00 +1,000\.00$/);
});

test('a patron stakes, doubles, undoes, clears, bets again and leaves', async () => {
  const seat = seatAt(tiger, 'a');
  const text = await playLines(
    seat,
    'tiger 5',
    'Banker 40.00',
    'big 2',
    'x2',
    'undo',
    'tiger pair 1',
    'tiger-pair 0',
    'clear',
    'undo',
    'deal',
    'rebet',
    'undo',
    'tie 9',
    'quit',
  );
  expect(answersIn(text).slice(1)).toEqual([
    'Bet 5.00 (tiger 5.00), credit 995.00.',
    'Bet 45.00 (tiger 5.00, banker 40.00), credit 955.00.',
    'Bet 47.00 (tiger 5.00, banker 40.00, big-tiger 2.00), credit 953.00.',
    'Bet 94.00 (tiger 10.00, banker 80.00, big-tiger 4.00), credit 906.00.',
    'Bet 47.00 (tiger 5.00, banker 40.00, big-tiger 2.00), credit 953.00.',
    'Bet 48.00 (tiger 5.00, banker 40.00, big-tiger 2.00, tiger-pair 1.00), credit 952.00.',
    'Bet 47.00 (tiger 5.00, banker 40.00, big-tiger 2.00), credit 953.00.',
    'No stakes, credit 1,000.00.',
    'Bet 47.00 (tiger 5.00, banker 40.00, big-tiger 2.00), credit 953.00.',
    'No more bets.',
    'Bet 47.00 (tiger 5.00, banker 40.00, big-tiger 2.00), credit 906.00.',
    'No stakes, credit 953.00.',
    'Bet 9.00 (tie 9.00), credit 944.00.',
    '',
  ]);
  // The stake on tie was never dealt for and went back.
  expect(text).toMatch(/ 1 +1,000\.00 +47\.00 +0\.00 +953\.00\n$/);
  expect(seat.slip).toEqual({});
});

test('a stake that breaks a limit is refused with code and clause, and the slip is unchanged', async () => {
  const seat = seatAt(tiger, 'a', 60_000);
  const text = await playLines(
    seat,
    'tiger 100.01',
    'tiger 101',
    'tiger 60',
    'tie 1',
    'x2',
    'tie 0.50',
    'player 500',
    'banker 200',
    'clear',
    'player 500',
    '',
    'rebet',
  );
  expect(answersIn(text).slice(1, -1)).toEqual([
    'A stake on tiger must be a multiple of 1.00. (off-step-stake, ETG 2.2)',
    'The maximum on tiger is 100.00; stake less. (over-maximum, ETG 2.2)',
    'Bet 60.00 (tiger 60.00), credit 540.00.',
    'Bet 61.00 (tiger 60.00, tie 1.00), credit 539.00.',
    'The maximum on tiger is 100.00; stake less. (over-maximum, ETG 2.2)',
    'A stake on tie must be a multiple of 1.00. (off-step-stake, ETG 2.2)',
    'Bet 561.00 (tiger 60.00, tie 1.00, player 500.00), credit 39.00.',
    'Not enough credit: you have 39.00; stake less, or type `load` for more. (not-enough-credit, ETG 2.2)',
    'No stakes, credit 600.00.',
    'Bet 500.00 (player 500.00), credit 100.00.',
    'No more bets.',
    'Bet 500.00 (player 500.00), credit 600.00.',
  ]);
});

test('x2, undo, clear, removal and rebet are refused when there is nothing to act on', async () => {
  const text = await playLines(seatAt(tiger, 'a'), 'x2', 'undo', 'clear', 'rebet', 'tie 0', '', 'rebet', 'undo');
  const answers = answersIn(text).slice(1);
  expect(answers[5]).toBe('No more bets.');
  expect(text).toContain('You had no stake in this round.');
  for (const n of [0, 1, 2, 3, 4, 6, 7])
    expect(answers[n]).toMatch(/^There is .+; place (one|a stake) first\. \(not-now\)$/);
});

test('a patron can print the layout, the rules, the roads and the help, and load credit', async () => {
  const text = await playLines(seatAt(tiger, 'a'), '', 'layout', 'rules', 'roads', 'help', 'load', 'QUIT');
  expect(text.match(/^banker +1\.00 +500\.00 +tie +push$/gm)).toHaveLength(2);
  expect(text).toContain('19 to 20 (1 to 1 less a commission of 1 in 20)');
  expect(text).toMatch(/^tiger-tie \* +tie at 6 +35 to 1 +ETG 4\.10$/m);
  expect(text).toMatch(/^big eye boy +small road +cockroach pig$/m);
  expect(text.match(/^ {2}rebet +place your last bet/gm)).toHaveLength(2);
  expect(text).toContain('Loaded 1,000.00 of demo credit.\nNo stakes, credit 2,000.00.');
});

test('play ends at the end of input, also in the middle of betting or at once', async () => {
  expect(await playLines(seatAt(tiger, 'a'), 'tie 5')).toMatch(/ 0 +1,000\.00 +0\.00 +0\.00 +1,000\.00\n$/);
  expect(await playLines(seatAt(tiger, 'a'))).toMatch(/ 0 +1,000\.00 +0\.00 +0\.00 +1,000\.00\n$/);
});

test('at a terminal input during the deal is ignored, and Ctrl-C finishes the round and ends play', async () => {
  const seat = seatAt(tiger, 'a');
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  const waitForText = async (expectedText: string): Promise<void> => {
    while (!text.includes(expectedText)) await once(output, 'data');
  };
  output.on('data', (part: Buffer) => (text += part.toString()));
  const played = playInteractively(seat, { input, output, cardDelayMs: 20 });
  input.write('tie 5\r\r');
  await waitForText('P1  9D');
  input.write('quit\r');
  await waitForText('Round 2 of shoe V1');
  input.write('tie 7\r\r');
  await waitForText('P1  AC');
  input.write('\u0003');
  await played;
  expect(text).not.toContain('Round 3');
  expect(seat.totals).toMatchObject({ rounds: 2, staked: 1200, credit: 98_800 });
});

/** Malformed input lines with their error codes. */
test.for([
  ['ti 5', 'unknown-wager'],
  ['lion 5', 'unknown-wager'],
  ['5 tiger', 'unknown-wager'],
  ['__proto__ 5', 'unknown-wager'],
  ['虎 5', 'unknown-wager'],
  ['\u001B[2J 5', 'unknown-wager'],
  ['lion', 'unknown-command'],
  ['constructor', 'unknown-command'],
  ['5', 'unknown-command'],
  ['tiger', 'missing-argument'],
  ['undo 2', 'unexpected-argument'],
  ['tiger -5', 'bad-stake'],
  ['tiger +5', 'bad-stake'],
  ['tiger 1e9', 'bad-stake'],
  ['tiger 0.001', 'bad-stake'],
  ['tiger .5', 'bad-stake'],
  ['tiger 5.', 'bad-stake'],
  ['tiger 1,000', 'bad-stake'],
  ['tiger ５', 'bad-stake'],
  ['tiger NaN', 'bad-stake'],
  ['tiger 0x10', 'bad-stake'],
  ['tiger 9999999999999', 'too-large-stake'],
  ['x'.repeat(201), 'line-too-long'],
  [`tiger ${'9'.repeat(1_000_000)}`, 'line-too-long'],
] as const)('%s is refused as %s', ([line, code]) => {
  expect(errorCodes).toContain(code);
  expect(parseInput(line, wagerIdsOf(tiger))).toEqual({
    refused: code,
    message: expect.stringMatching(/^\P{Cc}{10,300}\.$/u) as string,
  });
});

test('input has amounts to the cent, and wagers in either case or as a prefix', () => {
  const typed = (line: string) => parseInput(line, wagerIdsOf(tiger));
  expect(typed('tiger 0.29')).toEqual({ wager: 'tiger', amount: 29 });
  expect(typed('  TIGER-T   1.1 ')).toEqual({ wager: 'tiger-tie', amount: 110 });
  expect(typed('small 999999999999.99')).toEqual({ wager: 'small-tiger', amount: 99_999_999_999_999 });
  expect(typed('Tiger Pair 007')).toEqual({ wager: 'tiger-pair', amount: 700 });
  expect(typed('\t')).toEqual({ command: 'deal' });
});

test('seeded and system random numbers stay below their limit and reach every value', () => {
  for (const chance of [createSeededRandom(''), systemRandom]) {
    const seen = new Set(Array.from({ length: 400 }, () => chance.below(7)));
    expect(seen).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
    expect(chance.salt()).toMatch(/^[0-9a-f]{64}$/);
    expect(chance.salt()).not.toBe(chance.salt());
  }
});

test('a shuffle keeps every card and gives each order as often as any other', () => {
  const chance: RandomSource = createSeededRandom('orders');
  const counts = new Map<string, number>();
  for (let n = 0; n < 6000; n++) {
    const order = fairShuffle(['a', 'b', 'c'], chance).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
});

test('bin/punto play without a terminal plays three rounds of tiger and exits 0', () => {
  const bin = fileURLToPath(new URL('../../bin/punto', import.meta.url));
  const ran = spawnSync(process.execPath, [bin, 'play'], { cwd: '/', input: 'quit\n', encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout.match(/^Round \d of shoe V1\. Place your bets, please\.$/gm)).toHaveLength(3);
  expect(ran.stdout).toContain('Tiger Baccarat');
  expect(ran.stdout).toMatch(/ 3 +1,000\.00 +9\.00 +[\d.,]+ +[\d.,]+\n$/);
});

test('play --auto prints what its seed gives, and shoes of the system differ', async () => {
  const auto = (...args: string[]) => punto(['play', 'sands-elements', '--auto', '2', ...args]);
  expect(await auto('--seed', 'x')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: (await auto('--seed', 'x')).stdout,
  });
  expect((await auto()).stdout).not.toBe((await auto()).stdout);
  expect(await punto(['play', 'sands-elements', '--auto', '2e0', '--seed', 'x'])).toEqual(await auto('--seed', 'x'));
});

test.for([
  [['--auto', '0'], 'malformed-argument', 2],
  [['--auto', '10001'], 'malformed-argument', 2],
  [['--auto', '2.5'], 'malformed-argument', 2],
  [['--auto', '1e5'], 'malformed-argument', 2],
  [['--auto=-3'], 'malformed-argument', 2],
  [['--auto'], 'missing-argument', 2],
  [['tiger', 'tiger'], 'unexpected-argument', 2],
  [['lion'], 'unknown-game', 1],
] as const)('punto play %j is refused as %s with exit code %i', async ([args, code, status]) => {
  const ran = await punto(['play', ...args]);
  expect([ran.status, ran.stdout]).toEqual([status, '']);
  expect(ran.stderr).toMatch(new RegExp(`^punto: [^\\n]+[.] \\(${code}\\)\\n$`));
});
