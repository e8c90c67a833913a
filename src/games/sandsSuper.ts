import { type Facts } from '../rules/facts.ts';
import { type Game } from '../rules/game.ts';
import { type Side } from '../rules/hand.ts';
import { type Wager, type FactPattern } from '../rules/wager.ts';
import {
  type RulebookClauseId,
  bankerWagerHalfOnSix,
  playerWager,
  preciousPairWager,
  tieWager,
} from './wagerTemplates.ts';

const main = { wins: 'SUP 3.10', tie: 'SUP 3.11', pays: 'SUP 4.1' } as const;

const titles = { player: 'Player', banker: 'Banker' } as const;

const colour = (side: Side, name: 'Red' | 'Black'): Wager => ({
  name: `${titles[side]} ${name}`,
  by: name === 'Red' ? 'SUP 3.13' : 'SUP 3.14',
  lines: [{ when: { [`${side}Colour`]: name.toLowerCase() }, pays: [2, 1], by: 'SUP 4.1' }],
});

type Total = Facts['playerTotal'];

/** One wager for each winning total. `odds` are in the order of the totals; the first is for the total `least`. */
function winsOn(
  kind: 'player' | 'banker' | 'tie',
  name: string,
  clauses: { by: RulebookClauseId; pays: RulebookClauseId },
  least: number,
  odds: readonly number[],
): { [id: string]: Wager } {
  const when = (total: Total): FactPattern =>
    kind === 'banker' ? { winner: kind, bankerTotal: total } : { winner: kind, playerTotal: total };
  return Object.fromEntries(
    odds.map((win, place) => {
      const total = (least + place) as Total;
      const wager: Wager = {
        name: `${name} ${total}`,
        by: clauses.by,
        lines: [{ when: when(total), pays: [win, 1], by: clauses.pays }],
      };
      return [`${kind}-wins-on-${total}`, wager];
    }),
  );
}

const onPlayer = { by: 'SUP 1.1.7', pays: 'SUP 4.3' } as const;
const onBanker = { by: 'SUP 1.1.1', pays: 'SUP 4.4' } as const;
const onTie = { by: 'SUP 1.1.13', pays: 'SUP 4.5' } as const;

export const sandsSuper: Game = {
  id: 'sands-super',
  version: '2017-07-28',
  name: 'Sands Super Baccarat',
  book: 'SUP',
  effective: '2017-07-28',
  deck: 'french',
  wagers: {
    player: playerWager(main),
    banker: bankerWagerHalfOnSix(main),
    tie: tieWager('SUP 1.1.12', 'SUP 4.1'),
    'player-red': colour('player', 'Red'),
    'player-black': colour('player', 'Black'),
    'banker-red': colour('banker', 'Red'),
    'banker-black': colour('banker', 'Black'),
    'sands-six': {
      name: 'Sands Six',
      by: 'SUP 1.1.11',
      lines: [
        { when: { winner: 'player', playerTotal: 6 }, pays: [6, 1], by: 'SUP 4.1' },
        { when: { winner: 'banker', bankerTotal: 6 }, pays: [6, 1], by: 'SUP 4.1' },
        { when: { winner: 'tie', playerTotal: 6 }, pays: [6, 1], by: 'SUP 4.1' },
      ],
    },
    'player-precious-pair': preciousPairWager('player', 'SUP 3.8', 'SUP 4.2'),
    'banker-precious-pair': preciousPairWager('banker', 'SUP 3.8', 'SUP 4.2'),
    ...winsOn('player', 'Player Wins On', onPlayer, 1, [150, 80, 50, 50, 30, 11, 8, 6, 5]),
    ...winsOn('banker', 'Banker Wins On', onBanker, 1, [150, 80, 50, 25, 15, 11, 8, 6, 5]),
    ...winsOn('tie', 'Tie Wins On', onTie, 0, [100, 150, 150, 150, 100, 80, 35, 35, 50, 50]),
  },
};
