import { expect, test } from 'vitest';
import { sandsSuper } from '../../src/games/sandsSuper.ts';
import { type Card, cardsOfDeck, rankOf, suitOf } from '../../src/rules/card.ts';
import { wagerIdsOf } from '../../src/rules/game.ts';
import { handColourOf } from '../../src/rules/hand.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { terminalView } from '../../src/table/views/publicView.ts';
import { readyTable } from '../table/tableScenario.ts';
import {
  dealingOrder,
  finalTie,
  freshTotals,
  inForceFrom,
  initialDeal,
  points,
  preciousPairsByHand,
  secondCardDecides,
  shoes,
  totals,
  winner,
  winsIff,
} from './claims.ts';
import {
  decidedPairs,
  earlierRoundsStand,
  naturals,
  preciousPairByHand,
  preciousPairs,
  resultOf,
  settlesAs,
  tied,
  won,
} from './liveClaims.ts';
import { promptAfterFourCards, settledOnNatural, winnerAtTable } from './play/playClaims.ts';
import { matchingBacks, openFrom, sameHandsForAll, totalsOfCards } from '../table/tableClaims.ts';
import { dealt, rounds } from './rows.ts';
import { SUP } from './SUP.rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of SUP) rounds(game, table);

inForceFrom('SUP title', 'sands-super', '2017-07-28', '2017-07-28', '2017-07-27T23:59:59');
openFrom('SUP title', sandsSuper, '2017-07-28T00:00:00');
initialDeal('SUP 1.1.4', 'french');
naturals('SUP 1.1.5', 'french');
finalTie('SUP 1.1.12', 'french');
freshTotals('SUP 1.1.8', 'french');
totalsOfCards('SUP 1.1.8', sandsSuper);
shoes('SUP 2.1', 'french', 52);
matchingBacks('SUP 2.1', sandsSuper);
points('SUP', 'french');
totals('SUP', 'french');
dealingOrder({ hands: 'SUP 3.6', player: 'SUP 3.7.1', banker: 'SUP 3.7.2' }, 'french');
sameHandsForAll('SUP 3.6', sandsSuper);
decidedPairs('SUP 3.8', sandsSuper, ['player-precious-pair', 'banker-precious-pair']);
secondCardDecides('SUP 3.8', sandsSuper, ['player-precious-pair', 'banker-precious-pair']);
preciousPairByHand('SUP 3.8', sandsSuper);
promptAfterFourCards('SUP 3.9', sandsSuper);
settledOnNatural('SUP 3.9.natural', sandsSuper, 'SUP 3.9');
earlierRoundsStand('SUP 5.1.2', sandsSuper);

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
winnerAtTable({ winner: 'SUP 3.10', tie: 'SUP 3.11.i', push: 'SUP 3.11.ii', eightToOne: 'SUP 3.11.iii' }, sandsSuper);

winsIff('SUP 1.1.12', sandsSuper, 'tie', tied);
for (const side of ['player', 'banker'] as const) {
  winsIff('SUP 3.10', sandsSuper, side, (facts) => won(side, facts), tied);
}
for (let n = 1; n <= 9; n++) {
  winsIff('SUP 1.1.1', sandsSuper, `banker-wins-on-${n}`, (facts) => won('banker', facts) && facts.bankerTotal === n);
  winsIff('SUP 1.1.7', sandsSuper, `player-wins-on-${n}`, (facts) => won('player', facts) && facts.playerTotal === n);
}
for (let n = 0; n <= 9; n++) {
  winsIff('SUP 1.1.13', sandsSuper, `tie-wins-on-${n}`, (facts) => tied(facts) && facts.playerTotal === n);
}
settlesAs('SUP 3.11.ii', sandsSuper, ['player', 'banker'], (facts) => (tied(facts) ? 'push' : undefined));
settlesAs('SUP 3.11.iii', sandsSuper, ['tie'], (facts) => (tied(facts) ? '8 to 1' : undefined));
settlesAs('SUP 4.1.a', sandsSuper, ['banker'], (facts) =>
  won('banker', facts) && facts.bankerTotal === 6 ? '1 to 2' : undefined,
);
settlesAs('SUP 4.1.b', sandsSuper, ['banker'], (facts) => {
  if (won('player', facts)) return 'loses';
  return won('banker', facts) && facts.bankerTotal !== 6 ? '1 to 1' : undefined;
});
settlesAs('SUP 4.1.c', sandsSuper, ['player'], (facts) =>
  tied(facts) ? undefined : won('player', facts) ? '1 to 1' : 'loses',
);
settlesAs('SUP 4.1.d', sandsSuper, ['tie'], (facts) => (tied(facts) ? '8 to 1' : 'loses'));
preciousPairs('SUP', sandsSuper);
preciousPairsByHand('SUP 1.1.6', sandsSuper);
settlesAs('SUP 4.1.g', sandsSuper, ['sands-six'], (facts) =>
  Math.max(facts.playerTotal, facts.bankerTotal) === 6 ? '6 to 1' : undefined,
);

