import { type Game } from '../rules/game.ts';
import { bankerHalfOnSix, bankerSix, pair, player, tie } from './wagerTemplates.ts';

const main = { wins: 'ELM 3.10', tie: 'ELM 3.10.1', pays: 'ELM 4.1' } as const;

export const sandsElements: Game = {
  id: 'sands-elements',
  version: '2',
  name: 'Sands Elements No Commission Baccarat',
  book: 'ELM',
  effective: '2017-05-05',
  deck: 'elements',
  wagers: {
    player: player(main),
    banker: bankerHalfOnSix(main),
    tie: tie('ELM 1.1.8', 'ELM 4.1'),
    'player-pair': pair('player', 'ELM 1.1.5', 'ELM 4.1'),
    'banker-pair': pair('banker', 'ELM 1.1.5', 'ELM 4.1'),
    'fortune-six': bankerSix('Fortune Six', 'ELM 1.1.1', 'ELM 4.1'),
  },
};
