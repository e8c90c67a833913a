import { expect, test } from 'vitest';
import { parseDeal } from './deal.ts';
import { type Wager, factsUsed, payLineFor, payLineIndexFor, netPerUnitOf } from './wager.ts';

const factsFrom = (cards: string) => {
  const deal = parseDeal(cards.split(' '), { deck: 'french', decks: 8 });
  if ('refused' in deal) throw new Error(deal.message);
  return deal.facts;
};

const wager: Wager = {
  name: 'Made up',
  by: 'last',
  lines: [
    { when: { winner: ['player', 'banker'], margin: [8, 9] }, pays: [10, 1], by: 'first' },
    { when: { winner: 'tie' }, pays: 'push', by: 'second' },
  ],
};

test('a list in a pattern means any of its values, and all facts named must fit', () => {
  expect(payLineFor(wager, factsFrom('9S KC KH QD'))?.by).toBe('first');
  expect(payLineFor(wager, factsFrom('KC 8S QD KH'))?.by).toBe('first');
  expect(payLineFor(wager, factsFrom('KC 7S 6D KH'))).toBeUndefined();
  expect(payLineIndexFor(wager, factsFrom('KC 7S 6D KH'))).toBe(2);
  expect(payLineFor(wager, factsFrom('8H 3C KD 5D'))?.by).toBe('second');
});

test('the first line that fits settles, whatever fits after it', () => {
  const always: Wager = { ...wager, lines: [{ when: {}, pays: [1, 1], by: 'any' }, ...wager.lines] };
  expect(payLineFor(always, factsFrom('8H 3C KD 5D'))?.by).toBe('any');
});

test('factsUsed lists the facts that any line names', () => {
  expect([...factsUsed(wager)]).toEqual(['winner', 'margin']);
});

test('net odds take the commission out and are in lowest terms', () => {
  expect(netPerUnitOf({ when: {}, pays: [1, 1], commission: [1, 20], by: '' })).toEqual([19, 20]);
  expect(netPerUnitOf({ when: {}, pays: [4, 2], commission: [1, 2], by: '' })).toEqual([1, 1]);
  expect(netPerUnitOf({ when: {}, pays: 'push', by: '' })).toEqual([0, 1]);
  expect(netPerUnitOf(undefined)).toEqual([-1, 1]);
});
