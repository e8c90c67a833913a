import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type ServerMessage } from '../../../src/wire/messages.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { sampleSizes, violations } from '../support/appearance.ts';
import { controlSocket, tilesAt, withLive } from '../support/scriptedPage.ts';
import { drawn, flaws, latinIn, resize, smallestType } from '../support/textChecks.ts';
import { screens } from '../support/screens.ts';

let open: Server;
beforeAll(async () => {
  open = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
});
afterAll(() => open.close());

const hourMs = 3_600_000;

/** A lobby with a table of each game, each in another state; its deadlines may be later, so that none passes. */
async function lobby(width: number, height: number, laterMs = 0) {
  const { page, complaints } = await freshPage(width, height);
  await page.clock.install();
  const messages = (): readonly ServerMessage[] => [
    { type: 'lobby', version: 1, tiles: tilesAt(Date.now() + laterMs) },
  ];
  const socket = await controlSocket(page, messages);
  await page.goto(open.address);
  await page.waitForSelector('.tile');
  await drawn(page);
  return { page, complaints, ...socket };
}

const textOf = (page: Page, table: string): Promise<string> => page.locator(`[data-table=${table}]`).innerText();

test('a tile shows number, names, limits, patrons, status with its time, the last hand and the shoe', async () => {
  const { page, complaints } = await lobby(1366, 768, hourMs);
  const open18 = await textOf(page, 'B01');
  for (const part of ['Baccarat', 'Table B01', '百家乐', 'Place your bets', '1 – 500', '14', 'Last hand', '#40']) {
    expect(open18).toContain(part);
  }
  expect(Number(await page.locator('[data-table=B01] .ring-number').innerText())).toBeGreaterThan(10);
  expect(await page.locator('[data-table=B01] .tile-line .tile-score').getAttribute('class')).toContain(
    'is-final-banker',
  );
  expect(await textOf(page, 'E03')).toContain('No more bets');
  expect(await textOf(page, 'X05')).toContain('Banker wins');
  expect(await textOf(page, 'X06')).toContain('Round void');
  expect(await textOf(page, 'X08')).toMatch(/Next bets in \d+ s/);
  expect(await textOf(page, 'X09')).toContain('Table stopped');
  const shuffled = await textOf(page, 'X10');
  for (const part of ['New shoe', 'no results yet']) expect(shuffled).toContain(part);
  expect(await page.locator('[data-table=X09] .parts').innerText()).toMatch(/P\s+17\s+T\s+5\s+B\s+22/);
  expect(await page.locator('[data-table=X09]').getAttribute('aria-label')).toBe(
    'Sit down at Tiger Baccarat, Table X09: Table stopped, limits 1 – 500, 117 patrons',
  );
  // Each mark of the road is as large as readable text.
  const mark = await page.locator('[data-table=B01] .big').first().boundingBox();
  expect(mark!.width).toBeGreaterThan(13);
  expect(complaints).toEqual([]);
});

test('a tile shows the close at the deadline without a message', async () => {
  const { page, pass, send } = await lobby(1366, 768);
  const tiles = tilesAt(Date.now()).map((tile) =>
    tile.table === 'B01' ? { ...tile, closesAt: Date.now() + hourMs } : tile,
  );
  send({ type: 'lobby', version: 2, tiles });
  expect(await textOf(page, 'B01')).toContain('Place your bets');
  await pass(3_500);
  await page.waitForSelector('[data-table=F04] .tile-status.is-shut');
  expect(await textOf(page, 'F04')).toContain('No more bets');
  expect(await textOf(page, 'B01')).toContain('Place your bets');
});

