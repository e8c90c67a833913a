import { expect, test } from 'vitest';
import {
  fortuneSix,
  noCommissionBaccarat,
  super6,
  superSix,
  tiger,
  tigerNoCommission,
} from '../../src/games/electronic.ts';
import { findGame, games } from '../../src/games/registry.ts';
import { decidedWagers } from '../../src/rules/decidedWagers.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { parseLayout, wagerIdsOf } from '../../src/rules/game.ts';
import { settle } from '../../src/rules/settle.ts';
import {
  dealingOrder,
  freshTotals,
  initialDeal,
  pairByRank,
  points,
  shoes,
  totals,
  winner,
  winsIff,
} from './claims.ts';
import { completed, ranksOf } from './deals.ts';
import { ETG } from './ETG.rows.ts';
import { cardsFrom, dealt, rounds } from './rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of ETG) rounds(game, table);

const main = ['player', 'banker', 'tie'];
const pairs = ['player-pair', 'banker-pair'];
const dragons = ['player-dragon-bonus', 'banker-dragon-bonus'];
const tigers = ['tiger', 'small-tiger', 'big-tiger', 'tiger-tie', 'tiger-pair'];

const spots: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['ETG games-1', 'super-six', 'Super Six No Commission Baccarat', [...main, ...pairs, 'super-six']],
  ['ETG games-2', 'fortune-six', 'Fortune Six No Commission Baccarat', [...main, ...pairs, 'fortune-six', ...dragons]],
  ['ETG games-3', 'super-6', 'Super 6 No Commission Baccarat', [...main, ...pairs, 'super-6', ...dragons]],
  ['ETG games-4', 'no-commission', 'No Commission Baccarat', [...main, ...pairs]],
  ['ETG games-5', 'tiger', 'Tiger Baccarat', [...main, ...tigers]],
  ['ETG games-6', 'tiger-no-commission', 'Tiger No Commission Baccarat', [...main, ...tigers]],
];

for (const [row, id, name, wagers] of spots) {
  test(`[${row}] ${id} is a separate game with exactly its wagers`, () => {
    const game = findGame(id, '2021-10-28');
    expect(game).toMatchObject({ id, name, book: 'ETG', version: '2021-10-28' });
    expect(wagerIdsOf(game as typeof tiger)).toEqual(wagers);
    expect(games.filter(({ book }) => book === 'ETG')).toHaveLength(6);
    expect(findGame(id, '2021-10-27T23:59:59')).toMatchObject({ refused: 'game-not-in-force' });
  });
}

for (const [row, optional, on, off] of [
  [
    'ETG 4.5',
    ['banker-dragon-bonus'],
    [fortuneSix, super6],
    [superSix, noCommissionBaccarat, tiger, tigerNoCommission],
  ],
  [
    'ETG 4.6',
    ['player-dragon-bonus'],
    [fortuneSix, super6],
    [superSix, noCommissionBaccarat, tiger, tigerNoCommission],
  ],
  ['ETG 4.9', ['tiger-pair'], [tiger, tigerNoCommission], [superSix, noCommissionBaccarat, fortuneSix, super6]],
  [
    'ETG 4.10',
    ['tiger', 'small-tiger', 'big-tiger', 'tiger-tie'],
    [tiger, tigerNoCommission],
    [superSix, noCommissionBaccarat, fortuneSix, super6],
  ],
] as const) {
  test(`[${row}] ${optional.join(', ')}: on or off the layout of ${on.map(({ id }) => id).join(' and ')}, refused elsewhere`, () => {
    for (const wager of optional) {
      for (const game of on) {
        const all = wagerIdsOf(game);
        const without = all.filter((id) => id !== wager);
        expect(parseLayout(game, all)).toEqual(all);
        expect(parseLayout(game, without)).toEqual(without);
      }
      for (const game of off) {
        expect(parseLayout(game, [...wagerIdsOf(game), wager])).toMatchObject({ refused: 'unknown-wager' });
      }
    }
  });
}

