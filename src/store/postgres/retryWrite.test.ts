import pg from 'pg';
import { expect, test } from 'vitest';
import { WriteFailedError } from '../failures.ts';
import { retryUntilAnswered } from './retryWrite.ts';
import { SqlError } from './connection.ts';

function refused(state: string): SqlError {
  const error = new pg.DatabaseError('denied', 0, 'error');
  error.code = state;
  return new SqlError(error);
}

test.each(['40001', '40P01'])(
  'retryUntilAnswered retries a conflict of two writes (%s) at once, and no write is in doubt',
  async (state) => {
    const tried = { isInDoubt: false };
    let tries = 0;
    const answer = await retryUntilAnswered(1_000, tried, async () => {
      if (++tries < 4) throw refused(state);
      return 'written';
    });
    expect([answer, tries, tried]).toEqual(['written', 4, { isInDoubt: false }]);
  },
);

test('retryUntilAnswered throws at once for any other SQL error', async () => {
  let tries = 0;
  const answer = retryUntilAnswered(1_000, { isInDoubt: false }, async () => {
    tries += 1;
    throw refused('53100');
  });
  await expect(answer).rejects.toThrow(WriteFailedError);
  expect(tries).toBe(1);
});
