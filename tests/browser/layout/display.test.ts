import { afterAll, beforeAll, expect, test } from 'vitest';
import { roadsOf } from '../../../src/roads/roads.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { parseResultCode } from '../../../src/wire/resultCode.ts';
import { type PublicTableView } from '../../../src/wire/tableView.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { violations } from '../support/appearance.ts';
import { sampleOf } from '../../times.ts';
import { type Phase, type Recording, record } from '../support/recordedViews.ts';
import { prepared } from '../support/shoe.ts';
import { lateIn, shoes, statesOf, controlSocket } from '../support/scriptedPage.ts';
import { drawn, flaws, latinIn, resize, sizes, smallestType } from '../support/textChecks.ts';
import { screens } from '../support/screens.ts';

const games = ['tiger-no-commission', 'sands-super'] as const;
let open: Server;
const recordings = new Map<string, Recording>();
beforeAll(async () => {
  open = await startTestServer({ screensFolder: await screens(), tables: games });
  for (const game of games) recordings.set(game, await record(game));
});
afterAll(() => open.close());

const viewIn = (game: string, phase: Phase, state: Partial<PublicTableView> = {}): PublicTableView =>
  lateIn(recordings.get(game)!, phase, state);

/** A display that is sent a view. */
async function screenOf(game: string, view: () => PublicTableView, query = '') {
  const { page, complaints } = await freshPage(1920, 1080);
  await page.clock.install();
  const socket = await controlSocket(page, () => [{ type: 'table', table: game, version: 1, view: view() }]);
  await page.goto(`${open.address}display/${game}${query}`);
  await page.waitForSelector('.display');
  await drawn(page);
  return { page, complaints, ...socket };
}

/**
 * Every size for one game in one language; for the others the most different sizes. Each state is checked in one of
 * them.
 */
const every = [...sizes, [3840, 2160]] as const;
const some = every.filter(([width]) => width === 1920 || width === 1024 || width === 1080);

test.each(games)('the display of %s is readable in every state, size and language', async (game) => {
  for (const query of ['', '?lang=zh']) {
    let view = viewIn(game, 'betting');
    const { page, complaints, send } = await screenOf(game, () => view, query);
    let version = 1;
    for (const [state, next] of statesOf(recordings.get(game)!)) {
      view = next;
      send({ type: 'table', table: game, version: ++version, view });
      await page.waitForFunction(
        (want) => document.querySelector('.d-now')!.className.includes('has-notice') === want,
        view.notice !== null || view.stopped !== null,
      );
      const among = game === 'sands-super' || query !== '' ? some : every;
      for (const [width, height] of sampleOf(`${game} ${state} ${query}`, among, 1)) {
        await resize(page, width, height);
        const label = `${state} ${width}x${height} ${query}`;
        const boxes = '.d-head, .d-now, .d-foot, .d-counts li, .d-shoe, .ask';
        expect(await flaws(page, boxes, 0), label).toEqual([]);
        // Readable from five metres: 34 px on a screen that is 1920 px wide.
        if (width >= 1024)
          expect(await smallestType(page), label).toBeGreaterThanOrEqual(
            34 * Math.min(width / 1920, height / 1080) - 0.1,
          );
        expect(await page.evaluate(() => document.documentElement.scrollHeight), label).toBe(height);
      }
      await resize(page, 1920, 1080);
      if (query === '' && game === 'sands-super') expect(await violations(page), state).toEqual([]);
    }
    if (query !== '') expect(await latinIn(page, /ETG [\d.]+|tiger-no-commission|sands-super/g)).toEqual([]);
    expect(complaints).toEqual([]);
  }
});

test('a display shows roads, next marks, counters, limits and shoe of its table', async () => {
  const { page } = await screenOf('tiger-no-commission', () => viewIn('tiger-no-commission', 'result'));
  const roads = roadsOf(shoes[8]!.map(parseResultCode));
  const marksOn = (road: string, mark: string): Promise<number> => page.locator(`[data-road=${road}] ${mark}`).count();
  expect(await marksOn('bead', '.bead')).toBe(roads.beads.length);
  expect(await marksOn('big', '.big')).toBe(roads.bigRoad.length);
  expect(await marksOn('eye', '.eye')).toBe(roads.cellsOf('bigEye').length);
  expect((await marksOn('small', '.fill-r')) + (await marksOn('small', '.fill-b'))).toBe(roads.cellsOf('small').length);
  expect(await marksOn('roach', '.roach')).toBe(roads.cellsOf('cockroach').length);
  const { bigEye, small, cockroach } = roads.ask('banker');
  const marks = await page
    .locator('[data-ask=banker] [data-mark]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-mark')));
  expect(marks).toEqual([bigEye, small, cockroach].map((mark) => mark ?? ''));
  const head = await page.locator('.d-head').innerText();
  for (const part of ['Tiger No Commission', '老虎免佣百家乐', '1–500', '1–100', 'tiger-no-commission'])
    expect(head).toContain(part);
  const now = await page.locator('.d-now').innerText();
  for (const part of ['PLAYER WINS', '闲赢', '9', '5', 'Tiger Pair', 'Next round in']) expect(now).toContain(part);
  expect(await page.locator('.d-cards .card').count()).toBe(6);
});

