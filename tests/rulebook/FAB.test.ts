import { expect, test } from 'vitest';
import { fabulous4 } from '../../src/games/fabulous4.ts';
import { isInForce } from '../../src/games/registry.ts';
import { type Facts } from '../../src/rules/facts.ts';
import {
  dealingOrder,
  finalTie,
  freshTotals,
  inForceFrom,
  initialDeal,
  points,
  preciousPairsByHand,
  shoes,
  totals,
  winner,
  winsIff,
} from './claims.ts';
import {
  earlierRoundsStand,
  naturals,
  payout,
  preciousPairByHand,
  preciousPairs,
  settlesAs,
  tied,
  won,
} from './liveClaims.ts';
import { matchingBacks, openFrom, sameHandsForAll, totalsOfCards } from '../table/tableClaims.ts';
import { FAB } from './FAB.rows.ts';
import { readyTable } from '../table/tableScenario.ts';
import { promptAfterFourCards, settledOnNatural, winnerAtTable } from './play/playClaims.ts';
import { rounds } from './rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of FAB) rounds(game, table);

inForceFrom('FAB title', 'fabulous-4', '3', '2017-03-14T08:00', '2017-03-14T07:59:59');

test('[FAB title] the book applies from eight in the morning of its first day', () => {
  const moments = ['2017-03-13T23:59:59', '2017-03-14T00:00:00', '2017-03-14T07:59:59', '2017-03-14T08:00:00'];
  expect(moments.map((at) => isInForce(fabulous4, at))).toEqual([false, false, false, true]);
});

openFrom('FAB title', fabulous4, '2017-03-14T08:00:00');
initialDeal('FAB 1.1.3', 'french');
naturals('FAB 1.1.4', 'french');
preciousPairs('FAB', fabulous4);
preciousPairsByHand('FAB 1.1.6', fabulous4);
finalTie('FAB 1.1.9', 'french');
freshTotals('FAB 1.1.7', 'french');
totalsOfCards('FAB 1.1.7', fabulous4);
shoes('FAB 2.1', 'french', 52);
matchingBacks('FAB 2.1', fabulous4);
points('FAB', 'french');
totals('FAB', 'french');
dealingOrder({ hands: 'FAB 3.6', player: 'FAB 3.7.1', banker: 'FAB 3.7.2' }, 'french');
sameHandsForAll('FAB 3.6', fabulous4);
promptAfterFourCards('FAB 3.8', fabulous4);
settledOnNatural('FAB 3.8.1', fabulous4, 'FAB 3.8.1');
earlierRoundsStand('FAB 5.1.2', fabulous4);

tableOfPlay(
  'french',
  `
  FAB 3.8.1             | either hand 8-9: no hand draws
  FAB 3.8.2.player-0-5  | Player 0-5: Player draws
  FAB 3.8.2.player-6-7  | Player 6-7: Player stands
  FAB 3.8.2.player-8-9  | Player 8-9: no hand draws
  FAB 3.8.3             | Player stood on 6-7: Banker draws on 0-5
  FAB 3.8.4.banker-0-2  | Banker 0-2: draws against 0-9
  FAB 3.8.4.banker-3    | Banker 3: draws against 0-9 except 8
  FAB 3.8.4.banker-4    | Banker 4: draws against 2-7
  FAB 3.8.4.banker-5    | Banker 5: draws against 4-7
  FAB 3.8.4.banker-6    | Banker 6: draws against 6 or 7
  FAB 3.8.4.otherwise   | otherwise: Banker stands
`,
);

winner({ winner: 'FAB 3.9', tie: 'FAB 3.9.1.i' }, 'french');
winnerAtTable({ winner: 'FAB 3.9', tie: 'FAB 3.9.1.i', push: 'FAB 3.9.1.ii', eightToOne: 'FAB 3.9.1.iii' }, fabulous4);
winsIff('FAB 1.1.9', fabulous4, 'tie', (facts) => facts.playerTotal === facts.bankerTotal);
winsIff('FAB 1.1.1', fabulous4, 'banker-fabulous-4', (facts) => facts.bankerTotal === 4 && facts.playerTotal < 4);
winsIff('FAB 1.1.5', fabulous4, 'player-fabulous-4', (facts) => facts.playerTotal === 4 && facts.bankerTotal < 4);

