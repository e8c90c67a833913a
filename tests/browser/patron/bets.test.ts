import { expect, test } from 'vitest';
import { shortcutKeys } from '../../../src/web/patron/app/shortcuts.ts';
import { demoSettings } from '../../runtime/support/demo.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { freshPage, movingPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { atSizesAndLanguages, faults, violations } from '../support/appearance.ts';
import { call, cardsOut, chip, key, meter, placed, refusal, settled, spot, toTable } from '../support/patron.ts';
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
  { table: 'baccarat', placing: 'BAC 5.6', raising: 'BAC 5.6' },
  { table: 'sands-super', placing: 'SUP 5.6', raising: 'SUP 5.6' },
  { table: 'sands-elements', placing: 'ELM 5.6', raising: 'ELM 5.6' },
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

test.each([
  ['ETG 5.4', 'tiger'],
  ['BAC 5.7', 'baccarat'],
  ['SUP 5.7', 'sands-super'],
  ['ELM 5.7', 'sands-elements'],
  ['FAB 5.7', 'fabulous-4'],
])('[%s] at %s UNDO, CLEAR BET and COLLECT take no stake after the close, by touch or by key', async (by, table) => {
  const dealer = await Dealer.at(table);
  const { page, complaints } = await freshPage(1366, 768);
  const sent: { readonly type: string }[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => sent.push(JSON.parse(String(payload)) as { readonly type: string })),
  );
  await toTable(page, dealer, table);
  for (const wager of ['tie', 'player']) {
    await spot(page, wager).click();
    await settled(page);
  }
  const slip = { tie: 500, player: 500 };
  const terminal = Object.keys(dealer.table.round!.slips)[0]!;
  for (const proceed of [() => dealer.close(), () => dealer.deal(3), () => dealer.deal()]) {
    await proceed();
    await cardsOut(page, dealer.table.round!.cards.length);
    const before = sent.length;
    for (const name of ['UNDO', 'CLEAR BET']) {
      expect(await key(page, name).getAttribute('aria-disabled')).toBe('true');
      await key(page, name).click({ force: true });
    }
    for (const name of ['undo', 'clear'] as const) await page.keyboard.press(shortcutKeys[name]);
    await page.keyboard.press(shortcutKeys.collect);
    await page.waitForSelector('dialog.collect');
    expect(await page.getByTestId('collect-issue').isDisabled()).toBe(true);
    expect(await page.getByTestId('collect-reason').innerText()).toContain('You have an open bet.');
    await page.getByTestId('collect-back').click();
    await settled(page);
    expect(await placed(page)).toEqual(slip);
    expect([await meter(page, 'bet'), await meter(page, 'credit')]).toEqual([1000, 99_000]);
    expect(sent.slice(before).filter(({ type }) => type === 'slip' || type === 'collect')).toEqual([]);
    expect(dealer.table.round!.slips).toEqual({ [terminal]: slip });
  }
  // A slip that another program sends for this terminal is refused too.
  const secret = await page.evaluate(() => localStorage.getItem('punto.secret')!);
  const guest = await PatronSocket.join(dealer.server, secret, table);
  const late = { type: 'slip', table, round: dealer.table.round!.id };
  for (const [n, fewer] of [{ tie: 500 }, { tie: 500, player: 100 }, {}].entries()) {
    expect(await guest.refusalOf({ ...late, id: `slip-000${n}`, slip: fewer })).toMatchObject({
      code: 'late-withdrawal',
      by,
    });
  }
  guest.terminate();
  expect(dealer.table.round!.slips).toEqual({ [terminal]: slip });
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
    /** The opacity of each stack of chips, and the bet meter: what is held back is pale and no bet. */
    const stacks = (): Promise<{ readonly [wager: string]: string }> =>
      page.$$eval('[data-wager] .stack-chips', (all) =>
        Object.fromEntries(
          all.map((one) => [one.closest('[data-wager]')!.getAttribute('data-wager')!, getComputedStyle(one).opacity]),
        ),
      );
    expect(await page.locator('.legend .least').innerText()).toBe('Total Minimum Bet 20.00');
    await spot(page, 'tiger').click();
    await page.waitForSelector('[data-wager=tiger].is-below');
    expect(await lacking()).toBe('Not sent yet: Tiger needs 5.00 more for its minimum.');
    await expect.poll(stacks).toEqual({ tiger: '0.5' });
    await spot(page, 'tiger').click();
    expect(await lacking()).toBe('Not sent yet: 10.00 more is needed for the total minimum.');
    await spot(page, 'player').click();
    expect(await lacking()).toBe('Not sent yet: 5.00 more is needed for the total minimum.');
    await expect.poll(stacks).toEqual({ tiger: '0.5', player: '0.5' });
    expect([await meter(page, 'bet'), await meter(page, 'credit')]).toEqual([0, 100_000]);
    expect(Object.values(dealer.table.round!.slips)).toEqual([]);
    // The server refuses such a slip, however it is divided.
    const guest = await PatronSocket.join(dealer.server, secretOf('9'), 'tiger');
    const round = await guest.bettingRound();
    const sent = (id: string, slip: object) => ({ type: 'slip', id, table: 'tiger', round, slip });
    for (const [n, slip] of [{ player: 1000 }, { player: 1900 }, { player: 900, tiger: 1000 }].entries()) {
      expect(await guest.refusalOf(sent(`slip-000${n}`, slip))).toMatchObject({
        code: 'under-total-minimum',
        by: 'ETG 2.2',
        message: 'The minimum for all bets together is 2000; stake more or nothing.',
      });
    }
    guest.send(sent('slip-0009', { player: 1000, tiger: 1000 }));
    await guest.receive('accepted', ({ id }) => id === 'slip-0009');
    guest.terminate();
    await spot(page, 'player').click();
    await settled(page);
    expect(await page.getByTestId('lacking').count()).toBe(0);
    expect(await stacks()).toEqual({ tiger: '1', player: '1' });
    expect(await meter(page, 'bet')).toBe(2000);
    expect(Object.values(dealer.table.round!.slips)).toEqual([
      { player: 1000, tiger: 1000 },
      { tiger: 1000, player: 1000 },
    ]);
    expect(complaints).toEqual([]);
    await dealer.leave();
  },
);

test('[ETG layout-12] the line states the total minimum of the picture, 1.00', async () => {
  const dealer = await Dealer.at('tiger', { settings: { totalMinimum: 100 } });
  const { page } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  expect(await page.locator('.legend .least').innerText()).toBe('Total Minimum Bet 1.00');
  expect(await page.locator('.legend .least').isVisible()).toBe(true);
  await dealer.leave();
});
