import { type Locator, type Page } from 'playwright-core';
import { type Server } from '../../src/server/server.ts';

// What a patron does at a terminal page.

/** A meter in whole cents. */
export const meter = async (page: Page, name: 'bet' | 'credit' | 'win'): Promise<number> => {
  const text = await page.locator(`[data-meter=${name}]`).innerText();
  return Math.round(Number(text.replaceAll(',', '')) * 100);
};
export const spot = (page: Page, wager: string): Locator => page.locator(`[data-wager="${wager}"]`);
export const key = (page: Page, name: string): Locator => page.locator('.keys button', { hasText: name });
/** A chip of the tray: 1.00, 5.00, 25.00, 100.00, 500.00. */
export const chip = (page: Page, place: number): Locator => page.locator('.chip.pick').nth(place);
/** What the page says about the last thing that was refused. */
export const refusal = async (page: Page): Promise<string> => {
  const said = await page.waitForSelector('[data-testid=refusal] p');
  return said.innerText();
};
/** All chips lie as the server has accepted them. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.querySelector('.pale') === null);
};
/** The chips on the spots, in cents. */
export const placed = (page: Page): Promise<{ [wager: string]: number }> =>
  page.$$eval('.spot', (spots) =>
    Object.fromEntries(
      spots.flatMap((one) => {
        const stake = one.querySelector('[data-stake]')?.getAttribute('data-stake');
        return stake ? [[one.getAttribute('data-wager')!, Number(stake)]] : [];
      }),
    ),
  );
export const toTable = async (page: Page, server: Pick<Server, 'address'>, table: string): Promise<void> => {
  await page.goto(`${server.address}#/table/${table}`);
  await page.waitForSelector('.spot');
  await page.waitForSelector('[data-testid=tid]:not(:text("–"))');
};
/** So many cards lie on the table. */
export const cardsOut = async (page: Page, count: number): Promise<void> => {
  await page.waitForFunction((many) => document.querySelectorAll('.card').length === many, count);
};
