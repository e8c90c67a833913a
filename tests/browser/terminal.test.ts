import axe from 'axe-core';
import { type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSettings } from '../../src/floor/demo.ts';
import { games } from '../../src/games/registry.ts';
import { screens } from '../../src/server/assets.ts';
import { type Server } from '../../src/server/server.ts';
import { house } from '../server/house.ts';
import { freshPage, launch } from './browser.ts';
import { key, meter, placed, settled, spot, toTable } from './patron.ts';

let browser: Browser;
/** Bets stay open here, so that the screens can be looked at in peace. */
let open: Server;
/** And here rounds are played. */
let quick: Server;
const times = { bettingTime: 3_500, grace: 100, pause: 900 };

beforeAll(async () => {
  const built = await screens();
  browser = await launch();
  open = await house({ screens: built });
  quick = await house({ screens: built, tables: ['tiger'], times, pace: { betweenRounds: 700, betweenCards: 150 } });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([open.close(), quick.close()]);
});

/** What axe finds serious or worse. */
async function violations(page: Page): Promise<unknown> {
  // The content policy forbids scripts of others in the page; the test puts this one in from outside.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: run } = window as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations: found } = await run.run();
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

/** Elements that reach beyond the width of the screen, and controls that are too small to be hit. */
const misfits = (page: Page): Promise<string[]> =>
  page.$$eval('button, a, .panel, .hand, .meter, .tile', (all) =>
    all.flatMap((one) => {
      const { left, right, width, height } = one.getBoundingClientRect();
      const name = `${one.className} ${one.textContent?.slice(0, 30)}`;
      if (left < -1 || right > innerWidth + 1) return [`beyond the edge: ${name}`];
      const control = one.tagName === 'BUTTON' || one.tagName === 'A';
      return control && (width < 44 || height < 44) ? [`too small: ${name} ${width}x${height}`] : [];
    }),
  );

test('the lobby shows ten tables in two languages, and a click sits down with demo credit', async () => {
  const { page, complaints } = await freshPage(browser, 1366, 768);
  await page.goto(open.address);
  await page.waitForSelector('.tile');
  expect(await page.locator('.tile').count()).toBe(10);
  expect(await page.locator('.tile .count').count()).toBe(10);
  expect(await violations(page)).toEqual([]);
  expect(await misfits(page)).toEqual([]);
  await page.locator('.language').click();
  expect(await page.locator('h1').innerText()).toContain('十张台');
  await page.locator('.language').click();
  await page.locator('[data-table=tiger]').click();
  await page.waitForSelector('.spot');
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')?.textContent === '1,000.00');
  expect(await page.locator('.demo').innerText()).toBe('Demo');
  expect(await page.locator('.meter small').allInnerTexts()).toEqual(['Demo', 'Demo', 'Demo']);
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** The odds of a wager, worked out here from its lines. */
const oddsIn = (
  lines: readonly { pays: readonly [number, number] | 'push'; commission?: readonly [number, number] }[],
) =>
  lines.flatMap(({ pays, commission }) => {
    if (pays === 'push') return [];
    return [commission ? pays[0] * (1 - commission[0] / commission[1]) : pays[0] / pays[1]];
  });

/** The odds as they are written on a spot: "30 · 15 : 1", "1 : 2 · 1 : 1". */
const oddsRead = (text: string): readonly number[] => {
  const parts = text.split(' · ');
  const to = /^(.+) : (.+)$/;
  if (parts.length > 1 && parts.slice(0, -1).every((part) => !to.test(part))) {
    const [, last] = to.exec(parts.at(-1)!)!;
    return [...parts.slice(0, -1), last].map(Number);
  }
  return parts.map((part) => Number(to.exec(part)![1]) / Number(to.exec(part)![2]));
};

test('all ten layouts show all and only their spots with the right odds and limits, on both screens', async () => {
  const { page, complaints } = await freshPage(browser, 1366, 768);
  for (const [n, game] of games.entries()) {
    for (const [width, height] of [
      [1366, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await toTable(page, open, game.id);
      await page.waitForFunction((name) => document.querySelector('.title')?.textContent?.includes(name), game.name);
      const spots = await page.$$eval('.spot', (all) =>
        all.map((one) => ({
          wager: one.getAttribute('data-wager')!,
          name: one.querySelector('.name')!.textContent,
          odds: one.querySelector('.odds')!.textContent,
          range: one.querySelector('.range')!.textContent,
          label: one.getAttribute('aria-label')!,
        })),
      );
      expect(spots.map(({ wager }) => wager).toSorted()).toEqual(Object.keys(game.wagers).toSorted());
      const { limits } = demoSettings[n]!;
      for (const { wager, name, odds, range, label } of spots) {
        const data = game.wagers[wager]!;
        expect(name).toBe(data.name);
        expect([...new Set(oddsRead(odds))]).toEqual([...new Set(oddsIn(data.lines))]);
        const [least, most] = limits[wager] as [number, number];
        expect(range).toBe(`${least / 100}–${most / 100}`);
        expect(label).toContain(`minimum ${(least / 100).toFixed(2)}, maximum ${(most / 100).toFixed(2)}`);
      }
      expect(await misfits(page), `${game.id} ${width}`).toEqual([]);
    }
    expect(await violations(page), game.id).toEqual([]);
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('each spot takes a chip; undo, clear, double and re-bet make other slips; a limit refuses with its clause', async () => {
  const { page, complaints } = await freshPage(browser, 1366, 768);
  await toTable(page, open, 'tiger');
  const wagers = Object.keys(games.find(({ id }) => id === 'tiger')!.wagers);
  for (const wager of wagers) await spot(page, wager).click();
  await settled(page);
  expect(await placed(page)).toEqual(Object.fromEntries(wagers.map((wager) => [wager, 500])));
  expect(await meter(page, 'bet')).toBe(500 * wagers.length);
  expect(await meter(page, 'credit')).toBe(100_000 - 500 * wagers.length);

  await key(page, 'UNDO').click();
  await settled(page);
  expect(Object.keys(await placed(page))).toHaveLength(wagers.length - 1);
  await key(page, 'x2').click();
  await settled(page);
  expect((await placed(page))['player']).toBe(1000);
  await key(page, 'CLEAR BET').click();
  await settled(page);
  expect(await placed(page)).toEqual({});
  expect(await meter(page, 'credit')).toBe(100_000);
  await key(page, 'UNDO').click();
  await settled(page);
  expect((await placed(page))['player']).toBe(1000);

  await page.locator('.chip.pick').nth(3).click();
  await spot(page, 'tiger').click();
  await page.waitForSelector('[data-testid=refusal]');
  expect(await page.locator('[data-testid=refusal]').innerText()).toMatch(/over-maximum · ETG 2\.2/);
  await settled(page);
  expect((await placed(page))['tiger']).toBe(1000);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('a round is played: cards and totals, checks, outcome with clauses, exact credit; then the same again', async () => {
  const { page, complaints } = await freshPage(browser, 1366, 768);
  await toTable(page, quick, 'tiger');
  await page.waitForSelector('.phase:not(.open)');
  await page.waitForSelector('.phase.open');
  const credit = await meter(page, 'credit');
  for (const wager of ['player', 'banker', 'tie']) await spot(page, wager).click();
  await settled(page);
  expect(await page.locator('[data-testid=call]').innerText()).toBe('Place your bets, please');
  expect(await meter(page, 'credit')).toBe(credit - 1500);

  await page.waitForFunction(() => document.querySelectorAll('.card').length >= 1);
  expect(await page.locator('[data-testid=call]').innerText()).toBe('No more bets');
  await spot(page, 'tie').click();
  await page.waitForSelector('[data-testid=refusal]');
  expect(await page.locator('[data-testid=refusal]').innerText()).toMatch(/late-raise · ETG 5\.5/);

  await page.waitForSelector('[data-outcome] .fate');
  const winner = await page.locator('[data-testid=winner]').innerText();
  const back = { 'Player wins': 1000, 'Banker wins': 975, Tie: 500 + 500 + 4500 }[winner]!;
  expect(await meter(page, 'credit')).toBe(credit - 1500 + back);
  const clauses = await page.locator('[data-outcome] .clause').allInnerTexts();
  expect(clauses).toHaveLength(3);
  expect(clauses.every((clause) => /^ETG \d/.test(clause))).toBe(true);
  const cards = await page.locator('.card').count();
  expect(await page.locator('[data-testid=checked]').innerText()).toContain(`✓ ${cards} cards`);
  expect(await page.locator('[data-testid=root]').innerText()).toMatch(/^[0-9a-f]{64}$/);

  await page.waitForSelector('.phase.open');
  await key(page, 'RE-BET').click();
  await settled(page);
  expect(await placed(page)).toEqual({ player: 500, banker: 500, tie: 500 });
  expect(complaints).toEqual([]);
  await page.context().close();
});
