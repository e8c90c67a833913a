import { type Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { spotStates } from '../support/spotStates.ts';
import { faults, sampleSizes, resize, sizes, still } from '../support/appearance.ts';
import { call, cardsOut, toTable } from '../support/patron.ts';
import { Stage, record } from '../support/recordedViews.ts';
import { prepared } from '../support/shoe.ts';
import { socketCut } from '../support/socketCut.ts';
import { tilesAt } from '../support/scriptedPage.ts';

/** Player 9 to Banker 5 on six cards. */
const sixCards = '2C 3D 2D KS 5H 2H';

test.each(['tiger', 'sands-super'])('six cards fit at %s, at every size of screen', async (table) => {
  const dealer = await Dealer.at(table, { chance: prepared(sixCards) });
  const { page, complaints } = await freshPage(1024, 768);
  await toTable(page, dealer, table);
  await dealer.deal(6);
  await cardsOut(page, 6);
  for (const [width, height] of sizes) {
    await resize(page, width, height);
    expect(await faults(page), `${width}x${height}`).toEqual([]);
    const smallest = await page.$$eval('.slot', (all) =>
      Math.min(...all.map((one) => Math.min(one.clientWidth, one.clientHeight))),
    );
    expect(smallest, `${width}x${height}`).toBeGreaterThan(58);
  }
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('a terminal scales as a whole: text and cards grow with the screen', async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared(sixCards) });
  const { page } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  await dealer.deal(6);
  await cardsOut(page, 6);
  const sizesNow = (): Promise<readonly number[]> =>
    page.evaluate(() => [
      Number.parseFloat(getComputedStyle(document.querySelector('.spot-title')!).fontSize),
      document.querySelector('.slot')!.clientWidth,
    ]);
  const [type, card] = await sizesNow();
  await resize(page, 1920, 1080);
  const [larger, wider] = await sizesNow();
  expect(larger! / type!).toBeCloseTo(1080 / 768, 1);
  expect(wider! / card!).toBeCloseTo(1080 / 768, 1);
  await dealer.leave();
});

test('a page at 200 % zoom is narrow and scrolls only vertically', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(683, 384);
  await toTable(page, dealer, 'tiger');
  await still(page);
  const { width, height } = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return { width: scrollWidth, height: scrollHeight };
  });
  expect(width).toBe(683);
  expect(height).toBeGreaterThan(384);
  await dealer.leave();
});

/** Tablets in portrait and phones in landscape: screens that are not designed for, but that patrons have. */
const upright = ['768x1024', '820x1180'];
const turned = ['844x390', '667x375'];
const others = [...upright, ...turned];

/**
 * Known faults by state. In portrait the stage cuts off the result and the counters of Fortune Six; on phones in
 * landscape bar and notice cover stage and meters, and a three-digit betting time is too small at Sands Super.
 */
const failing: { readonly [table: string]: { readonly [state: string]: readonly string[] } } = {
  tiger: { dealing: turned, 'line 1': others, stopped: turned },
  'sands-super': { betting: turned, dealing: turned, 'line 1': turned, stopped: turned },
  'fortune-six': { betting: upright, dealing: others, 'line 1': others, stopped: others },
};

describe.each(['tiger', 'sands-super', 'fortune-six'])('the page of %s on tablets and phones in landscape', (table) => {
  const cases = ['betting', 'dealing', 'line 1', 'stopped'].flatMap((state) =>
    others.map((size) => [state, size] as const),
  );
  let complaints: readonly string[];
  /**
   * Faults of each case. They are measured before the tests, so that a failure to measure is not an expected failure.
   */
  const measured = new Map<string, { readonly faults: readonly string[]; readonly isIslandInView: boolean }>();
  beforeAll(async () => {
    const dealer = await Dealer.at(table);
    const { page, ...own } = await freshPage(1366, 768);
    complaints = own.complaints;
    const stage = await Stage.on(page);
    await page.goto(dealer.address);
    for (const [state, size] of cases) {
      const [width, height] = size.split('x').map(Number) as [number, number];
      await stage.showMessages(table, ...spotStates(await record(table), 'large').get(state)!);
      await page.waitForSelector('[data-wager]');
      await resize(page, width, height);
      const top = await page.$eval('.island', (one) => one.getBoundingClientRect().top);
      measured.set(`${state} ${size}`, {
        faults: (await faults(page)).filter((one) => one !== 'the page is higher than the screen'),
        isIslandInView: top < height - 100,
      });
    }
  });

  for (const [state, size] of cases) {
    const isFailing = failing[table]![state]?.includes(size) ?? false;
    const reason = isFailing ? ' (fails until there is a layout for it)' : '';
    test(`scrolls, and nothing is cut off or covered: ${state} at ${size}${reason}`, { fails: isFailing }, () => {
      expect(measured.get(`${state} ${size}`)).toEqual({ faults: [], isIslandInView: true });
    });
  }

  test('complains of nothing', () => expect(complaints).toEqual([]));
});

test('the view of all tables fits ten tables above the rail, each on its own felt', async () => {
  const dealer = await Dealer.at('sands-elements');
  const { page } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  await page.goto(dealer.address);
  const tiles = tilesAt(Date.now());
  const { messages } = await record('sands-elements');
  await stage.showMessages('sands-elements', ...messages.betting, { type: 'lobby', version: 2, tiles });
  await page.waitForSelector('[data-wager]');
  await page.keyboard.press('v');
  await page.keyboard.press('v');
  await page.waitForFunction(() => document.querySelectorAll('.all-tables .tile').length === 10);
  for (const [width, height] of sampleSizes) {
    await resize(page, width, height);
    expect(await faults(page), `${width}x${height}`).toEqual([]);
  }
  const felts = await page.$$eval('.all-tables .tile', (all) =>
    all.map((one) => [one.getAttribute('data-felt'), getComputedStyle(one).getPropertyValue('--felt')]),
  );
  expect(new Map(felts as [string, string][]).size).toBe(new Set(felts.map(([, felt]) => felt)).size);
  await dealer.leave();
});

/** True if an element is on the screen with nothing in front of it. */
const isInView = (page: Page, id: string): Promise<boolean> =>
  page.getByTestId(id).evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && front !== null && one.contains(front);
  });

test('phase, time left and connection state stay visible on a scrolled phone', async () => {
  const dealer = await Dealer.at('sands-super');
  const { page, complaints } = await freshPage(390, 844);
  const cut = await socketCut(page);
  await toTable(page, dealer, 'sands-super');
  // A low phone, which has to scroll.
  await resize(page, 390, 560);
  const length = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(length).toBeGreaterThan(100);
  for (const part of [0, 0.1, 0.5, 1]) {
    await page.evaluate((top) => scrollTo(0, top), part * length);
    for (const id of ['call', 'count', 'lamp']) expect(await isInView(page, id), `${id} at ${part}`).toBe(true);
    await expect.poll(() => page.getByTestId('lamp').getAttribute('aria-label')).toBe('Connected');
  }
  await cut();
  await page.waitForSelector('[data-testid=connection]');
  for (const id of ['call', 'lamp']) expect(await isInView(page, id), id).toBe(true);
  expect(await call(page)).toBe('Link lost');
  expect(await page.getByTestId('lamp').getAttribute('aria-label')).toBe('No connection');
  expect(complaints).toEqual([]);
  await dealer.leave();
});
