import { expect, test } from 'vitest';
import {
  fortuneSix,
  noCommissionBaccarat,
  super6,
  superSix,
  tiger,
  tigerNoCommission,
} from '../../src/games/electronic.ts';
import { type Card } from '../../src/rules/card.ts';
import { decidedWagers } from '../../src/rules/decidedWagers.ts';
import { parseLayout, wagerIdsOf } from '../../src/rules/game.ts';
import { totalOf } from '../../src/rules/hand.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { countedFacts, firstFour, ranksOf, twoCards } from './deals.ts';
import { ETG } from './ETG.rows.ts';
import { cardsFrom } from './rows.ts';

// Which wagers are decided when a round is interrupted.

test('[ETG 5.9.1] Tiger with all wagers: nothing is established after two cards, nor after three on 0 to 5 without a pair', () => {
  const ids = wagerIdsOf(tiger);
  const none = { established: false, won: [], lost: [] };
  expect(decidedWagers(tiger, ids, [])).toEqual(none);
  expect(decidedWagers(tiger, ids, cardsFrom(['9S'], 'french'))).toEqual(none);
  expect(decidedWagers(tiger, ids, cardsFrom(['9S', '2C'], 'french'))).toEqual(none);
  expect(decidedWagers(tiger, ids, cardsFrom(['2S', '2C', '3H'], 'french'))).toEqual(none);
});

test.each(['ETG 5.9.1', 'READING 10'])(
  '[%s] in all six games no wager is established after none, one or two cards of any rank',
  () => {
    const ranks = ranksOf('french');
    const none = { established: false, won: [], lost: [] };
    for (const [game] of ETG) {
      const ids = wagerIdsOf(game);
      expect(decidedWagers(game, ids, []), game.id).toEqual(none);
      for (const p1 of ranks) {
        expect(decidedWagers(game, ids, [p1]), `${game.id} ${p1}`).toEqual(none);
        for (const b1 of ranks) expect(decidedWagers(game, ids, [p1, b1]), `${game.id} ${p1} ${b1}`).toEqual(none);
      }
    }
  },
);

test('[ETG 5.9.1] with all Tiger wagers nothing is established after three cards where the Player cards differ in rank and total 0 to 5', () => {
  const ranks = ranksOf('french');
  let open = 0;
  for (const game of [tiger, tigerNoCommission]) {
    const ids = wagerIdsOf(game);
    for (const p1 of ranks) {
      for (const p2 of ranks) {
        if (p1 === p2 || totalOf([p1, p2]) > 5) continue;
        open += 1;
        for (const b1 of ranks)
          expect(decidedWagers(game, ids, [p1, b1, p2]).established, `${p1} ${b1} ${p2}`).toBe(false);
      }
    }
  }
  expect(open).toBe(2 * 96);
});

test.each(['ETG 5.9.1', 'READING 10'])(
  '[%s] Tiger with only Player, Banker and Tie on offer: nothing is established after three, four or five cards while one is to come',
  () => {
    const ranks = ranksOf('french');
    const main = ['player', 'banker', 'tie'];
    const none = { established: false, won: [], lost: [] };
    const open = [0, 0, 0];
    /** Nothing is established with these wagers; counts the cards that do establish something with all wagers. */
    const isOpen = (cards: readonly Card[]): void => {
      for (const game of [tiger, tigerNoCommission]) {
        expect(decidedWagers(game, main, cards), `${game.id} ${cards.join(' ')}`).toEqual(none);
        open[cards.length - 3]! += Number(decidedWagers(game, wagerIdsOf(game), cards).established);
      }
    };
    for (const p1 of ranks) for (const p2 of ranks) for (const b1 of ranks) isOpen([p1, b1, p2]);
    for (let player = 0; player < 10; player++) {
      for (let banker = 0; banker < 10; banker++) {
        const four = firstFour('french', player, banker);
        if (nextSlot(four) !== undefined) isOpen(four);
        else expect(decidedWagers(tiger, main, four).established, four.join(' ')).toBe(true);
        if (nextSlot(four) !== 'P3') continue;
        for (const third of ranks) {
          const five = [...four, third];
          if (nextSlot(five) !== undefined) isOpen(five);
          else expect(decidedWagers(tiger, main, five).established, five.join(' ')).toBe(true);
        }
      }
    }
    // With all wagers, three cards are established on 13 * 13 - 96 Player cards; four and five always.
    expect(open).toEqual([2 * 13 * 73, 2 * 60, 2 * 6 * 63]);
  },
);

