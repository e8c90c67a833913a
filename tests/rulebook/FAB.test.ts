import { expect, test } from 'vitest';
import { fabulous4 } from '../../src/games/fabulous4.ts';
import { isInForce } from '../../src/games/registry.ts';
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
import { FAB } from './FAB.rows.ts';
import { rounds } from './rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of FAB) rounds(game, table);

inForceFrom('FAB title', 'fabulous-4', '3', '2017-03-14T08:00', '2017-03-14T07:59:59');

test('[FAB title] the book applies from eight in the morning of its first day', () => {
  const moments = ['2017-03-13T23:59:59', '2017-03-14T00:00:00', '2017-03-14T07:59:59', '2017-03-14T08:00:00'];
  expect(moments.map((at) => isInForce(fabulous4, at))).toEqual([false, false, false, true]);
});

initialDeal('FAB 1.1.3', 'french');
freshTotals('FAB 1.1.7', 'french');
shoes('FAB 2.1', 'french', 52);
points('FAB', 'french');
totals('FAB', 'french');
dealingOrder({ hands: 'FAB 3.6', player: 'FAB 3.7.1', banker: 'FAB 3.7.2' }, 'french');

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
winsIff('FAB 1.1.9', fabulous4, 'tie', (facts) => facts.playerTotal === facts.bankerTotal);
winsIff('FAB 1.1.1', fabulous4, 'banker-fabulous-4', (facts) => facts.bankerTotal === 4 && facts.playerTotal < 4);
winsIff('FAB 1.1.5', fabulous4, 'player-fabulous-4', (facts) => facts.playerTotal === 4 && facts.bankerTotal < 4);
winsIff(
  'FAB 3.11.iii',
  fabulous4,
  'player',
  (facts) => facts.playerTotal > facts.bankerTotal,
  (facts) => facts.playerTotal === facts.bankerTotal,
);
winsIff(
  'FAB 3.10.iii',
  fabulous4,
  'banker',
  (facts) => facts.bankerTotal > facts.playerTotal && facts.bankerTotal !== 4,
  (facts) => facts.playerTotal === facts.bankerTotal || (facts.bankerTotal === 4 && facts.playerTotal < 4),
);
