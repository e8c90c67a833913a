import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { punto } from './punto.ts';

type Report = { rounds: number; shoes: number; agrees: boolean; wagers: { [id: string]: { outcomes: object[] } } };
const report = async (...words: string[]): Promise<Report> =>
  JSON.parse((await punto(['simulate', ...words, '--json'])).stdout) as Report;

test('simulate --json sets every outcome beside its exact probability', async () => {
  const ran = await punto(['simulate', 'tiger', '--shoes', '1200', '--seed', 'x', '--workers', '2', '--json']);
  expect(ran.status).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    game: 'tiger',
    decks: 8,
    cut: 14,
    shoes: 1200,
    seed: 'x',
    workers: 2,
    agrees: true,
    seconds: expect.any(Number) as number,
    roundsPerSecond: expect.any(Number) as number,
    wagers: {
      tie: {
        outcomes: [
          { net: '-1', probability: '5889024543008/6508331087895', z: expect.any(Number) as number },
          { net: '8', count: expect.any(Number) as number, frequency: expect.closeTo(0.095, 2) as number },
        ],
      },
    },
  });
});

test('the same seed gives the same counts, whatever the workers and whichever way rounds are settled', async () => {
  const words = ['sands-super', '--shoes', '1100', '--seed', 'same'];
  const one = await report(...words, '--workers', '1');
  expect((await report(...words, '--workers', '3')).wagers).toEqual(one.wagers);
  expect((await report(...words, '--through', 'rules')).wagers).toEqual(one.wagers);
  expect((await report(...words.slice(0, -1), 'other')).wagers).not.toEqual(one.wagers);
});

test('--shoes plays exactly that many, --rounds whole batches until there are enough', async () => {
  expect((await report('baccarat', '--shoes', '1')).shoes).toBe(1);
  const batches = await report('baccarat', '--rounds', '1e5');
  expect(batches.shoes).toBe(2000);
  expect(batches.rounds).toBeGreaterThanOrEqual(1e5);
  expect((await report('baccarat', '--rounds', '1', '--decks', '4', '--cut', '52')).shoes).toBe(1000);
});

test('simulate prints a table', async () => {
  const { status, stdout } = await punto(['simulate', 'sands-elements', '--shoes', '50']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^fortune-six +-1 +\d+ +\d+\.\d{6} % +94\.\d{6} % +-?\d+\.\d\d$/m);
  expect(stdout).toContain('Every outcome agrees with its exact odds.');
});

test('an interrupt prints what there is', async () => {
  // Through bin/punto as an older Node runs it: the runner hands the signal on.
  const older =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})';
  const bin = fileURLToPath(new URL('../../bin/punto', import.meta.url));
  const child = spawn(process.execPath, ['--import', older, bin, 'simulate', 'tiger', '--rounds', '1e13', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  // The first line of progress says that batches are coming in.
  const progress = await new Promise<string>((resolve) =>
    child.stderr.once('data', (text: Buffer) => resolve(text.toString())),
  );
  child.kill('SIGINT');
  const status = await new Promise((resolve) => child.once('exit', resolve));
  expect([0, 1]).toContain(status);
  expect(progress).toMatch(/^[\d,]+ rounds, \d+\.\d million a second, \d+ s left\n/);
  expect((JSON.parse(output) as Report).rounds).toBeGreaterThan(0);
});

test.for([
  [['simulate'], 'missing-argument', 2],
  [['simulate', 'lion'], 'unknown-game', 1],
  [['simulate', 'tiger', '--decks', '3'], 'bad-decks', 1],
  [['simulate', 'tiger', '--rounds', 'many'], 'malformed-argument', 2],
  [['simulate', 'tiger', '--rounds', '0'], 'bad-simulation', 1],
  [['simulate', 'tiger', '--rounds', '1.5'], 'bad-simulation', 1],
  [['simulate', 'tiger', '--shoes', '-1'], 'missing-argument', 2],
  [['simulate', 'tiger', '--shoes=-1'], 'bad-simulation', 1],
  [['simulate', 'tiger', '--cut', '5'], 'bad-simulation', 1],
  [['simulate', 'tiger', '--workers', '0'], 'bad-simulation', 1],
  [['simulate', 'tiger', '--rounds', '1', '--shoes', '1'], 'unexpected-argument', 2],
  [['simulate', 'tiger', '--through', 'magic'], 'malformed-argument', 2],
] as const)('punto %j is refused as %s with exit code %i', async ([words, code, status]) => {
  const ran = await punto(words);
  expect([ran.status, ran.stdout]).toEqual([status, '']);
  expect(ran.stderr).toMatch(new RegExp(`^punto: [^\\n]+[.] \\(${code}\\)\\n$`));
});
