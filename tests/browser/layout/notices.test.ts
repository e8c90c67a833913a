import { expect, test } from 'vitest';
import { type ServerMessage } from '../../../src/wire/messages.ts';
import { type PublicTableView } from '../../../src/wire/tableView.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { faults, sampleSizes, otherLanguage, resize, sizes, still, violations } from '../support/appearance.ts';
import { toTable } from '../support/patron.ts';
import { type Recording, Stage, record } from '../support/recordedViews.ts';
import { socketCut } from '../support/socketCut.ts';
import { lateIn, tilesAt, voidNotice } from '../support/scriptedPage.ts';
import { screens } from '../support/screens.ts';

// A notice covers neither cards, spots, meters nor the bar, in any view.

/** Messages of a round with an irregular end. */
function ended(recording: Recording, id: string, change: Partial<PublicTableView>): readonly ServerMessage[] {
  const { round } = lateIn(recording, 'result');
  const view = lateIn(recording, 'result', { ...change, round: { ...round!, ...change.round, id } });
  return recording.messages.result.map((message) =>
    message.type === 'table'
      ? { ...message, view: { ...view, notice: view.notice && { ...view.notice, round: id } } }
      : message.type === 'own'
        ? { ...message, view: { ...message.view, round: { ...message.view.round!, id } } }
        : message,
  );
}

test('notices of a void and a correction cover neither cards nor spots nor meters, at every size and in every view', async () => {
  const floor = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
  const { page, complaints } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  await page.goto(floor.address);
  const recording = await record('tiger');
  const { round } = lateIn(recording, 'result');
  const nothing = { ...round!, winner: null, won: null, voidBy: 'ETG 5.9.1' };
  const reason = 'Two cards left the shoe together and their order cannot be known.';
  const states = [
    ['void before a card', { cards: [], notice: voidNotice, round: nothing }, '.stage [data-testid=round-notice]'],
    ['void with cards', { notice: voidNotice, round: nothing }, '.table-notices [data-testid=round-notice]'],
    [
      'settled again',
      { notice: { ...voidNotice!, kind: 'corrected', reason }, round: { ...round!, settledAgain: true } },
      '.table-notices [data-testid=round-notice]',
    ],
  ] as const satisfies readonly (readonly [string, Partial<PublicTableView>, string])[];
  for (const [n, [name, change, place]] of states.entries()) {
    const lobby = { type: 'lobby', version: 2, tiles: tilesAt(Date.now()) } as const;
    await stage.showMessages('tiger', ...ended(recording, `r-${n}`, change), lobby);
    for (const sight of ['cards', 'roads', 'tables']) {
      await page.waitForSelector(sight === 'cards' ? place : `.sight-${sight} [data-testid=round-notice]`);
      for (const [width, height] of sight === 'cards' ? sizes : sampleSizes) {
        await resize(page, width, height);
        const found = await faults(page);
        // Below a notice the tables may scroll.
        const wrong = sight === 'tables' ? found.filter((one) => one !== 'the tables run under the rail') : found;
        const lang = await page.evaluate(() => document.documentElement.lang);
        expect(wrong, `${name}, ${sight}, ${width}x${height}, ${lang}`).toEqual([]);
        // The language alternates.
        await otherLanguage(page);
        await still(page);
      }
      await resize(page, 1366, 768);
      await page.keyboard.press('v');
    }
    await page.locator('[data-testid=round-notice] button').click();
    await page.waitForSelector('[data-testid=round-notice]', { state: 'detached' });
  }
  expect(complaints).toEqual([]);
  await floor.close();
});

test('phase, time left and connection state stay visible above every dialog, on a terminal and on a phone', async () => {
  const dealer = await Dealer.at('tiger');
  const { page, complaints } = await freshPage(1366, 768);
  const cut = await socketCut(page);
  await toTable(page, dealer, 'tiger');
  const statusLine = page.locator('dialog[open] [data-testid=status-line]');
  for (const [width, height] of sizes.slice(0, 2)) {
    await resize(page, width, height);
    for (const name of ['o', 'u', 'k', 'h']) {
      await page.keyboard.press(name);
      await page.waitForSelector('dialog[open]');
      await expect.poll(() => statusLine.innerText(), { message: name }).toMatch(/^PLACE YOUR BETS, PLEASE\s+\d+$/);
      const isVisible = await statusLine.evaluate((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && one.contains(front) && one.scrollWidth <= one.clientWidth;
      });
      expect(isVisible, `${name} ${width}x${height}`).toBe(true);
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
    }
  }
  await page.keyboard.press('u');
  await page.waitForSelector('dialog[open]');
  await dealer.call();
  await page.waitForSelector('[data-testid=status-line]:has-text("No more bets")');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.keyboard.press('l');
  await page.keyboard.press('u');
  await page.waitForSelector('dialog:modal');
  await page.waitForSelector('[data-testid=status-line]:has-text("停止下注")');
  await cut();
  await page.waitForSelector('[data-testid=status-line].is-warn:has-text("连接已断开")');
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await dealer.leave();
});
