import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { freshPage } from './browser.ts';
import { Dealer } from './dealer.ts';
import { cardsOut, toTable } from './patron.ts';
import { prepared } from './shoe.ts';

/** Player 9 to Banker 5 on six cards. */
const sixCards = '2C 3D 2D KS 5H 2H';

/** Cards that stick out of their hand, lie on one another, or cannot be seen. */
const misplaced = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const hand of document.querySelectorAll('.hand')) {
      const box = hand.getBoundingClientRect();
      if (box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight) found.push('a hand');
      const cards = [...hand.querySelectorAll('.card')].map((card) => ({
        name: card.getAttribute('data-card')!,
        rect: card.getBoundingClientRect(),
      }));
      cards.forEach(({ name, rect }, n) => {
        if (rect.left < box.left || rect.right > box.right) found.push(`${name} is beside its hand`);
        if (rect.top < box.top || rect.bottom > box.bottom) found.push(`${name} is above or below its hand`);
        if (Math.min(rect.width, rect.height) < 40) found.push(`${name} is too small to be read`);
        const last = cards[n - 1];
        if (last && rect.left < last.rect.right) found.push(`${name} lies on ${last.name}`);
      });
    }
    return found;
  });

test.each(['tiger', 'sands-super'])('six cards fit at %s, at every size of screen', async (table) => {
  const dealer = await Dealer.at(table, { chance: prepared(sixCards) });
  const { page, complaints } = await freshPage(1024, 768);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await toTable(page, dealer, table);
  await dealer.deal(6);
  await cardsOut(page, 6);
  for (const [width, height] of [
    [1024, 768],
    [1080, 1920],
    [1366, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await misplaced(page), `${width}x${height}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}x${height}`).toBe(width);
  }
  expect(complaints).toEqual([]);
  await page.context().close();
  await dealer.leave();
});

/** Whether something is on the screen, with nothing in front of it. */
const isInView = (page: Page, id: string): Promise<boolean> =>
  page.getByTestId(id).evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && front !== null && one.contains(front);
  });

test('phase, time left and the state of the link stay in view on a phone, however far it is scrolled', async () => {
  const dealer = await Dealer.at('sands-super');
  const { page, complaints } = await freshPage(390, 844);
  let cut: (() => Promise<void>) | undefined;
  await page.routeWebSocket(/socket$/, (route) => {
    if (cut === undefined) route.connectToServer();
    cut ??= () => route.close();
  });
  await toTable(page, dealer, 'sands-super');
  const length = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(length).toBeGreaterThan(844);
  for (const part of [0, 0.1, 0.5, 1]) {
    await page.evaluate((top) => scrollTo(0, top), part * length);
    for (const id of ['call', 'count', 'lamp']) expect(await isInView(page, id), `${id} at ${part}`).toBe(true);
    expect(await page.getByTestId('lamp').getAttribute('aria-label')).toBe('The link is up');
  }
  await cut!();
  await page.waitForSelector('[data-testid=link]');
  for (const id of ['call', 'lamp', 'link']) expect(await isInView(page, id), id).toBe(true);
  expect(await page.getByTestId('lamp').getAttribute('aria-label')).toBe('No link');
  expect(complaints).toEqual([]);
  await page.context().close();
  await dealer.leave();
});
