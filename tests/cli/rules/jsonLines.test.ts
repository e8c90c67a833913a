import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { answerJsonLines } from '../../../src/cli/support/jsonLines.ts';
import { games } from '../../../src/games/registry.ts';
import { wagerIdsOf } from '../../../src/rules/game.ts';
import { hashOf } from '../../../src/base/canonicalJson.ts';
import { Kept, answersIn, punto } from '../support/punto.ts';

const settle = (input: string | Buffer) => punto(['settle', '--jsonl'], input);
const certain = (input: string) => punto(['certain', '--jsonl'], input);
const good = '{"game":"tiger","decks":8,"cards":["9S","2C","9H","4D"]}';

test('settle --jsonl answers with the round and every wager of the game', async () => {
  const ran = await settle(`${good}\n`);
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(answersIn(ran)).toEqual([
    {
      game: 'tiger',
      version: '2021-10-28',
      hash: hashOf(games.find(({ id }) => id === 'tiger')),
      cards: ['9S', '2C', '9H', '4D'],
      player: { cards: ['9S', '9H'], total: 8 },
      banker: { cards: ['2C', '4D'], total: 6 },
      winner: 'player',
      wagers: {
        player: { result: 'win', net: '1', by: 'ETG 4.7' },
        banker: { result: 'lose', net: '-1', by: 'ETG 3.9' },
        tie: { result: 'lose', net: '-1', by: 'ETG 1.1.17' },
        tiger: { result: 'lose', net: '-1', by: 'ETG 1.1.18' },
        'small-tiger': { result: 'lose', net: '-1', by: 'ETG 1.1.14' },
        'big-tiger': { result: 'lose', net: '-1', by: 'ETG 1.1.2' },
        'tiger-tie': { result: 'lose', net: '-1', by: 'ETG 1.1.20' },
        'tiger-pair': { result: 'win', net: '4', by: 'ETG 4.9' },
      },
    },
  ]);
});

test('net is a reduced fraction: 19/20, 1/2, 0, 8', async () => {
  const lines = [
    '{"game":"baccarat","cards":["JS","9D","TC","8D","5C"],"wagers":["banker"]}',
    '{"game":"no-commission","cards":["9C","6H","AH","JD","3H"],"wagers":["banker"]}',
    '{"game":"fabulous-4","cards":["QH","9S","AH","5H","KD"],"wagers":["banker"]}',
    '{"game":"sands-elements","cards":["L1","72","82","A3"],"wagers":["tie"]}',
  ];
  const nets = answersIn(await settle(lines.join('\n'))).flatMap((answer) =>
    Object.values((answer as { wagers: Record<string, { net: string }> }).wagers).map(({ net }) => net),
  );
  expect(nets).toEqual(['19/20', '1/2', '0', '8']);
});

test('cards are read in either case and printed upper', async () => {
  const [answer] = answersIn(await settle('{"game":"tiger","cards":["9s","10c","9H","kd"]}'));
  expect(answer).toMatchObject({ cards: ['9S', 'TC', '9H', 'KD'] });
});

test('decks are eight unless given', async () => {
  const line = (decks: string) => `{"game":"tiger"${decks},"cards":["TS","TS","TS","TS","TS","TS"]}\n`;
  expect(answersIn(await settle(line('') + line(',"decks":8') + line(',"decks":5')))).toMatchObject([
    { winner: 'tie' },
    { winner: 'tie' },
    { error: { code: 'too-many-copies' } },
  ]);
});

test('a deeply nested line does not affect other lines', async () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const ran = await settle(
    `${good}\n${deep}\n{"game":${deep},"cards":[]}\n{"game":"tiger","cards":[${deep}]}\n${good}\n`,
  );
  expect([ran.status, ran.stderr]).toEqual([1, '']);
  expect(answersIn(ran).map((answer) => Object.keys(answer as object)[0])).toEqual([
    'game',
    'error',
    'error',
    'error',
    'game',
  ]);
});

test('a bad line is answered with an error, the others are answered, and the exit code is 1', async () => {
  const ran = await settle(`${good}\n\n${good}\n`);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toBe('');
  expect(answersIn(ran)).toMatchObject([
    { game: 'tiger' },
    { error: { code: 'empty-line' }, line: 2 },
    { game: 'tiger' },
  ]);
});

