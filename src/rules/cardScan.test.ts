import { expect, test } from 'vitest';
import { cardsOfDeck } from './card.ts';
import { type ScanFormat, scanFormatSchema } from './scanFormat.ts';
import { formatScan, parseScan, defaultScanFormat, findInvalidScanCode } from './cardScan.ts';

test.each([
  ['8H', 'RS', { card: '8H' }],
  [' 10h ', 'RS', { card: 'TH' }],
  ['cut', 'RS', { cut: true }],
  ['8X', 'RS', { unreadable: true }],
  ['', 'RS', { unreadable: true }],
  ['H', 'RS', { unreadable: true }],
  ['L3', 'RS', { unreadable: true }],
  ['<8-H>', '<R-S>', { card: '8H' }],
  ['<10-H>', '<R-S>', { card: 'TH' }],
  ['<8H>', '<R-S>', { unreadable: true }],
  ['8-H', '<R-S>', { unreadable: true }],
  ['<8-H', '<R-S>', { unreadable: true }],
  ['<', '<R-S>', { unreadable: true }],
  ['H10', 'SR', { card: 'TH' }],
  ['H.9', 'S.R', { card: '9H' }],
] as const)('the scan %s in the form %s is %o', (text, pattern, scan) => {
  expect(parseScan(text, 'french', { pattern, cut: 'CUT' })).toEqual(scan);
});

test('every card of either deck is read as it would be scanned', () => {
  for (const deck of ['french', 'elements'] as const) {
    for (const pattern of ['RS', 'S/R', '#R:S!']) {
      const format = { pattern, cut: '*' };
      for (const card of cardsOfDeck(deck)) expect(parseScan(formatScan(card, format), deck, format)).toEqual({ card });
    }
  }
});

test('a card reader with codes of its own maps each to a card, and the pattern reads the rest', () => {
  const format = { ...defaultScanFormat, cards: { '0113': 'KS', '0999': 'ZZ' } };
  expect(parseScan('0113', 'french', format)).toEqual({ card: 'KS' });
  expect(parseScan('0113', 'elements', format)).toEqual({ unreadable: true });
  expect(parseScan('QD', 'french', format)).toEqual({ card: 'QD' });
  expect(findInvalidScanCode(format)).toBe('0999');
  expect(findInvalidScanCode(defaultScanFormat)).toBeUndefined();
});

test.each(['R', 'S', 'RRS', 'RSS', '', 'rs'])('%j is no pattern of a scan', (pattern) => {
  expect(scanFormatSchema.check({ pattern, cut: 'CUT' } satisfies ScanFormat)).toBeDefined();
});
