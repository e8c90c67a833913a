import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { Dealer } from '../support/dealer.ts';
import { dialogFaults } from '../support/dialogFaults.ts';
import { resize, sampleSizes, violations } from '../support/appearance.ts';
import { chip, pageWith, refusal, settled, spot, toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

const help = { en: 'Call 1800 at any hour.', zh: '请随时致电 1800。' };
const hour = 3_600_000;

const openLimits = async (page: Page): Promise<void> => {
  await page.locator('[data-testid=session-clock]').click();
  await page.waitForSelector('.limits');
};
const textOf = (page: Page, name: string): Promise<string> => page.locator(`[data-testid=${name}]`).innerText();
const lower = (page: Page, name: 'loss' | 'stake') => page.locator(`[data-limit=${name}] .limits-lower`);

test('a session limit is set and lowered with two taps and applies at once, and a bet above it is refused with the reason', async () => {
  const dealer = await Dealer.at('tiger', { responsibleGaming: { realityCheckMs: 24 * hour, help } });
  const { page, complaints } = await pageWith(secretOf('1'));
  await toTable(page, dealer, 'tiger');
  await openLimits(page);
  expect(await textOf(page, 'limits-help')).toBe(help.en);
  expect(await textOf(page, 'limits-stake')).toContain('no limit');
  await lower(page, 'stake').click();
  await page.locator('[data-choice="5000"]').click();
  await page.waitForFunction(() => document.querySelector('[data-testid=limits-stake]')!.textContent.includes('50.00'));
  expect(await textOf(page, 'limits-stake')).toBe('0.00 of 50.00');
  // Only lower limits are on offer.
  await lower(page, 'stake').click();
  const choices = await page.$$eval('[data-limit=stake] [data-choice]', (keys) =>
    keys.map((key) => Number(key.getAttribute('data-choice'))),
  );
  expect(choices).toEqual([2000, 1000]);
  await page.getByRole('button', { name: 'KEEP PLAYING' }).click();
  await chip(page, 3).click();
  await spot(page, 'banker').click();
  expect(await refusal(page)).toContain('That is above your limit for one round; bet less.');
  await chip(page, 2).click();
  await spot(page, 'banker').click();
  await settled(page);
  await openLimits(page);
  expect(await textOf(page, 'limits-stake')).toBe('25.00 of 50.00');
  const part = await page.$eval(
    '[data-limit=stake] .limits-bar i',
    (bar) => bar.getBoundingClientRect().width / bar.parentElement!.getBoundingClientRect().width,
  );
  expect(part).toBeCloseTo(0.5);
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('during a break nothing can be staked, and the dialog shows its end', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await pageWith(secretOf('2'));
  await toTable(page, dealer, 'tiger');
  await openLimits(page);
  await page.locator('[data-testid=limits-break]').click();
  await page.locator('[data-choice="30"]').click();
  await page.waitForSelector('[data-testid=limits-paused]');
  expect(await textOf(page, 'limits-paused')).toMatch(
    /^You are on a break until .*\d\d:\d\d; you cannot bet until then\.$/,
  );
  // A shorter break is refused, and the dialog shows why.
  await page.locator('[data-testid=limits-break]').click();
  await page.locator('[data-choice="15"]').click();
  expect(await textOf(page, 'limits-failure')).toBe('A limit or a break can only be made stricter.');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-testid=break]');
  // Chips and spots are disabled until the break is over.
  await spot(page, 'tie').click({ force: true });
  expect(await spot(page, 'tie').getAttribute('aria-disabled')).toBe('true');
  expect(await page.locator('[data-wager].is-pending, [data-stake]').count()).toBe(0);
  await dealer.leave();
});

test('a reality check shows time and result once per interval and is closed by one key', async () => {
  const secret = secretOf('3');
  const dealer = await Dealer.at('tiger', {
    responsibleGaming: { realityCheckMs: hour, help: null },
    chance: prepared('2C KD 2D 6S KH', '8C 8D KC KD', '2C 3D 2D KS 5H 2H'),
  });
  const guest = await PatronSocket.join(dealer.server, secret, 'tiger');
  guest.send({
    type: 'slip',
    id: 'slip-0001',
    table: 'tiger',
    round: await guest.bettingRound(),
    slip: { player: 5000 },
  });
  await guest.receive('accepted');
  guest.terminate();
  const { page } = await pageWith(secret);
  await toTable(page, dealer, 'tiger');
  // A round takes fifty minutes here.
  await dealer.open();
  await page.reload();
  await page.waitForSelector('[data-testid=session-clock]');
  expect(await page.locator('.reminder').count()).toBe(0);
  await dealer.open();
  await page.waitForSelector('.reminder');
  expect(await page.locator('#reminder-title').innerText()).toContain('You have played for 1 hour');
  expect(await page.locator('.reminder [data-testid=limits-net]').innerText()).toBe('−50.00');
  // Keys of the table have no effect behind the dialog.
  await page.keyboard.press('h');
  expect(await page.locator('dialog').count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reminder', { state: 'detached' });
  await page.reload();
  await page.waitForSelector('[data-testid=session-clock]');
  expect(await page.locator('.reminder').count()).toBe(0);
  await dealer.open();
  await page.waitForSelector('.reminder');
  expect(await page.locator('#reminder-title').innerText()).toContain('2 hours');
  await dealer.leave();
});

test('limits and COLLECT open in the lobby and in the menu of a phone', async () => {
  const dealer = await Dealer.at('tiger');
  const { page, complaints } = await pageWith(secretOf('5'));
  await toTable(page, dealer, 'tiger');
  await page.goto(`${dealer.address}#/`);
  await openLimits(page);
  expect(await page.locator('#limits-title').innerText()).toContain('No session has begun yet');
  await page.getByRole('button', { name: 'COLLECT' }).click();
  await page.waitForSelector('.collect');
  expect(await page.locator('.limits').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.collect', { state: 'detached' });
  await page.setViewportSize({ width: 390, height: 844 });
  await toTable(page, dealer, 'tiger');
  await page.locator('.bar-menu').click();
  await page.locator('.menu-keys').getByRole('button', { name: 'MY LIMITS' }).click();
  await page.waitForSelector('.limits');
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('limits, break and help fit every size in both languages, have large keys, and pass axe', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await pageWith(secretOf('4'));
  await toTable(page, dealer, 'tiger');
  for (const language of ['en', 'zh']) {
    await page.evaluate((to) => localStorage.setItem('punto.language', to), language);
    await page.reload();
    await page.waitForSelector('[data-testid=session-clock]');
    await openLimits(page);
    for (const opened of ['[data-limit=loss] .limits-lower', '[data-testid=limits-break]']) {
      await page.locator(opened).click();
      for (const [width, height] of sampleSizes) {
        await resize(page, width, height);
        expect(await dialogFaults(page, '.limits'), `${width}x${height} ${language}`).toEqual([]);
      }
    }
    expect(await violations(page)).toEqual([]);
    if (language === 'zh') expect(await page.locator('.limits').innerText()).not.toMatch(/[A-Za-z]{2}/);
  }
  await dealer.leave();
});
