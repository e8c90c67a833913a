import { type Game } from '../rules/game.ts';
import { bankerLessCommission, pair, player, tie } from './wagerTemplates.ts';

const main = { wins: 'BAC 3.10', tie: 'BAC 3.10.1', pays: 'BAC 4.1' } as const;

export const baccarat: Game = {
  id: 'baccarat',
  version: '7',
  name: 'Baccarat',
  book: 'BAC',
  effective: '2017-02-17',
  deck: 'french',
  wagers: {
    player: player(main),
    banker: bankerLessCommission(main),
    tie: tie('BAC 1.1.8', 'BAC 4.1'),
    'player-pair': pair('player', 'BAC 1.1.5', 'BAC 4.1'),
    'banker-pair': pair('banker', 'BAC 1.1.5', 'BAC 4.1'),
  },
};
