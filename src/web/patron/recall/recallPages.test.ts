import { expect, test } from 'vitest';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type RecallState, emptyRecall, withNewestPage, withOlderPage } from './recallPages.ts';

const round = (number: number, winner: RecalledRound['winner'] = 'banker'): RecalledRound => ({
  table: 'tiger',
  game: 'tiger@2021-10-28',
  id: `r${number}`,
  number,
  at: 0,
  cards: [],
  winner,
  slip: { tie: 500 },
  settled: [],
  voidBy: null,
  reason: null,
  creditBefore: 0,
  creditAfter: 0,
  corrected: false,
});

const numbers = ({ rounds }: RecallState): readonly number[] => rounds.map(({ number }) => number);

test('recalled pages are appended in order, and a page for another cursor is ignored', () => {
  const first = withOlderPage(emptyRecall, null, { rounds: [round(4), round(3)], next: 'tiger:3' });
  const all = withOlderPage(first, 'tiger:3', { rounds: [round(2)], next: null });
  expect([numbers(all), all.next, all.state]).toEqual([[4, 3, 2], null, 'loaded']);
  expect(withOlderPage(all, 'tiger:3', { rounds: [round(2)], next: null })).toBe(all);
});

test('a new first page replaces a round in play by its result, and older pages stay', () => {
  const recall: RecallState = { rounds: [round(4, null), round(3), round(2)], next: 'tiger:2', state: 'loaded' };
  const after = withNewestPage(recall, { rounds: [round(5, null), round(4, 'tie')], next: 'tiger:4' });
  expect(numbers(after)).toEqual([5, 4, 3, 2]);
  expect([after.rounds[1]!.winner, after.next, after.state]).toEqual(['tie', 'tiger:2', 'loaded']);
  expect(withNewestPage({ ...recall, state: 'loading' }, { rounds: [round(4)], next: null }).state).toBe('loading');
});

test('the list starts again when rounds are missing between the old and the new first page', () => {
  const recall: RecallState = { rounds: [round(2)], next: null, state: 'loaded' };
  expect(withNewestPage(recall, { rounds: [round(9), round(8)], next: 'tiger:8' })).toEqual({
    rounds: [round(9), round(8)],
    next: 'tiger:8',
    state: 'loaded',
  });
});
