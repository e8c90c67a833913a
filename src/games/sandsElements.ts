import { type Game } from '../rules/game.ts';
import { bankerWagerHalfOnSix, bankerSixWager, pairWager, playerWager, tieWager } from './wagerTemplates.ts';

const main = { wins: 'ELM 3.10', tie: 'ELM 3.10.1', pays: 'ELM 4.1' } as const;

export const sandsElements: Game = {
  id: 'sands-elements',
  version: '2',
  name: 'Sands Elements No Commission Baccarat',
  book: 'ELM',
  effective: '2017-05-05',
  deck: 'elements',
  wagers: {
    player: playerWager(main),
    banker: bankerWagerHalfOnSix(main),
    tie: tieWager('ELM 1.1.8', 'ELM 4.1'),
    'player-pair': pairWager('player', 'ELM 3.8.1', 'ELM 4.1'),
    'banker-pair': pairWager('banker', 'ELM 3.8.2', 'ELM 4.1'),
    'fortune-six': bankerSixWager('Fortune Six', 'ELM 1.1.1', 'ELM 4.1'),
  },
};
