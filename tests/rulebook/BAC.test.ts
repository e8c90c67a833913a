import { expect, test } from 'vitest';
import { baccarat } from '../../src/games/baccarat.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { wagerIdsOf } from '../../src/rules/game.ts';
import { settle } from '../../src/rules/settle.ts';
import { terminalView } from '../../src/table/views/publicView.ts';
import { afterSettlement, readyTable } from '../table/tableScenario.ts';
import { BAC } from './BAC.rows.ts';
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
import { decidedPairs, earlierRoundsStand, naturals, pairWins, pairsPay, settlesAs, tied, won } from './liveClaims.ts';
import { matchingBacks, openFrom, sameHandsForAll, totalsOfCards } from '../table/tableClaims.ts';
import { everyFacts } from './deals.ts';
import { promptAfterFourCards, settledOnNatural, winnerAtTable } from './play/playClaims.ts';
import { dealt, rounds } from './rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of BAC) rounds(game, table);

inForceFrom('BAC title', 'baccarat', '7', '2017-02-17', '2017-02-16T23:59:59');
openFrom('BAC title', baccarat, '2017-02-17T00:00:00');
initialDeal('BAC 1.1.3', 'french');
naturals('BAC 1.1.4', 'french');
pairByRank('BAC 1.1.5', 'french', 'player');
pairByRank('BAC 1.1.5', 'french', 'banker');
finalTie('BAC 1.1.8', 'french');
freshTotals('BAC 1.1.6', 'french');
totalsOfCards('BAC 1.1.6', baccarat);
shoes('BAC 2.1', 'french', 52);
matchingBacks('BAC 2.1', baccarat);
points('BAC', 'french');
totals('BAC', 'french');
dealingOrder({ hands: 'BAC 3.6', player: 'BAC 3.7.1', banker: 'BAC 3.7.2' }, 'french');
sameHandsForAll('BAC 3.6', baccarat);
decidedPairs('BAC 3.8', baccarat, ['player-pair', 'banker-pair']);
secondCardDecides('BAC 3.8', baccarat, ['player-pair', 'banker-pair']);
thirdCardsChangeNoPair('BAC 3.8', baccarat);
pairWins('BAC 3.8.1', baccarat, 'player');
pairWins('BAC 3.8.2', baccarat, 'banker');
promptAfterFourCards('BAC 3.9', baccarat);
settledOnNatural('BAC 3.9.1', baccarat, 'BAC 3.9.1');
earlierRoundsStand('BAC 5.1.2', baccarat);

tableOfPlay(
  'french',
  `
  BAC 3.9.1              | either hand 8-9: no hand draws
  BAC 3.9.2.player-0-5   | Player 0-5: Player draws
  BAC 3.9.2.player-6-7   | Player 6-7: Player stands
  BAC 3.9.2.player-8-9   | Player 8-9: no hand draws
  BAC 3.9.3              | Player stood on 6-7: Banker draws on 0-5
  BAC 3.9.4.banker-0-2   | Banker 0-2: draws against 0-9
  BAC 3.9.4.banker-3     | Banker 3: draws against 0-9 except 8
  BAC 3.9.4.banker-4     | Banker 4: draws against 2-7
  BAC 3.9.4.banker-5     | Banker 5: draws against 4-7
  BAC 3.9.4.banker-6     | Banker 6: draws against 6 or 7
  BAC 3.9.4.otherwise    | otherwise: Banker stands
`,
);

winner({ winner: 'BAC 3.10', tie: 'BAC 3.10.1.i' }, 'french');
winnerAtTable(
  { winner: 'BAC 3.10', tie: 'BAC 3.10.1.i', push: 'BAC 3.10.1.ii', eightToOne: 'BAC 3.10.1.iii' },
  baccarat,
);
winsIff('BAC 1.1.8', baccarat, 'tie', (facts) => facts.playerTotal === facts.bankerTotal);
for (const side of ['player', 'banker'] as const) {
  const other = side === 'player' ? 'banker' : 'player';
  winsIff(
    'BAC 3.10',
    baccarat,
    side,
    (facts) => facts[`${side}Total`] > facts[`${other}Total`],
    (facts) => facts.playerTotal === facts.bankerTotal,
  );
}

