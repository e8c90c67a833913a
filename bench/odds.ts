import { games } from '../src/games/registry.ts';
import { freshShoe } from '../src/odds/composition.ts';
import { factDistributionOf } from '../src/odds/distribution.ts';
import { oddsOf, parSheetOf } from '../src/odds/sheet.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, microseconds } from './support/measure.ts';
import { Reference, noCompiler } from './support/reference.ts';

type Counts = {
  readonly calls: number;
  readonly batches: number;
  readonly referenceCalls: number;
  /** Shoes of these numbers of decks get a sheet. */
  readonly decks: readonly number[];
};

const sizes: Sizes<Counts> = {
  full: { calls: 20, batches: 7, referenceCalls: 2000, decks: [4, 5, 6, 7, 8, 9, 10] },
  short: { calls: 1, batches: 1, referenceCalls: 10, decks: [8] },
};

export function* oddsBench(size: BenchSize): Generator<string> {
  const { calls, batches, referenceCalls, decks } = sizes[size];
  yield 'odds (exact, any shoe; aims: a game that ignores suits 0.5 ms, Sands Super 2 ms, three outcomes within 3 times C)';
  const shoe = freshShoe({ deck: 'french', decks: 8 });
  const winner = new Set(['winner'] as const);
  const three = microseconds(() => factDistributionOf(shoe, winner), 10 * calls, batches);
  yield `  player, banker, tie  ${figure(three)} µs`;
  const reference = Reference.build('exact');
  try {
    const plain = reference?.measure(referenceCalls);
    yield plain === undefined ? noCompiler : `    ${figure(three / plain)} times plain C (${figure(plain)} µs)`;
  } finally {
    reference?.remove();
  }
  for (const game of games) {
    const fresh = freshShoe({ deck: game.deck, decks: 8 });
    const all = microseconds(() => oddsOf(game, fresh), calls, batches);
    yield `  ${game.id.padEnd(20)} all wagers in ${figure(all / 1000)} ms, ${figure(all / three)} times the three outcomes alone`;
  }
  const start = process.cpuUsage();
  for (const game of games) for (const count of decks) parSheetOf(game, freshShoe({ deck: game.deck, decks: count }));
  const { user, system } = process.cpuUsage(start);
  yield `  ${games.length * decks.length} PAR sheets with covariances: ${figure((user + system) / 1e6)} s of CPU time`;
}
