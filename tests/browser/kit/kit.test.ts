import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Page } from 'playwright-core';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { derivedRoadNames } from '../../../src/roads/derived.ts';
import { type Roads, roadsOf } from '../../../src/roads/roads.ts';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { chipStyleOf } from '../../../src/web/shared/chips/chipStacks.ts';
import { parseResultCode } from '../../../src/wire/resultCode.ts';
import { root } from '../../architecture/sources.ts';
import { temporaryFolder } from '../../temporary.ts';
import { freshPage } from '../support/browser.ts';
import type { Kit } from './main.tsx';
import { violations } from '../support/appearance.ts';

declare global {
  interface Window {
    readonly kit: Kit;
  }
}

let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  const folder = temporaryFolder('kit');
  await build({
    configFile: false,
    root: join(root, 'tests', 'browser', 'kit'),
    logLevel: 'error',
    oxc: {
      jsx: { runtime: 'automatic', importSource: 'preact' },
      typescript: { onlyRemoveTypeImports: false },
    },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', modulePreload: false },
  });
  ({ page, complaints } = await freshPage(1366, 768));
  await page.route('http://kit.test/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const path = join(folder, pathname === '/' ? 'index.html' : pathname);
    await route.fulfill({ path, body: readFileSync(path) });
  });
  await page.goto('http://kit.test/');
  await page.waitForFunction(() => 'kit' in window);
});

type DrawnMark = { readonly column: number; readonly row: number; readonly mark: string };

/** The marks of a road on the screen, and which of them is marked as the newest. */
const drawnRoad = (kind: string): Promise<{ marks: DrawnMark[]; newest: string[]; spoken: string }> =>
  page.evaluate((road) => {
    const figure = document.querySelector(`[data-road=${road}]`)!;
    const svg = figure.querySelector('svg')!;
    const paper = svg.getBoundingClientRect();
    const cell = paper.height / 6;
    const placeOf = (one: Element): { column: number; row: number } => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return {
        column: Math.floor((left + width / 2 - paper.left) / cell) + 1,
        row: Math.floor((top + height / 2 - paper.top) / cell) + 1,
      };
    };
    const marks = [...svg.querySelectorAll(':scope > g')].map((group) => {
      const [first] = group.querySelectorAll('.bead, .big, .eye, .fill-r, .fill-b, .roach');
      const has = (selector: string, text: string): string => (group.querySelector(selector) ? text : '');
      const ties = group.querySelector('.tie-slash') ? (group.querySelector('.tie-count')?.textContent ?? '1') : '';
      const letter = group.querySelector('.bead-letter, .big-letter')?.textContent ?? '';
      const colour = /-([rb])\b/.exec(first!.getAttribute('class')!)?.[1] ?? '';
      return {
        ...placeOf(first!),
        mark: `${letter || colour}${has('.dot-p', 'p')}${has('.dot-b', 'b')}${ties}`,
      };
    });
    const newest = [...svg.querySelectorAll('.road-last')].map((one) => Object.values(placeOf(one)).join());
    return { marks, newest, spoken: figure.querySelector('figcaption')!.textContent };
  }, kind);

const letters = { banker: 'B', player: 'P', tie: 'T' } as const;
type Pairs = { readonly playerPair: boolean; readonly bankerPair: boolean };
const pairs = ({ playerPair, bankerPair }: Pairs): string => `${playerPair ? 'p' : ''}${bankerPair ? 'b' : ''}`;

/** The marks that each road must show. */
function expectedMarks(roads: Roads): { readonly [road: string]: readonly DrawnMark[] } {
  const kinds = { bigEye: 'eye', small: 'small', cockroach: 'roach' } as const;
  return {
    bead: roads.beads.map(({ column, row, winner, ...pair }) => ({
      column,
      row,
      mark: `${letters[winner]}${pairs(pair)}`,
    })),
    big: roads.bigRoad.map(({ column, row, winner, ties, ...pair }) => ({
      column,
      row,
      mark: `${letters[winner]}${pairs(pair)}${ties > 0 ? ties : ''}`,
    })),
    ...Object.fromEntries(derivedRoadNames.map((road) => [kinds[road], [...roads.cellsOf(road)]])),
  };
}

/** Shoes with short and long runs, with pairs and ties. */
const shoes = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.array(fc.integer({ min: 0, max: 199 }), { minLength: 1, maxLength: 90 }))
  .map(([stays, draws]) => {
    let last = 'B';
    return draws.map((draw) => {
      const [kind, pair] = [draw % 20, Math.floor(draw / 20)];
      const suffix = pair === 0 ? 'p' : pair === 1 ? 'b' : pair === 2 ? 'pbn' : '';
      if (kind < 2) return `T${suffix}`;
      if (kind >= 2 + 2 * stays) last = last === 'B' ? 'P' : 'B';
      return `${last}${suffix}`;
    });
  });

const show = (results: readonly string[], columns: number): Promise<void> =>
  page.evaluate(([codes, many]) => window.kit.show('roads', { results: codes, columns: many }), [
    results,
    columns,
  ] as const);