test('a final newline is no line, and the last line counts without one', async () => {
  expect(answersIn(await settle(good))).toHaveLength(1);
  expect(answersIn(await settle(`${good}\n`))).toHaveLength(1);
  expect(answersIn(await settle(`${good}\r\n${good}\r\n`))).toMatchObject([{ game: 'tiger' }, { game: 'tiger' }]);
  expect(answersIn(await settle(`${good}\n\n`))).toHaveLength(2);
  expect(await settle('')).toEqual({ status: 0, stdout: '', stderr: '' });
});

/** A well-formed line of a given length in bytes. */
const ofBytes = (bytes: number): string => `${good}${' '.repeat(bytes - good.length)}`;

test('a line of 65,536 bytes is read, one more is too long, and the next line is read again', async () => {
  const ran = await settle(`${ofBytes(65_536)}\n${ofBytes(65_537)}\n${'x'.repeat(3_000_000)}\n${good}\n`);
  expect(answersIn(ran)).toMatchObject([
    { game: 'tiger' },
    { error: { code: 'line-too-long' }, line: 2 },
    { error: { code: 'line-too-long' }, line: 3 },
    { game: 'tiger' },
  ]);
  expect(answersIn(await settle('x'.repeat(70_000)))).toMatchObject([{ error: { code: 'line-too-long' }, line: 1 }]);
});

/** One line for each kind of mistake. */
test.for([
  ['   ', 'empty-line'],
  ['\r', 'empty-line'],
  ['{', 'not-json'],
  ['hello', 'not-json'],
  ['{"game":"tiger",}', 'not-json'],
  ['[]', 'bad-request'],
  ['null', 'bad-request'],
  ['7', 'bad-request'],
  ['"tiger"', 'bad-request'],
  ['{}', 'bad-request'],
  ['{"game":"tiger"}', 'bad-request'],
  ['{"cards":[]}', 'bad-request'],
  ['{"game":7,"cards":[]}', 'bad-request'],
  ['{"game":"tiger","cards":"9S 2C"}', 'bad-request'],
  ['{"game":"tiger","cards":[9]}', 'bad-request'],
  ['{"game":"tiger","cards":null}', 'bad-request'],
  ['{"game":"tiger","cards":[],"decks":"8"}', 'bad-request'],
  ['{"game":"tiger","cards":[],"decks":null}', 'bad-request'],
  ['{"game":"tiger","cards":[],"wagers":"tie"}', 'bad-request'],
  ['{"game":"tiger","cards":[],"deck":8}', 'unknown-field'],
  ['{"game":"tiger","cards":[],"__proto__":{}}', 'unknown-field'],
  ['{"game":"lion","cards":[]}', 'unknown-game'],
  ['{"game":"__proto__","cards":[]}', 'unknown-game'],
  ['{"game":"tiger","cards":[]}', 'incomplete-deal'],
  ['{"game":"tiger","cards":["9S","2C","9H"]}', 'incomplete-deal'],
  ['{"game":"tiger","cards":["9S","2C","9H","4D","AS"]}', 'card-after-deal'],
  ['{"game":"tiger","cards":["9S","2C","9H","ZZ"]}', 'unknown-card'],
  ['{"game":"tiger","cards":["9S","2C","9H",""]}', 'unknown-card'],
  ['{"game":"tiger","cards":["9S","2C","9H","L4"]}', 'wrong-deck'],
  ['{"game":"tiger","decks":4,"cards":["TS","TS","TS","TS","TS","TS"]}', 'too-many-copies'],
  ['{"game":"tiger","decks":3,"cards":["9S","2C","9H","4D"]}', 'bad-decks'],
  ['{"game":"tiger","decks":11,"cards":["9S","2C","9H","4D"]}', 'bad-decks'],
  ['{"game":"tiger","decks":7.5,"cards":["9S","2C","9H","4D"]}', 'bad-decks'],
  ['{"game":"tiger","decks":1e99,"cards":["9S","2C","9H","4D"]}', 'bad-decks'],
  ['{"game":"tiger","wagers":["lion"],"cards":["9S","2C","9H","4D"]}', 'unknown-wager'],
  ['{"game":"tiger","wagers":["tie","tie"],"cards":["9S","2C","9H","4D"]}', 'repeated-wager'],
] as const)('%s is refused as %s', async ([line, code]) => {
  const ran = await settle(`${line}\n`);
  expect([ran.status, ran.stderr]).toEqual([1, '']);
  const answers = answersIn(ran);
  expect(answers).toEqual([{ error: { code, message: expect.stringMatching(/^.{10,400}\.$/) as string }, line: 1 }]);
});

