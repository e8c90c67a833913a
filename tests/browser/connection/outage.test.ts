import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type AppendRequest } from '../../../src/store/store.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { meter, refusal, settled, spot, toTable } from '../support/patron.ts';
import { screens } from '../support/screens.ts';

test('a page shows in both languages that its table cannot record bets, and takes bets after the outage', async () => {
  const store = createMemoryStore();
  let isFull = false;
  const append = async (batch: AppendRequest) => {
    if (isFull && batch.stream.includes('/table/')) throw new Error('The disk is full.');
    return store.append(batch);
  };
  const server = await startTestServer({
    store: { ...store, append },
    screensFolder: await screens(),
    tables: ['tiger'],
    onOutage: () => {},
  });
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, server, 'tiger');
  const call = page.getByTestId('call');
  await call.filter({ hasText: 'Place your bets' }).waitFor();
  await spot(page, 'tie').click();
  await settled(page);
  isFull = true;
  await spot(page, 'tie').click();
  await call.filter({ hasText: 'No bets just now' }).waitFor();
  expect(await refusal(page)).toMatch(/It is not known yet whether this bet was recorded/);
  expect(await meter(page, 'bet')).toBe(500);
  await spot(page, 'tie').click();
  await page.getByTestId('refusal').filter({ hasText: 'The bet was not accepted' }).waitFor();
  await page.keyboard.press('l');
  await call.filter({ hasText: '暂不接受投注' }).waitFor();
  await page.goto(server.address);
  await page.locator('[data-table=tiger] .tile-status', { hasText: '暂不接受投注' }).waitFor();
  await toTable(page, server, 'tiger');
  isFull = false;
  await call.filter({ hasText: '请下注' }).waitFor();
  await spot(page, 'tie').click();
  await settled(page);
  expect(await meter(page, 'bet')).toBe(1000);
  expect(complaints).toEqual([]);
  await server.close();
});
