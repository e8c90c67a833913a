import { expect, test } from 'vitest';
import { type Counts, largestMeasured } from '../../bench/crowd.ts';
import { StalledError } from '../../bench/support/progress.ts';

const counts: Counts = {
  tables: 200,
  minTables: 25,
  terminalsPerTable: 20,
  slips: 100,
  maxSeconds: 60,
  echoSeconds: 1,
  bettingMs: { min: 5_000, max: 25_000 },
  pace: { betweenRounds: 0, betweenCards: 0 },
  outOfStepMs: 0,
};

async function linesOf(generator: AsyncGenerator<string>): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of generator) lines.push(line);
  return lines;
}

/** A machine that can serve that many tables. */
const machine =
  (capacity: number) =>
  async ({ tables }: Counts) => {
    if (tables > capacity) throw new StalledError('too few terminals were connected.');
    return [`${tables} tables measured`];
  };

test('the bench crowd measures as many tables as the machine can serve, and names those that it cannot', async () => {
  expect(await linesOf(largestMeasured(counts, machine(200)))).toEqual(['200 tables measured']);
  expect(await linesOf(largestMeasured(counts, machine(60)))).toEqual([
    '  not measured with 200 tables: too few terminals were connected.',
    '  not measured with 100 tables: too few terminals were connected.',
    '50 tables measured',
  ]);
});

test('the bench crowd fails when the machine cannot serve the minimum of tables, and on any other error', async () => {
  await expect(linesOf(largestMeasured(counts, machine(24)))).rejects.toThrow(StalledError);
  const broken = largestMeasured(counts, () => Promise.reject(new Error('A slip was not accepted.')));
  await expect(linesOf(broken)).rejects.toThrow('A slip was not accepted.');
});
