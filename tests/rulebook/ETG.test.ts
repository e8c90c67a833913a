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
import { type Facts } from '../../src/rules/facts.ts';
import { parseLayout, wagerIdsOf } from '../../src/rules/game.ts';
import { totalOf } from '../../src/rules/hand.ts';
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
import { completed, everyOutcome, ranksOf } from './deals.ts';
import {
  promptAfterFourCards,
  decidedPairs,
  earlierRoundsStand,
  matchingBacks,
  naturals,
  payout,
  pairWins,
  pairsPay,
  resultOf,
  sameHandsForAll,
  settledOnNatural,
  settlesAs,
  won,
} from './liveClaims.ts';
import { ETG } from './ETG.rows.ts';
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
    expect(games.filter(({ book }) => book === 'ETG')).toHaveLength(6);
    expect(findGame(id, '2021-10-27T23:59:59')).toMatchObject({ refused: 'game-not-in-force' });
  });
}

for (const [row, optional, on] of [
  ['ETG 4.5', ['banker-dragon-bonus'], [fortuneSix, super6]],
  ['ETG 4.6', ['player-dragon-bonus'], [fortuneSix, super6]],
  ['ETG 4.9', ['tiger-pair'], [tiger, tigerNoCommission]],
  ['ETG 4.10', ['tiger', 'small-tiger', 'big-tiger', 'tiger-tie'], [tiger, tigerNoCommission]],
] as const) {
  test(`[${row}] ${optional.join(', ')}: on or off the layout of ${on.map(({ id }) => id).join(' and ')}, refused elsewhere`, () => {
    const off = games.filter(({ id }) => !on.some((game) => game.id === id));
    expect(off).toHaveLength(8);
    for (const wager of optional) {
      for (const game of on) {
        const all = wagerIdsOf(game);
        const without = all.filter((id) => id !== wager);
        expect(parseLayout(game, all)).toEqual(all);
        expect(parseLayout(game, without)).toEqual(without);
        // Off the layout the table takes no stake on it.
        const limits = Object.fromEntries(without.map((id) => [id, [100, 100_000]]));
        const scenario = readyTable(game.id, { offered: without, limits }).bets();
        const slip = { round: scenario.round, slip: { [wager]: 1000 }, credit: 1000 };
        expect(scenario.refusal('SetSlip', slip, { terminal: 'T1' })).toMatchObject({ refused: 'wager-not-offered' });
        expect(
          readyTable(game.id)
            .bets()
            .slip('T1', { [wager]: 1000 }),
        ).toHaveLength(1);
      }
      for (const game of off) {
        expect(parseLayout(game, [...wagerIdsOf(game), wager])).toMatchObject({ refused: 'unknown-wager' });
      }
    }
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

test('[ETG 1.1.16] a round is a tie with equal final totals, and with no others, whatever the totals were after four cards', () => {
  const parted = new Set<boolean>();
  for (const { cards, facts } of everyOutcome('french')) {
    expect(facts.winner === 'tie').toBe(facts.playerTotal === facts.bankerTotal);
    if (cards.length > 4 && totalOf([cards[0]!, cards[2]!]) === totalOf([cards[1]!, cards[3]!])) {
      parted.add(facts.winner === 'tie');
    }
  }
  expect(parted.size).toBe(2);
});

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
matchingBacks('ETG 2.1', tiger);
points('ETG', 'french');
totals('ETG', 'french');
freshTotals('ETG 3.4.2', 'french');
dealingOrder({ hands: 'ETG 3.6', player: 'ETG 3.6.1', banker: 'ETG 3.6.2' }, 'french');
for (const [game] of ETG) sameHandsForAll('ETG 3.6', game);
decidedPairs('ETG 3.7', superSix, ['player-pair', 'banker-pair']);
for (const game of [superSix, fortuneSix, super6, noCommissionBaccarat]) {
  pairWins('ETG 3.7.1', game, 'player');
  pairWins('ETG 3.7.2', game, 'banker');
}
promptAfterFourCards('ETG 3.8', tiger);
settledOnNatural('ETG 3.8.natural', tiger, 'ETG 3.8');
earlierRoundsStand('ETG 5.1.2', tiger);

type PairKind = Facts['tigerPair'];

/** The facts of all 28,561 ranks of the first four cards, and the kind of pair that their ranks make. */
const firstFours: readonly (readonly [PairKind, Facts])[] = ranksOf('french').flatMap((p1, _, ranks) =>
  ranks.flatMap((b1) =>
    ranks.flatMap((p2) =>
      ranks.map((b2) => {
        const kinds: readonly PairKind[] = ['none', 'single', p1 === b1 ? 'twin' : 'double'];
        return [kinds[Number(p1 === p2) + Number(b1 === b2)]!, completed([p1, b1, p2, b2], 'french').facts] as const;
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
    payout('35 to 1', tiedAt6, (facts) => tied(facts) && !tiedAt6(facts)),
  );
}

// The Dragon Bonuses, by whether the round is won on a natural and by the lead.
const naturalTie = (facts: Facts): boolean => tied(facts) && facts.playerNatural && facts.bankerNatural;
for (const game of [fortuneSix, super6]) {
  for (const [side, other, clause, onNatural] of [
    ['banker', 'player', 'ETG 4.5', 'ETG 1.1.1.2'],
    ['player', 'banker', 'ETG 4.6', 'ETG 1.1.9.2'],
  ] as const) {
    const wager = [`${side}-dragon-bonus`];
    const lead =
      (...leads: readonly number[]) =>
      (facts: Facts): boolean =>
        won(side, facts) && !facts[`${side}Natural`] && leads.includes(facts.margin);
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
    const wonOnNatural = (facts: Facts): boolean => won(side, facts) && facts[`${side}Natural`];
    const beaten = (facts: Facts): boolean => facts[`${side}Natural`] && won(other, facts);
    settlesAs(onNatural, game, wager, payout('1 to 1', wonOnNatural));
    settlesAs(`${clause}.g`, game, wager, payout('1 to 1', wonOnNatural, beaten));
    settlesAs(`${clause}.h`, game, wager, (facts) =>
      tied(facts) ? (naturalTie(facts) ? 'push' : 'loses') : undefined,
    );
    settlesAs('ETG 1.1.8', game, wager, (facts) => {
      if (tied(facts)) return naturalTie(facts) ? 'push' : 'loses';
      return facts.playerNatural && facts.bankerNatural ? (won(side, facts) ? '1 to 1' : 'loses') : undefined;
    });
  }
}
