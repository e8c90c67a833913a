import { type Game } from '../rules/game.ts';
import { bankerWagerWithCommission, pairWager, playerWager, tieWager } from './wagerTemplates.ts';

const main = { wins: 'BAC 3.10', tie: 'BAC 3.10.1', pays: 'BAC 4.1' } as const;

export const baccarat: Game = {
  id: 'baccarat',
  version: '7',
  name: 'Baccarat',
  book: 'BAC',
  effective: '2017-02-17',
  deck: 'french',
  wagers: {
    player: playerWager(main),
    banker: bankerWagerWithCommission(main),
    tie: tieWager('BAC 1.1.8', 'BAC 4.1'),
    'player-pair': pairWager('player', 'BAC 3.8.1', 'BAC 4.1'),
    'banker-pair': pairWager('banker', 'BAC 3.8.2', 'BAC 4.1'),
  },
};
