import { expect, test } from 'vitest';
import { chipText, chipsForStake, maxChipsInStack, chipPlacement, chipStyleOf } from './chipStacks.ts';

const tray = [100, 500, 2500, 10_000, 50_000, 100_000];

test.each([
  [100, [100]],
  [3000, [2500, 500]],
  [12_600, [10_000, 2500, 100]],
  [187_500, [100_000, 50_000, 10_000, 10_000, 10_000, 2500, 2500, 2500]],
])('%d is stacked from the largest chips, the largest below', (stake, chips) => {
  expect(chipsForStake(stake, tray)).toEqual(chips);
});

test('a stack has at most nine chips and is never worth more than the stake', () => {
  for (let stake = 100; stake <= 300_000; stake += 100) {
    const chips = chipsForStake(stake, tray);
    expect(chips.length).toBeLessThanOrEqual(maxChipsInStack);
    const sum = chips.reduce((all, chip) => all + chip, 0);
    expect(sum).toBeLessThanOrEqual(stake);
    if (chips.length < maxChipsInStack) expect(sum).toBe(stake);
  }
});

test('a stake below the smallest chip is shown as one, and the tray may have any order', () => {
  expect(chipsForStake(50, tray)).toEqual([100]);
  expect(chipsForStake(50, [])).toEqual([50]);
  expect(chipsForStake(1500, [2500, 100, 500])).toEqual([500, 500, 500]);
});

test('chips of one tray look different, in small trays and large ones', () => {
  for (const amounts of [
    tray,
    [50, 100, 200, 500, 1000, 2000, 5000],
    [1000, 2000, 5000, 10_000, 20_000, 50_000],
    [10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000],
    [2500, 10_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000],
    [300, 500, 700, 2500],
  ]) {
    expect(new Set(amounts.map(chipStyleOf)).size, String(amounts)).toBe(amounts.length);
  }
});

test.each([
  [50, '0.5'],
  [100, '1'],
  [2500, '25'],
  [100_000, '1K'],
  [250_000, '2.5K'],
  [10_000_000, '100K'],
  [100_000_000, '1M'],
])('a chip of %d has the text %s', (amount, text) => {
  expect(chipText(amount)).toBe(text);
});

test('a chip has a constant placement near the centre that differs from its neighbours', () => {
  const placements = Array.from({ length: maxChipsInStack }, (_, place) => chipPlacement(500, place));
  expect(placements).toEqual(Array.from({ length: maxChipsInStack }, (_, place) => chipPlacement(500, place)));
  expect(placements[0]!.offset).toBe(0);
  for (const { offset, turn } of placements) {
    expect(Math.abs(offset)).toBeLessThanOrEqual(1.01);
    expect(Math.abs(turn)).toBeLessThanOrEqual(1.01);
  }
  expect(new Set(placements.map(({ turn }) => turn)).size).toBe(maxChipsInStack);
});
