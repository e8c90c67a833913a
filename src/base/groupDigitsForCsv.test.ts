import { expect, test } from 'vitest';
import { groupDigitsForCsv } from './groupDigitsForCsv.ts';

test('whole numbers are grouped by underscores in threes, whatever their sign and length', () => {
  const values = [0n, -1n, 999n, 1_000n, -1_000n, 123_456n, 4_998_398_275_503_360n, 10n ** 30n];
  expect(values.map(groupDigitsForCsv)).toEqual([
    '0',
    '-1',
    '999',
    '1_000',
    '-1_000',
    '123_456',
    '4_998_398_275_503_360',
    `1${'_000'.repeat(10)}`,
  ]);
});