test('a defect on one line is answered with an error, printed to standard error, and does not affect other lines', async () => {
  const [output, errors] = [new Kept(), new Kept()];
  const input = Readable.from([Buffer.from('{"n":1}\n{"n":2}\n')]);
  const status = await answerJsonLines({ input, output, errors, signals: new EventEmitter() }, (request) => {
    if (request['n'] === 1)
      throw new Error('a sentence of more than sixty characters that ends with the word that matters');
    return { fine: true };
  });
  expect(status).toBe(1);
  expect(
    output.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { error: { code: 'broken', message: expect.stringContaining('standard error') as string }, line: 1 },
    { fine: true },
  ]);
  expect(errors.text).toMatch(/^punto: failed on line 1: Error: a sentence .+ ends with the word that matters\n +at /);
});

test('bytes that are not UTF-8 are not JSON', async () => {
  // JSON but for two bytes within a text.
  const bytes = Buffer.from('{"game":"ti??ger","cards":[]}\n');
  bytes.fill(0xff, 11, 13);
  expect(answersIn(await settle(bytes))).toMatchObject([{ error: { code: 'not-json' }, line: 1 }]);
});

test('certain --jsonl tells what is established, over all wagers or those named', async () => {
  const ran = await certain(
    [
      '{"game":"tiger","cards":["2S","2C","2H"]}',
      '{"game":"tiger","wagers":["tie","player"],"cards":["2S","2C","2H"]}',
      '{"game":"tiger","wagers":[],"cards":["9S","2C","9H","4D"]}',
      '{"game":"baccarat","cards":["9s","2c","9h","4d"]}',
      '{"game":"tiger","cards":["9S","2C","9H","4D","5D"]}',
    ].join('\n'),
  );
  expect(ran.status).toBe(1);
  expect(answersIn(ran)).toEqual([
    { established: true, won: ['tiger-pair'], lost: [] },
    { established: false, won: [], lost: [] },
    { established: false, won: [], lost: [] },
    { established: true, won: ['player', 'player-pair'], lost: ['banker', 'tie', 'banker-pair'] },
    { error: { code: 'card-after-deal', message: expect.any(String) as string }, line: 5 },
  ]);
});

test('20,000 rounds of all games are answered in order, one line each', async () => {
  const deals: { readonly [deck: string]: readonly string[] } = {
    french: ['9S', '2C', '9H', '4D'],
    elements: ['91', '22', '93', '44'],
  };
  const requested = Array.from({ length: 20_000 }, (_, n) => games[n % games.length]!);
  const ran = await settle(
    requested.map(({ id, deck }) => `${JSON.stringify({ game: id, cards: deals[deck] })}\n`).join(''),
  );
  expect(ran.status).toBe(0);
  const answers = answersIn(ran) as { game: string; wagers: object }[];
  expect(answers.map(({ game }) => game)).toEqual(requested.map(({ id }) => id));
  for (const [n, { wagers }] of answers.entries()) expect(Object.keys(wagers)).toEqual(wagerIdsOf(requested[n]!));
});

test('each answer comes while input is still open, and a reader that closes the pipe ends the command quietly', async () => {
  const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'settle', '--jsonl'], { stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  child.stdin.on('error', () => undefined);
  const first = new Promise<string>((resolve) => child.stdout.once('data', (text: Buffer) => resolve(text.toString())));
  child.stdin.write(`${good}\n`);
  expect(await first).toContain('"game":"tiger"');
  child.stdout.destroy();
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.stdin.write(`${good}\n`.repeat(20_000));
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(errors).toBe('');
});