const on =
  (side: 'player' | 'banker', ...finals: readonly number[]) =>
  (facts: Facts): boolean =>
    won(side, facts) && finals.includes(facts[`${side}Total`]);
const notTied = (facts: Facts): boolean => !tied(facts);
const otherTotals = [2, 3, 5, 6, 7, 8, 9];
const by4 = { player: on('player', 4), banker: on('banker', 4) };
const playerWon = (facts: Facts): boolean => won('player', facts);
const bankerWon = (facts: Facts): boolean => won('banker', facts);
const tiedAt4 = (facts: Facts): boolean => tied(facts) && facts.playerTotal === 4;

const money: readonly [string, string, (facts: Facts) => string | undefined][] = [
  ['FAB 3.9.1.ii', 'player', payout('push', tied)],
  ['FAB 3.9.1.ii', 'banker', payout('push', tied)],
  ['FAB 3.9.1.iii', 'tie', payout('8 to 1', tied)],
  ['FAB 3.10.i', 'banker-fabulous-4', payout('25 to 1', by4.banker)],
  ['FAB 3.10.ii', 'player', payout('loses', by4.banker)],
  ['FAB 3.10.iii', 'banker', payout('push', by4.banker)],
  ['FAB 3.10.iii', 'tie', payout('loses', by4.banker)],
  ['FAB 3.11.i', 'player-fabulous-4', payout('50 to 1', by4.player)],
  ['FAB 3.11.ii', 'banker', payout('loses', by4.player)],
  ['FAB 3.11.iii', 'player', payout('1 to 2', by4.player)],
  ['FAB 4.1.a', 'banker', payout('push', by4.banker)],
  ['FAB 4.1.b', 'banker', payout('2 to 1', on('banker', 1))],
  ['FAB 4.1.c', 'banker', payout('1 to 1', on('banker', ...otherTotals), playerWon)],
  ['FAB 4.1.d', 'player', payout('1 to 2', by4.player)],
  ['FAB 4.1.e', 'player', payout('2 to 1', on('player', 1))],
  ['FAB 4.1.f', 'player', payout('1 to 1', on('player', ...otherTotals), bankerWon)],
  ['FAB 4.1.g', 'tie', payout('8 to 1', tied, notTied)],
  ['FAB 4.1.h', 'player-fabulous-4', payout('50 to 1', by4.player, tiedAt4)],
  ['FAB 4.1.i', 'banker-fabulous-4', payout('25 to 1', by4.banker, tiedAt4)],
];
for (const [id, wager, expected] of money) settlesAs(id, fabulous4, [wager], expected);

preciousPairByHand('FAB 3.12', fabulous4);

const [bankerFour, playerFour] = ['4H 2H KS QH 7H 2C', '9H 5D 4D 8D AS 8C'];
test.each([
  ['FAB 3.10.i', bankerFour, 'banker-fabulous-4', 25],
  ['FAB 3.10.ii', bankerFour, 'player', -1],
  ['FAB 3.10.iii', bankerFour, 'banker', 0],
  ['FAB 3.10.iii', bankerFour, 'tie', -1],
  ['FAB 3.11.i', playerFour, 'player-fabulous-4', 50],
  ['FAB 3.11.ii', playerFour, 'banker', -1],
  ['FAB 3.11.iii', playerFour, 'player', 0.5],
])('[%s] after %s every terminal with a stake on %s wins %d times its stake', (_, cards, wager, times) => {
  const stakes = { T1: 1000, T2: 500, T3: 7000 };
  const slips = Object.entries(stakes).map(([terminal, stake]) => [terminal, { [wager]: stake }] as const);
  const scenario = readyTable('fabulous-4').playRound(cards, Object.fromEntries(slips));
  for (const [terminal, stake] of Object.entries(stakes)) expect(scenario.balance(terminal)).toBe(stake * times);
});