const byBanker = (facts: Facts): number => facts.bankerTotal - facts.playerTotal;
const tied = (facts: Facts): boolean => facts.playerTotal === facts.bankerTotal;
const natural = (total: number, cards: number): boolean => cards === 2 && total >= 8;

for (const game of [fortuneSix, super6]) {
  const pushes = (facts: Facts): boolean => tied(facts) && natural(facts.playerTotal, facts.playerCards);
  winsIff(
    'ETG 1.1.1.1',
    game,
    'banker-dragon-bonus',
    (facts) => byBanker(facts) >= 4 || (byBanker(facts) > 0 && natural(facts.bankerTotal, facts.bankerCards)),
    pushes,
  );
  winsIff(
    'ETG 1.1.9.1',
    game,
    'player-dragon-bonus',
    (facts) => -byBanker(facts) >= 4 || (byBanker(facts) < 0 && natural(facts.playerTotal, facts.playerCards)),
    pushes,
  );
}
for (const game of [tiger, tigerNoCommission]) {
  const six = (facts: Facts): boolean => facts.bankerTotal === 6 && facts.playerTotal < 6;
  winsIff('ETG 1.1.2', game, 'big-tiger', (facts) => six(facts) && facts.bankerCards === 3);
  winsIff('ETG 1.1.14', game, 'small-tiger', (facts) => six(facts) && facts.bankerCards === 2);
  winsIff('ETG 1.1.18', game, 'tiger', six);
  winsIff('ETG 1.1.20', game, 'tiger-tie', (facts) => facts.playerTotal === 6 && facts.bankerTotal === 6);
}
winsIff('ETG 1.1.4', fortuneSix, 'fortune-six', (facts) => facts.bankerTotal === 6 && facts.playerTotal < 6);
winsIff('ETG 1.1.15', superSix, 'super-six', (facts) => facts.bankerTotal === 6 && facts.playerTotal < 6);
winsIff('ETG 1.1.15', super6, 'super-6', (facts) => facts.bankerTotal === 6 && facts.playerTotal < 6);
for (const [game] of ETG) winsIff('ETG 1.1.17', game, 'tie', tied);

test('[ETG 1.1.3.1] of the six games only Tiger Baccarat takes commission', () => {
  const { facts } = dealt(['JS', '9D', 'TC', '8D', '5C'], 'french');
  for (const [game] of ETG) {
    const commission = game === tiger ? 500 : 0;
    expect(settle(game, 'banker', facts, 10000)).toMatchObject({ won: 10000 - commission, commission });
  }
});

test('[ETG 1.1.10] a push returns the stake: nothing won, nothing lost, no commission', () => {
  const { facts } = dealt(['8H', '3C', 'KD', '5D'], 'french');
  for (const [game] of ETG) {
    for (const wager of ['player', 'banker']) {
      expect(settle(game, wager, facts, 10000)).toEqual({
        result: 'push',
        stake: 10000,
        won: 0,
        commission: 0,
        returned: 10000,
        by: 'ETG 3.9.1',
      });
    }
  }
});

initialDeal('ETG 1.1.6', 'french');
pairByRank('ETG 1.1.11', 'french', 'player');
pairByRank('ETG 1.1.11', 'french', 'banker');
shoes('ETG 2.1', 'french', 52);
points('ETG', 'french');
totals('ETG', 'french');
freshTotals('ETG 3.4.2', 'french');
dealingOrder({ hands: 'ETG 3.6', player: 'ETG 3.6.1', banker: 'ETG 3.6.2' }, 'french');

