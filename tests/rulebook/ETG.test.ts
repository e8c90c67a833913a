import { expect, test } from 'vitest';
import {
  fortuneSix,
  noCommissionBaccarat,
  super6,
  superSix,
  tiger,
  tigerNoCommission,
} from '../../src/games/electronic.ts';
import { type Card, rankOf } from '../../src/rules/card.ts';
import { findGame, games } from '../../src/games/registry.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { parseLayout, wagerIdsOf } from '../../src/rules/game.ts';
import { settle } from '../../src/rules/settle.ts';
import {
  dealingOrder,
  finalTie,
  freshTotals,
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
import { completed, everyOutcome, ranksOf } from './deals.ts';
import {
  decidedPairs,
  earlierRoundsStand,
  naturals,
  payout,
  pairWins,
  pairsPay,
  resultOf,
  settlesAs,
  thirdCardsChangeNoTigerPair,
  won,
} from './liveClaims.ts';
import { matchingBacks, sameHandsForAll } from '../table/tableClaims.ts';
import { ETG } from './ETG.rows.ts';
import { promptAfterFourCards, settledOnNatural, winnerAtTable } from './play/playClaims.ts';
import { publicView } from '../../src/table/views/publicView.ts';
import { readyTable } from '../table/tableScenario.ts';
import { dealt, rounds } from './rows.ts';
import { tableOfPlay } from './tableOfPlay.ts';

for (const [game, table] of ETG) rounds(game, table);

const main = ['player', 'banker', 'tie'];
const pairs = ['player-pair', 'banker-pair'];
const dragons = ['player-dragon-bonus', 'banker-dragon-bonus'];
const tigers = ['tiger', 'small-tiger', 'big-tiger', 'tiger-tie', 'tiger-pair'];

const spots: readonly (readonly [string, string, string, readonly string[], string])[] = [
  ['ETG games-1', 'super-six', 'Super Six No Commission Baccarat', [...main, ...pairs, 'super-six'], 'ETG 4.1'],
  [
    'ETG games-2',
    'fortune-six',
    'Fortune Six No Commission Baccarat',
    [...main, ...pairs, 'fortune-six', ...dragons],
    'ETG 4.2',
  ],
  ['ETG games-3', 'super-6', 'Super 6 No Commission Baccarat', [...main, ...pairs, 'super-6', ...dragons], 'ETG 4.3'],
  ['ETG games-4', 'no-commission', 'No Commission Baccarat', [...main, ...pairs], 'ETG 4.4'],
  ['ETG games-5', 'tiger', 'Tiger Baccarat', [...main, ...tigers], 'ETG 4.7'],
  ['ETG games-6', 'tiger-no-commission', 'Tiger No Commission Baccarat', [...main, ...tigers], 'ETG 4.8'],
];

/** Clauses of the wagers that a layout may leave out; all others are paid by the clause of the game. */
const ownClauses: { readonly [wager: string]: string } = {
  'banker-dragon-bonus': 'ETG 4.5',
  'player-dragon-bonus': 'ETG 4.6',
  'tiger-pair': 'ETG 4.9',
  tiger: 'ETG 4.10',
  'small-tiger': 'ETG 4.10',
  'big-tiger': 'ETG 4.10',
  'tiger-tie': 'ETG 4.10',
};

for (const [row, id, name, wagers, clause] of spots) {
  test(`[${row}] ${id} is a separate game with exactly its wagers`, () => {
    const game = findGame(id, '2021-10-28');
    expect(game).toMatchObject({ id, name, book: 'ETG', version: '2021-10-28' });
    expect(wagerIdsOf(game as typeof tiger)).toEqual(wagers);
    for (const wager of wagers) {
      const winning = (game as typeof tiger).wagers[wager]!.lines.filter(({ pays }) => pays !== 'push');
      expect(new Set(winning.map(({ by }) => by)), wager).toEqual(new Set([ownClauses[wager] ?? clause]));
      const others = wagers.filter((one) => one !== wager);
      if (Object.hasOwn(ownClauses, wager)) expect(parseLayout(game as typeof tiger, others)).toEqual(others);
      else expect(parseLayout(game as typeof tiger, others)).toHaveProperty('refused');
    }
    const required = wagers.filter((wager) => !Object.hasOwn(ownClauses, wager));
    expect(parseLayout(game as typeof tiger, required)).toEqual(required);
    // A table has these spots, and takes no stake on a wager of another game.
    const scenario = readyTable(id).bets();
    expect(publicView(scenario.table!).layout.map(({ wager }) => wager)).toEqual(wagers);
    for (const wager of games.flatMap(wagerIdsOf).filter((one) => !wagers.includes(one))) {
      const slip = { round: scenario.round, slip: { [wager]: 1000 }, credit: 1000 };
      expect(scenario.refusal('SetSlip', slip, { terminal: 'T1' })).toMatchObject({ refused: 'wager-not-offered' });
    }
    expect(games.flatMap((one) => (one.book === 'ETG' ? [one.id] : []))).toEqual(spots.map(([, one]) => one));
    expect(findGame(id, '2021-10-27T23:59:59')).toMatchObject({ refused: 'game-not-in-force' });
  });
}

const byBanker = (facts: Facts): number => facts.bankerTotal - facts.playerTotal;
const tied = (facts: Facts): boolean => facts.playerTotal === facts.bankerTotal;
const isNatural = (total: number, cards: number): boolean => cards === 2 && total >= 8;

for (const game of [fortuneSix, super6]) {
  const pushes = (facts: Facts): boolean => tied(facts) && isNatural(facts.playerTotal, facts.playerCards);
  winsIff(
    'ETG 1.1.1.1',
    game,
    'banker-dragon-bonus',
    (facts) => byBanker(facts) >= 4 || (byBanker(facts) > 0 && isNatural(facts.bankerTotal, facts.bankerCards)),
    pushes,
  );
  winsIff(
    'ETG 1.1.9.1',
    game,
    'player-dragon-bonus',
    (facts) => -byBanker(facts) >= 4 || (byBanker(facts) < 0 && isNatural(facts.playerTotal, facts.playerCards)),
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

test('[ETG 1.1.3.1] of the wagers of all six games only a Banker win at Tiger Baccarat leaves commission, 5 % of the stake', () => {
  let deducted = 0;
  for (const [game] of ETG) {
    for (const wager of wagerIdsOf(game)) {
      for (const { cards, facts } of everyOutcome('french')) {
        const expected = game === tiger && wager === 'banker' && facts.bankerTotal > facts.playerTotal ? 500 : 0;
        expect(settle(game, wager, facts, 10000), `${game.id} ${wager} ${cards.join(' ')}`).toMatchObject({
          commission: expected,
        });
        deducted += Number(expected > 0);
      }
    }
  }
  expect(deducted).toBeGreaterThan(0);
  const { facts } = dealt(['JS', '9D', 'TC', '8D', '5C'], 'french');
  for (const [game] of ETG) {
    const commission = game === tiger ? 500 : 0;
    expect(settle(game, 'banker', facts, 10000)).toMatchObject({ won: 10000 - commission, commission });
  }
});

test('[ETG 1.1.10] a push returns the stake: nothing won, nothing lost, no commission', () => {
  const { facts } = dealt(['8H', '3C', 'KD', '5D'], 'french');
  const clauses: { readonly [wager: string]: string } = {
    player: 'ETG 3.9.1',
    banker: 'ETG 3.9.1',
    'player-dragon-bonus': 'ETG 4.6',
    'banker-dragon-bonus': 'ETG 4.5',
  };
  let pushes = 0;
  for (const [game] of ETG) {
    for (const wager of Object.keys(clauses).filter((id) => id in game.wagers)) {
      expect(settle(game, wager, facts, 10000)).toEqual({
        result: 'push',
        stake: 10000,
        won: 0,
        commission: 0,
        returned: 10000,
        by: clauses[wager],
      });
      pushes++;
    }
  }
  expect(pushes).toBe(6 * 2 + 2 * 2);
});

initialDeal('ETG 1.1.6', 'french');
naturals('ETG 1.1.7', 'french');
pairByRank('ETG 1.1.11', 'french', 'player');
pairByRank('ETG 1.1.11', 'french', 'banker');
for (const game of [superSix, fortuneSix, super6, noCommissionBaccarat]) {
  pairWins('ETG 1.1.11', game, 'player');
  pairWins('ETG 1.1.11', game, 'banker');
}
shoes('ETG 2.1', 'french', 52);
for (const [game] of ETG) matchingBacks('ETG 2.1', game);
points('ETG', 'french');
totals('ETG', 'french');
finalTie('ETG 1.1.16', 'french');
freshTotals('ETG 3.4.2', 'french');
dealingOrder({ hands: 'ETG 3.6', player: 'ETG 3.6.1', banker: 'ETG 3.6.2' }, 'french');
for (const [game] of ETG) sameHandsForAll('ETG 3.6', game);
for (const game of [superSix, fortuneSix, super6, noCommissionBaccarat]) {
  decidedPairs('ETG 3.7', game, ['player-pair', 'banker-pair']);
  secondCardDecides('ETG 3.7', game, ['player-pair', 'banker-pair']);
  thirdCardsChangeNoPair('ETG 3.7', game);
  pairWins('ETG 3.7.1', game, 'player');
  pairWins('ETG 3.7.2', game, 'banker');
}
for (const game of [tiger, tigerNoCommission]) thirdCardsChangeNoTigerPair('ETG 3.7', game);
for (const [game] of ETG) {
  promptAfterFourCards('ETG 3.8', game);
  settledOnNatural('ETG 3.8.natural', game, 'ETG 3.8');
}
earlierRoundsStand('ETG 5.1.2', tiger);
earlierRoundsStand('ETG 5.1.extra', tiger, 'extra-card');
earlierRoundsStand('ETG 5.1.missing', tiger, 'missing-card');
earlierRoundsStand('ETG 5.1.unshuffled', tiger, 'unshuffled-cards');

type PairKind = Facts['tigerPair'];

/**
 * The facts of all 28,561 ranks of the first four cards, and the kind of pair that their ranks make. One suit, two or
 * four suits take turns.
 */
const firstFours: readonly (readonly [PairKind, Facts])[] = ranksOf('french').flatMap((p1, i, ranks) =>
  ranks.flatMap((b1, j) =>
    ranks.flatMap((p2, k) =>
      ranks.map((b2, l) => {
        const kinds: readonly PairKind[] = ['none', 'single', p1 === b1 ? 'twin' : 'double'];
        const suits = ['CCCC', 'CDHS', 'SSDD', 'HCHC', 'DDDS'][(i + 2 * j + 3 * k + l) % 5]!;
        const cards = [p1, b1, p2, b2].map((card, n) => `${rankOf(card)}${suits[n]!}` as Card);
        return [kinds[Number(p1 === p2) + Number(b1 === b2)]!, completed(cards, 'french').facts] as const;
      }),
    ),
  ),
);

test.each([
  ['ETG 1.1.19.1', 'single', 2 * 13 * 13 * 12],
  ['ETG 1.1.19.2', 'double', 13 * 12],
  ['ETG 1.1.19.3', 'twin', 13],
  ['ETG 1.1.19', 'none', 13 * 12 * 13 * 12],
] as const)(
  '[%s] of all ranks of the first four cards the facts name the kind %s where they make it, and nowhere else',
  (_, kind, count) => {
    const wrong = firstFours.filter(([made, { tigerPair }]) => (made === kind) !== (tigerPair === kind));
    expect(wrong).toEqual([]);
    expect(firstFours.filter(([made]) => made === kind)).toHaveLength(count);
  },
);

test.each([
  ['ETG 1.1.19', { none: 'loses', single: '4 to 1', double: '20 to 1', twin: '100 to 1' }],
  ['ETG 4.9.a', { single: '4 to 1' }],
  ['ETG 4.9.b', { double: '20 to 1' }],
  ['ETG 4.9.c', { twin: '100 to 1' }],
] as const)(
  '[%s] Tiger Pair is settled by one line for both hands: %j',
  (_, odds: { readonly [kind in PairKind]?: string }) => {
    const settled = firstFours.filter(([made]) => odds[made] !== undefined);
    for (const game of [tiger, tigerNoCommission]) {
      const wrong = settled.filter(([made, facts]) => resultOf(game, 'tiger-pair', facts) !== odds[made]);
      expect(wrong).toEqual([]);
    }
  },
);

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
for (const [game] of ETG) {
  winnerAtTable({ winner: 'ETG 3.9', tie: 'ETG 3.9.1.i', push: 'ETG 3.9.1.ii', eightToOne: 'ETG 3.9.1.iii' }, game);
}

const playerWon = (facts: Facts): boolean => won('player', facts);
const bankerWon = (facts: Facts): boolean => won('banker', facts);
const notTied = (facts: Facts): boolean => !tied(facts);
const six = (facts: Facts): boolean => bankerWon(facts) && facts.bankerTotal === 6;
const sixOn =
  (cards: number) =>
  (facts: Facts): boolean =>
    six(facts) && facts.bankerCards === cards;
const tiedAt6 = (facts: Facts): boolean => tied(facts) && facts.playerTotal === 6;

for (const [game] of ETG) {
  settlesAs('ETG 3.9.1.ii', game, ['player', 'banker'], payout('push', tied));
  settlesAs('ETG 3.9.1.iii', game, ['tie'], payout('8 to 1', tied));
}

// Clause of a game with the letters of its lines for Player, Banker on 6, other Banker wins and Tie.
for (const [clause, game, [player, halved, even, tie]] of [
  ['ETG 4.1', superSix, 'abcd'],
  ['ETG 4.2', fortuneSix, 'abcd'],
  ['ETG 4.3', super6, 'abcd'],
  ['ETG 4.4', noCommissionBaccarat, 'abcd'],
  ['ETG 4.7', tiger, 'a--c'],
  ['ETG 4.8', tigerNoCommission, 'abcd'],
] as const) {
  settlesAs(`${clause}.${player}`, game, ['player'], payout('1 to 1', playerWon, bankerWon));
  settlesAs(`${clause}.${tie}`, game, ['tie'], payout('8 to 1', tied, notTied));
  if (game === tiger) settlesAs('ETG 4.7.b', tiger, ['banker'], payout('0.95 to 1', bankerWon, playerWon));
  else {
    settlesAs(`${clause}.${halved}`, game, ['banker'], payout('1 to 2', six));
    settlesAs(
      `${clause}.${even}`,
      game,
      ['banker'],
      payout('1 to 1', (facts) => bankerWon(facts) && !six(facts), playerWon),
    );
  }
}
for (const [id, game] of [
  ['ETG 4.1.e', superSix],
  ['ETG 4.2.e', fortuneSix],
  ['ETG 4.3.e', super6],
  ['ETG 4.4.e', noCommissionBaccarat],
] as const) {
  pairsPay(id, game);
}
settlesAs('ETG 4.1.f', superSix, ['super-six'], payout('15 to 1', six, tiedAt6));
settlesAs('ETG 4.2.f', fortuneSix, ['fortune-six'], payout('12 to 1', sixOn(2)));
settlesAs(
  'ETG 4.2.g',
  fortuneSix,
  ['fortune-six'],
  payout('20 to 1', sixOn(3), (facts) => bankerWon(facts) && !six(facts)),
);
settlesAs('ETG 4.3.f', super6, ['super-6'], payout('15 to 1', six, tiedAt6));

for (const game of [tiger, tigerNoCommission]) {
  const playerSix = (facts: Facts): boolean => playerWon(facts) && facts.playerTotal === 6;
  settlesAs(
    'ETG 1.1.18',
    game,
    ['tiger'],
    (facts) => payout('12 to 1', sixOn(2))(facts) ?? payout('20 to 1', sixOn(3))(facts),
  );
  settlesAs('ETG 4.10.a', game, ['tiger'], payout('12 to 1', sixOn(2)));
  settlesAs('ETG 4.10.b', game, ['tiger'], payout('20 to 1', sixOn(3), playerSix));
  settlesAs('ETG 4.10.c', game, ['small-tiger'], payout('22 to 1', sixOn(2), sixOn(3)));
  settlesAs('ETG 4.10.d', game, ['big-tiger'], payout('50 to 1', sixOn(3), sixOn(2)));
  settlesAs(
    'ETG 4.10.e',
    game,
    ['tiger-tie'],
    payout('35 to 1', tiedAt6, (facts) => !tiedAt6(facts)),
  );
}

// The Dragon Bonuses, by whether the round is won on a natural and by the lead.
const hasNatural = (facts: Facts, side: 'player' | 'banker'): boolean =>
  isNatural(facts[`${side}Total`], facts[`${side}Cards`]);
const bothNatural = (facts: Facts): boolean => hasNatural(facts, 'player') && hasNatural(facts, 'banker');
const naturalTie = (facts: Facts): boolean => tied(facts) && bothNatural(facts);
for (const game of [fortuneSix, super6]) {
  for (const [side, other, clause, onNatural] of [
    ['banker', 'player', 'ETG 4.5', 'ETG 1.1.1.2'],
    ['player', 'banker', 'ETG 4.6', 'ETG 1.1.9.2'],
  ] as const) {
    const wager = [`${side}-dragon-bonus`];
    const lead =
      (...leads: readonly number[]) =>
      (facts: Facts): boolean =>
        won(side, facts) && !hasNatural(facts, side) && leads.includes(facts.margin);
    for (const [line, margin, odds] of [
      ['a', 9, '30 to 1'],
      ['b', 8, '10 to 1'],
      ['c', 7, '6 to 1'],
      ['d', 6, '4 to 1'],
      ['e', 5, '2 to 1'],
    ] as const) {
      settlesAs(`${clause}.${line}`, game, wager, payout(odds, lead(margin)));
    }
    settlesAs(`${clause}.f`, game, wager, payout('1 to 1', lead(4), lead(3, 2, 1)));
    const wonOnNatural = (facts: Facts): boolean => won(side, facts) && hasNatural(facts, side);
    const beaten = (facts: Facts): boolean => hasNatural(facts, side) && won(other, facts);
    settlesAs(onNatural, game, wager, payout('1 to 1', wonOnNatural));
    settlesAs(`${clause}.g`, game, wager, payout('1 to 1', wonOnNatural, beaten));
    settlesAs(`${clause}.h`, game, wager, (facts) =>
      tied(facts) ? (naturalTie(facts) ? 'push' : 'loses') : undefined,
    );
    settlesAs('ETG 1.1.8', game, wager, (facts) => {
      if (tied(facts)) return naturalTie(facts) ? 'push' : 'loses';
      return bothNatural(facts) ? (won(side, facts) ? '1 to 1' : 'loses') : undefined;
    });
  }
}
