import fc from 'fast-check';
import { expect, test } from 'vitest';
import { games } from '../games/registry.ts';
import { type Card, cardsOfDeck } from './card.ts';
import { parseDeal } from './deal.ts';
import { type Facts } from './facts.ts';
import { type Game, chipStepOf, wagerIdsOf } from './game.ts';
import { nextSlot } from './play.ts';
import { formatRatio, reduceRatio } from '../base/ratio.ts';
import { type SettledStake, wagerOutcomeOf, settle } from './settle.ts';
import { netPerUnitOf, chipStepOfWager } from './wager.ts';

const factsFrom = (game: Game, cards: readonly Card[]): Facts => {
  const dealt: Card[] = [];
  for (const card of cards) if (nextSlot(dealt) !== undefined) dealt.push(card);
  const deal = parseDeal(dealt, { deck: game.deck, decks: 8 });
  if ('refused' in deal) throw new Error(deal.message);
  return deal.facts;
};

const anyRound = fc.constantFrom(...games).chain((game) =>
  fc.record({
    game: fc.constant(game),
    facts: fc
      .array(fc.constantFrom(...cardsOfDeck(game.deck)), { minLength: 6, maxLength: 6 })
      .map((cards) => factsFrom(game, cards)),
    chips: fc.dictionary(fc.constantFrom(...wagerIdsOf(game)), fc.integer({ min: 1, max: 1_000_000 }), {
      noNullPrototype: true,
    }),
  }),
);

test('conservation: what patrons gain, the house and its commission lose, to the cent', () => {
  fc.assert(
    fc.property(anyRound, ({ game, facts, chips }) => {
      let staked = 0;
      let returned = 0;
      let toHouse = 0;
      let commission = 0;
      for (const [id, n] of Object.entries(chips)) {
        const settled = settle(game, id, facts, n * chipStepOfWager(game.wagers[id]!)) as SettledStake;
        staked += settled.stake;
        returned += settled.returned;
        commission += settled.commission;
        // The house takes a lost stake, pays a win in full, and gets the commission out of the win.
        if (settled.result === 'lose') toHouse += settled.stake;
        if (settled.result === 'win') toHouse -= settled.won + settled.commission;
        for (const cents of [settled.won, settled.commission, settled.returned]) {
          expect(Number.isSafeInteger(cents) && cents >= 0).toBe(true);
        }
      }
      expect(staked).toBe(returned + toHouse + commission);
    }),
    { numRuns: 2000 },
  );
});

test('what a stake brings is its stake times the net odds, by the same clause', () => {
  fc.assert(
    fc.property(anyRound, ({ game, facts, chips }) => {
      for (const [id, n] of Object.entries(chips)) {
        const settled = settle(game, id, facts, n * chipStepOfWager(game.wagers[id]!)) as SettledStake;
        const { result, net, by } = wagerOutcomeOf(game.wagers[id]!, facts);
        expect([settled.result, settled.by]).toEqual([result, by]);
        expect(reduceRatio([settled.returned - settled.stake, settled.stake])).toEqual(net);
      }
    }),
  );
});

test('the step of each game is the smallest with which all its payouts are whole cents', () => {
  const steps = Object.fromEntries(games.map((game) => [game.id, chipStepOf(game)]));
  expect(steps).toEqual({
    baccarat: 20,
    'sands-super': 2,
    'sands-elements': 2,
    'fabulous-4': 2,
    'super-six': 2,
    'fortune-six': 2,
    'super-6': 2,
    'no-commission': 2,
    tiger: 20,
    'tiger-no-commission': 2,
  });
  for (const game of games) {
    const lines = Object.values(game.wagers).flatMap((wager) => wager.lines);
    const exact = (stake: number) =>
      lines.every((line) => (stake * netPerUnitOf(line)[0]) % netPerUnitOf(line)[1] === 0);
    const least = Array.from({ length: 100 }, (_, n) => n + 1).find(exact);
    expect(least).toBe(chipStepOf(game));
  }
});

test('the step of a wager is the smallest stake that all its lines pay in whole cents', () => {
  for (const game of games) {
    for (const { lines } of Object.values(game.wagers)) {
      const isExact = (stake: number) =>
        lines.every((line) => (stake * netPerUnitOf(line)[0]) % netPerUnitOf(line)[1] === 0);
      const least = Array.from({ length: 100 }, (_, n) => n + 1).find(isExact);
      expect(chipStepOfWager({ name: 'any', by: 'any', lines })).toBe(least);
    }
  }
});

test('settle accepts a stake by the step of its wager, whatever other wagers of the game need', () => {
  const tiger = games.find(({ id }) => id === 'tiger')!;
  const tie = factsFrom(tiger, ['8H', '3C', 'KD', '5D']);
  expect(settle(tiger, 'tie', tie, 5)).toMatchObject({ won: 40, returned: 45 });
  expect(settle(tiger, 'player', tie, 1)).toMatchObject({ result: 'push', returned: 1 });
});

test('settle refuses an inexact stake whatever the cards, and names wager, stake and step', () => {
  const tied = factsFrom(banker, ['8H', '3C', 'KD', '5D']);
  for (const facts of [bankerWins, tied]) {
    expect(settle(banker, 'banker', facts, 1)).toEqual({
      refused: 'off-step-stake',
      message: 'A stake of 1 cent on banker cannot be paid exactly; use a multiple of 20 cents.',
    });
  }
});

const banker = games.find(({ id }) => id === 'baccarat')!;
const bankerWins = factsFrom(banker, ['JS', '9D', 'TC', '8D', '5C', '2C']);

test('a stake off the step, not whole, not positive or too large is refused', () => {
  const refusedFor = (stake: number) => (settle(banker, 'banker', bankerWins, stake) as { refused: string }).refused;
  for (const stake of [1, 10, 19, 21, 110]) expect(refusedFor(stake)).toBe('off-step-stake');
  for (const stake of [0, -20, 20.5, Number.NaN, Infinity]) expect(refusedFor(stake)).toBe('bad-stake');
  for (const stake of [2 ** 53, 1e30]) expect(refusedFor(stake)).toBe('too-large-stake');
  const tie = factsFrom(banker, ['8H', '3C', 'KD', '5D', '2C', '2C']);
  const huge = Math.floor(Number.MAX_SAFE_INTEGER / 20) * 20;
  expect(settle(banker, 'tie', tie, huge)).toMatchObject({ refused: 'too-large-stake' });
  expect(settle(banker, 'banker', bankerWins, huge)).toMatchObject({ refused: 'too-large-stake' });
  // A stake is checked in the same way whether it wins or loses.
  expect(settle(banker, 'tie', bankerWins, huge)).toMatchObject({ refused: 'too-large-stake' });
  expect(settle(banker, 'dragon', bankerWins, 20)).toMatchObject({ refused: 'unknown-wager' });
  expect(settle(banker, 'constructor', bankerWins, 20)).toMatchObject({ refused: 'unknown-wager' });
});

test('commission is posted beside the winnings: 20 cents on Banker win 19 and leave 1', () => {
  expect(settle(banker, 'banker', bankerWins, 20)).toEqual({
    result: 'win',
    stake: 20,
    won: 19,
    commission: 1,
    returned: 39,
    by: 'BAC 4.1',
  });
});

test('ratios print in lowest terms', () => {
  expect(
    [
      [19, 20],
      [8, 1],
      [-1, 1],
      [0, 7],
      [10, 20],
      [-26, 4],
    ].map((ratio) => formatRatio(ratio as [number, number])),
  ).toEqual(['19/20', '8', '-1', '0', '1/2', '-13/2']);
});
