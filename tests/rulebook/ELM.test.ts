import { expect, test } from 'vitest';
import { sandsElements } from '../../src/games/sandsElements.ts';
import { cardsOfDeck, rankOf, suitOf } from '../../src/rules/card.ts';
import { type Facts } from '../../src/rules/facts.ts';
import {
  dealingOrder,
  finalTie,
  freshTotals,
  inForceFrom,
  initialDeal,
  pairByRank,
  points,
  secondCardDecides,
  shoes,
  thirdCardsChangeNoPair,
  totals,
  winner,
  winsIff,
} from './claims.ts';
import {
  decidedPairs,
  earlierRoundsStand,
  naturals,
  payout,
  pairWins,
  pairsPay,
  settlesAs,
  tied,
  won,
} from './liveClaims.ts';
import { matchingBacks, openFrom, sameHandsForAll, totalsOfCards } from '../table/tableClaims.ts';
import { ELM } from './ELM.rows.ts';
import { promptAfterFourCards, settledOnNatural, winnerAtTable } from './play/playClaims.ts';
import { rounds } from './rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of ELM) rounds(game, table);

inForceFrom('ELM title', 'sands-elements', '2', '2017-05-05', '2017-05-04T23:59:59');
openFrom('ELM title', sandsElements, '2017-05-05T00:00:00');
initialDeal('ELM 1.1.3', 'elements');
naturals('ELM 1.1.4', 'elements');
pairByRank('ELM 1.1.5', 'elements', 'player');
pairByRank('ELM 1.1.5', 'elements', 'banker');
finalTie('ELM 1.1.8', 'elements');
freshTotals('ELM 1.1.6', 'elements');
totalsOfCards('ELM 1.1.6', sandsElements);
shoes('ELM 2.1', 'elements', 65);
matchingBacks('ELM 2.1', sandsElements);
points('ELM', 'elements');
totals('ELM', 'elements');
dealingOrder({ hands: 'ELM 3.6', player: 'ELM 3.7.1', banker: 'ELM 3.7.2' }, 'elements');
sameHandsForAll('ELM 3.6', sandsElements);
decidedPairs('ELM 3.8', sandsElements, ['player-pair', 'banker-pair']);
secondCardDecides('ELM 3.8', sandsElements, ['player-pair', 'banker-pair']);
thirdCardsChangeNoPair('ELM 3.8', sandsElements);
pairWins('ELM 3.8.1', sandsElements, 'player');
pairWins('ELM 3.8.2', sandsElements, 'banker');
promptAfterFourCards('ELM 3.9', sandsElements);
settledOnNatural('ELM 3.9.natural', sandsElements, 'ELM 3.9');
earlierRoundsStand('ELM 5.1.2', sandsElements);

test('[ELM 3.3.2] the deck has 65 different cards: five suits, three pictures in each', () => {
  const cards = cardsOfDeck('elements');
  expect(new Set(cards).size).toBe(65);
  expect(new Set(cards.map(suitOf))).toEqual(new Set(['1', '2', '3', '4', '5']));
  for (const suit of '12345') {
    const pictures = cards.filter((card) => suitOf(card) === suit && 'SLF'.includes(rankOf(card)));
    expect(pictures).toEqual([`S${suit}`, `L${suit}`, `F${suit}`]);
  }
});

tableOfPlay(
  'elements',
  `
  ELM 3.9.natural      | either hand 8-9: no hand draws
  ELM 3.9.player-0-5   | Player 0-5: Player draws
  ELM 3.9.player-6-7   | Player 6-7: Player stands
  ELM 3.9.player-8-9   | Player 8-9: no hand draws
  ELM 3.9.player-stood | Player stood on 6 or 7: Banker draws on 0-5
  ELM 3.9.banker-0-2   | Banker 0-2: draws against 0-9
  ELM 3.9.banker-3     | Banker 3: draws against 0-9 except 8
  ELM 3.9.banker-4     | Banker 4: draws against 2-7
  ELM 3.9.banker-5     | Banker 5: draws against 4-7
  ELM 3.9.banker-6     | Banker 6: draws against 6 or 7
  ELM 3.9.otherwise    | otherwise: Banker stands
`,
);

winner({ winner: 'ELM 3.10', tie: 'ELM 3.10.1.i' }, 'elements');
winnerAtTable(
  { winner: 'ELM 3.10', tie: 'ELM 3.10.1.i', push: 'ELM 3.10.1.ii', eightToOne: 'ELM 3.10.1.iii' },
  sandsElements,
);
winsIff('ELM 1.1.8', sandsElements, 'tie', (facts) => facts.playerTotal === facts.bankerTotal);
winsIff(
  'ELM 1.1.1',
  sandsElements,
  'fortune-six',
  (facts) => facts.bankerTotal === 6 && facts.playerTotal < facts.bankerTotal,
);

const playerWon = (facts: Facts): boolean => won('player', facts);
const six = (facts: Facts): boolean => won('banker', facts) && facts.bankerTotal === 6;
const money: readonly [string, readonly string[], (facts: Facts) => string | undefined][] = [
  ['ELM 3.11', ['fortune-six'], payout('12 to 1', (facts) => six(facts) && facts.bankerCards === 2)],
  ['ELM 3.11', ['fortune-six'], payout('20 to 1', (facts) => six(facts) && facts.bankerCards === 3)],
  ['ELM 3.10.1.ii', ['player', 'banker'], payout('push', tied)],
  ['ELM 3.10.1.iii', ['tie'], payout('8 to 1', tied)],
  ['ELM 4.1.a', ['banker'], payout('1 to 2', six)],
  ['ELM 4.1.b', ['banker'], payout('1 to 1', (facts) => won('banker', facts) && !six(facts), playerWon)],
  ['ELM 4.1.c', ['player'], payout('1 to 1', playerWon, (facts) => won('banker', facts))],
  ['ELM 4.1.d', ['tie'], payout('8 to 1', tied, (facts) => !tied(facts))],
  ['ELM 4.1.f', ['fortune-six'], payout('12 to 1', (facts) => six(facts) && facts.bankerCards === 2, tied)],
  ['ELM 4.1.g', ['fortune-six'], payout('20 to 1', (facts) => six(facts) && facts.bankerCards === 3, playerWon)],
];
for (const [id, wagers, expected] of money) settlesAs(id, sandsElements, wagers, expected);
pairsPay('ELM 4.1.e', sandsElements);
