import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type ServerMessage } from '../../../src/wire/messages.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage, movingPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { resize } from '../support/appearance.ts';
import { call, called, cardsOut, meter, placed, settled, spot, toTable } from '../support/patron.ts';
import { Stage, phaseBanners, record } from '../support/recordedViews.ts';
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
    const compared: string[] = [];
    Object.assign(window, { late, compared });
    const due: { readonly [phase: string]: RegExp } = {
      betting: /^Place your bets, please$/,
      dealing: /^No more bets$/,
      result: /^No more bets$/,
      idle: /^Next round soon$/,
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
                compared.push(fields!.phase!);
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
  const banners = await page.evaluate(() => {
    const { late, compared } = window as unknown as { late: string[]; compared: string[] };
    return [late, compared];
  });
  expect(banners).toEqual([[], ['dealing', 'result', 'idle', 'betting']]);
  await dealer.leave();
});

test('[ETG layout-3] the banner names every phase, paying and closed among them, within two frames of the message', async () => {
  const { page } = await movingPage(1366, 768);
  const stage = await Stage.on(page);
  await page.addInitScript((due) => {
    const late: string[] = [];
    Object.assign(window, { late });
    const Real = WebSocket;
    Object.assign(window, {
      WebSocket: class extends Real {
        constructor(to: string) {
          super(to);
          this.addEventListener('message', ({ data }) => {
            const { view } = JSON.parse(String(data)) as { view?: { phase?: string } };
            const banner = due.find(([phase]) => phase === view?.phase)?.[1];
            if (banner === undefined) return;
            late.push(`${view!.phase}: no frame yet`);
            requestAnimationFrame(() =>
              requestAnimationFrame(() => {
                late.pop();
                const text = document.querySelector('[data-testid=call] .bi-1')?.textContent ?? '';
                if (text !== banner) late.push(`${view!.phase}: ${text}`);
              }),
            );
          });
        }
      },
    });
  }, phaseBanners);
  await page.goto(server.address);
  const recording = await record('tiger');
  /** Shows a phase, and gives the banners that were late since the last call. */
  const lateAt = async (phase: (typeof phaseBanners)[number]): Promise<readonly string[]> => {
    await stage.showPhase(recording, phase);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return page.evaluate(() => (window as unknown as { late: string[] }).late.splice(0));
  };
  // With the first message the page also opens the table.
  await lateAt(phaseBanners[0]!);
  for (const phase of [...phaseBanners.slice(1), phaseBanners[0]!]) expect(await lateAt(phase)).toEqual([]);
});

test('[ETG layout-4] the name of the joined table is in the top bar and in the legend', async () => {
  const { page } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  await page.goto(server.address);
  const { messages } = await record('tiger');
  for (const table of ['Baccarat-12', 'M7', 'Baccarat-13']) {
    const named = messages.betting.map((message) =>
      message.type === 'table'
        ? { ...message, table, view: { ...message.view, table } }
        : message.type === 'own'
          ? { ...message, table }
          : message,
    );
    await stage.showMessages(table, ...named);
    const [bar, legend] = [page.locator('.bar-title p b'), page.locator('.legend [data-testid=table]')];
    await expect.poll(() => bar.innerText()).toBe(table);
    expect(await legend.innerText()).toBe(table);
    for (const one of [bar, legend]) expect(await one.isVisible()).toBe(true);
  }
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

test('[ETG layout-10] the time of day is in sight in every phase, paying and closed among them', async () => {
  const { page } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  await page.goto(server.address);
  const recording = await record('tiger');
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ] as const) {
    await resize(page, width, height);
    for (const phase of phaseBanners) {
      await stage.showPhase(recording, phase);
      const time = page.locator('.bar-clock time');
      const { top, bottom, left, right } = await time.evaluate((one) => one.getBoundingClientRect());
      expect([await time.isVisible(), top >= 0, bottom <= height, left >= 0, right <= width], phase[0]).toEqual(
        Array(5).fill(true),
      );
      expect(await time.innerText()).toMatch(/^\d\d:\d\d$/);
    }
  }
});

