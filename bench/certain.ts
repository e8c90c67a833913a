import { games } from '../src/games/registry.ts';
import { type Card, cardsOf } from '../src/rules/card.ts';
import { certain } from '../src/rules/certain.ts';
import { dealOf } from '../src/rules/deal.ts';
import { type Game, wagerIdsOf } from '../src/rules/game.ts';
import { nextSlot } from '../src/rules/play.ts';
import { outcomeOf } from '../src/rules/settle.ts';
import { microseconds } from './measure.ts';

/** The reference: plays out every completion, ranks only, and keeps the results of each wager. */
function byForce(game: Game, cards: readonly Card[]): number {
  const ranks = cardsOf(game.deck).slice(0, 13);
  const seen = new Set<string>();
  const playOut = (soFar: readonly Card[]): void => {
    if (nextSlot(soFar) !== undefined) {
      for (const card of ranks) playOut([...soFar, card]);
      return;
    }
    const deal = dealOf(soFar, { deck: game.deck, decks: 10 });
    if ('refused' in deal) throw new Error(deal.message);
    for (const id of wagerIdsOf(game)) seen.add(`${id} ${outcomeOf(game.wagers[id]!, deal.facts).result}`);
  };
  playOut(cards);
  return seen.size;
}

/** Prefixes of every length, the same in every run. */
function prefixesOf(game: Game): readonly (readonly Card[])[] {
  const cards = cardsOf(game.deck);
  let state = 1;
  const next = (): Card => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return cards[(state >>> 8) % cards.length]!;
  };
  return Array.from({ length: 350 }, (_, n) => {
    const prefix: Card[] = [];
    while (prefix.length < n % 7 && nextSlot(prefix) !== undefined) prefix.push(next());
    return prefix;
  });
}

/** Making ready, the slowest of many prefixes, and three cards against playing out every completion. */
export function* certainBench(): Generator<string> {
  yield 'certain (aim: under 1000 us for any prefix after warm-up)';
  for (const game of games) {
    const ids = wagerIdsOf(game);
    const start = performance.now();
    certain(game, ids, []);
    const ready = performance.now() - start;
    const prefixes = prefixesOf(game);
    for (const cards of prefixes) certain(game, ids, cards);
    const times = prefixes.map((cards) => microseconds(() => certain(game, ids, cards), 20));
    const three = prefixes[3]!;
    const quick = microseconds(() => certain(game, ids, three), 200);
    const reference = microseconds(() => byForce(game, three), 3);
    const slowest = Math.max(...times);
    yield [
      `  ${game.id.padEnd(20)} ready in ${ready.toFixed(0).padStart(3)} ms;`,
      `slowest of ${prefixes.length} prefixes ${slowest.toFixed(1).padStart(5)} us (${prefixes[times.indexOf(slowest)]!.length} cards);`,
      `three cards ${Math.round(reference / quick)} times as fast as every completion by rank`,
    ].join(' ');
  }
}
