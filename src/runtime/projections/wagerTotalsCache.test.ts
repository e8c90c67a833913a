import { expect, test } from 'vitest';
import { emptyWagerTotals } from '../../history/wagerTotals.ts';
import { createMemoryStore } from '../../store/memoryStore.ts';
import { WagerTotalsCache } from './wagerTotalsCache.ts';

test('wager totals are read again after the store could not list the saved ones', async () => {
  const store = createMemoryStore();
  let failures = 1;
  const listValues: typeof store.listValues = (kind) =>
    failures-- > 0 ? Promise.reject(new Error('The store does not answer.')) : store.listValues(kind);
  const cache = new WagerTotalsCache({ store: { ...store, listValues }, key: Buffer.alloc(32) });
  await expect(cache.totalsOf('p/table/a')).rejects.toThrow('The store does not answer.');
  expect(await cache.totalsOf('p/table/b')).toEqual(emptyWagerTotals('p/table/b'));
  expect(failures).toBe(-1);
});
