import { games } from '../../games/registry.ts';
import { type Composition, freshShoe } from '../../odds/composition.ts';
import { oddsOf } from '../../odds/sheet.ts';
import { cardsOfDeck } from '../../rules/card.ts';
import { type Game, versionedGameId } from '../../rules/game.ts';
import { firstCardsOfSeededShoe } from './seededShoes.ts';

/** Partly dealt shoes: some cards dealt, about half of them, and most of them. */
const partlyDealt = [
  { decks: 8, dealt: 83 },
  { decks: 6, dealt: 150 },
  { decks: 8, dealt: 402 },
  { decks: 4, dealt: 202 },
] as const;

/** Vector of exact odds: each outcome of each wager with its number of ordered draws of six cards. */
function countVector(game: Game, shoe: Composition): object {
  const { deals, wagers } = oddsOf(game, shoe);
  const cards = cardsOfDeck(game.deck);
  return {
    game: versionedGameId(game),
    left: Object.fromEntries(cards.map((card, index) => [card, shoe.counts[index]])),
    draws: String(deals),
    wagers: Object.fromEntries(
      Object.entries(wagers).map(([id, { outcomes }]) => [
        id,
        outcomes.map(({ net, count }) => ({ net, count: String(count) })),
      ]),
    ),
  };
}

export function* oddsCountVectors(): Generator<object> {
  for (const [n, game] of games.entries()) {
    for (const decks of [4, 6, 8, 10]) yield countVector(game, freshShoe({ deck: game.deck, decks }));
    for (const [index, { decks, dealt }] of partlyDealt.entries()) {
      const fresh = freshShoe({ deck: game.deck, decks });
      const counts = [...fresh.counts];
      const cards = cardsOfDeck(game.deck);
      for (const card of firstCardsOfSeededShoe(game.deck, 100 + n * 10 + index, dealt, decks))
        counts[cards.indexOf(card)]!--;
      yield countVector(game, { deck: game.deck, counts, size: fresh.size - dealt });
    }
  }
}
