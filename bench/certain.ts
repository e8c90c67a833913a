import { games } from '../src/games/registry.ts';
import { type Card, cardsOfDeck } from '../src/rules/card.ts';
import { decidedWagers } from '../src/rules/decidedWagers.ts';
import { parseDeal } from '../src/rules/deal.ts';
import { type Game, wagerIdsOf } from '../src/rules/game.ts';
import { nextSlot } from '../src/rules/play.ts';
import { wagerOutcomeOf } from '../src/rules/settle.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, microseconds } from './support/measure.ts';

/** The reference: plays out every completion, ranks only, and keeps the results of each wager. */
function bruteForce(game: Game, cards: readonly Card[]): number {
  const ranks = cardsOfDeck(game.deck).slice(0, 13);
  const seen = new Set<string>();
  const playOut = (soFar: readonly Card[]): void => {
    if (nextSlot(soFar) !== undefined) {
      for (const card of ranks) playOut([...soFar, card]);
      return;
    }
    const deal = parseDeal(soFar, { deck: game.deck, decks: 10 });
    if ('refused' in deal) throw new Error(deal.message);
    for (const id of wagerIdsOf(game)) seen.add(`${id} ${wagerOutcomeOf(game.wagers[id]!, deal.facts).result}`);
  };
  playOut(cards);
  return seen.size;
}

/** Prefixes of every length, the same in every run. */
function prefixesOf(game: Game, count: number): readonly (readonly Card[])[] {
  const cards = cardsOfDeck(game.deck);
  let state = 1;
  const next = (): Card => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return cards[(state >>> 8) % cards.length]!;
  };
  return Array.from({ length: count }, (_, n) => {
    const prefix: Card[] = [];
    while (prefix.length < n % 7 && nextSlot(prefix) !== undefined) prefix.push(next());
    return prefix;
  });
}

const sizes: Sizes<{ readonly prefixes: number; readonly calls: number; readonly batches: number }> = {
  full: { prefixes: 350, calls: 20, batches: 7 },
  short: { prefixes: 7, calls: 1, batches: 1 },
};

/** Warm-up, the slowest of many prefixes, and three cards against the enumeration of every completion. */
export function* certainBench(size: BenchSize): Generator<string> {
  const { prefixes: count, calls, batches } = sizes[size];
  yield 'certain (which results are certain after some cards; aim: under 1,000 µs for any prefix after warm-up)';
  for (const game of games) {
    const ids = wagerIdsOf(game);
    const start = performance.now();
    decidedWagers(game, ids, []);
    const warmUp = performance.now() - start;
    const prefixes = prefixesOf(game, count);
    for (const cards of prefixes) decidedWagers(game, ids, cards);
    const times = prefixes.map((cards) => microseconds(() => decidedWagers(game, ids, cards), calls, batches));
    const three = prefixes[3]!;
    const quick = microseconds(() => decidedWagers(game, ids, three), 10 * calls, batches);
    const reference = microseconds(() => bruteForce(game, three), Math.min(calls, 3), batches);
    yield [
      `  ${game.id.padEnd(20)} warm-up ${figure(warmUp)} ms;`,
      `slowest of ${count} prefixes ${figure(Math.max(...times))} µs;`,
      `three cards ${figure(reference / quick)} times as fast as the enumeration of every completion`,
    ].join(' ');
  }
}