/** Odds of the wagers on a total, from the first total on. */
const winsOn = [
  ['SUP 4.3', 'player', 1, [150, 80, 50, 50, 30, 11, 8, 6, 5]],
  ['SUP 4.4', 'banker', 1, [150, 80, 50, 25, 15, 11, 8, 6, 5]],
  ['SUP 4.5', 'tie', 0, [100, 150, 150, 150, 100, 80, 35, 35, 50, 50]],
] as const;
for (const [clause, side, first, odds] of winsOn) {
  for (const [place, win] of odds.entries()) {
    const n = first + place;
    settlesAs(`${clause}.total-${n}`, sandsSuper, [`${side}-wins-on-${n}`], (facts) =>
      facts.winner === side && Math.max(facts.playerTotal, facts.bankerTotal) === n ? `${win} to 1` : 'loses',
    );
  }
}

for (const id of ['SUP 1.1.11', 'SUP 3.12']) {
  winsIff(id, sandsSuper, 'sands-six', (facts) => Math.max(facts.playerTotal, facts.bankerTotal) === 6);
}

test.each([
  ['SUP 3.13', 'red', 'DH'],
  ['SUP 3.14', 'black', 'CS'],
  ['SUP 4.1.f', 'red', 'DH'],
  ['SUP 4.1.e', 'black', 'CS'],
])(
  '[%s] every two opening cards win a %s wager on their own hand alone, whatever third cards follow',
  (_, colour, suits) => {
    const cards = cardsOfDeck('french');
    const wins = (card: Card): boolean => suits.includes(suitOf(card));
    let drawn = 0;
    for (const a of cards) {
      for (const b of cards) {
        const expected = wins(a) && wins(b) ? '2 to 1' : 'loses';
        for (const third of ['6H', '6S'] as const) {
          for (const side of ['player', 'banker'] as const) {
            // The other hand has both colours, so that its wagers on a colour lose.
            const four: Card[] = side === 'player' ? [a, '3H', b, 'KS'] : ['3H', a, 'KS', b];
            while (nextSlot(four) !== undefined) four.push(third);
            drawn += four.length - 4;
            const { facts } = dealt(four, 'french');
            const other = side === 'player' ? 'banker' : 'player';
            expect(resultOf(sandsSuper, `${side}-${colour}`, facts), four.join(' ')).toBe(expected);
            expect(resultOf(sandsSuper, `${other}-${colour}`, facts), four.join(' ')).toBe('loses');
          }
        }
      }
    }
    expect(drawn).toBeGreaterThan(5000);
  },
);

test('[SUP 3.14] every hand of both colours loses Red and Black alike, on either hand, whatever third cards follow', () => {
  const cards = cardsOfDeck('french');
  const isRed = (card: Card): boolean => 'DH'.includes(suitOf(card));
  let [mixed, drawn] = [0, 0];
  for (const a of cards) {
    for (const b of cards.filter((card) => isRed(card) !== isRed(a))) {
      // The other hand has one colour: a natural eight, or a hand that lets both draw.
      for (const [x, y] of [
        ['8S', 'KC'],
        ['3H', 'KD'],
      ] as const) {
        for (const third of ['6H', '6S'] as const) {
          for (const side of ['player', 'banker'] as const) {
            const four: Card[] = side === 'player' ? [a, x, b, y] : [x, a, y, b];
            while (nextSlot(four) !== undefined) four.push(third);
            drawn += four.length - 4;
            const { facts } = dealt(four, 'french');
            const results = ['red', 'black'].map((colour) => resultOf(sandsSuper, `${side}-${colour}`, facts));
            expect(results, four.join(' ')).toEqual(['loses', 'loses']);
          }
        }
      }
      mixed += 1;
    }
  }
  expect(mixed).toBe(2 * 26 * 26);
  expect(drawn).toBeGreaterThan(5000);
});

