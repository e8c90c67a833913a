import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { games } from '../../src/games/registry.ts';
import { type TableCommand } from '../../src/table/schema/commands.ts';
import { createSeededRandom } from '../../src/runtime/ports/random.ts';
import { randomCommand } from '../table/random.ts';
import { temporaryFolder } from '../temporary.ts';
import { honestStore } from '../verify/forgedStore.ts';
import { alterPayout, alterations, altered, withFalseBalance } from './alterations.ts';
import { type ExportedEntry, occurrences, rulingsOf } from './occurrences.ts';
import { rulings } from './rulings.ts';
import { StormFloor, StormTerminal, exportOf } from './stormFloor.ts';
import { StormTable } from './stormTable.ts';

const [program, chainCheck] = ['settle.mjs', 'check.mjs'].map((name) =>
  fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)),
) as [string, string];
// Fixed, because the tests count rare rulings and corrections.
const seed = 'settle 2';
const settle = (input: string, ...options: readonly string[]) =>
  spawnSync(process.execPath, [program, ...options], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
const settleLines = (lines: readonly string[]) => settle(`${lines.join('\n')}\n`);

const roundsOfGame = 100;

/** Every ruling at a table of each game, then plain rounds; the patrons of both tables are the same. */
function playStorm(names: readonly string[]): StormFloor {
  const floor = new StormFloor(`${seed} ${names.join(' ')}`);
  const patrons = ['T1', 'T2', 'T3', 'T4'].map((name) => new StormTerminal(floor, name));
  const [first, second, third, fourth] = patrons as [StormTerminal, StormTerminal, StormTerminal, StormTerminal];
  first.load('cash', 50_000_000);
  second.load('bill', 10_000_000);
  third.load('transfer', 10_000_000);
  fourth.load('promotion', 10_000_000);
  for (const [index, name] of names.entries()) {
    const table = new StormTable(floor, patrons, name, { chunk: index === 0 ? 2 : 1_000 });
    for (const ruling of Object.values(rulings)) {
      ruling(table);
      table.finish();
    }
    while (table.events('BetsOpened').length < roundsOfGame || table.hasArrangedDeals) table.playStorm();
  }
  // What another stream moves within a minute hides credit that COLLECT leaves behind.
  floor.at += 120_000;
  first.collect('cash');
  second.collect('transfer');
  fourth.redeem(third.collectTicket());
  fourth.collectTicket(1_000);
  fourth.payByHand();
  return floor;
}

const names = games.map(({ id }) => id);
const pairs = names.slice(0, names.length / 2).map((name, index) => [name, names[names.length / 2 + index]!] as const);
const storms = await Promise.all(pairs.map(async (pair) => playStorm(pair).exportLines()));
const bodyOf = (line: string) => (JSON.parse(line) as { body: ExportedEntry }).body;
const entries = storms.flatMap((lines) => lines.map(bodyOf));

/** Any commands in any order, by any actor, at a table of each game. */
function playAnything(): StormFloor {
  const floor = new StormFloor(`${seed} anything`);
  const patrons = ['seat-1', 'seat-2', 'seat-3'].map((name) => new StormTerminal(floor, name));
  for (const patron of patrons) patron.load('cash', 100_000);
  const { below } = floor.random;
  for (const name of names) {
    const table = new StormTable(floor, patrons, name, { chunk: 1 + below(2) });
    for (let commands = 0; commands < 400; commands++) {
      table.wait([0, 500, 2_000, 25_000][below(4)]!);
      const roll = { kind: below(1000), actor: below(1000), a: below(1000), b: below(100_000), wait: 0 };
      const { credits } = floor;
      const command = randomCommand(roll, table.table!, credits, undefined) as unknown as TableCommand;
      const { type, actor, ...fields } = command;
      // What a terminal has is not a matter of chance: false credit is a false shortfall.
      const honest = { ...fields, ...('credits' in fields && { credits }) };
      table.submit(type, honest, actor);
    }
  }
  return floor;
}

test('settle.mjs imports nothing of Punto', () => {
  const imports = readFileSync(program, 'utf8').matchAll(/\bfrom '([^']+)'|\bimport\(|\brequire\(/g);
  expect([...imports].every(([, from]) => from?.startsWith('node:'))).toBe(true);
});

