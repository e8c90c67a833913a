import { expect, test } from 'vitest';
import { expectShortRun } from '../../bench/run.ts';

// Here and not with the other bench tests, because the screens are built before the browser tests start.
test('the short bench of screens prints its figures and leaves nothing behind', async () => {
  const { measurements } = await expectShortRun('screens');
  expect(measurements.filter((line) => line.startsWith('  deal at '))).toHaveLength(1);
});