const push = (facts: Facts) => (tied(facts) ? 'push' : undefined);
settlesAs('BAC 3.10.1.ii', baccarat, ['player', 'banker'], push);
settlesAs('BAC 3.10.1.iii', baccarat, ['tie'], (facts) => (tied(facts) ? '8 to 1' : undefined));
settlesAs('BAC 4.1.a', baccarat, ['banker'], (facts) =>
  tied(facts) ? undefined : won('banker', facts) ? '0.95 to 1' : 'loses',
);
settlesAs('BAC 4.1.b', baccarat, ['player'], (facts) =>
  tied(facts) ? undefined : won('player', facts) ? '1 to 1' : 'loses',
);
pairsPay('BAC 4.1.d', baccarat);
settlesAs('BAC 4.1.c', baccarat, ['tie'], (facts) => (tied(facts) ? '8 to 1' : 'loses'));

test('[BAC 1.1.1] the settled line has gross, commission and net, and only a Banker win bears commission', () => {
  const { facts } = dealt(['JS', '9D', 'TC', '8D', '5C'], 'french');
  expect(settle(baccarat, 'banker', facts, 10000)).toMatchObject({ won: 9500, commission: 500, returned: 19500 });
  for (const wager of ['player', 'tie', 'player-pair', 'banker-pair']) {
    expect(settle(baccarat, wager, facts, 10000)).toMatchObject({ result: 'lose', won: 0, commission: 0, returned: 0 });
  }
  const lost = dealt(['9S', '2C', '9H', '4D'], 'french').facts;
  expect(settle(baccarat, 'banker', lost, 10000)).toMatchObject({ result: 'lose', commission: 0, returned: 0 });
  const equal = dealt(['AH', '8C', '8D', 'AS'], 'french').facts;
  expect(settle(baccarat, 'banker', equal, 10000)).toMatchObject({ result: 'push', commission: 0, returned: 10000 });
  expect(settle(baccarat, 'tie', equal, 10000)).toMatchObject({ result: 'win', won: 80000, commission: 0 });
  for (const wager of wagerIdsOf(baccarat)) {
    for (const one of everyFacts('french')) {
      const commission = wager === 'banker' && one.bankerTotal > one.playerTotal ? 500 : 0;
      expect(settle(baccarat, wager, one, 10000)).toMatchObject({ commission });
    }
  }
});

test('[BAC 4.1.a] 1.00, 5.00 and 25.00 on Banker win 0.95, 4.75 and 23.75 exactly', () => {
  const { facts } = dealt(['JS', '9D', 'TC', '8D', '5C'], 'french');
  const lines = [100, 500, 2500].map((stake) => settle(baccarat, 'banker', facts, stake));
  expect(lines).toMatchObject([{ won: 95 }, { won: 475 }, { won: 2375 }]);
  // Every stake whose win is whole cents is paid 95 in a hundred; no other stake is taken.
  for (let stake = 1; stake <= 10_000; stake++) {
    const settled = settle(baccarat, 'banker', facts, stake);
    if (stake % 20 === 0) expect(settled).toMatchObject({ won: (stake / 20) * 19, commission: stake / 20 });
    else expect(settled).toMatchObject({ refused: 'off-step-stake' });
  }
});

test('[BAC 1.1.1] a void round bears no commission, and what its settlement took is given back', () => {
  for (const isSettled of [false, true]) {
    const scenario = readyTable('baccarat')
      .bets({ T1: { banker: 10_000 } })
      .close()
      .deal('JS 9D TC 8D 5C');
    if (isSettled) scenario.settle();
    expect(scenario.account('commission')).toBe(isSettled ? 500 : 0);
    scenario.do('ReportIrregularity', { kind: 'wrong-number' });
    const credits = { T1: 100_000 };
    if (isSettled) scenario.doByTwo('VoidRound', { reason: 'x' }, afterSettlement, credits);
    else scenario.doByTwo('VoidRound', { reason: 'x' });
    expect([scenario.balance('T1'), scenario.account('house'), scenario.account('commission')]).toEqual([0, 0, 0]);
    expect(terminalView(scenario.table!, 'T1').paid).toMatchObject([{ result: 'void', won: 0, commission: 0 }]);
  }
});