test('[ETG layout-14] game number and terminal ID are visible and equal those of the event log', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(390, 844);
  await toTable(page, dealer, 'tiger');
  await spot(page, 'tie').click();
  await settled(page);
  for (const id of ['game', 'tid']) {
    const { top, bottom } = await page.getByTestId(id).evaluate((one) => one.getBoundingClientRect());
    expect([top > 0, bottom <= 844, await page.getByTestId(id).isVisible()]).toEqual([true, true, true]);
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
  const floor = await startTestServer({
    screensFolder: await screens(),
    tables: ['tiger', 'baccarat'],
    settings: { totalMinimum: 1000 },
  });
  await toTable(page, floor, 'tiger');
  /** The heights of the picture with the cards, of the roads, and of the tile of the other table; 0 if not in sight. */
  const heights = (): Promise<readonly number[]> =>
    page.evaluate(() =>
      ['.stage', '.board', '.tile[data-table=baccarat]'].map((part) => {
        const one = document.querySelector(part);
        return one?.checkVisibility() ? one.getBoundingClientRect().height : 0;
      }),
    );
  const swapped = async (slip: { readonly [wager: string]: number }, sent: readonly unknown[]): Promise<void> => {
    const sights: string[] = [];
    const shown: { [sight: string]: readonly number[] } = {};
    for (let n = 0; n < 4; n++) {
      const sight = /sight-(\w+)/.exec((await page.locator('.terminal').getAttribute('class'))!)![1]!;
      sights.push(sight);
      if (sight === 'tables') await page.waitForSelector('.tile[data-table=baccarat]');
      else expect(await placed(page)).toEqual(slip);
      shown[sight] = await heights();
      expect(await meter(page, 'bet')).toBe(sent.length === 0 ? 0 : slip['player']);
      if (n < 3) await page.locator('.key-swap').click();
    }
    expect(sights).toEqual(['cards', 'roads', 'tables', 'cards']);
    const [picture, roads, tables] = [shown['cards']!, shown['roads']!, shown['tables']!];
    // The roads grow at the cost of the picture; the list of all tables takes the place of both.
    expect(roads[1]).toBeGreaterThan(1.2 * picture[1]!);
    expect(picture[0]).toBeGreaterThan(1.2 * roads[0]!);
    expect([picture[2], roads[2], tables[0], tables[1]]).toEqual([0, 0, 0, 0]);
    expect(tables[2]).toBeGreaterThan(100);
    expect(Object.values(floor.floor.tables.get('tiger')!.table.round!.slips)).toEqual(sent);
  };
  // A chip below the total minimum is not sent, and a slip is.
  await spot(page, 'player').click();
  await swapped({ player: 500 }, []);
  await spot(page, 'player').click();
  await settled(page);
  await swapped({ player: 1000 }, [{ player: 1000 }]);
  await floor.close();
});

/** The wager families that the diagrams of a book share. */
const families = {
  baccarat: [['banker'], ['player'], ['tie'], ['player-pair', 'banker-pair']],
  'sands-elements': [['banker'], ['player'], ['tie'], ['player-pair', 'banker-pair'], ['fortune-six']],
  'fabulous-4': [
    ['player'],
    ['banker'],
    ['tie'],
    ['player-precious-pair', 'banker-precious-pair'],
    ['player-fabulous-4', 'banker-fabulous-4'],
  ],
} as const;

test.each([
  ['BAC 2.2', 'baccarat'],
  ['ELM 2.2', 'sands-elements'],
  ['FAB 2.2', 'fabulous-4'],
] as const)('[%s] another theme of %s changes no spot, no odds and no limit', async (_, id) => {
  const { page } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  await page.goto(server.address);
  const { messages } = await record(id);
  // Eighteen looks, as many as the book of Elements has diagrams; the other books have fewer.
  const feltNames = ['emerald', 'petrol', 'plum', 'umber'] as const;
  const themes = 'ABCDEFGHIJKLMNOPQR'
    .split('')
    .map((letter, n) => ({ felt: feltNames[n % 4]!, emblem: `LOOK ${letter}` }));
  const spotTexts: string[] = [];
  const felts = new Set<string>();
  for (const theme of themes) {
    const shownMessages = messages.betting.map((message) =>
      message.type === 'table' ? { ...message, view: { ...message.view, theme } } : message,
    ) as ServerMessage[];
    await stage.showMessages(id, ...shownMessages);
    await page.waitForSelector(`.terminal[data-felt=${theme.felt}] .emblem:text-is("${theme.emblem}")`);
    const wagers = await page.$$eval('[data-wager]', (all) => all.map((one) => one.getAttribute('data-wager')!));
    expect(wagers.toSorted()).toEqual(families[id].flat().toSorted());
    spotTexts.push(
      JSON.stringify(
        await page.$$eval('[data-wager]', (all) =>
          all.map((one) => {
            const { left, top, width, height } = one.getBoundingClientRect();
            return [one.getAttribute('aria-label'), (one as HTMLElement).innerText, left, top, width, height];
          }),
        ),
      ),
    );
    felts.add(await page.locator('.table').evaluate((one) => getComputedStyle(one).backgroundColor));
  }
  expect(new Set(spotTexts).size).toBe(1);
  expect(felts.size).toBe(feltNames.length);
});
