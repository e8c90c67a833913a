import { type Facts } from '../rules/facts.ts';
import { type Game } from '../rules/game.ts';
import { type Side } from '../rules/hand.ts';
import { type PayLine, type Wager } from '../rules/wager.ts';
import {
  type RulebookClauseId,
  bankerWagerHalfOnSix,
  bankerWagerWithCommission,
  bankerSixWager,
  pairWager,
  playerWager,
  tieWager,
} from './wagerTemplates.ts';

// The six games of the rulebook ETG, for terminals. Super Six and Super 6 have equal pay tables, but only Super 6 may
// offer the Dragon Bonus wagers. [READING 33]

const book = { version: '2021-10-28', book: 'ETG', effective: '2021-10-28', deck: 'french' } as const;

const main = (pays: RulebookClauseId) => ({ wins: 'ETG 3.9', tie: 'ETG 3.9.1', pays }) as const;

const noCommission = (pays: RulebookClauseId) => ({
  player: playerWager(main(pays)),
  banker: bankerWagerHalfOnSix(main(pays)),
  tie: tieWager('ETG 1.1.17', pays),
});

const pairs = (pays: RulebookClauseId) => ({
  'player-pair': pairWager('player', 'ETG 3.7.1', pays),
  'banker-pair': pairWager('banker', 'ETG 3.7.2', pays),
});

const anySix = (name: string, pays: RulebookClauseId): Wager => ({
  name,
  by: 'ETG 1.1.15',
  lines: [{ when: { winner: 'banker', bankerTotal: 6 }, pays: [15, 1], by: pays }],
});

/**
 * The Dragon Bonus wager of one hand. A natural win pays 1 to 1 at any margin. A tie of two naturals pushes; every
 * other tie loses. [READING 5, READING 6]
 */
function dragonBonus(side: Side, by: RulebookClauseId, pays: RulebookClauseId): Wager {
  const natural = `${side}Natural` as const;
  const wonBy = (margin: Facts['margin'], win: number): PayLine => ({
    when: { winner: side, margin, [natural]: false },
    pays: [win, 1],
    by: pays,
  });
  return {
    name: side === 'player' ? 'Player Dragon Bonus' : 'Banker Dragon Bonus',
    by,
    optional: true,
    lines: [
      wonBy(9, 30),
      wonBy(8, 10),
      wonBy(7, 6),
      wonBy(6, 4),
      wonBy(5, 2),
      wonBy(4, 1),
      { when: { winner: side, [natural]: true }, pays: [1, 1], by: pays },
      { when: { winner: 'tie', [natural]: true }, pays: 'push', by: pays },
    ],
  };
}

const dragonBonuses = {
  'player-dragon-bonus': dragonBonus('player', 'ETG 1.1.9', 'ETG 4.6'),
  'banker-dragon-bonus': dragonBonus('banker', 'ETG 1.1.1', 'ETG 4.5'),
};

/** The Tiger wagers: four on a total of six and one on pairs. Each wager is settled on its own. [READING 4] */
const tigers: { readonly [id: string]: Wager } = {
  tiger: { ...bankerSixWager('Tiger', 'ETG 1.1.18', 'ETG 4.10'), optional: true },
  'small-tiger': {
    name: 'Small Tiger',
    by: 'ETG 1.1.14',
    optional: true,
    lines: [{ when: { winner: 'banker', bankerTotal: 6, bankerCards: 2 }, pays: [22, 1], by: 'ETG 4.10' }],
  },
  'big-tiger': {
    name: 'Big Tiger',
    by: 'ETG 1.1.2',
    optional: true,
    lines: [{ when: { winner: 'banker', bankerTotal: 6, bankerCards: 3 }, pays: [50, 1], by: 'ETG 4.10' }],
  },
  'tiger-tie': {
    name: 'Tiger Tie',
    by: 'ETG 1.1.20',
    optional: true,
    lines: [{ when: { winner: 'tie', playerTotal: 6 }, pays: [35, 1], by: 'ETG 4.10' }],
  },
  'tiger-pair': {
    name: 'Tiger Pair',
    by: 'ETG 1.1.19',
    optional: true,
    lines: [
      { when: { tigerPair: 'twin' }, pays: [100, 1], by: 'ETG 4.9' },
      { when: { tigerPair: 'double' }, pays: [20, 1], by: 'ETG 4.9' },
      { when: { tigerPair: 'single' }, pays: [4, 1], by: 'ETG 4.9' },
    ],
  },
};

export const superSix: Game = {
  ...book,
  id: 'super-six',
  name: 'Super Six No Commission Baccarat',
  wagers: { ...noCommission('ETG 4.1'), ...pairs('ETG 4.1'), 'super-six': anySix('Super Six', 'ETG 4.1') },
};

export const fortuneSix: Game = {
  ...book,
  id: 'fortune-six',
  name: 'Fortune Six No Commission Baccarat',
  wagers: {
    ...noCommission('ETG 4.2'),
    ...pairs('ETG 4.2'),
    'fortune-six': bankerSixWager('Fortune Six', 'ETG 1.1.4', 'ETG 4.2'),
    ...dragonBonuses,
  },
};

export const super6: Game = {
  ...book,
  id: 'super-6',
  name: 'Super 6 No Commission Baccarat',
  wagers: {
    ...noCommission('ETG 4.3'),
    ...pairs('ETG 4.3'),
    'super-6': anySix('Super 6', 'ETG 4.3'),
    ...dragonBonuses,
  },
};

export const noCommissionBaccarat: Game = {
  ...book,
  id: 'no-commission',
  name: 'No Commission Baccarat',
  wagers: { ...noCommission('ETG 4.4'), ...pairs('ETG 4.4') },
};

export const tiger: Game = {
  ...book,
  id: 'tiger',
  name: 'Tiger Baccarat',
  wagers: {
    player: playerWager(main('ETG 4.7')),
    banker: bankerWagerWithCommission(main('ETG 4.7')),
    tie: tieWager('ETG 1.1.17', 'ETG 4.7'),
    ...tigers,
  },
};

export const tigerNoCommission: Game = {
  ...book,
  id: 'tiger-no-commission',
  name: 'Tiger No Commission Baccarat',
  wagers: { ...noCommission('ETG 4.8'), ...tigers },
};
