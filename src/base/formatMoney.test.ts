import { expect, test } from 'vitest';
import { formatMoney, formatShortMoney } from './formatMoney.ts';

test('money is read in groups of three digits, right to the cent', () => {
  expect([0, 5, 99_999, 123_456, 900_719_925_474_099].map(formatMoney)).toEqual([
    '0.00',
    '0.05',
    '999.99',
    '1,234.56',
    '9,007,199,254,740.99',
  ]);
});

test('where there is little room whole amounts have no decimals', () => {
  expect([0, 50, 100_000, 100_050].map(formatShortMoney)).toEqual(['0', '0.50', '1,000', '1,000.50']);
});
