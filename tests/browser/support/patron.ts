import { type Locator, type Page } from 'playwright-core';
import { type Server } from '../../../src/server/serverOptions.ts';
import { freshPage } from './browser.ts';

// Actions of a patron at a terminal page.

/** The page of the terminal with this secret, without animations, and the errors of its console. */
export async function pageWith(secret: string, [width, height]: readonly [number, number] = [1366, 768]) {
  const { page, complaints } = await freshPage(width, height);
  await page.addInitScript((own) => localStorage.setItem('punto.secret', own), secret);
  return { page, complaints };
}

export const pageOf = async (secret: string): Promise<Page> => (await pageWith(secret)).page;

/** A meter in cents, after it has counted up. */
export const meter = async (page: Page, name: 'bet' | 'credit' | 'win'): Promise<number> => {
  const text = await page.locator(`.meter:not(.is-counting) [data-meter=${name}]`).innerText();
  return Math.round(Number(text.replaceAll(',', '')) * 100);
};
export const spot = (page: Page, wager: string): Locator => page.locator(`[data-wager="${wager}"]`);
export const key = (page: Page, name: string): Locator => page.locator('.keys button', { hasText: name });
/** A chip of the tray: 1.00, 5.00, 25.00, 100.00, 500.00. */
export const chip = (page: Page, place: number): Locator => page.locator('.chip-key').nth(place);
/** The text of the last refusal. */
export const refusal = async (page: Page): Promise<string> => {
  const text = await page.waitForSelector('[data-testid=refusal] p');
  return `${await page.locator('[data-testid=refusal] h2').innerText()}: ${await text.innerText()}`;
};
/** Waits until the server has accepted all chips. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.querySelector('[data-wager].is-pending') === null);
};
/** The chips on the spots, in cents. */
export const placed = (page: Page): Promise<{ [wager: string]: number }> =>
  page.$$eval('[data-wager]', (spots) =>
    Object.fromEntries(
      spots.flatMap((one) => {
        const stake = one.getAttribute('data-staked');
        return stake ? [[one.getAttribute('data-wager')!, Number(stake)]] : [];
      }),
    ),
  );
export const toTable = async (page: Page, server: Pick<Server, 'address'>, table: string): Promise<void> => {
  await page.goto(`${server.address}#/table/${table}`);
  await page.waitForSelector('.spot');
  await page.waitForSelector('[data-testid=tid]:not(:text("–"))');
};
/** Waits until this number of cards is on the table and turned. */
export const cardsOut = async (page: Page, count: number): Promise<void> => {
  await page.waitForFunction(
    (many) =>
      document.querySelectorAll('.flip.is-turned [data-card]').length === many &&
      document.querySelectorAll('.flip').length === many,
    count,
  );
};
/** The phase in the banner, in the current language. */
export const call = async (page: Page): Promise<string> =>
  (await page.locator('[data-testid=call] .bi-1').textContent())!;
/** Waits until the banner has this text. */
export const called = async (page: Page, text: string): Promise<void> => {
  await page.waitForSelector(`[data-testid=call] .bi-1:text-is("${text}")`);
};
/** The winner, once the result is shown. */
export const winner = async (page: Page): Promise<string> =>
  (await page.locator('[data-testid=winner] .bi-1').textContent())!;
/** The result of each stake as the spots show it, with the clause. Number strips show no cents. */
export const outcomes = async (page: Page): Promise<{ [wager: string]: string }> => {
  await page.waitForSelector('[data-outcome]');
  return page.$$eval('[data-outcome]', (all) =>
    Object.fromEntries(
      all.map((one) => {
        const by = one.getAttribute('data-by')!;
        const text = one.textContent.trim();
        const [, won] = /^\+([\d,.]+)/.exec(text) ?? [];
        const [, commission] = /− ([\d,.]+) commission/.exec(text) ?? [];
        const result = won
          ? `won ${won.includes('.') ? won : `${won}.00`}${commission ? ` (commission ${commission})` : ''}`
          : text.startsWith('−')
            ? 'lost'
            : text.includes('push')
              ? 'push'
              : 'returned';
        return [one.getAttribute('data-outcome')!, `${result} ${by}`];
      }),
    ),
  );
};
