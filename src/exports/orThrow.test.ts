import { expect, test } from 'vitest';
import { parseDeal } from '../rules/deal.ts';
import { RefusalError, orThrow } from './orThrow.ts';

const shoe = { deck: 'french', decks: 8 } as const;

test('orThrow returns a value that is not a refusal', () => {
  const deal = orThrow(parseDeal(['KC', '9D', '8H', 'KS'], shoe));
  expect(deal.facts.winner).toBe('banker');
  expect(orThrow(undefined)).toBeUndefined();
});

test('orThrow throws a refusal with code, message and clause', () => {
  const given = parseDeal(['KC', 'XX'], shoe);
  const thrown = ((): unknown => {
    try {
      return orThrow(given);
    } catch (error) {
      return error;
    }
  })();
  expect(thrown).toBeInstanceOf(RefusalError);
  expect(thrown).toMatchObject({ name: 'Refused', code: 'unknown-card', by: null });
  expect(() => orThrow({ refused: 'bets-closed', message: 'Bets are closed.', by: 'ETG 5.5' })).toThrow(
    expect.objectContaining({ by: 'ETG 5.5', message: 'Bets are closed.' }) as Error,
  );
});
