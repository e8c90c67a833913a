import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { violations } from '../support/appearance.ts';
import { settled, spot, toTable } from '../support/patron.ts';

test('a void at a table that the patron has left is shown wherever the patron is, until it is acknowledged', async () => {
  const [store, key] = [createMemoryStore(), Buffer.alloc(32, 7)];
  const dealer = await Dealer.at('tiger', { store, key });
  const { page } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  await spot(page, 'tie').click();
  await settled(page);
  await page.goto(`${dealer.address}#/`);
  await page.waitForSelector('[data-testid=status-line]');
  const port = Number(new URL(dealer.address).port);
  await dealer.server.close();
  const later = await Dealer.at('tiger', { store, key, port, later: 3_600_000 });
  const notice = page.getByTestId('round-notice');
  await notice.waitFor();
  const text = await notice.innerText();
  for (const part of ['Table tiger: Bets of yours in round #1 are void', 'ETG 5.9.1', '5.00']) {
    expect(text).toContain(part);
  }
  expect(await violations(page)).toEqual([]);
  await notice.getByRole('button').click();
  await notice.waitFor({ state: 'detached' });
  await page.reload();
  await page.waitForSelector('.tile');
  expect(await notice.count()).toBe(0);
  await later.leave();
});
