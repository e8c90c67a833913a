import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { sampleOf } from '../../times.ts';
import { freshPage, movingPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { sizes } from '../support/appearance.ts';
import { called, cardsOut, meter, settled, spot, toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

// No layout shift: everything that stays on the screen keeps its position from phase to phase.

/** Two rounds: Player 9 to Banker 5 on six cards, and Banker 6 to 4 on five. */
const rounds = {
  french: ['2C 3D 2D KS 5H 2H', '2C KD 2D 6S KH'],
  elements: ['21 32 22 T4 53 23', '21 T3 22 64 T1'],
} as const;

/** Observes layout shifts; returns a function that gives the shifts so far. */
async function watchShifts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    type Shift = PerformanceEntry & {
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Node | null; readonly currentRect: DOMRect }[];
    };
    const shifts: string[] = [];
    const note = (list: readonly PerformanceEntry[]): void => {
      for (const { hadRecentInput, sources } of list as readonly Shift[]) {
        if (hadRecentInput) continue;
        for (const { node, currentRect } of sources) {
          const one = node instanceof Element ? node : node?.parentElement;
          shifts.push(`${one?.getAttribute('class') ?? one?.tagName} to ${currentRect.x}, ${currentRect.y}`);
        }
      }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift' });
    Object.assign(window, {
      shifts: () => {
        note(observer.takeRecords());
        return shifts;
      },
    });
  });
  return () =>
    page.evaluate(async () => {
      for (let n = 0; n < 3; n++) await new Promise((next) => requestAnimationFrame(next));
      return (window as unknown as { shifts: () => readonly string[] }).shifts();
    });
}

const watched = games.flatMap(({ id }) =>
  sizes.flatMap(([width, height]) =>
    [
      { motion: 'moves', open: movingPage },
      { motion: 'rests', open: freshPage },
    ].map((page) => ({ id, width, height, ...page })),
  ),
);

test.each(sampleOf('steady', watched, 2))(
  '$id has no layout shift from betting to the next betting, at $width x $height, when everything $motion',
  async (where) => {
    const { id, width, height, open } = where;
    const { deck, wagers } = games.find((game) => game.id === id)!;
    const dealer = await Dealer.at(id, { chance: prepared(...rounds[deck]) });
    const { page, complaints } = await open(width, height);
    await toTable(page, dealer, id);
    for (const wager of Object.keys(wagers)) await spot(page, wager).click();
    await settled(page);
    await page.evaluate(() => document.fonts.ready);
    const shifts = await watchShifts(page);
    await dealer.call();
    await called(page, 'No more bets');
    expect(await shifts(), 'the close').toEqual([]);
    for (let card = 1; card <= 6; card++) {
      await dealer.deal(card);
      await cardsOut(page, card);
      expect(await shifts(), `card ${card}`).toEqual([]);
    }
    await dealer.settle();
    await page.waitForSelector('[data-outcome]');
    await meter(page, 'win');
    expect(await shifts(), 'the result').toEqual([]);
    await dealer.open();
    await called(page, 'Place your bets, please');
    await page.waitForSelector('[data-testid=last]');
    expect(await shifts(), 'the next betting').toEqual([]);
    expect(complaints).toEqual([]);
    await dealer.leave();
  },
);

test('the watch for layout shifts finds a shift', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  const shifts = await watchShifts(page);
  await page.locator('.island').evaluate((one) => (one.style.marginTop = '2rem'));
  await expect.poll(shifts).not.toEqual([]);
  await dealer.leave();
});

/** Every value that the WIN meter shows from now on, in order. */
async function figuresOf(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const figures: string[] = [];
    Object.assign(window, { figures });
    const win = document.querySelector('[data-meter=win]')!;
    new MutationObserver(() => figures.push(win.textContent)).observe(win, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { figures: readonly string[] }).figures);
}

