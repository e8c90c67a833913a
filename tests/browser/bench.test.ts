import { expect, test } from 'vitest';
import { expectShortRun } from '../bench/run.ts';

// Here and not beside the other benches, since the screens are built before the browser tests begin.
test('the short bench of screens prints its figures and leaves nothing behind', async () => {
  const { figures } = await expectShortRun('screens');
  expect(figures.filter((line) => line.startsWith('  deal at '))).toHaveLength(1);
});
