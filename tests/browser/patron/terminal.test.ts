import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { dealOf } from '../../../src/rules/deal.ts';
import { type Facts } from '../../../src/rules/facts.ts';
import { formatShortMoney } from '../../../src/base/formatMoney.ts';
import { wagerOutcomeOf } from '../../../src/rules/settle.ts';
import { roadsOf } from '../../../src/roads/roads.ts';
import { PublicViewBuilder } from '../../../src/server/tables/publicViewBuilder.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type StoredEntry } from '../../../src/store/store.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { type ServerMessage, type ServerMessageOf } from '../../../src/wire/messages.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { type TableScenario, openedTable, managers } from '../../table/tableScenario.ts';
import { freshPage, movingPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { call, called, cardsOut, meter, placed, settled, spot, toTable } from '../support/patron.ts';
import { Stage, record } from '../support/recordedViews.ts';
import { prepared } from '../support/shoe.ts';
import { screens } from '../support/screens.ts';

// What the rulebook requires of a terminal screen, row by row.

let server: Server;
beforeAll(async () => {
  server = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
});
afterAll(() => server.close());

test('[ETG layout-3] the banner names each phase of the server within two frames of the message', async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared('9H 2S KS QS') });
  const { page } = await movingPage(1366, 768);
  await page.addInitScript(() => {
    const late: string[] = [];
    Object.assign(window, { late });
    const due: { readonly [phase: string]: RegExp } = {
      betting: /^Place your bets, please$/,
      dealing: /^No more bets$/,
      result: /^No more bets$/,
    };
    const Real = WebSocket;
    Object.assign(window, {
      WebSocket: class extends Real {
        constructor(to: string) {
          super(to);
          this.addEventListener('message', ({ data }) => {
            const { fields } = JSON.parse(String(data)) as { fields?: { phase?: string } };
            const expected = due[fields?.phase ?? ''];
            if (expected === undefined) return;
            requestAnimationFrame(() =>
              requestAnimationFrame(() => {
                const text = document.querySelector('[data-testid=call] .bi-1')?.textContent ?? '';
                if (!expected.test(text)) late.push(`${fields!.phase}: ${text}`);
              }),
            );
          });
        }
      },
    });
  });
  await toTable(page, dealer, 'tiger');
  expect(await call(page)).toBe('Place your bets, please');
  await dealer.call();
  await called(page, 'No more bets');
  await dealer.deal(4);
  await cardsOut(page, 4);
  expect(await call(page)).toBe('No more bets');
  await dealer.settle();
  await called(page, 'Next round soon');
  await dealer.open();
  await called(page, 'Place your bets, please');
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.evaluate(() => (window as unknown as { late: string[] }).late)).toEqual([]);
  await dealer.leave();
});

test('[ETG layout-4] the name of the table is in the top bar and in the legend', async () => {
  const { page } = await freshPage(1366, 768);
  await toTable(page, server, 'tiger');
  expect(await page.locator('.bar-title p b').innerText()).toBe('tiger');
  expect(await page.locator('.legend [data-testid=table]').innerText()).toBe('tiger');
});

test("[ETG layout-10] the server's time of day is visible in all phases", async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared('9H 2S KS QS') });
  const { page } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  /** The clock shows the minute of the server, or the next if it changes meanwhile. */
  const isRight = async (): Promise<void> => {
    const minute = (laterMs = 0): string =>
      new Date(Date.now() + dealer.clockOffset + laterMs).toTimeString().slice(0, 5);
    const before = minute();
    // The page learns of a jump of the server's clock with the next heartbeat.
    await page.waitForFunction(
      (minutes) => minutes.includes(document.querySelector('.bar-clock time')?.textContent ?? ''),
      [before, minute(60_000)],
    );
    const time = page.locator('.bar-clock time');
    expect([before, minute()]).toContain(await time.innerText());
    const { top, bottom, left, right } = await time.evaluate((one) => one.getBoundingClientRect());
    expect([top >= 0, bottom <= 768, left >= 0, right <= 1366]).toEqual([true, true, true, true]);
  };
  await isRight();
  await dealer.call();
  await called(page, 'No more bets');
  await isRight();
  await dealer.deal(2);
  await cardsOut(page, 2);
  await isRight();
  await dealer.deal();
  await cardsOut(page, 4);
  expect(dealer.table.phase).toBe('result');
  await isRight();
  await dealer.settle();
  await called(page, 'Next round soon');
  await isRight();
  await dealer.leave();
});

test('[ETG layout-14] game number and terminal ID are visible and equal those of the event log', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(390, 844);
  await toTable(page, dealer, 'tiger');
  await spot(page, 'tie').click();
  await settled(page);
  for (const id of ['game', 'tid']) {
    const { top, bottom } = await page.getByTestId(id).evaluate((one) => one.getBoundingClientRect());
    expect([top > 0, bottom <= 844]).toEqual([true, true]);
  }
  const { number, slips } = dealer.table.round!;
  expect(await page.getByTestId('game').innerText()).toBe(String(number));
  // A session of the terminal has staked there.
  expect(Object.keys(slips).map((session) => session.split('.', 1)[0])).toEqual([
    await page.getByTestId('tid').innerText(),
  ]);
  await dealer.leave();
});

