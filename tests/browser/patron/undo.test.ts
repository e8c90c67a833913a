import { expect, test } from 'vitest';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { faults } from '../support/appearance.ts';
import { key, meter, placed, settled, spot, toTable } from '../support/patron.ts';

test('undo after a refusal continues from the accepted slip, never to a slip that was not accepted', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  // Three taps at once: the first is sent, the others wait and together exceed the credit.
  await page.evaluate(() => {
    const click = (what: string): void => document.querySelector<HTMLElement>(what)!.click();
    click('.chip-key:nth-child(5)');
    for (const wager of ['player', 'banker']) click(`[data-wager=${wager}]`);
    click('.chip-key:nth-child(4)');
    click('[data-wager=tie]');
  });
  await page.waitForSelector('[data-testid=refusal]');
  await settled(page);
  expect(await placed(page)).toEqual({ player: 50_000 });
  await key(page, 'UNDO').click();
  await settled(page);
  expect(await placed(page)).toEqual({});
  expect(await meter(page, 'credit')).toBe(100_000);
  expect(await key(page, 'UNDO').getAttribute('aria-disabled')).toBe('true');
  await dealer.leave();
});

test('a refusal shows the credit at its time and is cleared with its phase', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  await page.locator('.chip-key').nth(0).click();
  await spot(page, 'tie').click();
  await settled(page);
  await page.locator('.chip-key').nth(4).click();
  await spot(page, 'player').click();
  await settled(page);
  await spot(page, 'banker').click();
  const refusalText = (await page.waitForSelector('[data-testid=refusal] p')).innerText();
  expect(await refusalText).toContain('The added bets need 500.00, and your credit is 499.00');
  expect(await faults(page)).toEqual([]);
  await dealer.close();
  await page.waitForSelector('[data-testid=refusal]', { state: 'detached' });
  await dealer.leave();
});

test('undo does not revert stakes of another page of the same terminal', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  const other = await page.context().newPage();
  await toTable(other, dealer, 'tiger');
  await spot(page, 'player').click();
  await settled(page);
  await other.waitForSelector('[data-wager=player] [data-stake="500"]');
  await spot(other, 'banker').click();
  await page.waitForSelector('[data-wager=banker] [data-stake="500"]');
  expect(await key(page, 'UNDO').getAttribute('aria-disabled')).toBe('true');
  await key(other, 'UNDO').click();
  await page.waitForSelector('[data-wager=banker] [data-stake]', { state: 'detached' });
  expect(await placed(page)).toEqual({ player: 500 });
  await dealer.leave();
});

test('the lobby shows a refusal when the requested table does not exist', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(1366, 768);
  await page.goto(`${dealer.address}#/table/nope`);
  await page.waitForSelector('.tile');
  // In the lobby only: the table shows it too until the page has left.
  const refusalText = page.locator('.lobby [data-testid=refusal]');
  expect(await refusalText.innerText()).toContain('There is no such table; choose a table here.');
  await dealer.leave();
});
