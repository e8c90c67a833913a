import { expect, test } from 'vitest';
import { games } from '../../../../games/registry.ts';
import { feltInstructionRows, oddsAfterCommissionText, numberRangesText } from './feltRows.ts';

const spot = (wager: string, how: 'take' | 'pay') => ({
  wager,
  do: how,
  pays: [how === 'pay' ? 11 : 0, 1] as const,
  commission: [0, 1] as const,
  by: 'SUP 4.4',
});

test('odds are shown after commission', () => {
  expect(oddsAfterCommissionText([1, 1], [1, 20])).toBe('0.95 : 1');
  expect(oddsAfterCommissionText([8, 1], [0, 1])).toBe('8 : 1');
  expect(oddsAfterCommissionText([1, 2], [0, 1])).toBe('1 : 2');
});

test('consecutive totals are one range', () => {
  expect(numberRangesText([7, 1, 2, 3, 5, 8])).toBe('1–3, 5, 7, 8');
});

test('more than eight spots to take are grouped by family, and none is lost', () => {
  const wagers = Object.keys(games.find(({ id }) => id === 'sands-super')!.wagers);
  const felt = wagers.map((wager) => spot(wager, wager === 'banker-wins-on-6' ? 'pay' : 'take'));
  const { take, pay } = feltInstructionRows(
    felt,
    (wager) => wager,
    (side, totals) => `${side} on ${totals}`,
  );
  expect(take.length).toBeLessThan(10);
  expect(take.map(({ name }) => name)).toContain('banker on 1–5, 7–9');
  expect(take.reduce((sum, { spots }) => sum + spots, 0)).toBe(wagers.length - 1);
  expect(pay).toEqual([{ instruction: 'pay', name: 'banker-wins-on-6', odds: '11 : 1', by: 'SUP 4.4', spots: 1 }]);
});
