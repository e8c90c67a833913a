import { games } from '../../games/registry.ts';
import { type Card } from '../../rules/card.ts';
import { decidedWagers } from '../../rules/decidedWagers.ts';
import { parseDeal, parseDealtCards } from '../../rules/deal.ts';
import { type Game, versionedGameId, wagerIdsOf } from '../../rules/game.ts';
import { totalOf } from '../../rules/hand.ts';
import { handsOf, nextSlot } from '../../rules/play.ts';
import { isRefused } from '../../base/refusal.ts';
import { chosenDeals } from './chosenDeals.ts';
import { firstDealOfSeededShoe } from './seededShoes.ts';

/** Number of random deals of each game. Each beginning of such a deal gives one vector. */
const randomDeals = 14;

/** Vector of a partial deal: the next slot, the wagers won or lost already, and the wagers still open. */
function partialVector(game: Game, cards: readonly Card[]): object {
  const ids = wagerIdsOf(game);
  const { established, won, lost } = decidedWagers(game, ids, cards);
  const hands = handsOf(cards);
  return {
    game: versionedGameId(game),
    cards,
    hands,
    totals: { player: totalOf(hands.player), banker: totalOf(hands.banker) },
    next: nextSlot(cards) ?? null,
    established,
    won,
    lost,
    open: ids.filter((id) => !won.includes(id) && !lost.includes(id)),
  };
}

export function* partialDealVectors(): Generator<object> {
  for (const game of games) {
    const seen = new Set<string>();
    const prefixes = function* (deal: readonly string[], from: number): Generator<object> {
      for (let count = from; count <= deal.length; count++) {
        const cards = parseDealtCards(deal.slice(0, count), { deck: game.deck, decks: 8 });
        if (isRefused(cards) || seen.has(cards.join(' '))) continue;
        seen.add(cards.join(' '));
        yield partialVector(game, cards);
      }
    };
    for (let n = 0; n < randomDeals; n++) yield* prefixes(firstDealOfSeededShoe(game.deck, n), 0);
    for (const [index, deal] of (chosenDeals[game.id] ?? []).entries()) {
      // A chosen deal that is not complete gives one vector. Of the complete deals, those at every fourth place of the
      // list give one vector for each of their beginnings of three or more cards.
      if (isPartial(deal, game)) yield* prefixes(deal, deal.length);
      else if (index % 4 === 0) yield* prefixes(deal, 3);
    }
  }
}

const isPartial = (deal: readonly string[], { deck }: Game): boolean => isRefused(parseDeal(deal, { deck, decks: 8 }));
