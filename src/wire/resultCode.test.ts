import { expect, test } from 'vitest';
import { parseDeal } from '../rules/deal.ts';
import { resultCodeSchema, formatResultCode, parseResultCode } from './resultCode.ts';

test.each([
  ['9S 2C 9H 4D', 'Ppn'],
  ['4S 4C 4H 4D', 'Tpbn'],
  ['KS 2C 3H 5C 6D', 'P'],
  ['KS 2C QH 5C 6D', 'B'],
] as const)('%s is %s, and is read again as what it was', (cards, code) => {
  const deal = parseDeal(cards.split(' '), { deck: 'french', decks: 8 });
  if (!('facts' in deal)) throw new Error(JSON.stringify(deal));
  const { winner, playerPair, bankerPair, playerNatural, bankerNatural } = deal.facts;
  expect(formatResultCode(deal.facts)).toBe(code);
  expect(resultCodeSchema.check(code)).toBeUndefined();
  expect(parseResultCode(code)).toEqual({ winner, playerPair, bankerPair, natural: playerNatural || bankerNatural });
});

test('the result schema rejects other texts', () => {
  for (const wrong of ['', 'X', 'Bn p', 'Bbp', 'b']) expect(resultCodeSchema.check(wrong)).toBeDefined();
});
