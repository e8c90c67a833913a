import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { toTable } from '../support/patron.ts';
import { screens } from '../support/screens.ts';

let open: Server;
beforeAll(async () => {
  open = await startTestServer({ screensFolder: await screens() });
});
afterAll(() => open.close());

test('a click takes a seat with 1,000.00 of demo credit, marked as demo everywhere', async () => {
  const { page, complaints } = await freshPage(390, 844);
  await page.goto(open.address);
  await page.locator('[data-table=tiger]').click();
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')?.textContent === '1,000.00');
  expect(await page.locator('.demo-tag').innerText()).toBe('Demo');
  expect(await page.locator('.legend').textContent()).toContain('Demo credit, worth nothing');
  expect(await page.locator('.legend').innerText()).toContain('MALFUNCTION VOIDS ALL PAYS AND PLAYS');
  // The IDs for a complaint are visible without scrolling.
  for (const id of ['game', 'tid']) {
    const { top, bottom } = await page.getByTestId(id).evaluate((one) => one.getBoundingClientRect());
    expect(top).toBeGreaterThan(0);
    expect(bottom).toBeLessThan(844);
  }
  await page.locator('.back').click();
  await page.waitForSelector('.tile');
  expect(complaints).toEqual([]);
});

test('a stored language applies from the first text, with the names of all controls', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  await page.addInitScript(() => {
    localStorage.setItem('punto.language', 'zh');
    const languages: string[] = [];
    Object.assign(window, { languages });
    new MutationObserver(() => {
      if (document.getElementById('page')?.firstChild) languages.push(document.documentElement.lang);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(open.address);
  await page.waitForSelector('.tile');
  const languages = await page.evaluate(() => (window as unknown as { languages: string[] }).languages);
  expect(new Set(languages)).toEqual(new Set(['zh-Hans']));
  expect(await page.title()).toBe('Punto 试玩大厅');
  await page.locator('[data-table=tiger]').click();
  await page.waitForSelector('.spot');
  await page.waitForFunction(() => document.title === '老虎百家乐 · Punto 试玩大厅');
  const names = await page.$$eval('button, a', (all) =>
    all.map((one) => one.getAttribute('aria-label') ?? one.textContent),
  );
  // The only text that is not Chinese is the key back to English.
  expect(names.filter((name) => !/\p{Script=Han}/u.test(name))).toEqual([]);
  await page.locator('.language').click();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  expect(complaints).toEqual([]);
});

test('every control is reachable by keyboard, and the focus is visible', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, open, 'baccarat');
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === document.body)) break;
    const { name, ring } = await page.evaluate(() => {
      const one = document.activeElement!;
      // The element is marked, because the name of a control may contain the time of day.
      one.setAttribute('data-reached', '');
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return { name: one.getAttribute('aria-label') ?? one.textContent, ring: `${outlineStyle} ${outlineWidth}` };
    });
    expect(ring, name).toBe('solid 3px');
  }
  expect(await page.locator('[data-reached]').count()).toBeGreaterThan(0);
  const unreached = await page.$$eval('button:not([data-reached]), a:not([data-reached])', (controls) =>
    controls.map((one) => one.getAttribute('aria-label') ?? one.textContent),
  );
  expect(unreached).toEqual([]);
  expect(complaints).toEqual([]);
});