test.each(games)('the counters of %s rotate without input and are readable', async (game) => {
  const { page, pass } = await screenOf(game, () => viewIn(game, 'betting'));
  const shown = (): Promise<readonly string[]> =>
    page.locator('[data-count]').evaluateAll((all) => all.map((one) => one.getAttribute('data-count')!));
  const counted = new Set<string>();
  for (let n = 0; n < 4; n++) {
    const now = await shown();
    expect(await flaws(page, '.d-counts li', 0)).toEqual([]);
    for (const count of now) counted.add(count);
    await pass(8_000);
    await page.waitForFunction(
      (old) => document.querySelector('[data-count]')!.getAttribute('data-count') !== old,
      now[0],
    );
  }
  const { layout } = viewIn(game, 'betting');
  const sides = layout.map(({ wager }) => wager).filter((wager) => !/^(player|banker|tie)$|-wins-on-/.test(wager));
  expect(counted).toEqual(new Set(['player', 'tie', 'banker', 'natural', ...sides]));
});

test('a display follows a real table through a round without a seat', async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared('2C 3D 2D KS 5H 2H') });
  const { page, complaints } = await freshPage(1920, 1080);
  await page.goto(`${dealer.address}display/tiger`);
  await page.waitForSelector('.d-phase.is-open');
  expect(await page.locator('.ring-display').count()).toBe(1);
  await dealer.deal(4);
  await page.waitForFunction(() => document.querySelectorAll('.d-cards .card').length === 4);
  expect(await page.locator('.d-phase').innerText()).toContain('NO MORE BETS');
  expect(await page.locator('.d-total').allInnerTexts()).toEqual(['4', '3']);
  await dealer.settle();
  await page.waitForSelector('.d-phase.winner-player');
  expect(await page.locator('.d-hand-player.is-won .d-total').innerText()).toBe('9');
  expect(await page.locator('[data-road=bead] .bead').count()).toBe(1);
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('a display shows a lost connection and reconnects automatically', async () => {
  const { page, cut, back, received } = await screenOf('sands-super', () => viewIn('sands-super', 'betting'));
  expect(received.map(({ type }) => type)).toEqual(['hello', 'watch']);
  cut();
  await page.waitForSelector('[data-testid=connection]');
  const text = await page.getByTestId('connection').innerText();
  for (const part of ['CONNECTION LOST', '连接中断', 'may be out of date']) expect(text).toContain(part);
  // The current round is unknown now; past results are not.
  expect(await page.locator('.ring').count()).toBe(0);
  expect(await page.locator('[data-road=big] .big').count()).toBeGreaterThan(0);
  back();
  await page.waitForSelector('.ring');
  expect(received.map(({ type }) => type)).toEqual(['hello', 'watch', 'hello', 'watch']);
});

test('a display with an older protocol reloads as soon as the page is available', async () => {
  const { page, send } = await screenOf('sands-super', () => viewIn('sands-super', 'betting'));
  let isUp = false;
  let requests = 0;
  await page.route('**/display/sands-super', (route) => {
    requests += 1;
    return isUp ? route.continue() : route.fulfill({ status: 503, body: 'starting' });
  });
  send({ type: 'refused', id: null, code: 'wrong-protocol', message: 'Load the page again.', by: null });
  await page.waitForSelector('[data-testid=connection]');
  await page.clock.runFor(5_000);
  await expect.poll(() => requests).toBe(1);
  isUp = true;
  const loaded = page.waitForEvent('load');
  await page.clock.runFor(5_000);
  await loaded;
  await page.waitForSelector('.ring');
});

test('the server has displays only for tables of the floor and refuses any other with a message', async () => {
  const answer = await fetch(`${open.address}display/X99`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({
    code: 'unknown-table',
    message: 'There is no table "X99". The tables are sands-super, tiger-no-commission.',
  });
  const { page } = await freshPage(1366, 768);
  const shown = await page.goto(`${open.address}display/X99`);
  expect(shown!.status()).toBe(404);
  await page.waitForSelector('.d-empty .key');
  expect((await page.locator('.d-empty').innerText()).replaceAll(/\s+/g, ' ')).toBe(
    "That table doesn't exist 没有这张台 Lobby 返回大厅",
  );
  expect(await violations(page)).toEqual([]);
  await page.locator('.d-empty .key').click();
  await page.waitForSelector('.lobby .tile');
  expect((await fetch(`${open.address}display/`)).status).toBe(404);
  expect((await fetch(`${open.address}display/sands-super?lang=zh`)).headers.get('cache-control')).toBe('no-cache');
});
