import { type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { screens } from '../../src/server/assets.ts';
import { type Server } from '../../src/server/server.ts';
import { Guest, house, secretOf } from '../server/house.ts';
import { freshPage, launch } from './browser.ts';
import { meter, placed, settled, spot, toTable } from './patron.ts';

let browser: Browser;
let open: Server;
beforeAll(async () => {
  browser = await launch();
  open = await house({ screens: await screens(), tables: ['baccarat', 'no-commission'] });
});
afterAll(async () => {
  await browser.close();
  await open.close();
});

test('a lost link is said at once, pale chips stay pale, and everything is there when it comes back', async () => {
  const { page } = await freshPage(browser, 1366, 768);
  let cut: (() => Promise<void>) | undefined;
  let down = false;
  await page.routeWebSocket(/socket$/, (route) => {
    if (down) {
      void route.close();
      return;
    }
    route.connectToServer();
    cut = () => route.close();
  });
  await toTable(page, open, 'baccarat');
  await spot(page, 'banker').click();
  await settled(page);
  down = true;
  await cut!();
  await page.waitForSelector('[data-testid=link]');
  expect(await page.locator('[data-testid=link]').innerText()).toContain('Bets that were accepted stand');
  await spot(page, 'tie').click();
  await page.waitForSelector('[data-wager=tie] .pale');
  down = false;
  await page.waitForSelector('[data-testid=link]', { state: 'detached' });
  await settled(page);
  expect(await placed(page)).toEqual({ banker: 500, tie: 500 });
  expect(await meter(page, 'credit')).toBe(99_000);
  // Another page load is the same terminal, with the same bets.
  await page.reload();
  await page.waitForSelector('[data-stake]');
  expect(await placed(page)).toEqual({ banker: 500, tie: 500 });
  await page.context().close();
});

test('a link that is lost while cards are dealt comes back to the cards and to the outcome', async () => {
  const quick = await house({
    screens: await screens(),
    tables: ['tiger'],
    times: { bettingTime: 2_500, grace: 50, pause: 1_500 },
    pace: { betweenRounds: 1_500, betweenCards: 250 },
  });
  const { page } = await freshPage(browser, 390, 844);
  const cuts: (() => Promise<void>)[] = [];
  await page.routeWebSocket(/socket$/, (route) => {
    route.connectToServer();
    cuts.push(() => route.close());
  });
  await toTable(page, quick, 'tiger');
  await page.waitForSelector('.phase:not(.open)');
  await page.waitForSelector('.phase.open');
  const credit = await meter(page, 'credit');
  await spot(page, 'player').click();
  await spot(page, 'banker').click();
  await settled(page);
  for (const moment of ['.card', '.verdict:not(:empty)', '[data-outcome] .fate']) {
    await page.waitForSelector(moment);
    await cuts.at(-1)!();
    await page.waitForSelector('[data-testid=link]');
    await page.waitForSelector('[data-testid=link]', { state: 'detached' });
    expect(await placed(page)).toEqual({ player: 500, banker: 500 });
  }
  const winner = await page.locator('[data-testid=winner]').innerText();
  const back = { 'Player wins': 1000, 'Banker wins': 975, Tie: 1000 }[winner]!;
  expect(await meter(page, 'credit')).toBe(credit - 1000 + back);
  expect(cuts.length).toBe(4);
  await page.context().close();
  await quick.close();
});

test('a missed version asks for the whole', async () => {
  const { page, complaints } = await freshPage(browser, 1366, 768);
  let dropped = 0;
  const asked: string[] = [];
  await page.routeWebSocket(/socket$/, (route) => {
    const server = route.connectToServer();
    route.onMessage((message) => {
      asked.push(String(message));
      server.send(message);
    });
    server.onMessage((message) => {
      const text = String(message);
      if (text.startsWith('{"type":"table"') && text.includes('"whole":false') && dropped++ === 0) return;
      route.send(message);
    });
  });
  await toTable(page, open, 'no-commission');
  const guest = await Guest.seated(open, secretOf('e'), 'no-commission');
  const round = await guest.round();
  for (const [id, tie] of [
    ['slip-0001', 100],
    ['slip-0002', 200],
  ] as const) {
    guest.say({ type: 'slip', id, table: 'no-commission', round, slip: { tie } });
    await guest.hears('accepted', (told) => told.id === id);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  expect(dropped).toBe(2);
  expect(asked.filter((text) => text.includes('"whole"'))).toEqual(['{"type":"whole","of":"table"}']);
  guest.leave();
  expect(complaints).toEqual([]);
  await page.context().close();
});