test('the screen draws five roads as src/roads computes them, marks the newest cell, and previews the next marks', async () => {
  await fc.assert(
    fc.asyncProperty(shoes, async (results) => {
      await show(results, 12);
      const roads = roadsOf(results.map(parseResultCode));
      for (const [road, cells] of Object.entries(expectedMarks(roads))) {
        const { marks, newest } = await drawnRoad(road);
        expect(marks, road).toEqual(cells.map(({ column, row, mark }) => ({ column, row, mark })));
        const last = cells.at(-1) ?? (road === 'big' && roads.leadingTies > 0 ? { column: 1, row: 1 } : undefined);
        expect(newest, road).toEqual(last === undefined ? [] : [`${last.column},${last.row}`]);
      }
      for (const side of ['player', 'banker'] as const) {
        const key = page.locator(`[data-ask=${side}]`);
        const icons = await key.locator('svg').evaluateAll((all) => all.map((one) => one.getAttribute('data-mark')));
        expect(icons).toEqual(derivedRoadNames.map((road) => roads.ask(side)[road] ?? ''));
        await key.click();
        const then = roadsOf([...results, letters[side]].map(parseResultCode));
        for (const [road, cells] of Object.entries(expectedMarks(then))) {
          expect((await drawnRoad(road)).marks, `${road} if ${side}`).toEqual(
            cells.map(({ column, row, mark }) => ({ column, row, mark })),
          );
        }
        await key.click();
      }
    }),
    { numRuns: 15 },
  );
});

test('a long road shows its newest column, scrolls to older ones, and returns with a new mark', async () => {
  const results = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 'B' : 'P'));
  await show(results, 12);
  const box = page.locator('[data-road=big] .road-scroll');
  const where = (): Promise<{ isOldest: boolean; isNewest: boolean }> =>
    box.evaluate((one) => {
      const marks = [...one.querySelectorAll('.big')].map((mark) => mark.getBoundingClientRect());
      const { left, right } = one.getBoundingClientRect();
      const isIn = (mark: DOMRect): boolean => mark.left >= left - 1 && mark.right <= right + 1;
      return { isOldest: isIn(marks[0]!), isNewest: isIn(marks.at(-1)!) };
    });
  expect(await where()).toEqual({ isOldest: false, isNewest: true });
  await box.evaluate((one) => one.scrollTo({ left: -one.scrollWidth }));
  expect(await where()).toEqual({ isOldest: true, isNewest: false });
  await show([...results, 'B'], 12);
  expect(await where()).toEqual({ isOldest: false, isNewest: true });
  // By keyboard too.
  await box.focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('[data-road=big] .road-scroll')!.scrollLeft < 0);
});

test('each road has a text form with its ties, in both languages', async () => {
  await show(['T', 'B', 'B', 'T', 'T', 'Pp', 'Bb'], 12);
  expect((await drawnRoad('big')).spoken).toBe('Big road: Banker 2 (3 ties), Player 1, Banker 1');
  expect((await drawnRoad('bead')).spoken).toBe(
    'Bead plate: Tie, Banker, Banker, Tie, Tie, Player Player pair, Banker Banker pair',
  );
  expect((await drawnRoad('eye')).spoken).toBe('Big eye boy: blue 1');
  await page.evaluate(() => window.kit.speak('zh'));
  await page.waitForFunction(() => document.documentElement.lang === 'zh-Hans');
  expect((await drawnRoad('big')).spoken).toBe('大路: 庄 2 (和 3), 闲 1, 庄 1');
  await page.evaluate(() => window.kit.speak('en'));
  await show([], 12);
  expect((await drawnRoad('bead')).spoken).toBe('Bead plate: no results yet');
  await show(['T', 'T'], 12);
  expect((await drawnRoad('big')).spoken).toBe('Big road: 2 ties');
});

test.each(['french', 'elements'] as const)(
  'every card of the %s deck is drawn with the right number of pips',
  async (deck) => {
    await page.evaluate((which) => window.kit.show('cards', { deck: which }), deck);
    const drawn = await page.$$eval('.card[data-card]:not(.card-mini)', (all) =>
      all.map((card) => ({
        card: card.getAttribute('data-card')!,
        name: card.getAttribute('aria-label')!,
        index: card.querySelector('.card-index')!.getAttribute('d')!,
        print: card.querySelector('.card-print')!.getAttribute('d')!,
      })),
    );
    expect(drawn.map(({ card }) => card)).toEqual(cardsOfDeck(deck));
    expect(new Set(drawn.map(({ name }) => name)).size).toBe(cardsOfDeck(deck).length);
    // An ace has one pip; the outlines of any other card are a multiple of its outlines.
    const outlines = (path: string): number => path.split('M').length - 1;
    const aces = new Map(
      drawn.filter(({ card }) => card[0] === 'A').map(({ card, print }) => [card[1], outlines(print)]),
    );
    for (const { card, print } of drawn) {
      const rank = card[0]!;
      const count = rank === 'A' ? 1 : rank === 'T' ? 10 : Number(rank);
      if (!Number.isNaN(count)) expect(outlines(print), card).toBe(count * aces.get(card[1])!);
    }
    // Every index is different, except that suits of the 65-card deck are numbers on the same disc.
    expect(new Set(drawn.map(({ index }) => index)).size).toBe(deck === 'french' ? 52 : 13);
    expect(await page.locator('.card-mini').count()).toBe(cardsOfDeck(deck).length);
    expect(await page.locator('.card-back').getAttribute('aria-label')).toBe('face down');
    expect(await violations(page)).toEqual([]);
  },
);