/** A round of Player 9 to Banker 2 with 5.00 on each of these wagers; returns the values of the meter. */
async function winFigures(reducedMotion: 'reduce' | 'no-preference', wagers: readonly string[]) {
  const dealer = await Dealer.at('tiger', { chance: prepared('9H 2S KS QS') });
  const { page } = await freshPage(1366, 768, { reducedMotion });
  await toTable(page, dealer, 'tiger');
  for (const wager of wagers) await spot(page, wager).click();
  await settled(page);
  const figures = await figuresOf(page);
  await dealer.settle();
  await page.waitForSelector('[data-testid=net]');
  const won = await meter(page, 'win');
  const values = await figures();
  await dealer.leave();
  return { won, values };
}

test('a net win is counted up to its amount', async () => {
  const { won, values } = await winFigures('no-preference', ['player']);
  expect(won).toBe(500);
  expect(values.at(-1)).toBe('5.00');
  expect(new Set(values).size).toBeGreaterThan(10);
  const cents = values.map((text) => Math.round(Number(text) * 100));
  expect(cents).toEqual(cents.toSorted((one, other) => one - other));
});

test('the WIN meter does not count up where motion is not wanted', async () => {
  const { won, values } = await winFigures('reduce', ['player']);
  expect(won).toBe(500);
  expect(new Set(values)).toEqual(new Set(['5.00']));
});

test.each([
  ['READING 70', 'lost money', ['player', 'tie', 'banker']],
  ['ETG layout-15', 'lost money', ['player', 'tie', 'banker']],
  ['READING 70', 'returned the stakes', ['player', 'banker']],
  ['ETG layout-15', 'returned the stakes', ['player', 'banker']],
] as const)(
  '[%s] the WIN meter stays at 0.00 after a round that %s although a stake won',
  async (_row, _what, wagers) => {
    const { won, values } = await winFigures('no-preference', wagers);
    expect(won).toBe(0);
    expect(new Set(values)).toEqual(new Set());
  },
);

test.each(['READING 70', 'ETG layout-15'])(
  '[%s] the WIN meter shows the net of the round over all stakes',
  async () => {
    const { won } = await winFigures('reduce', ['player', 'player', 'banker']);
    expect(won).toBe(500);
  },
);

test('lost chips leave their spot and winning chips stay, while the slip shows the stakes', async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared('9H 2S KS QS') });
  const { page } = await movingPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  for (const wager of ['player', 'banker']) await spot(page, wager).click();
  await settled(page);
  const isVisible = (wager: string): Promise<boolean> =>
    spot(page, wager)
      .locator('.stack')
      .evaluate((one) => one.checkVisibility({ opacityProperty: true }));
  expect([await isVisible('player'), await isVisible('banker')]).toEqual([true, true]);
  await dealer.settle();
  await page.waitForSelector('[data-outcome=banker]');
  await expect.poll(() => isVisible('banker')).toBe(false);
  expect(await isVisible('player')).toBe(true);
  expect(await meter(page, 'bet')).toBe(1000);
  expect(await spot(page, 'banker').getAttribute('data-staked')).toBe('500');
  await dealer.leave();
});

test.each([
  ['en', 'Time is up.'],
  ['zh', '时间到。'],
])('the end of the betting time is announced once, in the language of the page: %s', async (language, text) => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(1366, 768);
  await page.addInitScript((chosen) => localStorage.setItem('punto.language', chosen), language);
  await toTable(page, dealer, 'tiger');
  const region = page.getByTestId('time-left');
  expect([await region.getAttribute('aria-live'), await region.textContent()]).toEqual(['polite', '']);
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.assign(window, { announced });
    const liveRegion = document.querySelector('[data-testid=time-left]')!;
    new MutationObserver(() => announced.push(liveRegion.textContent)).observe(liveRegion, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await dealer.deal(2);
  await cardsOut(page, 2);
  expect(await page.evaluate(() => (window as unknown as { announced: readonly string[] }).announced)).toEqual([text]);
  await dealer.leave();
});
