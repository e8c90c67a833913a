import { games } from '../../games/registry.ts';
import { type Composition, freshShoe } from '../../odds/composition.ts';
import { oddsOf } from '../../odds/sheet.ts';
import { cardsOf } from '../../rules/card.ts';
import { type Game, fullNameOf } from '../../rules/game.ts';
import { cardsOfShoe } from './random.ts';

/** What the shoes have left that somebody has dealt from: a part, half, and the last cards. */
const dealtFrom = [
  { decks: 8, dealt: 83 },
  { decks: 6, dealt: 150 },
  { decks: 8, dealt: 402 },
  { decks: 4, dealt: 202 },
] as const;

/** Every outcome of every wager with how many of all ordered draws of six cards lead to it. */
function countVector(game: Game, shoe: Composition): object {
  const { deals, wagers } = oddsOf(game, shoe);
  const cards = cardsOf(game.deck);
  return {
    game: fullNameOf(game),
    left: Object.fromEntries(cards.map((card, place) => [card, shoe.counts[place]])),
    draws: String(deals),
    wagers: Object.fromEntries(
      Object.entries(wagers).map(([id, { outcomes }]) => [
        id,
        outcomes.map(({ net, count }) => ({ net, count: String(count) })),
      ]),
    ),
  };
}

export function* countVectors(): Generator<object> {
  for (const [n, game] of games.entries()) {
    for (const decks of [4, 6, 8, 10]) yield countVector(game, freshShoe({ deck: game.deck, decks }));
    for (const [place, { decks, dealt }] of dealtFrom.entries()) {
      const fresh = freshShoe({ deck: game.deck, decks });
      const counts = [...fresh.counts];
      const cards = cardsOf(game.deck);
      for (const card of cardsOfShoe(game.deck, 100 + n * 10 + place, dealt, decks)) counts[cards.indexOf(card)]!--;
      yield countVector(game, { deck: game.deck, counts, size: fresh.size - dealt });
    }
  }
}