test('[ETG 1.1.19] tiger pair: all 28,561 ranks of the first four cards', () => {
  const ranks = ranksOf('french');
  const counts = { none: 0, single: 0, double: 0, twin: 0 };
  for (const p1 of ranks) {
    for (const b1 of ranks) {
      for (const p2 of ranks) {
        for (const b2 of ranks) {
          const { tigerPair } = completed([p1, b1, p2, b2], 'french').facts;
          const kind =
            p1 === p2 ? (b1 === b2 ? (p1 === b1 ? 'twin' : 'double') : 'single') : b1 === b2 ? 'single' : 'none';
          if (tigerPair !== kind) expect(tigerPair, `${p1} ${b1} ${p2} ${b2}`).toBe(kind);
          counts[tigerPair]++;
        }
      }
    }
  }
  expect(counts).toEqual({ none: 13 * 12 * 13 * 12, single: 2 * 13 * 13 * 12, double: 13 * 12, twin: 13 });
});

tableOfPlay(
  'french',
  `
  ETG 3.8.natural      | either hand 8 or 9: no hand draws
  ETG 3.8.player-0-5   | Player 0,1,2,3,4,5: Player draws
  ETG 3.8.player-6-7   | Player 6,7: Player stands
  ETG 3.8.banker-0-2   | Banker 0,1,2: draws against 0,1,2,3,4,5,6,7,8,9
  ETG 3.8.banker-3     | Banker 3: draws against 0,1,2,3,4,5,6,7,9
  ETG 3.8.banker-4     | Banker 4: draws against 2,3,4,5,6 or 7
  ETG 3.8.banker-5     | Banker 5: draws against 4,5,6 or 7
  ETG 3.8.banker-6     | Banker 6: draws against 6 or 7
  ETG 3.8.banker-7     | Banker 7: always stands
  ETG 3.8.player-stood | Player stood on 6 or 7: Banker draws on 0-5
`,
);

winner({ winner: 'ETG 3.9', tie: 'ETG 3.9.1.i' }, 'french');

test('[ETG 5.9.1] Tiger with all wagers: nothing is established after two cards, nor after three on 0 to 5 without a pair', () => {
  const ids = wagerIdsOf(tiger);
  const none = { established: false, won: [], lost: [] };
  expect(decidedWagers(tiger, ids, [])).toEqual(none);
  expect(decidedWagers(tiger, ids, cardsFrom(['9S'], 'french'))).toEqual(none);
  expect(decidedWagers(tiger, ids, cardsFrom(['9S', '2C'], 'french'))).toEqual(none);
  expect(decidedWagers(tiger, ids, cardsFrom(['2S', '2C', '3H'], 'french'))).toEqual(none);
});

test('[ETG 5.9.2] Tiger with all wagers: after three cards a pair or a total of 6 to 9 is established, after four always', () => {
  const ids = wagerIdsOf(tiger);
  const three = (text: string) => decidedWagers(tiger, ids, cardsFrom(text.split(' '), 'french'));
  expect(three('2S 2C 2H')).toEqual({ established: true, won: ['tiger-pair'], lost: [] });
  expect(three('2S 2C 4H').lost).toEqual(['tiger', 'small-tiger', 'big-tiger']);
  expect(three('2S 2C 5H').lost).toEqual(['tiger', 'small-tiger', 'big-tiger', 'tiger-tie']);
  // 43.06 % of all eight-deck deals, counted by ranks.
  const ranks = ranksOf('french');
  let established = 0;
  for (const p1 of ranks) {
    for (const p2 of ranks) {
      const draws = 32 * (p1 === p2 ? 31 : 32);
      if (decidedWagers(tiger, ids, [p1, ranks[0]!, p2]).established) established += draws;
      for (const b2 of ranks) expect(decidedWagers(tiger, ids, [p1, ranks[0]!, p2, b2]).established).toBe(true);
    }
  }
  expect(((100 * established) / (416 * 415)).toFixed(2)).toBe('43.06');
});

test('[READING 10] with Player Pair offered a round is established from the third card on', () => {
  const ids = wagerIdsOf(superSix);
  for (const p1 of ranksOf('french')) {
    for (const p2 of ranksOf('french')) {
      expect(decidedWagers(superSix, ids, [p1, p2]).established).toBe(false);
      expect(decidedWagers(superSix, ids, [p1, p1, p2]).established).toBe(true);
    }
  }
});