describe('settle.mjs agrees with every payout of the ten games', () => {
  test.each(storms.map((lines, index) => [pairs[index]!.join(' and '), lines] as const))('%s', (_, lines) => {
    const { status, stdout, stderr } = settleLines(lines);
    expect([stdout, stderr, status]).toEqual([
      expect.stringMatching(
        /^\d+ rounds, \d+ payouts, \d+ accounts: all agree(?:; \d+ rounds? in play at the end)?\.\n$/,
      ),
      '',
      0,
    ]);
  });

  test.each(names)('%s is played for a hundred rounds, and each of its pay lines pays', (name) => {
    const game = games.find(({ id }) => id === name)!;
    const own = entries.filter(({ stream }) => stream.startsWith(`sg1/table/${name}-chunk`));
    expect(own.filter(({ event }) => event.type === 'BetsOpened').length).toBeGreaterThanOrEqual(roundsOfGame);
    const reached = new Set(
      own.flatMap(({ event }) =>
        Object.entries((event['results'] ?? {}) as { [wager: string]: { result: string; pays: number[] } }).map(
          ([wager, { result, pays }]) => `${wager} ${result} ${result === 'win' ? pays.join(' to ') : ''}`.trim(),
        ),
      ),
    );
    const lines = Object.entries(game.wagers).flatMap(([wager, { lines: payLines }]) => [
      `${wager} lose`,
      ...payLines.map(({ pays }) => (pays === 'push' ? `${wager} push` : `${wager} win ${pays.join(' to ')}`)),
    ]);
    expect(lines.filter((line) => !reached.has(line))).toEqual([]);
  });

  // Each floor has some; of commission, each of the two tables that have it.
  test.each(Object.entries(occurrences))('among them: %s', (what, isIt) => {
    expect(entries.filter(isIt).length).toBeGreaterThanOrEqual(what.startsWith('commission') ? 2 : storms.length);
  });

  test.each(names)('%s has every ruling of its rulebook', (name) => {
    const own = entries.filter(({ stream }) => stream.startsWith(`sg1/table/${name}-chunk`));
    const reached = new Set(own.map(({ event }) => `${event.type} by ${String(event['by'])}`));
    const wanted = rulingsOf(games.find(({ id }) => id === name)!);
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.filter((ruling) => !reached.has(ruling))).toEqual([]);
  });

  test('any commands in any order', async () => {
    const { stdout, status } = settleLines(await playAnything().exportLines());
    expect([stdout, status]).toEqual([
      expect.stringMatching(/: all agree(?:; \d+ rounds? in play at the end)?\.\n$/),
      0,
    ]);
  });

  test('a floor without staff, with an interruption, and its virtual shoes', async () => {
    const { stdout, status } = settleLines(await exportOf(await honestStore()));
    expect([stdout, status]).toEqual([
      expect.stringMatching(/: all agree(?:; \d+ rounds? in play at the end)?\.\n$/),
      0,
    ]);
  });

  test('a table with chips', async () => {
    const floor = new StormFloor(seed);
    const table = new StormTable(floor, [], 'baccarat', { bets: 'chips' });
    for (let rounds = 0; rounds < 5; rounds++) table.playStorm();
    const { stdout, status } = settleLines(await floor.exportLines());
    expect([stdout, status]).toEqual(['5 rounds, 0 payouts, 0 accounts: all agree.\n', 0]);
  });
});

