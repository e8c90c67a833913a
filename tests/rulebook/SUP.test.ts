import { expect, test } from 'vitest';
import { sandsSuper } from '../../src/games/sandsSuper.ts';
import { type Card, cardsOf, rankOf, suitOf } from '../../src/rules/card.ts';
import { decidedWagers } from '../../src/rules/decidedWagers.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { handColourOf } from '../../src/rules/hand.ts';
import { payLineFor } from '../../src/rules/wager.ts';
import {
  dealingOrder,
  freshTotals,
  inForceFrom,
  initialDeal,
  points,
  shoes,
  totals,
  winner,
  winsIff,
} from './claims.ts';
import { dealt, rounds } from './rows.ts';
import { SUP } from './SUP.rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of SUP) rounds(game, table);

inForceFrom('SUP title', 'sands-super', '2017-07-28', '2017-07-28', '2017-07-27T23:59:59');
initialDeal('SUP 1.1.4', 'french');
freshTotals('SUP 1.1.8', 'french');
shoes('SUP 2.1', 'french', 52);
points('SUP', 'french');
totals('SUP', 'french');
dealingOrder({ hands: 'SUP 3.6', player: 'SUP 3.7.1', banker: 'SUP 3.7.2' }, 'french');

tableOfPlay(
  'french',
  `
  SUP 3.9.natural      | either hand 8 or 9: no hand draws
  SUP 3.9.player-0-5   | Player 0,1,2,3,4,5: Player draws
  SUP 3.9.player-6-7   | Player 6,7: Player stands
  SUP 3.9.banker-0-2   | Banker 0,1,2: draws against 0,1,2,3,4,5,6,7,8,9
  SUP 3.9.banker-3     | Banker 3: draws against 0,1,2,3,4,5,6,7,9
  SUP 3.9.banker-4     | Banker 4: draws against 2,3,4,5,6 or 7
  SUP 3.9.banker-5     | Banker 5: draws against 4,5,6 or 7
  SUP 3.9.banker-6     | Banker 6: draws against 6 or 7
  SUP 3.9.banker-7     | Banker 7: always stands
  SUP 3.9.player-stood | Player stood on 6 or 7: Banker draws on 0-5
`,
);

winner({ winner: 'SUP 3.10', tie: 'SUP 3.11.i' }, 'french');

const wins = (side: 'player' | 'banker', facts: Facts): boolean =>
  side === 'player' ? facts.playerTotal > facts.bankerTotal : facts.bankerTotal > facts.playerTotal;
const tied = (facts: Facts): boolean => facts.playerTotal === facts.bankerTotal;

winsIff('SUP 1.1.12', sandsSuper, 'tie', tied);
for (const side of ['player', 'banker'] as const) {
  winsIff('SUP 3.10', sandsSuper, side, (facts) => wins(side, facts), tied);
}
for (let n = 1; n <= 9; n++) {
  winsIff('SUP 1.1.1', sandsSuper, `banker-wins-on-${n}`, (facts) => wins('banker', facts) && facts.bankerTotal === n);
  winsIff('SUP 1.1.7', sandsSuper, `player-wins-on-${n}`, (facts) => wins('player', facts) && facts.playerTotal === n);
}
for (let n = 0; n <= 9; n++) {
  winsIff('SUP 1.1.13', sandsSuper, `tie-wins-on-${n}`, (facts) => tied(facts) && facts.playerTotal === n);
}
winsIff('SUP 1.1.11', sandsSuper, 'sands-six', (facts) => Math.max(facts.playerTotal, facts.bankerTotal) === 6);

test('[SUP 1.1.9] hearts and diamonds are red, clubs and spades black: 26 cards each', () => {
  const cards = cardsOf('french');
  const red = cards.filter((card) => handColourOf([card, card]) === 'red');
  const black = cards.filter((card) => handColourOf([card, card]) === 'black');
  expect([red.length, black.length]).toEqual([26, 26]);
  expect(new Set(red.map(suitOf))).toEqual(new Set(['D', 'H']));
  for (const a of cards) {
    for (const b of cards) {
      const both = red.includes(a) === red.includes(b);
      expect(handColourOf([a, b])).toBe(both ? (red.includes(a) ? 'red' : 'black') : 'mixed');
    }
  }
});

test('[SUP 3.8] a Precious Pair is known after the third card for Player and after the fourth for Banker', () => {
  const pairs = ['player-precious-pair', 'banker-precious-pair'];
  const after = (cards: string) => decidedWagers(sandsSuper, pairs, cards.split(' ') as Card[]);
  expect(after('4D KC')).toMatchObject({ won: [], lost: [] });
  expect(after('4D KC 4D')).toMatchObject({ won: ['player-precious-pair'], lost: [] });
  expect(after('4D KC 5D')).toMatchObject({ won: [], lost: ['player-precious-pair'] });
  expect(after('4D KC 4D KH')).toMatchObject({ won: pairs, lost: [] });
  expect(after('4D KC 4D QH')).toMatchObject({ won: ['player-precious-pair'], lost: ['banker-precious-pair'] });
});

test('[SUP 4.2.e] a precious pair is paid by one line, its highest', () => {
  const wager = sandsSuper.wagers['player-precious-pair']!;
  const paid = new Map<string, number>();
  for (const a of cardsOf('french')) {
    for (const b of cardsOf('french').filter((card) => rankOf(card) === rankOf(a))) {
      // Eight on the other hand ends the round at four cards.
      const { facts } = dealt([a, '8S', b, 'KC'], 'french');
      const line = payLineFor(wager, facts)!;
      const diamonds = suitOf(a) === 'D' && suitOf(b) === 'D';
      const expected = rankOf(a) === '4' ? (diamonds ? 30 : 15) : diamonds ? 12 : 9;
      expect(line.pays, `${a} ${b}`).toEqual([expected, 1]);
      paid.set(String(expected), (paid.get(String(expected)) ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(paid)).toEqual({ 30: 1, 15: 15, 12: 12, 9: 180 });
});
