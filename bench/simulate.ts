import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { games } from '../src/games/registry.ts';
import { batchShoes, fastPlayer } from '../src/sim/play.ts';
import { noCompiler, reference } from './reference.ts';

/** Rounds per second of CPU time, every wager of the game counted. */
function rateOf(id: string, batches: number): number {
  const player = fastPlayer({ game: games.find((game) => game.id === id)!, decks: 8, cut: 14, seed: 'bench' });
  for (let batch = 0; batch < 20; batch++) player.play(batch * batchShoes, batchShoes);
  const start = process.cpuUsage();
  let rounds = 0;
  for (let batch = 0; batch < batches; batch++) rounds += player.play(batch * batchShoes, batchShoes).rounds;
  const { user, system } = process.cpuUsage(start);
  return (rounds * 1e6) / (user + system);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Rounds per second of a whole run of the command, by its own report. */
function runRate(workers: number): number {
  const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
  const words = ['simulate', 'tiger', '--rounds', '3e8', '--workers', String(workers), '--json'];
  const { stdout } = spawnSync(process.execPath, [main, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (JSON.parse(stdout) as { roundsPerSecond: number }).roundsPerSecond;
}

export function* simulateBench(): Generator<string> {
  yield 'simulate (eight decks, one thread, all wagers; aim: 1.0 of plain C that counts three outcomes, Sands Super 0.8)';
  for (const id of ['baccarat', 'tiger', 'sands-super']) {
    // The two take turns, so that a machine that slows down slows both.
    const pairs = Array.from({ length: 5 }, () => [rateOf(id, 200), reference('simulate', '200000')] as const);
    const plain = pairs.map(([, c]) => c);
    if (plain.includes(undefined)) {
      yield noCompiler;
      break;
    }
    const ratio = median(pairs.map(([ours, c]) => ours / c!));
    const rate = median(pairs.map(([ours]) => ours)) / 1e6;
    yield `  ${id.padEnd(20)} ${ratio.toFixed(2)} times plain C (${rate.toFixed(1)} against ${(median(plain as number[]) / 1e6).toFixed(1)} million rounds a second)`;
  }
  const pairs = Array.from({ length: 3 }, () => [runRate(1), runRate(2)] as const);
  yield `  two workers are ${median(pairs.map(([one, two]) => two / one)).toFixed(2)} times one (aim: 1.8)`;
}
