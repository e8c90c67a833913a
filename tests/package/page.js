import { baccarat, orThrow, parseDeal, settle, tiger } from 'punto';
import { freshShoe, oddsOf, formatFraction } from 'punto/odds';
import { roadsOf } from 'punto/roads';
import { simulate } from 'punto/sim';

const { facts } = orThrow(parseDeal(['KC', '2D', '5H', '4S', '7C', 'KD'], { deck: 'french', decks: 8 }));
const { banker } = oddsOf(baccarat, freshShoe({ deck: 'french', decks: 8 })).wagers;
const roads = roadsOf(
  Array.from('BPBPB').map((letter) => ({
    winner: letter === 'B' ? 'banker' : 'player',
    playerPair: false,
    bankerPair: false,
  })),
);
const shown = document.createElement('pre');
shown.textContent = JSON.stringify({
  settled: settle(tiger, 'tiger', facts, 500),
  edge: formatFraction({ over: -banker.expected.over, under: banker.expected.under }),
  bigEye: roads.marksOf('bigEye')[0],
  agrees: orThrow(simulate({ game: tiger, decks: 8, cut: 14, seed: 'browser' }, 200)).agrees,
});
document.body.append(shown);
