import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSettings } from '../floor/demo.ts';
import { games } from '../../src/games/registry.ts';
import { sandsSuper } from '../../src/games/sandsSuper.ts';
import { type Line } from '../../src/rules/wager.ts';
import { screens } from '../../src/server/assets.ts';
import { type Server } from '../../src/server/server.ts';
import { house } from '../server/house.ts';
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

type Spot = {
  readonly wager: string;
  readonly odds: readonly number[];
  readonly range: string;
  readonly taken: boolean;
};

/** The spots that each table drew, as the tests below find them; the rows of the books are held against that. */
const drawn = new Map<string, readonly Spot[]>();

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
    const taken = await placed(page);
    expect(taken).toEqual(Object.fromEntries(wagers.map((wager) => [wager, 500])));
    expect(await meter(page, 'bet')).toBe(500 * wagers.length);
    expect(await meter(page, 'credit')).toBe(100_000 - 500 * wagers.length);
    // Stacks of four are the highest that are drawn.
    for (const _ of [1, 2]) await key(page, 'x2').click();
    await settled(page);
    expect(await page.locator('.stake').first().getAttribute('data-chips')).toBe('4');
    drawn.set(
      game.id,
      spots.map(({ wager, label, range }) => ({
        wager,
        odds: oddsRead(/odds (.+), minimum/.exec(label)![1]!),
        range,
        taken: taken[wager] !== undefined,
      })),
    );
    expect(complaints).toEqual([]);
    await page.context().close();
    await dealer.leave();
  },
);

const sides = (name: string): readonly string[] => [`player-${name}`, `banker-${name}`];
const points = (name: string, from: number): readonly string[] =>
  Array.from({ length: 10 - from }, (_, n) => `${name}-wins-on-${from + n}`);

test.each([
  ['BAC 2.2.1', 'baccarat', ['banker']],
  ['BAC 2.2.2', 'baccarat', ['player']],
  ['BAC 2.2.3', 'baccarat', ['tie']],
  ['BAC 2.2.4', 'baccarat', sides('pair')],
  ['ELM 2.2.1', 'sands-elements', ['banker']],
  ['ELM 2.2.2', 'sands-elements', ['player']],
  ['ELM 2.2.3', 'sands-elements', ['tie']],
  ['ELM 2.2.4', 'sands-elements', sides('pair')],
  ['ELM 2.2.5', 'sands-elements', ['fortune-six']],
  ['FAB 2.2.1', 'fabulous-4', ['player']],
  ['FAB 2.2.2', 'fabulous-4', ['banker']],
  ['FAB 2.2.3', 'fabulous-4', ['tie']],
  ['FAB 2.2.4', 'fabulous-4', sides('precious-pair')],
  ['FAB 2.2.5', 'fabulous-4', sides('fabulous-4')],
  ['SUP 2.2.1', 'sands-super', ['player']],
  ['SUP 2.2.2', 'sands-super', ['banker']],
  ['SUP 2.2.3', 'sands-super', ['tie']],
  ['SUP 2.2.4', 'sands-super', sides('red')],
  ['SUP 2.2.5', 'sands-super', sides('black')],
  ['SUP 2.2.6', 'sands-super', ['sands-six']],
  ['SUP 2.2.7', 'sands-super', sides('precious-pair')],
  ['SUP 2.2.8', 'sands-super', points('player', 1)],
  ['SUP 2.2.9', 'sands-super', points('banker', 1)],
  ['SUP 2.2.10', 'sands-super', points('tie', 0)],
] as const)('[%s] %s has these spots, open to a chip and marked with odds and limits: %j', (_, id, wagers) => {
  for (const wager of wagers) {
    const found = drawn.get(id)!.find((one) => one.wager === wager)!;
    expect(found).toMatchObject({ taken: true, range: expect.stringMatching(/^\d+–\d+$/) as string });
    expect(found.odds.length).toBeGreaterThan(0);
    // Where the wager is not in the game, there is no spot for it.
    const having = games.filter((game) => Object.hasOwn(game.wagers, wager)).map((game) => game.id);
    expect([...drawn].filter(([, spots]) => spots.some((one) => one.wager === wager)).map(([name]) => name)).toEqual(
      having,
    );
  }
});

test.each([
  ['SUP 2.2', 'sands-super'],
  ['ETG appendix-a', 'super-six'],
  ['ETG appendix-b', 'fortune-six'],
  ['ETG appendix-c', 'super-6'],
  ['ETG appendix-d', 'no-commission'],
])('[%s] the layout of %s comes from its pay table: every spot of the game, none besides', (_, id) => {
  const { wagers } = games.find((game) => game.id === id)!;
  expect(Object.fromEntries(drawn.get(id)!.map(({ wager, odds }) => [wager, odds]))).toEqual(
    Object.fromEntries(Object.entries(wagers).map(([wager, { lines }]) => [wager, oddsIn(lines)])),
  );
});

test('[SUP diagram-a] every cell has the odds of its pay line, those that cannot be read in the picture among them', () => {
  const odds = Object.fromEntries(drawn.get('sands-super')!.map((one) => [one.wager, one.odds]));
  expect(Object.keys(odds)).toHaveLength(Object.keys(sandsSuper.wagers).length);
  for (const [wager, { lines }] of Object.entries(sandsSuper.wagers)) expect(odds[wager], wager).toEqual(oddsIn(lines));
  expect([odds['tie-wins-on-4'], odds['tie-wins-on-5'], odds['sands-six']]).toEqual([[100], [80], [6]]);
});

test('[ETG 2.2.i] the terminal of each table draws the layout of the game that is played there', () => {
  expect([...drawn.keys()]).toEqual(games.map(({ id }) => id));
  for (const { id, wagers } of games) {
    expect(
      drawn
        .get(id)!
        .map(({ wager }) => wager)
        .toSorted(),
      id,
    ).toEqual(Object.keys(wagers).toSorted());
  }
});

test('[ETG layout-8] Banker reads 0.95 to 1 at Tiger, and 1 to 1 with 1 to 2 at Tiger No Commission', () => {
  const banker = (id: string) => drawn.get(id)!.find(({ wager }) => wager === 'banker')!.odds;
  expect([banker('tiger'), banker('tiger-no-commission')]).toEqual([[0.95], [1, 0.5]]);
});

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
    for (const phase of phases) {
      await stage.show(recording, phase);
      await everyWay(page, async (way) => {
        expect(await faults(page), `${phase} ${way}`).toEqual([]);
        expect(await violations(page), `${phase} ${way}`).toEqual([]);
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

test('[ETG layout-11] that a malfunction voids pays and plays is in sight in every phase and language', async () => {
  const { page } = stage;
  const recording = await record('tiger');
  await page.setViewportSize({ width: 1366, height: 768 });
  for (const phase of phases) {
    await stage.show(recording, phase);
    for (const words of ['Malfunction voids all pays and plays.', '机器故障时，一切投注与派彩无效。']) {
      const legend = page.locator('.foot', { hasText: words });
      const { top, bottom } = await legend.evaluate((one) => one.getBoundingClientRect());
      expect([top > 0, bottom <= 768], `${phase} ${words}`).toEqual([true, true]);
      await page.locator('.language').click();
    }
  }
});
