import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rulebookOf } from '../../../src/games/rulebooks.ts';
import { irregularityKinds } from '../../../src/games/irregularities.ts';
import { games } from '../../../src/games/registry.ts';
import { freshShoe } from '../../../src/odds/composition.ts';
import { oddsOf } from '../../../src/odds/sheet.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { sampleSizes, violations } from '../support/appearance.ts';
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
