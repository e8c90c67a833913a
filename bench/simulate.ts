import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { games } from '../src/games/registry.ts';
import { shoesPerBatch, kernelSimulator } from '../src/sim/play.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, median } from './support/measure.ts';
import { Reference, noCompiler } from './support/reference.ts';

type Counts = {
  readonly warmUpBatches: number;
  readonly batches: number;
  /** The shoes of the C program. */
  readonly referenceShoes: number;
  readonly pairs: number;
  /** A run of the command `punto simulate`. */
  readonly runRounds: number;
  readonly runPairs: number;
};

const sizes: Sizes<Counts> = {
  full: { warmUpBatches: 20, batches: 200, referenceShoes: 200_000, pairs: 5, runRounds: 3e8, runPairs: 3 },
  short: { warmUpBatches: 1, batches: 1, referenceShoes: 100, pairs: 1, runRounds: 1e6, runPairs: 1 },
};

/** Rounds per second of CPU time, every wager of the game counted. */
function rateOf(id: string, { warmUpBatches, batches }: Counts): number {
  const player = kernelSimulator({ game: games.find((game) => game.id === id)!, decks: 8, cut: 14, seed: 'bench' });
  for (let batch = 0; batch < warmUpBatches; batch++) player.play(batch * shoesPerBatch, shoesPerBatch);
  const start = process.cpuUsage();
  let rounds = 0;
  for (let batch = 0; batch < batches; batch++) rounds += player.play(batch * shoesPerBatch, shoesPerBatch).rounds;
  const { user, system } = process.cpuUsage(start);
  return (rounds * 1e6) / (user + system);
}

/** Rounds per second of a whole run of the command, by its own report. */
function runRate(rounds: number, workers: number): number {
  const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
  const args = ['simulate', 'tiger', '--rounds', String(rounds), '--workers', String(workers), '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`punto simulate ended with ${status}: ${stderr}`);
  return (JSON.parse(stdout) as { roundsPerSecond: number }).roundsPerSecond;
}

export function* simulateBench(size: BenchSize): Generator<string> {
  const counts = sizes[size];
  yield 'simulate (eight decks, one thread, all wagers; aims: 1.0 of plain C that counts three outcomes, Sands Super 0.8)';
  const reference = Reference.build('simulate');
  try {
    if (reference === undefined) yield noCompiler;
    for (const id of ['baccarat', 'tiger', 'sands-super']) {
      // The two take turns, so that a machine that slows down slows both.
      const pairs = Array.from(
        { length: counts.pairs },
        () => [rateOf(id, counts), reference?.measure(counts.referenceShoes)] as const,
      );
      yield `  ${id.padEnd(20)} ${figure(median(pairs.map(([rate]) => rate)) / 1e6)} million rounds per second`;
      const compared = pairs.flatMap(([rate, plain]) => (plain === undefined ? [] : [{ rate, plain }]));
      if (compared.length === 0) continue;
      const plain = median(compared.map((pair) => pair.plain)) / 1e6;
      yield `    ${figure(median(compared.map((pair) => pair.rate / pair.plain)))} times plain C (${figure(plain)} million rounds per second)`;
    }
  } finally {
    reference?.remove();
  }
  const runs = Array.from(
    { length: counts.runPairs },
    () => [runRate(counts.runRounds, 1), runRate(counts.runRounds, 2)] as const,
  );
  yield `  two workers are ${figure(median(runs.map(([one, two]) => two / one)))} times as fast as one (aim: 1.8)`;
}
