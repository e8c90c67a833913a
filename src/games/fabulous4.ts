import { type Game } from '../rules/game.ts';
import { preciousPairWager, tieWager } from './wagerTemplates.ts';

export const fabulous4: Game = {
  id: 'fabulous-4',
  version: '3',
  name: 'Fabulous 4 Baccarat',
  book: 'FAB',
  effective: '2017-03-14T08:00',
  deck: 'french',
  wagers: {
    player: {
      name: 'Player',
      by: 'FAB 3.9',
      lines: [
        { when: { winner: 'tie' }, pays: 'push', by: 'FAB 3.9.1' },
        { when: { winner: 'player', playerTotal: 4 }, pays: [1, 2], by: 'FAB 4.1' },
        { when: { winner: 'player', playerTotal: 1 }, pays: [2, 1], by: 'FAB 4.1' },
        { when: { winner: 'player' }, pays: [1, 1], by: 'FAB 4.1' },
      ],
      losses: [{ when: { winner: 'banker', bankerTotal: 4 }, by: 'FAB 3.10.ii' }],
    },
    banker: {
      name: 'Banker',
      by: 'FAB 3.9',
      lines: [
        { when: { winner: 'tie' }, pays: 'push', by: 'FAB 3.9.1' },
        { when: { winner: 'banker', bankerTotal: 4 }, pays: 'push', by: 'FAB 3.10.iii' },
        { when: { winner: 'banker', bankerTotal: 1 }, pays: [2, 1], by: 'FAB 4.1' },
        { when: { winner: 'banker' }, pays: [1, 1], by: 'FAB 4.1' },
      ],
      losses: [{ when: { winner: 'player', playerTotal: 4 }, by: 'FAB 3.11.ii' }],
    },
    tie: tieWager('FAB 1.1.9', 'FAB 4.1'),
    'player-fabulous-4': {
      name: 'Player Fabulous 4',
      by: 'FAB 1.1.5',
      lines: [{ when: { winner: 'player', playerTotal: 4 }, pays: [50, 1], by: 'FAB 4.1' }],
    },
    'banker-fabulous-4': {
      name: 'Banker Fabulous 4',
      by: 'FAB 1.1.1',
      lines: [{ when: { winner: 'banker', bankerTotal: 4 }, pays: [25, 1], by: 'FAB 4.1' }],
    },
    'player-precious-pair': preciousPairWager('player', 'FAB 3.12', 'FAB 4.2'),
    'banker-precious-pair': preciousPairWager('banker', 'FAB 3.12', 'FAB 4.2'),
  },
};
