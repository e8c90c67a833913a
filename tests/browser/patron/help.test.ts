import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tiger } from '../../../src/games/electronic.ts';
import { rulebookOf } from '../../../src/games/rulebooks.ts';
import { irregularityKinds } from '../../../src/games/irregularities.ts';
import { games } from '../../../src/games/registry.ts';
import { freshShoe } from '../../../src/odds/composition.ts';
import { oddsOf } from '../../../src/odds/sheet.ts';
import { wagerIdsOf } from '../../../src/rules/game.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { demoSettings } from '../../runtime/support/demo.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { sampleSizes, violations } from '../support/appearance.ts';
import { Dealer } from '../support/dealer.ts';
import { cardsOut, meter, placed, settled, spot, toTable } from '../support/patron.ts';
import { Stage, phaseBanners, record } from '../support/recordedViews.ts';
import { prepared } from '../support/shoe.ts';
import { flaws, latinIn, resize } from '../support/textChecks.ts';
import { screens } from '../support/screens.ts';

let open: Server;
beforeAll(async () => {
  open = await startTestServer({ screensFolder: await screens(), settings: { decks: 6 } });
});
afterAll(() => open.close());

const pages = ['pays', 'play', 'drawing', 'wrong', 'limits', 'about', 'keys'] as const;

/** Opens the help of a table, and waits for its house edges. */
async function openHelp(page: Page, table: string): Promise<void> {
  await page.goto(`${open.address}#/table/${table}`);
  await page.locator('.bar-help').first().click();
  await page.waitForSelector('[data-testid=help]');
  await page.locator('#tab-pays').click();
  await page.waitForFunction(() => {
    const shown = [...document.querySelectorAll('.pay-chance')];
    return shown.length > 0 && shown.every((one) => one.textContent.includes('%'));
  });
}

async function closeHelp(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-testid=help]', { state: 'detached' });
}

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;

test('help shows every wager of every game with odds, clauses and exact house edges for the decks of the table', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${open.address}#/table/tiger`);
  await page.waitForSelector('.bar-help');
  // The help pages are loaded on first use.
  const before = requests.length;
  await openHelp(page, 'tiger');
  await closeHelp(page);
  expect(requests.slice(before).filter((url) => url.endsWith('.js')).length).toBeGreaterThan(1);
  for (const game of games) {
    await openHelp(page, game.id);
    await page.waitForFunction((name) => document.querySelector('.help-head')!.textContent.startsWith(name), game.name);
    const { wagers } = oddsOf(game, freshShoe({ deck: game.deck, decks: 6 }));
    const shown = await page.$$eval('[data-pays]', (all) =>
      all.map((one) => ({
        wager: one.getAttribute('data-pays')!,
        figures: ['chance', 'edge', 'back'].map((name) => one.querySelector(`.pay-${name}`)!.textContent.trim()),
        clauses: [...one.querySelectorAll('.pay-rule')].map((clause) => clause.textContent),
      })),
    );
    expect(shown.map(({ wager }) => wager)).toEqual(Object.keys(game.wagers));
    for (const { wager, figures, clauses } of shown) {
      const { hitRate, houseEdge } = wagers[wager]!;
      expect(figures, `${game.id} ${wager}`).toEqual([percent(hitRate), percent(houseEdge), percent(1 - houseEdge)]);
      expect(clauses.toSorted(), `${game.id} ${wager}`).toEqual(
        game.wagers[wager]!.lines.map(({ by }) => by).toSorted(),
      );
    }
    await closeHelp(page);
  }
  expect(complaints).toEqual([]);
});

test.each(['READING 13', 'HOUSE 11'])(
  '[%s] help of every game says for each case whether a bet of a failed terminal is in the round',
  async () => {
    const { page } = await freshPage(1366, 768);
    for (const { id } of games) {
      const { terminals } = rulebookOf(games.find((game) => game.id === id)!);
      await openHelp(page, id);
      await page.locator('#tab-wrong').click();
      const recovery = (await page.getByTestId('recovery').innerText()).replaceAll(/\s+/g, ' ');
      for (const [shown, accepted, follows, clause] of [
        ['had', 'and the bet was accepted', 'it is settled as usual', terminals.closedAccepted],
        ['had not', 'and the bet was not accepted', 'it was not in the round', terminals.openNotAccepted],
        ['had', 'and the bet was not accepted', 'it was not in the round', terminals.closedNotAccepted],
        ['had not', 'but the bet was accepted', 'it is settled as usual', terminals.openAccepted],
      ]) {
        expect(recovery, id).toContain(`This screen ${shown} shown the close, ${accepted}: ${follows}. ${clause}`);
      }
      await closeHelp(page);
    }
  },
);

test('[ETG preamble] help of every game says whether its rulebook is approved for electronic tables', async () => {
  const { page } = await freshPage(1366, 768);
  for (const { id, book, effective } of games) {
    await openHelp(page, id);
    await page.locator('#tab-about').click();
    const about = page.getByTestId('book');
    await about.waitFor();
    const text = await about.innerText();
    if (book === 'ETG') expect(effective, id).toBe('2021-10-28');
    expect(text.includes('has no approval for electronic tables'), id).toBe(book !== 'ETG');
    expect(text.includes('is written for electronic tables'), id).toBe(book === 'ETG');
    await closeHelp(page);
  }
});

