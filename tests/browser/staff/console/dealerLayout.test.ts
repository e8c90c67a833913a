import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleOf } from '../../../times.ts';
import { violations } from '../../support/appearance.ts';
import { flaws, latinIn } from '../../support/textChecks.ts';
import { StaffPage } from '../support/staffPage.ts';
import { states } from './dealerStates.ts';

import { openedByKeys, setLanguage, showState } from './showState.ts';

const sizes = [
  [1366, 768],
  [1920, 1080],
  [1024, 768],
] as const;

const keysOf = (text: string): readonly string[] => text.split('');

let staffPage: StaffPage;
beforeAll(async () => {
  staffPage = await StaffPage.at('/dealer/L11', states['idle']!(Date.now()));
  await staffPage.page.waitForSelector('.console');
});
afterAll(() => staffPage.leave());

const boxes =
  '.panel:not(.msgs), .say, .go, .also button, .foot .btn, .top, .way, .group button, .pop, .sheet-head, .lock, .tag';

/** Elements that cannot be read or hit, except those covered on purpose. */
async function layoutFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    const over = document.querySelector('.sheet, .veil, .clauses') !== null;
    const pop = document.querySelector('.pop');
    for (const one of document.querySelectorAll<HTMLElement>('.console, .foot'))
      one.style.visibility = over || pop ? 'hidden' : '';
    for (const one of document.querySelectorAll<HTMLElement>('.pad.locked button')) one.style.visibility = 'hidden';
    const aside = document.querySelector<HTMLElement>('.aside');
    if (aside && document.querySelector('.touchpad')) aside.style.visibility = 'hidden';
  });
  const found = await flaws(page, boxes, 0);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button:not(.cite), a')].flatMap((one) => {
      const { width, height } = one.getBoundingClientRect();
      const isFine = width === 0 || (width >= 43.5 && height >= 43.5);
      return isFine ? [] : [`too small: ${one.textContent} ${Math.round(width)}x${Math.round(height)}`];
    }),
  );
  const high = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('.console, .foot, .aside, .pad button'))
      one.style.visibility = '';
  });
  return [...found, ...small, ...(high > 0 ? [`${high} pixels too high`] : [])];
}

const names = [...Object.keys(states), ...Object.keys(openedByKeys)];

/** About one in three, each in one size. */
test.each(sampleOf('states', names, 17))(
  'the dealer console can be read and operated in both languages: %s',
  async (name) => {
    await showState(staffPage, name);
    for (const to of ['en', 'zh'] as const) {
      await setLanguage(staffPage, to);
      for (const [width, height] of sampleOf(`${name} ${to}`, sizes, 1)) {
        await staffPage.page.setViewportSize({ width, height });
        await staffPage.waitUntilDrawn();
        expect(await layoutFaults(staffPage.page), `${name} ${to} ${width}`).toEqual([]);
      }
      if (to === 'zh') {
        const allowed =
          /(ETG|BAC|SUP|ELM|FAB|HOUSE) [\d.]+|[A-Z]-\d+|Punto|Enter|Bksp|Esc|Shift|EN: switch to English|\bEN\b|CDHS|\bred\b|BA1D-8D81/g;
        expect(await latinIn(staffPage.page, allowed), name).toEqual([]);
      }
    }
    await setLanguage(staffPage, 'en');
    await staffPage.page.setViewportSize({ width: 1366, height: 768 });
    await staffPage.waitUntilDrawn();
    expect(await violations(staffPage.page), name).toEqual([]);
    expect(staffPage.complaints).toEqual([]);
  },
);

test('touch operates card pad, report, ruling and approval', async () => {
  const touch = await StaffPage.at('/dealer/L11', states['third']!(Date.now()), true, 1024, 768);
  const { page } = touch;
  await page.locator('[data-card="8H"]').tap();
  await expect.poll(() => touch.commands.at(-1)).toEqual({ type: 'DealCard', slot: 'P3', card: '8H', keyed: true });
  await touch.showDealer(states['wrong']!(Date.now()));
  await page.getByTestId('wrong').tap();
  await page.locator('[data-kind=wrong-order]').tap();
  await expect.poll(() => touch.commands.at(-1)).toEqual({ type: 'ReportIrregularity', kind: 'wrong-order' });
  await touch.showDealer(states['held']!(Date.now()));
  await page.locator('[data-way=void]').tap();
  await page.getByTestId('next').tap();
  await expect.poll(() => touch.commands.at(-1)?.type).toBe('VoidRound');
  await touch.showDealer(states['approve']!(Date.now()));
  await page.locator('[data-field=number]').tap();
  for (const char of keysOf('S-031')) await page.locator(`.touchpad [data-char="${char}"]`).tap();
  await page.locator('[data-field=pin]').tap({ force: true });
  for (const char of keysOf('246810')) await page.locator(`.touchpad [data-char="${char}"]`).tap();
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByTestId('approve').tap();
  await expect.poll(() => touch.messages.at(-1)).toMatchObject({ type: 'consent', number: 'S-031', pin: '246810' });
  await touch.leave();
});

test('a lost connection is shown, and no key has an effect', async () => {
  const lost = await StaffPage.at('/dealer/L11', states['third']!(Date.now()));
  await lost.page.waitForSelector('.console');
  lost.cut();
  await lost.page.getByTestId('connection').waitFor();
  expect(await lost.page.getByTestId('next').innerText()).toContain('Wait: no connection');
  expect(await lost.page.locator('.pad.locked').count()).toBe(1);
  await lost.type('8', 'h', 'w');
  expect(lost.commands).toEqual([]);
  expect(await layoutFaults(lost.page)).toEqual([]);
  expect(await violations(lost.page)).toEqual([]);
  await lost.leave();
});
