import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tiger } from '../../../src/games/electronic.ts';
import { wagerIdsOf } from '../../../src/rules/game.ts';
import { demoSettings } from '../../runtime/support/demo.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { freshPage, movingPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { atSizesAndLanguages, faults, violations } from '../support/appearance.ts';
import {
  call,
  called,
  cardsOut,
  chip,
  key,
  meter,
  placed,
  refusal,
  settled,
  spot,
  toTable,
} from '../support/patron.ts';
import { Stage, record } from '../support/recordedViews.ts';
import { prepared } from '../support/shoe.ts';

test('a tile shows the counts of its shoe and the last result', async () => {
  const dealer = await Dealer.at('baccarat', {
    chance: prepared('2C KD 2D 6S KH', '9H 2S KS QS', '8C 8D KC KD', '8H 8S KC KD'),
  });
  const { page } = await freshPage(1366, 768);
  await page.goto(dealer.address);
  await page.waitForSelector('.tile');
  const scores: string[] = [];
  for (let round = 1; round <= 4; round++) {
    await dealer.open();
    await page.waitForSelector(`.tile-game:text-is("#${round + 1}")`);
    const texts = await page.locator('.part, .tile-line .tile-score').allInnerTexts();
    scores.push(texts.map((text) => text.replaceAll(/\s+/g, ' ')).join(', '));
  }
  // Totals of the last hand, and the wins of each side.
  expect(scores).toEqual([
    'P 4 B 6, P 0, T 0, B 1',
    'P 9 B 2, P 1, T 0, B 1',
    'P 8 B 8, P 1, T 1, B 1',
    'P 8 B 8, P 1, T 2, B 1',
  ]);
  await dealer.leave();
});

