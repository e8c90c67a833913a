// The odds that the rulebooks print for every wager, with their conditions as a terminal shows them: typed here from
// the settlement sections, so that a wrong pay table and a wrong text are both found.

/** Odds of the wagers of a game; a list of several has a condition before each but the first. */
type PrintedOdds = { readonly [wager: string]: readonly string[] };

const evens = ['1 : 1'];
const tie = ['8 : 1'];
const halfOnSix = ['1 : 1', 'on 6 1 : 2'];
const pairs: PrintedOdds = { 'player-pair': ['11 : 1'], 'banker-pair': ['11 : 1'] };
const byCards = ['2 cards 12 : 1', '3 cards 20 : 1'];
const preciousPair = ['4♦ 4♦ 30 : 1', 'other 4s 15 : 1', '♦ pair 12 : 1', 'other pair 9 : 1'];
const preciousPairs: PrintedOdds = { 'player-precious-pair': preciousPair, 'banker-precious-pair': preciousPair };
const dragonBonus = [
  'by 9 30 : 1',
  'by 8 10 : 1',
  'by 7 6 : 1',
  'by 6 4 : 1',
  'by 5 2 : 1',
  'by 4 1 : 1',
  'natural 1 : 1',
  'natural tie push',
];
const dragonBonuses: PrintedOdds = { 'player-dragon-bonus': dragonBonus, 'banker-dragon-bonus': dragonBonus };
const noCommission: PrintedOdds = { player: evens, banker: halfOnSix, tie };
const tigers: PrintedOdds = {
  tiger: byCards,
  'small-tiger': ['22 : 1'],
  'big-tiger': ['50 : 1'],
  'tiger-tie': ['35 : 1'],
  'tiger-pair': ['twin 100 : 1', 'double 20 : 1', 'single 4 : 1'],
};

const winsOn = (side: string, least: number, odds: readonly number[]): PrintedOdds =>
  Object.fromEntries(odds.map((win, n) => [`${side}-wins-on-${least + n}`, [`${win} : 1`]]));

export const printedOdds: { readonly [game: string]: PrintedOdds } = {
  baccarat: { player: evens, banker: ['0.95 : 1'], tie, ...pairs },
  'sands-super': {
    ...noCommission,
    'player-red': ['2 : 1'],
    'player-black': ['2 : 1'],
    'banker-red': ['2 : 1'],
    'banker-black': ['2 : 1'],
    'sands-six': ['6 : 1'],
    ...preciousPairs,
    ...winsOn('player', 1, [150, 80, 50, 50, 30, 11, 8, 6, 5]),
    ...winsOn('banker', 1, [150, 80, 50, 25, 15, 11, 8, 6, 5]),
    ...winsOn('tie', 0, [100, 150, 150, 150, 100, 80, 35, 35, 50, 50]),
  },
  'sands-elements': { ...noCommission, ...pairs, 'fortune-six': byCards },
  'fabulous-4': {
    player: ['1 : 1', 'on 4 1 : 2', 'on 1 2 : 1'],
    banker: ['1 : 1', 'on 4 push', 'on 1 2 : 1'],
    tie,
    'player-fabulous-4': ['50 : 1'],
    'banker-fabulous-4': ['25 : 1'],
    ...preciousPairs,
  },
  'super-six': { ...noCommission, ...pairs, 'super-six': ['15 : 1'] },
  'fortune-six': { ...noCommission, ...pairs, 'fortune-six': byCards, ...dragonBonuses },
  'super-6': { ...noCommission, ...pairs, 'super-6': ['15 : 1'], ...dragonBonuses },
  'no-commission': { ...noCommission, ...pairs },
  tiger: { player: evens, banker: ['0.95 : 1'], tie, ...tigers },
  'tiger-no-commission': { ...noCommission, ...tigers },
};