test('[HOUSE 11] help shows every irregularity with the clauses of the rulebook, and the recovery notice', async () => {
  const { page } = await freshPage(1366, 768);
  for (const id of ['tiger', 'sands-super']) {
    const book = rulebookOf(games.find((game) => game.id === id)!);
    await openHelp(page, id);
    await page.locator('#tab-wrong').click();
    const kinds = await page.$$eval('[data-wrong]', (all) => all.map((one) => one.getAttribute('data-wrong')));
    expect(kinds).toEqual(irregularityKinds);
    const recovery = await page.getByTestId('recovery').innerText();
    for (const clause of Object.values(book.terminals)) expect(recovery).toContain(clause);
    const text = await page.locator('.help-body').innerText();
    for (const { by, rulings } of Object.values(book.irregularities)) {
      for (const effect of Object.values(rulings)) expect(text).toContain(effect.by);
      expect(by).toBeTruthy();
    }
    await page.locator('#tab-about').click();
    const about = await page.getByTestId('book').innerText();
    expect(about).toContain(book.felt ? '28 July 2017' : '28 October 2021');
    expect(about.includes('has no approval for electronic tables')).toBe(book.felt);
    const all = await page.locator('.help-body').innerText();
    for (const part of [
      'Displays inform, cards decide',
      book.clauses.correction,
      'They say nothing about the next round',
    ]) {
      expect(all).toContain(part);
    }
    await closeHelp(page);
  }
  // Leaving the table closes help.
  await openHelp(page, 'tiger');
  await page.evaluate(() => (location.hash = '#/'));
  await page.waitForSelector('.tile');
  expect(await page.getByTestId('help').count()).toBe(0);
});

test('help is readable in every size and language, works by keyboard, and passes axe', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  for (const [language, game] of [
    ['en', 'fortune-six'],
    ['en', 'sands-super'],
    ['zh', 'sands-super'],
  ] as const) {
    await page.goto(open.address);
    await page.evaluate((chosen) => localStorage.setItem('punto.language', chosen), language);
    await page.reload();
    await openHelp(page, game);
    for (const name of pages) {
      await page.locator(`#tab-${name}`).click();
      const label = `${game} ${name} ${language}`;
      for (const [width, height] of sampleSizes) {
        await resize(page, width, height);
        const key = width === 1024 ? 40 : 44;
        expect(await flaws(page, '.help-tab, .help-head, td, th', key), `${label} ${width}x${height}`).toEqual([]);
      }
      await resize(page, 1366, 768);
      if (game === 'sands-super') expect(await violations(page), label).toEqual([]);
      if (language === 'zh') {
        expect(
          await latinIn(page, /(ETG|SUP|HOUSE) ?[\d.]*|[a-z-]+@[\d-]+|J、Q、K|Enter|Backspace|Esc|English/g),
          name,
        ).toEqual([]);
      }
    }
  }
  // Arrow keys move between pages and wrap around.
  await page.locator('#tab-keys').focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.locator('[role=tab][aria-selected=true]').getAttribute('id')).toBe('tab-pays');
  await page.keyboard.press('ArrowLeft');
  expect(await page.locator('[role=tab][aria-selected=true]').getAttribute('id')).toBe('tab-keys');
  expect(complaints).toEqual([]);
});

/** Opens a page of the open help. */
async function readHelp(page: Page, tab: string): Promise<string> {
  await page.locator(`#tab-${tab}`).click();
  await page.waitForSelector(`#help-page[aria-labelledby=tab-${tab}]`);
  return page.locator('.help-body').innerText();
}