test('[ETG layout-18] SWAP VIEW switches from cards to roads to all tables and back, and keeps the slip', async () => {
  const { page } = await freshPage(1366, 768);
  const dealer = await Dealer.at('tiger');
  await toTable(page, dealer, 'tiger');
  await spot(page, 'player').click();
  await settled(page);
  const swap = page.locator('.key-swap');
  const sights: string[] = [];
  for (let n = 0; n < 4; n++) {
    sights.push(/sight-(\w+)/.exec((await page.locator('.terminal').getAttribute('class'))!)![1]!);
    expect(await meter(page, 'bet')).toBe(500);
    if (sights.at(-1) !== 'tables') expect(await placed(page)).toEqual({ player: 500 });
    await swap.click();
  }
  expect(sights).toEqual(['cards', 'roads', 'tables', 'cards']);
  expect(Object.values(dealer.table.round!.slips)).toEqual([{ player: 500 }]);
  await dealer.leave();
});

test.each(['ETG 2.2.ii', 'HOUSE 10'])(
  '[%s] each open spot shows the limits that the server enforces, and new limits before the next opening',
  async () => {
    const { page, show } = await shown();
    const sit = openedTable('tiger').shoe().playRound('9S 2C 9H 4D');
    await show(sit);
    const ranges = (): Promise<{ readonly [wager: string]: string }> =>
      page.$$eval('.spot', (all) =>
        Object.fromEntries(
          all.map((one) => [one.getAttribute('data-wager')!, (one.querySelector('.range') as HTMLElement).innerText]),
        ),
      );
    const { settings } = sit.table!;
    const due = (limits: typeof settings.limits): unknown =>
      Object.fromEntries(
        Object.entries(limits).map(([wager, [minimum, maximum]]) => [
          wager,
          `${formatShortMoney(minimum)} – ${formatShortMoney(maximum)}`,
        ]),
      );
    expect(await ranges()).toEqual(due(settings.limits));
    const limits = { ...settings.limits, tie: [200, 30_000] as const };
    sit.doByTwo('ChangeSettings', { settings: { ...settings, limits } }, managers);
    await show(sit);
    expect(sit.table!.phase).toBe('idle');
    expect(await ranges()).toEqual(due(limits));
    sit.bets();
    expect(
      sit.refusal('SetSlip', { round: sit.round, slip: { tie: 100 }, credit: 1000 }, { terminal: 'T9' }),
    ).toMatchObject({
      refused: 'under-minimum',
    });
    await show(sit);
    expect((await ranges())['tie']).toBe('2 – 300');
  },
);

test.each([
  ['BAC 2.2', 'baccarat'],
  ['ELM 2.2', 'sands-elements'],
  ['FAB 2.2', 'fabulous-4'],
])('[%s] another theme of %s changes no spot, no odds and no limit', async (_, id) => {
  const { page } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  await page.goto(server.address);
  const { messages: countersNow } = await record(id);
  // Eighteen looks, as many as the book of Elements has diagrams; the other books have fewer.
  const feltNames = ['emerald', 'petrol', 'plum', 'umber'] as const;
  const themes = 'ABCDEFGHIJKLMNOPQR'
    .split('')
    .map((letter, n) => ({ felt: feltNames[n % 4]!, emblem: `LOOK ${letter}` }));
  const spotTexts: string[] = [];
  const felts = new Set<string>();
  for (const theme of themes) {
    const shownMessages = countersNow.betting.map((message) =>
      message.type === 'table' ? { ...message, view: { ...message.view, theme } } : message,
    ) as ServerMessage[];
    await stage.showMessages(id, ...shownMessages);
    await page.waitForSelector(`.terminal[data-felt=${theme.felt}] .emblem:text-is("${theme.emblem}")`);
    const wagers = await page.$$eval('[data-wager]', (all) => all.map((one) => one.getAttribute('data-wager')!));
    expect(wagers.toSorted()).toEqual(Object.keys(games.find((game) => game.id === id)!.wagers).toSorted());
    spotTexts.push(
      JSON.stringify(
        await page.$$eval('[data-wager]', (all) =>
          all.map((one) => {
            const { left, top, width, height } = one.getBoundingClientRect();
            return [one.getAttribute('aria-label'), one.textContent, left, top, width, height];
          }),
        ),
      ),
    );
    felts.add(await page.locator('.table').evaluate((one) => getComputedStyle(one).backgroundColor));
  }
  expect(new Set(spotTexts).size).toBe(1);
  expect(felts.size).toBe(feltNames.length);
});