test('a chip has the same colours in the tray and on a stack, and the largest chip is at the bottom', async () => {
  const tray = [100, 500, 2500, 10_000, 50_000, 100_000];
  await page.evaluate((amounts) => window.kit.show('chips', { tray: amounts, stakes: [166_100, 40_100, 200] }), tray);
  const faces = await page.$$eval('.chip-key', (all) =>
    all.map((key) => key.querySelectorAll('circle')[1]!.getAttribute('fill')),
  );
  expect(faces).toEqual(tray.map((amount) => chipStyleOf(amount).base));
  const stacks = await page.$$eval('.stack', (all) =>
    all.map((stack) => ({
      kind: stack.className,
      chips: [...stack.querySelectorAll('.stack-chips > g > ellipse:first-of-type[rx="48"]')].map((one) => ({
        fill: one.getAttribute('fill')!,
        top: one.getBoundingClientRect().top,
      })),
      amount: stack.querySelector('.stack-amount')!.textContent,
    })),
  );
  const bases = (...amounts: number[]): string[] => amounts.map((amount) => chipStyleOf(amount).base);
  expect(stacks.map(({ chips }) => chips.map(({ fill }) => fill))).toEqual([
    bases(100_000, 50_000, 10_000, 2500, 2500, 500, 500, 100),
    bases(10_000, 10_000, 10_000, 10_000, 100),
    bases(100, 100),
  ]);
  for (const { chips } of stacks) expect(chips).toEqual(chips.toSorted((one, other) => other.top - one.top));
  expect(stacks.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['stack is-placed', '1,661'],
    ['stack is-placed', '401'],
    ['stack is-pending', '2'],
  ]);
});

test('the ring shows the time left by number, length and colour', async () => {
  for (const [left, seconds, isLast, degrees] of [
    [25_000, '25', false, 360],
    [18_200, '19', false, 273.6],
    [9_800, '10', false, 144],
    [4_900, '5', true, 72],
    [-300, '0', true, 0],
  ] as const) {
    await page.evaluate((time) => window.kit.show('ring', { left: time, total: 25_000 }), left);
    const ring = page.getByRole('timer');
    expect(await ring.innerText()).toBe(seconds);
    expect(await ring.getAttribute('aria-label')).toBe(`${seconds} seconds left`);
    expect(await ring.evaluate((one) => one.classList.contains('is-last'))).toBe(isLast);
    // Each half shows the part that has not turned behind its edge.
    const shown = await ring.locator('.ring-time').evaluateAll((halves) =>
      halves.map((half) => {
        const { a, b } = new DOMMatrix(getComputedStyle(half).transform);
        const turned = ((Math.atan2(b, a) * 180) / Math.PI - 45 + 720) % 360;
        return turned < 0.01 ? 180 : turned - 180;
      }),
    );
    expect(shown[0]! + shown[1]!).toBeCloseTo(degrees, 1);
  }
  expect(await violations(page)).toEqual([]);
});

test('no sound is played before the volume is set, or at volume zero', async () => {
  await page.evaluate(() => {
    const made = { contexts: 0, tones: 0 };
    const Real = window.AudioContext;
    Object.assign(window, {
      made,
      AudioContext: class extends Real {
        constructor() {
          super();
          made.contexts += 1;
        }
        override createOscillator(): OscillatorNode {
          made.tones += 1;
          return super.createOscillator();
        }
      },
    });
  });
  const soundsAt = (loud?: number): Promise<readonly [number, number]> =>
    page.evaluate((volume) => {
      if (volume !== undefined) window.kit.setVolume(volume);
      window.kit.play('win');
      window.kit.play('card');
      const { made } = window as unknown as { made: { contexts: number; tones: number } };
      return [made.tones, made.contexts] as const;
    }, loud);
  expect(await soundsAt()).toEqual([0, 0]);
  expect(await soundsAt(0)).toEqual([0, 0]);
  expect(await soundsAt(0.5)).toEqual([3, 1]);
  expect(await soundsAt(0)).toEqual([3, 1]);
  expect(await soundsAt(3)).toEqual([6, 1]);
  expect(await page.evaluate(() => window.kit.volume())).toBe(1);
});

test('the browser console has no errors and no warnings', () => {
  expect(complaints).toEqual([]);
});
