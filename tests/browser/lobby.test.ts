import { afterAll, beforeAll, expect, test } from 'vitest';
import { screens } from '../../src/server/assets.ts';
import { type Server } from '../../src/server/server.ts';
import { house } from '../server/house.ts';
import { freshPage } from './browser.ts';
import { everyWay, faults, violations } from './looks.ts';
import { toTable } from './patron.ts';

let open: Server;
beforeAll(async () => {
  open = await house({ screens: await screens() });
});
afterAll(() => open.close());

test('the lobby shows ten tables with phase and countdown, and looks right on both screens in both languages', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  await page.goto(open.address);
  await page.waitForSelector('.tile');
  expect(await page.locator('.tile').count()).toBe(10);
  for (const text of await page.locator('.tile .count').allInnerTexts()) expect(Number(text)).toBeGreaterThan(0);
  expect(await page.locator('.tile .phase').first().innerText()).toContain('Place your bets');
  await everyWay(page, async (way) => {
    expect(await faults(page), way).toEqual([]);
    expect(await violations(page), way).toEqual([]);
  });
  // On the large screen nothing is out of sight, and no room is left.
  await page.setViewportSize({ width: 1366, height: 768 });
  const bottom = await page
    .locator('.tile')
    .last()
    .evaluate((tile) => tile.getBoundingClientRect().bottom);
  expect(bottom).toBeGreaterThan(700);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(768);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('a click sits down with 1,000.00 of demo credit, marked as demo everywhere', async () => {
  const { page, complaints } = await freshPage(390, 844);
  await page.goto(open.address);
  await page.locator('[data-table=tiger]').click();
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')?.textContent === '1,000.00');
  expect(await page.locator('.demo-tag').innerText()).toBe('Demo');
  expect(await page.locator('.legend').textContent()).toContain('Demo credit, worth nothing');
  expect(await page.locator('.legend').innerText()).toContain('MALFUNCTION VOIDS ALL PAYS AND PLAYS');
  // What a complaint has to name is on the screen without scrolling.
  for (const id of ['game', 'tid']) {
    const { top, bottom } = await page.getByTestId(id).evaluate((one) => one.getBoundingClientRect());
    expect(top).toBeGreaterThan(0);
    expect(bottom).toBeLessThan(844);
  }
  await page.locator('.back').click();
  await page.waitForSelector('.tile');
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('a remembered language is there from the first word, with the names of all controls', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  await page.addInitScript(() => {
    localStorage.setItem('punto.language', 'zh');
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (document.getElementById('page')?.firstChild) seen.push(document.documentElement.lang);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(open.address);
  await page.waitForSelector('.tile');
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(new Set(seen)).toEqual(new Set(['zh-Hans']));
  expect(await page.title()).toBe('Punto 试玩大厅');
  await page.locator('[data-table=tiger]').click();
  await page.waitForSelector('.spot');
  await page.waitForFunction(() => document.title === '老虎百家乐 · Punto 试玩大厅');
  const names = await page.$$eval('button, a', (all) =>
    all.map((one) => one.getAttribute('aria-label') ?? one.textContent),
  );
  // The one word that is not Chinese is the way back to English.
  expect(names.filter((name) => !/\p{Script=Han}/u.test(name))).toEqual([]);
  await page.locator('.language').click();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('every control can be reached with a keyboard, and the focus can be seen', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, open, 'baccarat');
  const reached = new Set<string>();
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === document.body)) break;
    const { name, ring } = await page.evaluate(() => {
      const one = document.activeElement!;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return { name: one.getAttribute('aria-label') ?? one.textContent, ring: `${outlineStyle} ${outlineWidth}` };
    });
    expect(ring, name).toBe('solid 3px');
    reached.add(name);
  }
  const all = await page.$$eval('button, a', (controls) =>
    controls.map((one) => one.getAttribute('aria-label') ?? one.textContent),
  );
  expect(all.filter((name) => !reached.has(name))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('help is there in both languages, with what accepts a bet, what a malfunction means, and every pay line', async () => {
  const { page, complaints } = await freshPage(390, 844);
  await toTable(page, open, 'tiger');
  await page.keyboard.press('h');
  const help = page.getByTestId('help');
  const text = await help.innerText();
  for (const words of [
    'pale chip',
    'ETG 5.10.2',
    'ETG 5.9.1',
    'The commitment',
    'Malfunction voids all pays and plays',
    'Banker wins with 6 on 3 cards\t20 to 1\tETG 4.10',
  ]) {
    expect(text).toContain(words);
  }
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('l');
  await page.keyboard.press('h');
  expect(await help.innerText()).toContain('庄赢，庄 6 点，庄 3 张牌\t20 : 1\tETG 4.10');
  expect(await help.innerText()).toContain('浅色');
  expect(complaints).toEqual([]);
  await page.context().close();
});