test('the lobby fits every size and language without overlaps, and passes axe', async () => {
  const { page, complaints } = await lobby(1366, 768);
  for (const language of ['en', 'zh-Hans']) {
    if ((await page.evaluate(() => document.documentElement.lang)) !== language)
      await page.locator('.language').click();
    for (const [width, height] of sampleSizes) {
      await resize(page, width, height);
      const label = `${width}x${height} ${language}`;
      await page.waitForFunction(() => document.querySelectorAll('.tile').length === 10);
      expect(await flaws(page, '.tile, .display-link, .lobby-bar, .part', 44), label).toEqual([]);
      expect(await smallestType(page), label).toBeGreaterThanOrEqual(11);
      if (width === 1366 || width === 390) expect(await violations(page), label).toEqual([]);
      // On a large screen everything is visible at once.
      if (width > 640) expect(await page.evaluate(() => document.documentElement.scrollHeight), label).toBe(height);
    }
  }
  expect(await latinIn(page, /Punto|English|[A-Z]\d\d|Super (Six|6)/g)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('tiles of attended tables are marked, have no countdown after the betting time, and one with chips leads to its display', async () => {
  const { page, send, complaints } = await lobby(1366, 768);
  send({ type: 'lobby', version: 2, tiles: withLive(Date.now()) });
  await page.waitForSelector('[data-table=L13]');
  for (const [table, parts] of [
    ['L11', ['Table L11', 'dealer', 'Place your bets', 'Until the dealer calls']],
    ['L12', ['Table L12', 'dealer, chips', 'Place your bets', 'Until the dealer calls']],
    ['L13', ['Table L13', 'dealer', 'Waiting for a dealer', 'no results yet']],
  ] as const) {
    const text = await textOf(page, table);
    for (const part of parts) expect(text).toContain(part);
    expect(await page.locator(`[data-table=${table}] .ring`).count()).toBe(0);
  }
  expect(await page.locator('[data-table=L12]').getAttribute('href')).toBe('display/L12');
  expect(await page.locator('[data-table=L12]').getAttribute('aria-label')).toMatch(
    /^Watch Baccarat, Table L12, bets with chips on the felt: Place your bets, Until the dealer calls, /,
  );
  expect(await page.locator('[data-table=L11]').getAttribute('href')).toBe('#/table/L11');
  for (const language of ['en', 'zh-Hans']) {
    if ((await page.evaluate(() => document.documentElement.lang)) !== language)
      await page.locator('.language').click();
    for (const [width, height] of sampleSizes) {
      await resize(page, width, height);
      const label = `${width}x${height} ${language}`;
      expect(await flaws(page, '.tile, .display-link, .lobby-bar, .part', 44), label).toEqual([]);
      expect(await smallestType(page), label).toBeGreaterThanOrEqual(11);
      expect(await violations(page), label).toEqual([]);
    }
  }
  expect(await latinIn(page, /Punto|English|[A-Z]\d\d|Super (Six|6)/g)).toEqual([]);
  expect(complaints).toEqual([]);
});

const everywhere = {
  open: { phase: 'betting', closesAt: Date.now() + hourMs, stopped: null, totals: { player: 6, banker: 8 } },
  over: {
    phase: 'result',
    closesAt: null,
    stopped: null,
    voidBy: null,
    winner: 'banker',
    totals: { player: 6, banker: 8 },
  },
} as const;

/** Tiles of one row have their roads at one height, whatever their names. */
const roadsByRow = (page: Page): Promise<readonly number[]> =>
  page.$$eval('.tile', (all) => {
    const rows = new Map<number, number[]>();
    for (const tile of all) {
      const top = Math.round(tile.getBoundingClientRect().top);
      rows.set(top, [...(rows.get(top) ?? []), tile.querySelector('.road')!.getBoundingClientRect().top]);
    }
    return [...rows.values()].map((tops) => Math.max(...tops) - Math.min(...tops));
  });

test.each(['open', 'over'] as const)(
  'ten tables whose bets are %s fit the screen, with their roads aligned',
  async (kind) => {
    const { page, send } = await lobby(1366, 768);
    const tiles = tilesAt(Date.now()).map((tile) => ({ ...tile, ...everywhere[kind] }));
    send({ type: 'lobby', version: 2, tiles });
    const mark = kind === 'open' ? '.tile .ring' : '.tile.won-banker';
    await page.waitForFunction((found) => document.querySelectorAll(found).length === 10, mark);
    for (const _ of ['one language', 'the other']) {
      for (const [width, height] of sampleSizes.filter(([wide]) => wide > 640)) {
        await resize(page, width, height);
        expect(await flaws(page, '.tile, .display-link, .lobby-bar, .part', 44), `${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollHeight), `${width}`).toBe(height);
        for (const apart of await roadsByRow(page)) expect(apart, `${width}`).toBeLessThan(3);
      }
      await page.locator('.language').click();
    }
  },
);

test('the lobby shows a lost connection until it is back', async () => {
  const { page, cut, back } = await lobby(1366, 768);
  cut();
  await page.waitForSelector('[data-testid=connection]');
  expect(await page.getByTestId('connection').innerText()).toContain('Connection lost');
  back();
  await page.waitForSelector('[data-testid=connection]', { state: 'detached' });
});

test('the lobby links to the display of each table', async () => {
  const { page } = await freshPage(1366, 768);
  await page.goto(open.address);
  await page.locator('.display-link-tables a').first().click();
  await page.waitForSelector('.display');
  expect(new URL(page.url()).pathname).toBe('/display/tiger');
});
