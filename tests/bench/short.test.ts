import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benches } from '../../bench/benches.ts';
import { noPostgres } from '../../bench/postgres.ts';
import { noCompiler } from '../../bench/support/reference.ts';
import { games } from '../../src/games/registry.ts';
import { root } from '../architecture/sources.ts';
import { hasBinaries } from '../store/postgres/postgres.ts';
import { expectShortRun, hasProc, startBench } from './run.ts';

const hasCompiler = spawnSync('cc', ['--version']).status === 0;

/** Comparisons that a bench skips on this machine. */
const skipped: { readonly [name: string]: readonly string[] } = {
  ...(!hasCompiler && { odds: [noCompiler], simulate: [noCompiler] }),
  ...(!hasBinaries && { postgres: [noPostgres], nodes: [noPostgres] }),
};

const testedHere = Object.keys(benches).filter((name) => benches[name]!.shortTest === undefined);
const testedElsewhere = Object.entries(benches).flatMap(([name, { shortTest }]) =>
  shortTest ? [{ name, shortTest }] : [],
);

test.for(testedHere)(
  'the bench %s prints its measurements and leaves nothing behind in its short form',
  async (name) => {
    const run = await expectShortRun(name);
    expect(run.skipped).toEqual(skipped[name] ?? []);
  },
);

test.for(testedElsewhere)('the bench $name has its short form tested in $shortTest', ({ name, shortTest }) => {
  expect(readFileSync(join(root, shortTest), 'utf8')).toContain(name);
});

test('a bench reports that it skips the comparison with C when the machine has no compiler', async () => {
  const run = await expectShortRun('odds', { PATH: '' });
  expect(run.skipped).toEqual([noCompiler]);
  expect(run.measurements.filter((line) => line.includes('all wagers in'))).toHaveLength(games.length);
});

test('a bench that is killed leaves no process behind', async ({ skip }) => {
  skip(!hasProc, 'Linux alone shows the environment of a process');
  const bench = startBench(['--short', 'crowd']);
  await expect.poll(() => bench.processes().length, { timeout: 60_000 }).toBeGreaterThan(1);
  bench.kill();
  expect((await bench.ended()).code).toBe(null);
});

test('npm run bench refuses an unknown bench or option with one sentence that lists the benches', async () => {
  const { code, lines, errors } = await startBench(['odds', 'speed', '--fast']).ended();
  expect({ code, lines }).toEqual({ code: 2, lines: [] });
  const names = Object.keys(benches).join(', ');
  expect(errors).toBe(`There is no option --fast, no bench speed; give --short, and any of these benches: ${names}.\n`);
});

test('bench/README.md lists every bench', () => {
  const [, list] = /runs some of them: (.+?)\. /.exec(readFileSync(join(root, 'bench/README.md'), 'utf8'))!;
  expect(list!.split(', ')).toEqual(Object.keys(benches).map((name) => `\`${name}\``));
});
