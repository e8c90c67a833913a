import { games } from '../src/games/registry.ts';
import { parseDeal } from '../src/rules/deal.ts';
import { wagerIdsOf } from '../src/rules/game.ts';
import { formatRatio } from '../src/base/ratio.ts';
import { wagerOutcomeOf } from '../src/rules/settle.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, microseconds } from './support/measure.ts';

const sizes: Sizes<{ readonly calls: number; readonly batches: number }> = {
  full: { calls: 2000, batches: 7 },
  short: { calls: 20, batches: 1 },
};

/** A round from text to text, all wagers, against reading and writing the same JSON without settling it. */
export function* settleBench(size: BenchSize): Generator<string> {
  const { calls, batches } = sizes[size];
  yield 'settle (a round from a line of JSON to a line of JSON; ratio to reading and writing the JSON alone)';
  for (const game of games) {
    const cards = game.deck === 'french' ? ['6S', 'TD', '5D', '6C', '9H'] : ['61', 'T2', '53', '64', '95'];
    const line = JSON.stringify({ game: game.id, cards });
    const answer = (text: string): string => {
      const request = JSON.parse(text) as { cards: string[] };
      const deal = parseDeal(request.cards, { deck: game.deck, decks: 8 });
      if ('refused' in deal) throw new Error(deal.message);
      const wagers = wagerIdsOf(game).map((id) => {
        const { result, net, by } = wagerOutcomeOf(game.wagers[id]!, deal.facts);
        return [id, { result, net: formatRatio(net), by }] as const;
      });
      return JSON.stringify({ game: game.id, hands: deal.hands, wagers: Object.fromEntries(wagers) });
    };
    const written: unknown = JSON.parse(answer(line));
    const settling = microseconds(() => answer(line), calls, batches);
    const json = microseconds(() => [JSON.parse(line), JSON.stringify(written)], calls, batches);
    yield `  ${game.id.padEnd(20)} ${figure(settling / json)} times the JSON alone, ${figure(1e6 / settling)} rounds per second`;
  }
}
