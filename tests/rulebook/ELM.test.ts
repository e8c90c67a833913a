import { expect, test } from 'vitest';
import { sandsElements } from '../../src/games/sandsElements.ts';
import { cardsOf, rankOf, suitOf } from '../../src/rules/card.ts';
import {
  dealingOrder,
  freshTotals,
  inForceFrom,
  initialDeal,
  pairByRank,
  points,
  shoes,
  totals,
  winner,
  winsIff,
} from './claims.ts';
import { ELM } from './ELM.rows.ts';
import { rounds } from './rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of ELM) rounds(game, table);

inForceFrom('ELM title', 'sands-elements', '2', '2017-05-05', '2017-05-04T23:59:59');
initialDeal('ELM 1.1.3', 'elements');
pairByRank('ELM 1.1.5', 'elements', 'player');
pairByRank('ELM 1.1.5', 'elements', 'banker');
freshTotals('ELM 1.1.6', 'elements');
shoes('ELM 2.1', 'elements', 65);
points('ELM', 'elements');
totals('ELM', 'elements');
dealingOrder({ hands: 'ELM 3.6', player: 'ELM 3.7.1', banker: 'ELM 3.7.2' }, 'elements');

test('[ELM 3.3.2] the deck has 65 different cards: five suits, three pictures in each', () => {
  const cards = cardsOf('elements');
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
winsIff('ELM 1.1.8', sandsElements, 'tie', (facts) => facts.playerTotal === facts.bankerTotal);
winsIff(
  'ELM 1.1.1',
  sandsElements,
  'fortune-six',
  (facts) => facts.bankerTotal === 6 && facts.playerTotal < facts.bankerTotal,
);
