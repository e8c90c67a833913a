import { mkdirSync } from 'node:fs';
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { demoCredit } from '../../runtime/support/demo.ts';
import { replyTo } from '../../server/support/moneyReplies.ts';
import { PatronSocket, storeWithSecrets, secretOf } from '../../server/support/testServer.ts';
import { Dealer } from '../support/dealer.ts';
import { dialogFaults } from '../support/dialogFaults.ts';
import { resize, sampleSizes, violations } from '../support/appearance.ts';
import { chip, key as keyOf, meter, pageOf, settled, spot, toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

const by = (page: Page, name: string) => page.locator(`[data-testid=${name}]`);
const textOf = (page: Page, name: string): Promise<string> => by(page, name).innerText();

const openCollect = async (page: Page): Promise<void> => {
  await page.keyboard.press('o');
  await page.waitForSelector('dialog.collect');
};

/** Taps the key COLLECT of a terminal. */
const tapCollect = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'COLLECT' }).click();
  await page.waitForSelector('dialog.collect');
};

/** Waits until a meter has this value. */
const shows = async (page: Page, name: 'credit' | 'bet', cents: number): Promise<void> => {
  await expect.poll(() => meter(page, name)).toBe(cents);
};

const issue = async (page: Page): Promise<string> => {
  await by(page, 'collect-issue').click();
  await page.waitForSelector('[data-testid=ticket-number]');
  return textOf(page, 'ticket-number');
};

test('[ETG layout-1] COLLECT pays the whole credit as a ticket after one confirmation, and is disabled with the reason while a stake is open', async () => {
  const store = createMemoryStore();
  const dealer = await Dealer.at('tiger', { store });
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await chip(page, 1).click();
  await spot(page, 'tie').click();
  await settled(page);
  await page.waitForSelector('.bar-collect.is-dim');
  await tapCollect(page);
  expect(await by(page, 'collect-issue').isDisabled()).toBe(true);
  expect(await textOf(page, 'collect-reason')).toContain('You have an open bet.');
  await by(page, 'collect-back').click();
  await page.keyboard.press('c');
  await shows(page, 'credit', demoCredit);
  await tapCollect(page);
  expect(await textOf(page, 'ticket')).toContain('NOT YET ISSUED');
  expect(await textOf(page, 'ticket')).toContain('one thousand and 00/100');
  // Going back collects nothing.
  await by(page, 'collect-back').click();
  expect(await meter(page, 'credit')).toBe(demoCredit);
  await tapCollect(page);
  const number = await issue(page);
  expect(number).toMatch(/^\d{4} \d{4} \d{4} \d{4} \d{2}$/);
  expect(await textOf(page, 'collected')).toBe('1,000.00');
  // The ticket has a QR code.
  await page.waitForFunction(() => document.querySelector('.ticket-code path')!.getAttribute('d')!.length > 500);
  expect(await violations(page)).toEqual([]);
  await by(page, 'collect-done').click();
  await shows(page, 'credit', 0);
  await tapCollect(page);
  expect(await textOf(page, 'collect-reason')).toBe('There is no credit to collect.');
  await dealer.leave();
  expect((await verifyStore(store)).tickets).toEqual({ issued: demoCredit, paid: 0, outstanding: demoCredit });
});

test('[ETG layout-1] COLLECT stays disabled, and the server refuses it, until the stake has its result; then it pays all credit', async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared('8C 8D KC KD') });
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await chip(page, 1).click();
  await spot(page, 'tie').click();
  await settled(page);
  const terminal = await PatronSocket.join(dealer, secretOf('1'));
  const phases: string[] = [];
  for (const proceed of [
    () => Promise.resolve(),
    () => dealer.call(),
    () => dealer.close(),
    () => dealer.deal(2),
    () => dealer.deal(),
  ]) {
    await proceed();
    const { phase, round } = dealer.table;
    phases.push(`${phase} ${round!.cards.length}`);
    await page.waitForFunction(
      (dealt) => document.querySelectorAll('.flip.is-turned [data-card]').length === dealt,
      round!.cards.length,
    );
    await page.waitForSelector('.bar-collect.is-dim');
    await tapCollect(page);
    expect(await by(page, 'collect-issue').isDisabled(), phases.at(-1)).toBe(true);
    expect(await textOf(page, 'collect-reason'), phases.at(-1)).toContain('You have an open bet.');
    await by(page, 'collect-back').click();
    const id = `collect-${phases.length}`;
    expect(await replyTo(terminal, { type: 'collect', id }), phases.at(-1)).toMatchObject({ code: 'stakes-open' });
  }
  expect(phases).toEqual(['betting 0', 'closing 0', 'dealing 0', 'dealing 2', 'result 4']);
  expect(await meter(page, 'credit')).toBe(demoCredit - 500);
  await dealer.settle();
  await page.waitForSelector('.bar-collect:not(.is-dim)');
  await tapCollect(page);
  await issue(page);
  expect(await textOf(page, 'collected')).toBe('1,040.00');
  await by(page, 'collect-done').click();
  await shows(page, 'credit', 0);
  terminal.terminate();
  await dealer.leave();
});