test('[SUP 1.1.9] hearts and diamonds are red, clubs and spades black: 26 cards each', () => {
  const cards = cardsOfDeck('french');
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

test.each([
  ['player', '4D 2C 4D', '4S'],
  ['banker', '2C 4D 4S 4D', ''],
] as const)(
  '[SUP 3.8] a Precious Pair of the %s, known after %s, is paid with the other wagers when the round is settled',
  (side, known, rest) => {
    const scenario = readyTable('sands-super').bets({ T1: { [side]: 1000, [`${side}-precious-pair`]: 1000 } });
    scenario.close().deal(known).deal(rest);
    expect(scenario.balance('T1')).toBe(-2000);
    scenario.settle();
    expect(scenario.events('SettlementPosted')).toHaveLength(1);
    expect(scenario.balance('T1')).toBe(1000 + 30_000);
  },
);

test.each([
  ['SUP 1.1.1', 'banker', 1],
  ['SUP 1.1.7', 'player', 1],
  ['SUP 1.1.13', 'tie', 0],
])('[%s] the spots of %s-wins-on are those from %i to 9', (_, side, first) => {
  expect(wagerIdsOf(sandsSuper).filter((wager) => wager.startsWith(`${side}-wins-on-`))).toEqual(
    Array.from({ length: 10 - first }, (_spot, n) => `${side}-wins-on-${first + n}`),
  );
});

test.each(['player', 'banker'] as const)(
  '[SUP 4.2.e] one stake on the %s Precious Pair is paid by one line, the highest that fits',
  (side) => {
    const paid = new Map<string, number>();
    for (const a of cardsOfDeck('french')) {
      for (const b of cardsOfDeck('french').filter((card) => rankOf(card) === rankOf(a))) {
        // Eight on the other hand ends the round at four cards.
        const { facts } = dealt(side === 'player' ? [a, '8S', b, 'KC'] : ['8S', a, 'KC', b], 'french');
        const diamonds = suitOf(a) === 'D' && suitOf(b) === 'D';
        const odds = `${rankOf(a) === '4' ? (diamonds ? 30 : 15) : diamonds ? 12 : 9} to 1`;
        expect(resultOf(sandsSuper, `${side}-precious-pair`, facts), `${a} ${b}`).toBe(odds);
        paid.set(odds, (paid.get(odds) ?? 0) + 1);
      }
    }
    expect(Object.fromEntries(paid)).toEqual({ '30 to 1': 1, '15 to 1': 15, '12 to 1': 12, '9 to 1': 180 });
  },
);

test.each([
  ['player', '4D 2C 4D 4S', 30],
  ['banker', '2C 4D 4S 4D', 30],
  ['player', '4D 2C 4H 4S', 15],
  ['banker', '2C QD 4S QD TC', 12],
  ['player', 'KS 2C KH 4S TC', 9],
] as const)(
  '[SUP 4.2.e] a settled round has one line for the stake on the %s Precious Pair after %s, at %i to 1',
  (side, cards, odds) => {
    const wager = `${side}-precious-pair`;
    const scenario = readyTable('sands-super').playRound(cards, { T1: { [wager]: 1000 } });
    expect(terminalView(scenario.table!, 'T1').paid).toMatchObject([
      { wager, stake: 1000, result: 'win', won: 1000 * odds, returned: 1000 + 1000 * odds, by: 'SUP 4.2' },
    ]);
    expect(scenario.events('SettlementPosted')).toHaveLength(1);
    expect(scenario.balance('T1')).toBe(1000 * odds);
  },
);
