import { games } from '../src/games/registry.ts';
import { freshShoe } from '../src/odds/composition.ts';
import { distributionOf } from '../src/odds/distribution.ts';
import { oddsOf, sheetOf } from '../src/odds/sheet.ts';
import { microseconds } from './measure.ts';
import { noCompiler, reference } from './reference.ts';

export function* oddsBench(): Generator<string> {
  yield 'odds (exact, any composition; aim: a suit-blind game 0.5 ms, Sands Super 2 ms, three outcomes within 3 times C)';
  const shoe = freshShoe({ deck: 'french', decks: 8 });
  const winner = new Set(['winner'] as const);
  const plain = reference('exact');
  const three = microseconds(() => distributionOf(shoe, winner), 200);
  yield plain === undefined
    ? noCompiler
    : `  player, banker, tie  ${three.toFixed(0)} us, ${(three / plain).toFixed(2)} times plain C (${plain.toFixed(0)} us)`;
  for (const game of games) {
    const fresh = freshShoe({ deck: game.deck, decks: 8 });
    const all = microseconds(() => oddsOf(game, fresh), 20);
    yield `  ${game.id.padEnd(20)} all wagers in ${(all / 1000).toFixed(2)} ms, ${(all / three).toFixed(1)} times the three outcomes alone`;
  }
  const start = process.cpuUsage();
  for (const game of games) {
    for (let decks = 4; decks <= 10; decks++) sheetOf(game, freshShoe({ deck: game.deck, decks }));
  }
  const { user, system } = process.cpuUsage(start);
  yield `  all 70 sheets with covariances: ${((user + system) / 1e6).toFixed(1)} s of CPU time`;
}
