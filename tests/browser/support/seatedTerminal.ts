import { type Page } from 'playwright-core';
import { expect } from 'vitest';
import { PatronSocket } from '../../server/support/testServer.ts';
import { freshPage } from './browser.ts';
import { Dealer } from './dealer.ts';
import { key, settled, spot, toTable } from './patron.ts';

// A terminal at a table, its keys, and the slips that the server has of it.

/** A terminal at a table, a Tiger table unless named. */
export async function seated(
  options: Parameters<typeof Dealer.at>[1] = {},
  opened = freshPage,
  table = 'tiger',
): Promise<{ page: Page; dealer: Dealer; end: () => Promise<void> }> {
  const dealer = await Dealer.at(table, options);
  const { page, complaints } = await opened(1366, 768);
  await toTable(page, dealer, table);
  const end = async (): Promise<void> => {
    expect(complaints).toEqual([]);
    await dealer.leave();
  };
  return { page, dealer, end };
}

export async function stake(page: Page, ...wagers: readonly string[]): Promise<void> {
  for (const wager of wagers) await spot(page, wager).click();
  await settled(page);
}

export async function press(page: Page, name: string): Promise<void> {
  await key(page, name).click();
  await settled(page);
}

export const isDead = async (page: Page, name: string): Promise<boolean> =>
  (await key(page, name).getAttribute('aria-disabled')) === 'true';

/** The next round is open with empty spots. */
export async function next(page: Page, dealer: Dealer): Promise<void> {
  await dealer.open();
  await page.waitForSelector(`[data-testid=game]:text-is("${dealer.table.round!.number}")`);
  await page.waitForFunction(() => document.querySelector('[data-stake]') === null);
}

/** The slips of the table as its server has them. */
export const slipsAt = (dealer: Dealer): readonly unknown[] => Object.values(dealer.table.round!.slips);

/** The patron of this page sets a limit for the stakes of one round or for the loss of the session. */
export async function setLimit(page: Page, dealer: Dealer, limit: { stake?: number; loss?: number }): Promise<void> {
  const secret = await page.evaluate(() => localStorage.getItem('punto.secret')!);
  const patron = await PatronSocket.join(dealer.server, secret, 'tiger');
  patron.send({ type: 'limit', id: 'limit-0001', ...limit });
  await patron.receive('limited');
  patron.terminate();
}
