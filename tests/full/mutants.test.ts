import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { games } from '../../src/games/registry.ts';
import { BAC } from '../rulebook/BAC.rows.ts';
import { everyFacts } from '../rulebook/deals.ts';
import { ELM } from '../rulebook/ELM.rows.ts';
import { ETG } from '../rulebook/ETG.rows.ts';
import { FAB } from '../rulebook/FAB.rows.ts';
import { type Mutant, differs, mutantsOf } from '../rulebook/mutants.ts';
import { type Row, resultOf, comparable, rowsIn } from '../rulebook/rows.ts';
import { SUP } from '../rulebook/SUP.rows.ts';

const tables = new Map([...BAC, ...SUP, ...ELM, ...FAB, ...ETG].map(([game, table]) => [game, rowsIn(table)]));
/** Odds that cannot pay the stake of a row exactly are refused: that row fails too. */
const red = ({ wager, game }: Mutant, rows: readonly Row[]): boolean =>
  rows.some((row) => row.subject === wager && comparable(row, resultOf(game, row)) !== row.expected);

const equivalent: string[] = [];

for (const game of games) {
  const mutants = mutantsOf(game);
  test(`${game.id}: each of ${mutants.length} mistakes in its data that changes an outcome fails a rulebook row`, () => {
    const facts = everyFacts(game.deck);
    const rows = tables.get(game)!;
    const altering = new Set(mutants.filter((mutant) => differs(mutant, game, facts)));
    equivalent.push(...mutants.filter((mutant) => !altering.has(mutant)).map(({ name }) => name));
    expect([...altering].filter((mutant) => !red(mutant, rows)).map(({ name }) => name)).toEqual([]);
    expect(altering.size).toBeGreaterThanOrEqual(50);
  });
}

test('the mistakes that change no outcome are those named in equivalent.txt, each with its reason', () => {
  const lines = readFileSync(new URL('equivalent.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const named = lines.map((line) => line.split(' | ') as [string, string?]);
  expect(equivalent).toEqual(named.map(([name]) => name));
  expect(named.every(([, reason]) => reason !== undefined && reason !== '')).toBe(true);
});

test('README.md states the numbers of mistakes, of those that change an outcome and of the others', () => {
  const made = games.flatMap(mutantsOf).length;
  const [all, altering, others] = [made, made - equivalent.length, equivalent.length].map((n) =>
    n.toLocaleString('en'),
  );
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(page).toContain(`${all} single changes to a number, pattern or line of the game data: ${altering} alter`);
  expect(page).toContain(`The other ${others} are listed with the reason.`);
});