test.each(['ETG 5.9.2', 'READING 10'])(
  '[%s] Tiger with all wagers: after three cards a pair or a total of 6 to 9 is established, after four always',
  () => {
    const undecided: string[] = [];
    const three = (text: string) => decidedWagers(tiger, wagerIdsOf(tiger), cardsFrom(text.split(' '), 'french'));
    expect(three('2S 2C 2H')).toEqual({ established: true, won: ['tiger-pair'], lost: [] });
    expect(three('2S 2C 4H').lost).toEqual(['tiger', 'small-tiger', 'big-tiger']);
    expect(three('2S 2C 5H').lost).toEqual(['tiger', 'small-tiger', 'big-tiger', 'tiger-tie']);
    const ranks = ranksOf('french');
    for (const game of [tiger, tigerNoCommission]) {
      const ids = wagerIdsOf(game);
      // 43.06 % of all eight-deck deals, counted by ranks.
      let draws = 0;
      for (const p1 of ranks) {
        for (const p2 of ranks) {
          const isDecided = p1 === p2 || totalOf([p1, p2]) >= 6;
          if (isDecided) draws += 32 * (p1 === p2 ? 31 : 32);
          for (const b1 of ranks) {
            expect(decidedWagers(game, ids, [p1, b1, p2]).established, `${p1} ${b1} ${p2}`).toBe(isDecided);
            for (const b2 of ranks)
              if (!decidedWagers(game, ids, [p1, b1, p2, b2]).established) undecided.push(`${p1} ${b1} ${p2} ${b2}`);
          }
        }
      }
      expect(((100 * draws) / (416 * 415)).toFixed(2)).toBe('43.06');
    }
    expect(undecided).toEqual([]);
  },
);

test.each(['ETG 5.9.2', 'READING 10'])(
  '[%s] with Player Pair offered a round is established from the third card on',
  () => {
    const ranks = ranksOf('french');
    for (const game of [superSix, fortuneSix, super6, noCommissionBaccarat]) {
      const ids = wagerIdsOf(game);
      for (const p1 of ranks) {
        for (const second of ranks) {
          expect(decidedWagers(game, ids, [p1, second]).established).toBe(false);
          for (const b1 of ranks) expect(decidedWagers(game, ids, [p1, b1, second]).established).toBe(true);
        }
      }
    }
  },
);

/** Points of the Player's third card against which the Banker draws, by the Banker's total of two cards. */
const bankerDrawsAgainst = ['0123456789', '0123456789', '0123456789', '012345679', '234567', '4567', '67', '', '', ''];

/** The ends of a round that began with these three cards or more, by points, drawn by the rows of ETG 3.8. */
function ends(cards: readonly Card[]): readonly (readonly Card[])[] {
  const { playerTotal: player, bankerTotal: banker } = countedFacts(cards.slice(0, 4));
  const third = 'A23456789'.indexOf(cards[4]?.[0] ?? '-') + 1;
  const isNatural = player >= 8 || banker >= 8;
  const draws =
    cards.length < 4 ||
    (cards.length === 4 && !isNatural && (player <= 5 || banker <= 5)) ||
    (cards.length === 5 && player <= 5 && bankerDrawsAgainst[banker]!.includes(String(third)));
  return draws
    ? ranksOf('french')
        .slice(0, 10)
        .flatMap((card) => ends([...cards, card]))
    : [cards];
}

/** Result of a Tiger wager, counted from the cards of a whole round. */
function countedResult(wager: string, cards: readonly Card[]): 'won' | 'lost' | 'push' {
  const { winner, playerTotal, bankerTotal, bankerCards } = countedFacts(cards);
  const isBankerSix = winner === 'banker' && bankerTotal === 6;
  const [p1, b1, p2, b2] = cards.map((card) => card[0]);
  const wins: { readonly [id: string]: boolean } = {
    player: winner === 'player',
    banker: winner === 'banker',
    tie: winner === 'tie',
    tiger: isBankerSix,
    'small-tiger': isBankerSix && bankerCards === 2,
    'big-tiger': isBankerSix && bankerCards === 3,
    'tiger-tie': playerTotal === 6 && bankerTotal === 6,
    'tiger-pair': p1 === p2 || b1 === b2,
  };
  if (winner === 'tie' && (wager === 'player' || wager === 'banker')) return 'push';
  return wins[wager]! ? 'won' : 'lost';
}

// Decided after three, four and five cards while one is to come, of 100, 60 and 306 by points without pairs.
test.each([
  ['tiger', [40, 19, 136]],
  ['small-tiger', [40, 54, 306]],
  ['big-tiger', [40, 22, 136]],
  ['tiger-tie', [30, 16, 273]],
  ['tiger-pair', [0, 60, 306]],
] as const)(
  '[ETG 5.9.2] with %s the only side wager on offer a round is established exactly when the cards decide a wager',
  (side, expected) => {
    const offered = ['player', 'banker', 'tie', side];
    for (const game of [tiger, tigerNoCommission]) expect(parseLayout(game, offered)).toEqual(offered);
    const decided = [0, 0, 0];
    const check = (cards: readonly Card[]): void => {
      const rounds = ends(cards);
      const [won, lost] = (['won', 'lost'] as const).map((result) =>
        offered.filter((wager) => rounds.every((round) => countedResult(wager, round) === result)),
      );
      const established = won!.length + lost!.length > 0;
      for (const game of [tiger, tigerNoCommission])
        expect(decidedWagers(game, offered, cards), cards.join(' ')).toEqual({ established, won, lost });
      if (rounds.length > 1) decided[cards.length - 3]! += Number(established);
    };
    const values = ranksOf('french').slice(0, 10);
    for (let player = 0; player < 10; player++) {
      const [p1, p2] = twoCards('french', player);
      for (const b1 of values) check([p1, b1, p2]);
      for (let banker = 0; banker < 10; banker++) {
        const four = firstFour('french', player, banker);
        check(four);
        if (ends(four).length > 1) for (const third of values) check([...four, third]);
      }
    }
    expect(decided).toEqual(expected);
  },
);
