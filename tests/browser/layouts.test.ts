import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSettings } from '../../src/floor/demo.ts';
import { games } from '../../src/games/registry.ts';
import { type Line } from '../../src/rules/wager.ts';
import { screens } from '../../src/server/assets.ts';
import { type Server } from '../../src/server/server.ts';
import { house } from '../server/house.ts';
import { isSoak } from '../times.ts';
import { freshPage } from './browser.ts';
import { Dealer } from './dealer.ts';
import { everyWay, faults, violations } from './looks.ts';
import { key, meter, placed, settled, spot, toTable } from './patron.ts';
import { Stage, phases, record } from './recorded.ts';

/** What the lines of a wager pay per unit, dearest first, worked out here. */
const oddsIn = (lines: readonly Line[]): readonly number[] => {
  const odds = lines.flatMap(({ pays, commission: [kept, of] = [0, 1] }) =>
    pays === 'push' ? [] : [(pays[0] * (of - kept)) / (pays[1] * of)],
  );
  return [...new Set(odds)].toSorted((one, other) => other - one);
};

/** The odds as they are written: "30 · 15 : 1", "1 : 1 · 1 : 2". */
const oddsRead = (text: string): readonly number[] => {
  const parts = text.split(' · ');
  if (parts.slice(0, -1).some((part) => part.includes(' : '))) {
    return parts.map((part) => part.split(' : ').map(Number)).map(([win, per]) => win! / per!);
  }
  const [last, per] = parts.at(-1)!.split(' : ').map(Number);
  return [...parts.slice(0, -1).map(Number), last!].map((win) => win / per!);
};

test.each(games.map((game, n) => ({ id: game.id, game, setting: demoSettings[n]! })))(
  '$id shows all and only its spots with their odds and limits, and takes a chip on each',
  async ({ game, setting }) => {
    const dealer = await Dealer.at(game.id);
    const { page, complaints } = await freshPage(1366, 768);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await toTable(page, dealer, game.id);
    expect(await page.title()).toContain(game.name);

    const spots = await page.$$eval('.spot', (all) =>
      all.map((one) => ({
        wager: one.getAttribute('data-wager')!,
        name: one.querySelector('.name')!.textContent,
        odds: (one.querySelector('.odds') as HTMLElement).innerText,
        range: one.querySelector('.range')!.textContent,
        label: one.getAttribute('aria-label')!,
      })),
    );
    expect(spots.map(({ wager }) => wager).toSorted()).toEqual(Object.keys(game.wagers).toSorted());
    for (const { wager, name, odds, range, label } of spots) {
      const data = game.wagers[wager]!;
      const [least, most] = setting.limits[wager] as [number, number];
      const due = oddsIn(data.lines);
      expect(name).toBe(data.name);
      expect(oddsRead(/odds (.+), minimum/.exec(label)![1]!)).toEqual(due);
      if (odds.includes('–')) expect(odds).toBe(`${due[0]}–${due.at(-1)} : 1`);
      else expect(oddsRead(odds)).toEqual(due);
      expect(range).toBe(`${least / 100}–${most / 100}`);
      expect(label).toContain(`minimum ${(least / 100).toFixed(2)}, maximum ${(most / 100).toFixed(2)}`);
    }

    const wagers = Object.keys(game.wagers);
    for (const wager of wagers) await spot(page, wager).click();
    await settled(page);
    expect(await placed(page)).toEqual(Object.fromEntries(wagers.map((wager) => [wager, 500])));
    expect(await meter(page, 'bet')).toBe(500 * wagers.length);
    expect(await meter(page, 'credit')).toBe(100_000 - 500 * wagers.length);
    // Stacks of four are the highest that are drawn.
    for (const _ of [1, 2]) await key(page, 'x2').click();
    await settled(page);
    expect(await page.locator('.stake').first().getAttribute('data-chips')).toBe('4');
    expect(complaints).toEqual([]);
    await page.context().close();
    await dealer.leave();
  },
);

let open: Server;
let stage: Stage;
let said: readonly string[];
beforeAll(async () => {
  open = await house({ screens: await screens(), tables: ['tiger'] });
  const { page, complaints } = await freshPage(1366, 768);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  stage = await Stage.on(page);
  said = complaints;
  await page.goto(open.address);
});
afterAll(async () => {
  await stage.page.context().close();
  await open.close();
});

test.each(games)(
  '$id looks right in every phase, on both screens and in both languages, with six cards and a stack on every spot',
  async ({ id }) => {
    const { page } = stage;
    const recording = await record(id);
    let ways = 0;
    for (const phase of phases) {
      await stage.show(recording, phase);
      await everyWay(page, async (way) => {
        expect(await faults(page), `${phase} ${way}`).toEqual([]);
        // Colours and roles do not depend on the language: English on the large screen and Chinese on the small one show
        // them all. A soak looks every way.
        const isShown = [0, 3].includes(ways++ % 4);
        if (isShown || isSoak) expect(await violations(page), `${phase} ${way}`).toEqual([]);
      });
    }
    // Not a word of English is left in Chinese, on the spots or in the pay table.
    await page.locator('.language').click();
    const chinese = await page.$$eval('.spot .name, .pays caption, .pays td:not(:last-child), .fate', (all) =>
      all.map((one) => one.textContent),
    );
    await page.locator('.language').click();
    expect(chinese.length).toBeGreaterThan(20);
    expect(chinese.filter((text) => /[A-Za-z]/.test(text))).toEqual([]);
    expect(said).toEqual([]);
  },
);