test('a ticket is redeemed once, from the tray or by its number, and the demo takes bills', async () => {
  const store = createMemoryStore();
  const dealer = await Dealer.at('tiger', { store });
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await openCollect(page);
  await page.locator('[data-note="5000"]').click();
  await page.waitForSelector('[data-testid=slots-status]:text("50.00 was loaded.")');
  const number = await issue(page);
  await page.locator('[data-ticket]').click();
  await page.waitForSelector('[data-testid=slots-status]:text("1,050.00 was loaded.")');
  expect(await page.locator('[data-ticket]').count()).toBe(0);
  await by(page, 'collect-done').click();
  await shows(page, 'credit', demoCredit + 5_000);
  const other = await pageOf(secretOf('2'));
  await toTable(other, dealer, 'tiger');
  await openCollect(other);
  await by(other, 'slot').fill(number);
  await by(other, 'insert').click();
  await other.waitForSelector('[data-testid=slots-status]:text("This ticket has already been paid.")');
  const digits = number.replaceAll(' ', '');
  await by(other, 'slot').fill(`${digits.slice(0, 17)}${(Number(digits[17]) + 1) % 10}`);
  await by(other, 'insert').click();
  await other.waitForSelector('[data-testid=slots-status]:text("The ticket number was misread")');
  await dealer.leave();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('a ticket whose reply was lost with the page is shown when COLLECT is opened again', async () => {
  const dealer = await Dealer.at('tiger');
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  // The same terminal collects with the ID that this page had stored before it was lost.
  const guest = await PatronSocket.join(dealer, secretOf('1'), 'tiger');
  guest.send({ type: 'collect', id: 'lost-with-the-page' });
  const { ticket } = await guest.receive('collected');
  await page.evaluate(() => localStorage.setItem('punto.collect', 'lost-with-the-page'));
  await page.reload();
  await page.waitForSelector('.spot');
  await shows(page, 'credit', 0);
  await openCollect(page);
  await page.waitForSelector('[data-testid=ticket-number]');
  expect((await textOf(page, 'ticket-number')).replaceAll(' ', '')).toBe(ticket!.number);
  await dealer.leave();
});

test('COLLECT above the hand-pay limit gives no ticket and shows that staff pay by hand', async () => {
  const dealer = await Dealer.at('tiger', { handPay: demoCredit - 1 });
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await openCollect(page);
  await by(page, 'collect-issue').click();
  await page.waitForSelector('[data-testid=collect-status]:text("The terminal is locked")');
  expect(await page.locator('#collect-title').innerText()).toContain('To be paid by hand');
  expect(await textOf(page, 'ticket')).toContain('NO TICKET');
  expect(await by(page, 'ticket-number').count()).toBe(0);
  await dealer.leave();
});

test('[READING 60] COLLECT without credit ends the session without a ticket, and the next patron starts another', async () => {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const key = Buffer.alloc(32, 7);
  const store = await storeWithSecrets(key, [
    [terminal, 'E7', 'terminal'],
    [acceptor, 'E7', 'acceptor'],
  ]);
  const dealer = await Dealer.at('tiger', { store, key, credit: null, chance: prepared('9H 2S KS QS') });
  const notes = await PatronSocket.join(dealer, acceptor);
  notes.send({ type: 'load', id: 'load-0001', amount: 500 });
  const page = await pageOf(terminal);
  await toTable(page, dealer, 'tiger');
  await shows(page, 'credit', 500);
  await chip(page, 1).click();
  await spot(page, 'tie').click();
  await settled(page);
  await dealer.settle();
  await dealer.open();
  await page.waitForSelector('.bar-collect:not(.is-dim)');
  await openCollect(page);
  expect(await page.locator('#collect-title').innerText()).toContain('End the session');
  expect(await textOf(page, 'ticket')).toContain('NO TICKET');
  for (const [width, height] of sampleSizes) {
    await resize(page, width, height);
    await expect.poll(() => dialogFaults(page, 'dialog.collect')).toEqual([]);
  }
  await page.setViewportSize({ width: 1366, height: 768 });
  await by(page, 'collect-issue').click();
  await page.waitForSelector('[data-testid=collect-status]:text("There was nothing left to collect.")');
  expect(await by(page, 'collect-print').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await by(page, 'collect-done').click();
  expect(await by(page, 'session-clock').innerText()).toContain('no session');
  expect(await keyOf(page, 'RE-BET').getAttribute('aria-disabled')).toBe('true');
  notes.send({ type: 'load', id: 'load-0002', amount: 1_000 });
  await shows(page, 'credit', 1_000);
  await page.keyboard.press('u');
  await page.waitForSelector('[data-testid=recall-none]');
  notes.terminate();
  await dealer.leave();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('used-up demo credit is refilled with a notice', async () => {
  const dealer = await Dealer.at('tiger', { credit: 100, chance: prepared('9H 2S KS QS') });
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await chip(page, 0).click();
  await spot(page, 'tie').click();
  await settled(page);
  await dealer.settle();
  await page.waitForSelector('[data-testid=refilled]:text("1.00 was added")');
  await shows(page, 'credit', 100);
  await by(page, 'refilled').getByRole('button').click();
  await page.waitForSelector('[data-testid=refilled]', { state: 'detached' });
  expect(await meter(page, 'credit')).toBe(100);
  await dealer.leave();
});

test('COLLECT and the ticket fit every size, in both languages', async () => {
  const dealer = await Dealer.at('tiger');
  const folder = process.env['PUNTO_PICTURES'];
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  for (const state of ['draft', 'issued']) {
    for (const language of ['en', 'zh']) {
      await openCollect(page);
      if (state === 'issued') {
        if (language === 'zh') await page.locator('[data-note="1000"]').click();
        await page.waitForSelector('[data-testid=collect-issue]:enabled');
        await issue(page);
        await page.waitForFunction(() => document.querySelector('.ticket-code path')!.getAttribute('d')!.length > 500);
      }
      for (const [width, height] of sampleSizes) {
        await resize(page, width, height);
        await expect
          .poll(() => dialogFaults(page, 'dialog.collect'), { message: `${state} ${language} ${width}x${height}` })
          .toEqual([]);
        if (folder !== undefined) {
          await page.screenshot({ path: `${folder}/collect-${state}-${language}-${width}x${height}.png` });
        }
      }
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog.collect', { state: 'detached' });
      await page.keyboard.press('l');
    }
  }
  await dealer.leave();
});

test('only the ticket is printed, in black on white', async () => {
  const dealer = await Dealer.at('tiger');
  const page = await pageOf(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await openCollect(page);
  await issue(page);
  await page.emulateMedia({ media: 'print' });
  const paper = await page.evaluate(() => {
    const isVisible = (one: Element): boolean => getComputedStyle(one).visibility === 'visible';
    const shown = [...document.querySelectorAll('body *')].filter(
      (one) => isVisible(one) && one.getClientRects().length > 0,
    );
    const dark = [document.documentElement, document.body, ...shown].filter((one) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(one);
      return backgroundImage !== 'none' || !['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'].includes(backgroundColor);
    });
    const letters = shown.filter((one) => one.closest('svg') === null);
    return {
      others: shown.filter((one) => one.closest('.ticket') === null).length,
      dark: dark.map((one) => one.className),
      inks: [...new Set(letters.map((one) => getComputedStyle(one).color))],
    };
  });
  expect(paper).toEqual({ others: 0, dark: [], inks: ['rgb(0, 0, 0)'] });
  await dealer.leave();
});

test.each([
  ['a ticket', demoCredit + 1_000, 'ticket'],
  ['a hand-pay', demoCredit + 999, 'hand-pay'],
] as const)(
  '[ETG 1.1.12] CREDIT rises with a load, a stake moves from CREDIT to BET, and COLLECT leaves 0.00 against %s',
  async (_, handPay, paid) => {
    const dealer = await Dealer.at('tiger', { handPay });
    const page = await pageOf(secretOf('1'));
    await toTable(page, dealer, 'tiger');
    const terminal = await PatronSocket.join(dealer, secretOf('1'));
    await shows(page, 'credit', demoCredit);
    expect(await replyTo(terminal, { type: 'load', id: 'load-0001', amount: 1_000 })).toMatchObject({ type: 'loaded' });
    await shows(page, 'credit', demoCredit + 1_000);
    await chip(page, 1).click();
    await spot(page, 'tie').click();
    await settled(page);
    await shows(page, 'bet', 500);
    await shows(page, 'credit', demoCredit + 500);
    await page.keyboard.press('c');
    await shows(page, 'bet', 0);
    await shows(page, 'credit', demoCredit + 1_000);
    await openCollect(page);
    await by(page, 'collect-issue').click();
    if (paid === 'ticket') await page.waitForSelector('[data-testid=ticket-number]');
    else await page.waitForSelector('[data-testid=collect-status]:text("The terminal is locked")');
    expect(await by(page, 'ticket-number').count()).toBe(paid === 'ticket' ? 1 : 0);
    await shows(page, 'credit', 0);
    expect(await meter(page, 'bet')).toBe(0);
    terminal.terminate();
    await dealer.leave();
  },
);
