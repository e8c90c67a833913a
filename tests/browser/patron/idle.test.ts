import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { demoCredit } from '../../runtime/support/demo.ts';
import { type ServerMessage } from '../../../src/wire/messages.ts';
import { startTestServer, secretOf } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { atSizesAndLanguages, faults, sampleSizes, violations } from '../support/appearance.ts';
import { Stage, record } from '../support/recordedViews.ts';
import { called, chip, key, meter, pageOf, placed, settled, spot, toTable } from '../support/patron.ts';
import { screens } from '../support/screens.ts';

// A terminal that takes no bets although its table does: locked until staff have paid, or on a break.

const by = (page: Page, name: string) => page.locator(`[data-testid=${name}]`);

/** Collects from the page; the dialog stays open. */
async function collect(page: Page): Promise<void> {
  await page.keyboard.press('o');
  await by(page, 'collect-issue').click();
  await page.waitForSelector('[data-testid=collect-status]');
}

/** Chips, spots and keys have no effect. */
async function isDead(page: Page): Promise<void> {
  expect(await page.locator('.chip-key[aria-disabled=true]').count()).toBe(await page.locator('.chip-key').count());
  expect(await spot(page, 'tie').getAttribute('aria-disabled')).toBe('true');
  for (const name of ['DOUBLE', 'RE-BET']) expect(await key(page, name).getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('1');
  await spot(page, 'tie').click({ force: true });
  expect(await page.locator('[data-wager=tie].is-pending, [data-testid=refusal]').count()).toBe(0);
}

/** The notice fits every size in both languages. */
async function fits(page: Page, name: string): Promise<void> {
  const check = async (label: string): Promise<void> => {
    await page.waitForSelector(`[data-testid=${name}]`);
    expect(await faults(page), `${name} ${label}`).toEqual([]);
  };
  await atSizesAndLanguages(page, check, sampleSizes);
  await page.setViewportSize({ width: 1366, height: 768 });
  expect(await violations(page)).toEqual([]);
}

/** Staff pay the pending amount and unlock the terminal. */
async function payByHand({ floor }: Server, amount: number): Promise<void> {
  const actor = { person: 's1' };
  const context = { authority: { role: 'supervisor' } };
  const pay = { type: 'PayByHand', what: 'cancelled-credit', amount, actor, second: { person: 'p1' } };
  await floor.terminals.submit('T1', 'pay-1', pay, { ...context, secondAuthority: { role: 'pit-manager' } });
  await floor.terminals.submit('T1', 'unlock-1', { type: 'UnlockTerminal', reason: 'It is paid.', actor }, context);
}

test('[HOUSE 2] a locked terminal shows the amount owed at the table, in the lobby and after a reload, until it is paid', async () => {
  const dealer = await Dealer.at('tiger', { handPay: demoCredit - 1 });
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await collect(page);
  await by(page, 'collect-done').click();
  await called(page, 'Terminal locked');
  const isLocked = async (): Promise<void> =>
    expect(await by(page, 'locked').innerText()).toMatch(/locked[^]*stay at the terminal[^]*1,000\.00/);
  await isLocked();
  await isDead(page);
  await fits(page, 'locked');
  await page.reload();
  await page.waitForSelector('[data-testid=locked]');
  await isLocked();
  await isDead(page);
  await page.keyboard.press('o');
  expect(await by(page, 'collect-status').innerText()).toContain('1,000.00');
  expect(await page.locator('[data-note]:enabled, [data-testid=insert]:enabled').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  for (const sight of ['roads', 'tables']) {
    await page.keyboard.press('v');
    await page.waitForSelector(`.sight-${sight} [data-testid=locked]`);
  }
  await page.goto(`${dealer.address}#/`);
  await page.waitForSelector('.lobby [data-testid=locked]');
  await isLocked();
  await payByHand(dealer.server, demoCredit);
  await page.waitForSelector('[data-testid=locked]', { state: 'detached' });
  await toTable(page, dealer, 'tiger');
  await called(page, 'Place your bets, please');
  expect(await by(page, 'session-clock').innerText()).toContain('no session');
  await spot(page, 'tie').click();
  expect(await by(page, 'refusal').innerText()).toContain('insert a bill or a ticket');
  await dealer.leave();
});

test('during a break table and lobby show its end, and stakes can only be lowered', async () => {
  const dealer = await Dealer.at('tiger');
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await chip(page, 1).click();
  await spot(page, 'banker').click();
  await settled(page);
  await page.keyboard.press('k');
  await by(page, 'limits-break').click();
  await page.locator('[data-choice="15"]').click();
  await page.waitForSelector('[data-testid=limits-paused]');
  expect(await page.locator('.limits-keys').innerText()).not.toContain('KEEP PLAYING');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-testid=call] .bi-1:text-matches("^Break until .*[0-9]{2}:[0-9]{2}")');
  expect(await by(page, 'break').innerText()).toMatch(/You are on a break until .*\d\d:\d\d/);
  await isDead(page);
  await fits(page, 'break');
  await page.goto(`${dealer.address}#/`);
  await page.waitForSelector('.lobby [data-testid=break]');
  await toTable(page, dealer, 'tiger');
  await page.waitForSelector('[data-testid=break]');
  await key(page, 'CLEAR BET').click();
  await settled(page);
  expect([await placed(page), await meter(page, 'credit')]).toEqual([{}, demoCredit]);
  await dealer.leave();
});

test('the session after COLLECT can neither undo nor repeat stakes of the one before', async () => {
  const dealer = await Dealer.at('tiger');
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await spot(page, 'player').click();
  await settled(page);
  await dealer.open();
  await called(page, 'Place your bets, please');
  await spot(page, 'banker').click();
  await settled(page);
  await key(page, 'CLEAR BET').click();
  await settled(page);
  expect(await key(page, 'RE-BET').getAttribute('aria-disabled')).toBe('false');
  await collect(page);
  await page.locator('[data-note="100000"]').click();
  await page.waitForSelector('[data-testid=slots-status]:text("1,000.00 was loaded.")');
  await by(page, 'collect-done').click();
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')!.textContent === '1,000.00');
  for (const name of ['UNDO', 'RE-BET']) expect(await key(page, name).getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Backspace');
  expect(await placed(page)).toEqual({});
  await dealer.leave();
});

test('a stopped table shows who decides, by which clause, and that accepted bets stay in force', async () => {
  const floor = await startTestServer({ screensFolder: await screens() });
  const { page } = await freshPage(1366, 768);
  const stage = await Stage.on(page);
  await page.goto(floor.address);
  const { messages } = await record('tiger');
  for (const phase of ['betting', 'dealing'] as const) {
    const stoppedBy = (kind: string): readonly ServerMessage[] =>
      messages[phase].map((message) =>
        message.type === 'table'
          ? { ...message, view: { ...message.view, stopped: { kind, by: 'ETG 5.7' } } }
          : message,
      );
    for (const [kind, text] of [
      ['wrong-number', 'The supervisor decides what follows'],
      ['cannot-record', 'Nothing can be recorded just now'],
      ['broken', 'call the supervisor'],
    ] as const) {
      await stage.showMessages('tiger', ...stoppedBy(kind));
      await page.waitForSelector(`[data-testid=stopped]:has-text("${text}")`);
      expect(await by(page, 'stopped').innerText()).toMatch(/ETG 5\.7[^]*Your bets in round #1 stand\s+160\.00$/);
    }
  }
  await floor.close();
});