describe('settle.mjs finds an altered payout', () => {
  const random = createSeededRandom(`${seed} altered`);
  const is = (type: string) => (entry: ExportedEntry) => entry.event.type === type;
  const others = ['SlipSet', 'ShortfallCollected', 'ShortfallWrittenOff', 'CreditLoaded', 'CreditCollected'];
  const payouts = Array.from({ length: 13 }, () => 'SettlementPosted').concat(others, 'SessionPaid', 'HandPaid');
  test.each(payouts.map((type, index) => [index + 1, type] as const))('%i, in %s', (index, type) => {
    let payout: ExportedEntry | undefined;
    const lines = altered(storms[index % storms.length]!, (all) => (payout = alterPayout(all, random, is(type))));
    const { stdout, status } = settleLines(lines);
    expect(stdout).toMatch(new RegExp(`${payout!.stream}, entry ${payout!.sequence}[,:]`));
    expect(stdout).toMatch(/: \d+ differences?\.\n$/);
    expect(status).toBe(1);
  });
});

describe('settle.mjs finds what is wrong although balances and hashes fit', () => {
  test.each(Object.entries(alterations))('%s', (_, [change, found]) => {
    const lines = altered(storms[0]!, change);
    expect(
      spawnSync(process.execPath, [chainCheck], { input: `${lines.join('\n')}\n`, encoding: 'utf8' }).stderr,
    ).not.toMatch(/does not (?:give its hash|follow)/);
    const { stdout, status } = settleLines(lines);
    expect([stdout, status]).toEqual([expect.stringMatching(found), 1]);
  });

  test('a balance that grows by itself', () => {
    const account = 'sg1/SGD/terminal/T1.1';
    const { stdout, status } = settleLines(withFalseBalance(storms[0]!, account));
    expect(stdout).toMatch(/: account sg1\/SGD\/terminal\/T1\.1, balance before: expected \d+, recorded \d+$/m);
    expect(status).toBe(1);
  });
});

describe('settle.mjs refuses what is no export, in one sentence', () => {
  const [lines] = storms as [readonly string[]];
  const without = (index: number): readonly string[] => lines.filter((_, at) => at !== index);
  const changed = (index: number, change: (body: { [field: string]: unknown }) => void): string => {
    const line = JSON.parse(lines[index]!) as { body: { [field: string]: unknown } };
    change(line.body);
    return [...lines.slice(0, index), JSON.stringify(line)].join('\n');
  };
  const slipAt = lines.findIndex((line) => line.includes('"type":"SlipSet"'));
  test.each([
    ['nothing', '', 'it is empty'],
    ['half a line', lines[0]!.slice(0, 200), 'a line is not JSON'],
    ['a number', '5\n', 'a line is no entry of an event log'],
    ['null', 'null\n', 'a line is no entry of an event log'],
    ['another list of JSON', '{"body":{"stream":"x"}}\n', 'a line is no entry of an event log'],
    ['a missing entry', without(3).join('\n'), /^entry 4 of \S+ is missing$/],
    [
      'an event without a field',
      changed(slipAt, (body) => delete (body['event'] as { slip?: object }).slip),
      /^entry \d+ of \S+, SlipSet, cannot be followed: /,
    ],
    [
      'a wager of another game',
      changed(slipAt, (body) => ((body['event'] as { slip: object }).slip = { constructor: 100 })),
      /^entry \d+ of \S+, SlipSet, cannot be followed: 100 on constructor is no stake of /,
    ],
    [
      'a posting without its balances',
      changed(slipAt, (body) => (body['postings'] = [{ from: 'a', to: 'b', amount: 1 }])),
      /^entry \d+ of \S+ has a posting that is none$/,
    ],
  ] as const)('%s', (_, input, what) => {
    const { stdout, stderr, status } = settle(input);
    const sentence = /^The export cannot be settled: (.*)\.\n$/.exec(stderr)?.[1];
    expect([sentence, stdout, status]).toEqual([typeof what === 'string' ? what : expect.stringMatching(what), '', 2]);
  });

  test('a file that is not there, and more than one', () => {
    const file = join(temporaryFolder('settle'), 'none.jsonl');
    expect(settle('', file)).toMatchObject({ status: 2, stdout: '' });
    expect(settle('', file).stderr).toMatch(/^The export cannot be settled: .*none\.jsonl/);
    expect(settle('', file, file)).toMatchObject({ status: 2, stdout: '' });
  });
});
