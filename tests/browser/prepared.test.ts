import { type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chance, seededChance } from '../../src/floor/chance.ts';
import { screens } from '../../src/server/assets.ts';
import { type Server } from '../../src/server/server.ts';
import { house } from '../server/house.ts';
import { freshPage, launch } from './browser.ts';
import { meter, settled, spot, toTable } from './patron.ts';

/**
 * A shuffle that changes nothing and a turn that begins with the last card: KS AC 2C 3C 4C 5C, then 6C 7C 8C 9C TC, then
 * JC QC KC AD 2D 3D. Banker wins 9 to 6, then 6 to 4 on two cards, then 4 to 2.
 */
const prepared: Chance = { below: (limit) => limit - 1, salt: seededChance('prepared').salt };

let browser: Browser;
let server: Server;
beforeAll(async () => {
  browser = await launch();
  server = await house({
    screens: await screens(),
    tables: ['tiger', 'fabulous-4'],
    chance: prepared,
    times: { bettingTime: 3_000, grace: 50, pause: 300 },
    pace: { betweenRounds: 1_200, betweenCards: 60 },
  });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Waits for a round to open, bets 5.00 on each wager, and gives what became of each. */
async function play(page: Page, number: number, wagers: readonly string[]) {
  await page.waitForSelector(`[data-testid=game]:text-is("${number}")`);
  await page.waitForSelector('.phase.open');
  for (const wager of wagers) await spot(page, wager).click();
  await settled(page);
  await page.waitForSelector('[data-outcome] .fate');
  const outcomes = await page.$$eval('[data-outcome]', (rows) =>
    Object.fromEntries(
      rows.map((row) => [
        row.getAttribute('data-outcome')!,
        `${row.querySelector('.fate')!.textContent} ${row.querySelector('.clause')!.textContent}`,
      ]),
    ),
  );
  const banker = await page.locator('[data-total=banker]').innerText();
  return { outcomes, banker, win: await meter(page, 'win'), credit: await meter(page, 'credit') };
}

test('wins, pushes and losses of a prepared shoe give the exact credit', async () => {
  const [tiger, fabulous] = await Promise.all([freshPage(browser, 1366, 768), freshPage(browser, 390, 844)]);
  await Promise.all([toTable(tiger.page, server, 'tiger'), toTable(fabulous.page, server, 'fabulous-4')]);
  const [sixes, fours] = await Promise.all([
    play(tiger.page, 2, ['player', 'banker', 'tiger', 'small-tiger', 'big-tiger']),
    play(fabulous.page, 3, ['player', 'banker', 'banker-fabulous-4']),
  ]);
  expect(sixes).toEqual({
    outcomes: {
      player: 'lost ETG 3.9',
      banker: 'won 4.75 (commission 0.25) ETG 4.7',
      tiger: 'won 60.00 ETG 4.10',
      'small-tiger': 'won 110.00 ETG 4.10',
      'big-tiger': 'lost ETG 1.1.2',
    },
    banker: '6',
    win: 17_475,
    credit: 100_000 - 500 + 475 + 6_000 + 11_000 - 500,
  });
  expect(fours).toEqual({
    outcomes: { player: 'lost FAB 3.9', banker: 'push FAB 3.10', 'banker-fabulous-4': 'won 125.00 FAB 4.1' },
    banker: '4',
    win: 12_500,
    credit: 100_000 - 500 + 0 + 12_500,
  });
  expect([...tiger.complaints, ...fabulous.complaints]).toEqual([]);
});