/** The rules, the odds of every line of every wager, and all limits of Tiger Baccarat, as the open help shows them. */
async function checkHelp(page: Page, limits: { readonly [wager: string]: readonly number[] }): Promise<void> {
  expect(await readHelp(page, 'play')).toContain('Eight or nine on two cards is a natural');
  const drawing = await readHelp(page, 'drawing');
  for (const rule of [
    'A total of 8 or 9 on two cards, in either hand: neither hand draws.',
    'Player takes a third card on 0 to 5 and stands on anything higher.',
    'If Player stands, Banker takes a third card on 0 to 5.',
  ]) {
    expect(drawing).toContain(rule);
  }
  // For each total of Banker, the third cards of Player on which Banker draws.
  const draws = await page.$$eval('.drawing tbody tr', (all) =>
    all.map((row) => {
      const drawn = [...row.querySelectorAll('td')].flatMap((cell, third) =>
        cell.innerText.startsWith('D') ? [third] : [],
      );
      return `${row.querySelector('th')!.textContent}: ${drawn.join('')}`;
    }),
  );
  expect(draws).toEqual([
    '0: 0123456789',
    '1: 0123456789',
    '2: 0123456789',
    '3: 012345679',
    '4: 234567',
    '5: 4567',
    '6: 67',
    '7: ',
  ]);
  await readHelp(page, 'pays');
  const pays = await page.$$eval('[data-pays]', (all) =>
    all.map((one) => [
      one.getAttribute('data-pays')!,
      [...one.querySelectorAll('tr')].map((line) => [
        line.querySelector('.pay-when')!.textContent,
        // The odds before commission follow in an element of their own.
        line.querySelector('.pay-odds, .pay-push')!.firstChild!.textContent,
      ]),
    ]),
  );
  expect(pays).toEqual([
    [
      'player',
      [
        ['Player wins', '1 : 1'],
        ['tie', 'stake back'],
      ],
    ],
    [
      'banker',
      [
        ['Banker wins', '0.95 : 1'],
        ['tie', 'stake back'],
      ],
    ],
    ['tie', [['tie', '8 : 1']]],
    [
      'tiger',
      [
        ['Banker wins with 6 on 2 cards', '12 : 1'],
        ['Banker wins with 6 on 3 cards', '20 : 1'],
      ],
    ],
    ['small-tiger', [['Banker wins with 6 on 2 cards', '22 : 1']]],
    ['big-tiger', [['Banker wins with 6 on 3 cards', '50 : 1']]],
    ['tiger-tie', [['tie at 6', '35 : 1']]],
    [
      'tiger-pair',
      [
        ['both hands paired, ranks equal', '100 : 1'],
        ['both hands paired, ranks different', '20 : 1'],
        ['one hand paired', '4 : 1'],
      ],
    ],
  ]);
  await readHelp(page, 'limits');
  const rows = await page.$$eval('.help-body tbody tr', (all) =>
    all.map((row) => [
      row.querySelector('.bi-1')!.textContent,
      ...[...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replaceAll(',', '')) * 100),
    ]),
  );
  expect(rows).toEqual(Object.entries(tiger.wagers).map(([wager, { name }]) => [name, ...limits[wager]!]));
}

test('[ETG layout-2] HELP opens in every phase, gives rules, odds and limits, and leaves the slip as it is', async () => {
  const limits = Object.fromEntries(
    wagerIdsOf(tiger).map((wager, n) => [wager, [100 * (n + 1), 10_000 * (n + 1)] as const]),
  );
  const dealer = await Dealer.at('tiger', {
    chance: prepared('8C 8D KC KD'),
    settings: { limits, totalMinimum: 1_000 },
  });
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  /** Opens help by its key, reads it and closes it; the slip is the same before, during and after it. */
  const helped = async (slip: { readonly [wager: string]: number }): Promise<void> => {
    const isPale = (): Promise<boolean> =>
      page.evaluate(() => document.querySelector('[data-wager].is-pending') !== null);
    const before = await isPale();
    expect(await placed(page)).toEqual(slip);
    await page.locator('.bar-help').first().click();
    await page.waitForSelector('[data-testid=help]');
    await checkHelp(page, limits);
    expect(await page.locator('.help-body .help-note').innerText()).toContain(': 10.00.');
    expect(await placed(page)).toEqual(slip);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[data-testid=help]', { state: 'detached' });
    expect([await placed(page), await isPale()]).toEqual([slip, before]);
  };
  // Below the total minimum: the chip is shown and not sent.
  await spot(page, 'tie').click();
  await page.waitForSelector('[data-wager=tie].is-pending');
  await helped({ tie: 500 });
  expect(dealer.table.round!.slips).toEqual({});
  await spot(page, 'tie').click();
  await settled(page);
  await dealer.call();
  await helped({ tie: 1_000 });
  await dealer.deal(3);
  await cardsOut(page, 3);
  await helped({ tie: 1_000 });
  await dealer.deal();
  await cardsOut(page, 4);
  expect(dealer.table.phase).toBe('result');
  await helped({ tie: 1_000 });
  await dealer.settle();
  await page.waitForSelector('[data-outcome]');
  await helped({ tie: 1_000 });
  expect(await meter(page, 'credit')).toBe(100_000 + 8_000);
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('[ETG layout-2] HELP gives rules, odds and limits in each phase that a terminal is sent, paying and closed among them', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  const dealer = await Dealer.at('tiger');
  await page.goto(dealer.address);
  const { limits } = demoSettings.find(({ table }) => table === 'tiger')!;
  const recording = await record('tiger');
  for (const phase of phaseBanners) {
    await stage.showPhase(recording, phase);
    const before = await placed(page);
    await page.locator('.bar-help').first().click();
    await page.waitForSelector('[data-testid=help]');
    await checkHelp(page, limits);
    expect(await placed(page), phase[0]).toEqual(before);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[data-testid=help]', { state: 'detached' });
    expect(await placed(page), phase[0]).toEqual(before);
    expect(before, phase[0]).toEqual(Object.fromEntries(wagerIdsOf(tiger).map((wager) => [wager, 2000])));
  }
  expect(complaints).toEqual([]);
  await dealer.leave();
});