test('a chip on the felt has the colours of the tray, is stacked, and is pale until the server accepts it', async () => {
  const dealer = await Dealer.at('tiger');
  const { page, complaints } = await movingPage(1366, 768);
  let held: (() => void)[] | undefined;
  await page.routeWebSocket(/socket$/, (route) => {
    const server = route.connectToServer();
    server.onMessage((message) => {
      if (held) held.push(() => route.send(message));
      else route.send(message);
    });
  });
  await toTable(page, dealer, 'tiger');
  const appearance = (): Promise<{ pale: boolean; opacity: string; chips: string | null; text: string }> =>
    page.locator('[data-wager=player] .stack').evaluate((one) => {
      const chips = one.querySelector('.stack-chips')!;
      return {
        pale: one.classList.contains('is-pending'),
        opacity: getComputedStyle(chips).opacity,
        chips: chips.getAttribute('data-chips'),
        text: one.querySelector('.stack-amount')!.textContent,
      };
    });
  /** The colours of an SVG. */
  const colours = (selector: string): Promise<readonly string[]> =>
    page.$$eval(`${selector} *`, (all) => [
      ...new Set(all.flatMap((one) => ['fill', 'stroke'].map((paint) => one.getAttribute(paint) ?? ''))),
    ]);

  held = [];
  await spot(page, 'player').click();
  await page.waitForSelector('[data-wager=player].is-pending .stack');
  await expect.poll(appearance).toEqual({ pale: true, opacity: '0.5', chips: '1', text: '5' });
  expect(await spot(page, 'player').getAttribute('aria-label')).toContain('not accepted yet');
  expect(await page.locator('[data-wager=player] .spot-flag').innerText()).toBe('sending');
  expect(await meter(page, 'bet')).toBe(0);
  while (held.length === 0) await page.waitForFunction(() => true);
  const waiting = held;
  held = undefined;
  for (const send of waiting) send();
  await settled(page);
  expect(await appearance()).toEqual({ pale: false, opacity: '1', chips: '1', text: '5' });
  // The chip on the felt has the colours of the tray.
  const inTray = await colours('[data-chip="500"]');
  const onSpot = (await colours('[data-wager=player] .stack-chips')).filter((paint) => /^#(?!000)/.test(paint));
  expect(onSpot.length).toBeGreaterThan(3);
  for (const colour of onSpot) expect(inTray).toContain(colour);
  expect(await spot(page, 'player').getAttribute('aria-label')).not.toContain('not accepted yet');

  await spot(page, 'player').click();
  await spot(page, 'player').click();
  await settled(page);
  expect(await appearance()).toEqual({ pale: false, opacity: '1', chips: '3', text: '15' });
  await chip(page, 3).click();
  await spot(page, 'player').click();
  await settled(page);
  expect(await appearance()).toEqual({ pale: false, opacity: '1', chips: '4', text: '115' });
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('[ETG 2.2.ii] a slip above a maximum or the credit is refused as a whole, with sentence, code and clause', async () => {
  const dealer = await Dealer.at('tiger');
  const { page, complaints } = await freshPage(390, 844);
  await toTable(page, dealer, 'tiger');
  await spot(page, 'tiger').click();
  await settled(page);
  await chip(page, 3).click();
  await spot(page, 'tiger').click();
  expect(await refusal(page)).toBe('Refused: The maximum on Tiger is 100.00; bet less. over-maximum · ETG 2.2');
  await settled(page);
  expect(await placed(page)).toEqual({ tiger: 500 });
  await page.locator('[data-testid=refusal] button').click();
  await page.waitForSelector('[data-testid=refusal]', { state: 'detached' });

  await chip(page, 4).click();
  await spot(page, 'player').click();
  await settled(page);
  expect(await chip(page, 4).getAttribute('aria-label')).toBe('Chip of 500.00, more than your credit');
  expect(await page.locator('.chip-key[aria-disabled=true]').count()).toBe(1);
  await spot(page, 'banker').click();
  expect(await refusal(page)).toBe(
    'Refused: The added bets need 500.00, and your credit is 495.00; bet less. not-enough-credit · ETG 2.2',
  );
  await settled(page);
  expect(await placed(page)).toEqual({ tiger: 500, player: 50_000 });
  expect(await meter(page, 'credit')).toBe(49_500);
  // x2 would exceed a limit, so nothing is doubled.
  await key(page, 'x2').click();
  expect(await refusal(page)).toContain('over-maximum · ETG 2.2');
  await settled(page);
  expect(await placed(page)).toEqual({ tiger: 500, player: 50_000 });
  await atSizesAndLanguages(page, async (label) => {
    expect(await faults(page), label).toEqual([]);
    expect(await violations(page), label).toEqual([]);
  });
  await page.keyboard.press('l');
  expect(await refusal(page)).toBe('不接受: 闲最高 500.00，请减少投注。 over-maximum · ETG 2.2');
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test.each([
  { table: 'tiger', placing: 'ETG 5.5', raising: 'ETG 5.5' },
  { table: 'fabulous-4', placing: 'FAB 5.6', raising: 'FAB 5.6' },
])('[$placing] a tap at $table after the close is refused, and nothing looks accepted', async (clauses) => {
  const { table, placing, raising } = clauses;
  const dealer = await Dealer.at(table);
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, dealer, table);
  await spot(page, 'tie').click();
  await settled(page);
  expect(await call(page)).toBe('Place your bets, please');
  await dealer.deal(1);
  await cardsOut(page, 1);
  expect(await call(page)).toBe('No more bets');
  expect(await page.getByTestId('count').count()).toBe(0);
  for (const name of ['UNDO', 'CLEAR BET', 'x2', 'RE-BET']) {
    expect(await key(page, name).getAttribute('aria-disabled')).toBe('true');
  }
  await spot(page, 'player').click();
  expect(await refusal(page)).toBe(`Refused: Bets are closed; wait for the next round. bets-closed · ${placing}`);
  await settled(page);
  expect(await placed(page)).toEqual({ tie: 500 });
  await spot(page, 'tie').click();
  await page.waitForSelector('[data-testid=refusal]:has-text("late-raise")');
  expect(await refusal(page)).toBe(
    `Refused: Bets are closed: 5.00 on Tie remains, 5.00 more was refused. late-raise · ${raising}`,
  );
  await settled(page);
  expect(await placed(page)).toEqual({ tie: 500 });
  expect(await meter(page, 'credit')).toBe(99_500);
  // The next round starts empty.
  await dealer.open();
  await page.waitForSelector('[data-testid=refusal]', { state: 'detached' });
  await page.waitForFunction(() => document.querySelector('[data-stake]') === null);
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('[ETG 3.2] the terminal shows the close at the deadline and takes no more bets, though slips may still arrive', async () => {
  const dealer = await Dealer.at('tiger');
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  await spot(page, 'tie').click();
  await settled(page);
  await dealer.call();
  await called(page, 'No more bets');
  expect(dealer.table.phase).toBe('closing');
  await spot(page, 'player').click();
  expect(await refusal(page)).toContain('bets-closed · ETG 5.5');
  expect(await placed(page)).toEqual({ tie: 500 });
  expect(Object.values(dealer.table.round!.slips)).toEqual([{ tie: 500 }]);
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('[ETG 3.1] the terminal takes a tap while it shows that bets are open, in words of the book, and at no other time', async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared('9H 2S KS QS') });
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  const steps: readonly (readonly [string, () => Promise<void>])[] = [
    ['Place your bets, please', async () => {}],
    ['No more bets', () => dealer.call()],
    ['No more bets', () => dealer.close()],
    ['No more bets', () => dealer.deal(1)],
    ['No more bets', () => dealer.deal()],
    ['Next round soon', () => dealer.settle()],
    ['Place your bets, please', () => dealer.open()],
  ];
  for (const [shown, step] of steps) {
    await step();
    await called(page, shown);
    const isOpen = ['Place your bets, please', 'Bets are open'].includes(shown);
    const { slips: before } = dealer.table.round!;
    await spot(page, 'tie').click();
    if (isOpen) await page.waitForSelector('[data-wager=tie]:not(.is-pending) .stack');
    else expect(await refusal(page)).toMatch(/^Refused: /);
    await settled(page);
    expect(Object.values(dealer.table.round!.slips), shown).toEqual(isOpen ? [{ tie: 500 }] : Object.values(before));
  }
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test.each(['ETG layout-12', 'READING 36'])(
  '[%s] the page shows the total minimum, keeps chips below a minimum pale and unsent, and shows what is missing',
  async () => {
    const { limits } = demoSettings.find(({ table }) => table === 'tiger')!;
    const dealer = await Dealer.at('tiger', {
      settings: { limits: { ...limits, tiger: [1000, 10_000] }, totalMinimum: 2000 },
    });
    const { page, complaints } = await freshPage(1366, 768);
    await toTable(page, dealer, 'tiger');
    const lacking = (): Promise<string> => page.getByTestId('lacking').innerText();
    expect(await page.locator('.legend .least').innerText()).toBe('Total Minimum Bet 20.00');
    await spot(page, 'tiger').click();
    await page.waitForSelector('[data-wager=tiger].is-below');
    expect(await lacking()).toBe('Not sent yet: Tiger needs 5.00 more for its minimum.');
    await spot(page, 'tiger').click();
    expect(await lacking()).toBe('Not sent yet: 10.00 more is needed for the total minimum.');
    expect(Object.values(dealer.table.round!.slips)).toEqual([]);
    // [READING 36] The server refuses such a slip.
    const guest = await PatronSocket.join(dealer.server, secretOf('9'), 'tiger');
    const sent = {
      type: 'slip',
      id: 'slip-0001',
      table: 'tiger',
      round: await guest.bettingRound(),
      slip: { player: 1000 },
    };
    expect(await guest.refusalOf(sent)).toMatchObject({ code: 'under-total-minimum', by: 'ETG 2.2' });
    guest.terminate();
    await spot(page, 'player').click();
    await spot(page, 'player').click();
    await settled(page);
    expect(await page.getByTestId('lacking').count()).toBe(0);
    expect(Object.values(dealer.table.round!.slips)).toEqual([{ tiger: 1000, player: 1000 }]);
    expect(complaints).toEqual([]);
    await dealer.leave();
  },
);

/** Opens a page of the open help. */
async function readHelp(page: Page, tab: string): Promise<string> {
  await page.locator(`#tab-${tab}`).click();
  await page.waitForSelector(`#help-page[aria-labelledby=tab-${tab}]`);
  return page.locator('.help-body').innerText();
}

/** The rules, the odds of every line of every wager, and all limits of Tiger Baccarat, as the open help shows them. */
async function checkHelp(page: Page, limits: { readonly [wager: string]: readonly number[] }): Promise<void> {
  expect(await readHelp(page, 'play')).toContain('Eight or nine on two cards is a natural');
  expect(await readHelp(page, 'drawing')).toMatch(/\d/);
  await readHelp(page, 'pays');
  const pays = await page.$$eval('[data-pays]', (all) =>
    all.map((one) => [
      one.getAttribute('data-pays')!,
      // The odds before commission follow in an element of their own.
      [...one.querySelectorAll('.pay-odds, .pay-push')].map((cell) => cell.firstChild!.textContent),
    ]),
  );
  expect(pays).toEqual([
    ['player', ['1 : 1', 'stake back']],
    ['banker', ['0.95 : 1', 'stake back']],
    ['tie', ['8 : 1']],
    ['tiger', ['12 : 1', '20 : 1']],
    ['small-tiger', ['22 : 1']],
    ['big-tiger', ['50 : 1']],
    ['tiger-tie', ['35 : 1']],
    ['tiger-pair', ['100 : 1', '20 : 1', '4 : 1']],
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
  const { betting } = (await record('tiger')).messages;
  for (const [n, [phase, banner]] of (
    [
      ['betting', 'Place your bets, please'],
      ['closing', 'Place your bets, please'],
      ['dealing', 'No more bets'],
      ['result', 'No more bets'],
      ['paying', 'Paying'],
      ['idle', 'Next round soon'],
      ['closed', 'Table closed'],
    ] as const
  ).entries()) {
    const messages = betting.map((message) =>
      message.type === 'table'
        ? { ...message, version: message.version + n, view: { ...message.view, phase } }
        : message,
    );
    await stage.showMessages('tiger', ...messages);
    await called(page, banner);
    const before = await placed(page);
    await page.locator('.bar-help').first().click();
    await page.waitForSelector('[data-testid=help]');
    await checkHelp(page, limits);
    expect(await placed(page), phase).toEqual(before);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[data-testid=help]', { state: 'detached' });
    expect(await placed(page), phase).toEqual(before);
    expect(before, phase).toEqual(Object.fromEntries(wagerIdsOf(tiger).map((wager) => [wager, 2000])));
  }
  expect(complaints).toEqual([]);
  await dealer.leave();
});
