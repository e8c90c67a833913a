// A game of one's own: its wagers are data, checked on the way in, and odds and settlement follow from them.
// In a checkout: npm run example game
import { baccarat, chipStepOf, orThrow, parseDeal, parseGame, settle } from 'punto';
import { freshShoe, oddsOf } from 'punto/odds';

const mine = orThrow(
  parseGame({
    ...baccarat,
    id: 'house-special',
    version: '1',
    name: 'House Special',
    wagers: {
      ...baccarat.wagers,
      'lucky-eight': {
        name: 'Lucky Eight',
        by: 'MINE 1',
        lines: [
          { when: { winner: 'player', playerTotal: 8, playerCards: 3 }, pays: [20, 1], by: 'MINE 1.1' },
          { when: { winner: 'player', playerTotal: 8 }, pays: [5, 2], by: 'MINE 1.2' },
        ],
      },
    },
  }),
);
console.log(`Stakes go by ${chipStepOf(mine)} cents, so that every payout is whole.`);
const edge = oddsOf(mine, freshShoe({ deck: mine.deck, decks: 8 })).wagers['lucky-eight'].houseEdge;
const { facts } = orThrow(parseDeal(['KC', '2D', '8H', '4S'], { deck: mine.deck, decks: 8 }));
console.log(`Lucky Eight: house edge ${(100 * edge).toFixed(4)} %`, settle(mine, 'lucky-eight', facts, 500));
