import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { Kept, punto } from '../support/punto.ts';

type Report = { rounds: number; shoes: number; agrees: boolean; wagers: { [id: string]: { outcomes: object[] } } };
const report = async (...args: string[]): Promise<Report> =>
  JSON.parse((await punto(['simulate', ...args, '--json'])).stdout) as Report;

test('simulate --json prints every outcome with its exact probability', async () => {
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

test('simulate gives the same counts for a seed with any number of workers and either settlement', async () => {
  const args = ['sands-super', '--shoes', '1100', '--seed', 'same'];
  const one = await report(...args, '--workers', '1');
  expect((await report(...args, '--workers', '3')).wagers).toEqual(one.wagers);
  expect((await report(...args, '--through', 'rules')).wagers).toEqual(one.wagers);
  expect((await report(...args.slice(0, -1), 'other')).wagers).not.toEqual(one.wagers);
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

/** Starts an endless simulation and interrupts it after its first progress line. */
async function runInterrupted(args: readonly string[], terminal: object, signals = 1) {
  const [output, errors, process] = [new Kept(), Object.assign(new Kept(), terminal), new EventEmitter()];
  const running = run(['simulate', 'tiger', ...args], { input: Readable.from([]), output, errors, signals: process });
  while (!/[1-9][\d,]* rounds/.test(errors.text)) await once(errors, 'kept');
  for (let n = 0; n < signals; n++) process.emit('SIGINT');
  return { status: await running, stdout: output.text, stderr: errors.text };
}

test('simulate exits 130 on SIGINT and says how many of the rounds were played', async () => {
  const terminal = { isTTY: true, columns: 80 };
  const { status, stdout, stderr } = await runInterrupted(['--rounds', '1e13', '--json'], terminal);
  expect(status).toBe(130);
  const { rounds, ...rest } = JSON.parse(stdout) as Report;
  expect(rounds).toBeGreaterThan(0);
  expect(rest).toMatchObject({ request: { rounds: 1e13 }, complete: false });
  const played = `${rounds.toLocaleString('en')} of 10,000,000,000,000 rounds`;
  // Before the first batch is played the remaining time is unknown, and none is printed.
  expect(stderr).not.toMatch(/\b0 rounds[^\r\n]* s left/);
  expect(stderr.split('\u001B[K').at(-1)).toBe(`punto: Interrupted after ${played}; the result covers only these.\n`);
});

test('simulate claims nothing beyond the shoes played when SIGINT comes, also twice', async () => {
  const { status, stdout, stderr } = await runInterrupted(['--shoes', '1e11'], { isTTY: true }, 2);
  expect(status).toBe(130);
  expect(stdout).toMatch(/very outcome of the rounds before the interruption agrees with its exact odds\.\n$/);
  expect(stderr).toMatch(/punto: Interrupted after [\d,]+ of 100,000,000,000 shoes; the result covers only these\.\n$/);
});

test('simulate says in JSON that it played all rounds asked for', async () => {
  expect(await report('baccarat', '--shoes', '5')).toMatchObject({ request: { shoes: 5 }, complete: true });
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
] as const)('punto %j is refused as %s with exit code %i', async ([args, code, status]) => {
  const ran = await punto(args);
  expect([ran.status, ran.stdout]).toEqual([status, '']);
  expect(ran.stderr).toMatch(new RegExp(`^punto: [^\\n]+[.] \\(${code}\\)\\n$`));
});
