import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoPin } from '../../../../src/runtime/staff/initialStaff.ts';
import { freshPage } from '../../support/browser.ts';
import { Live } from '../../support/live.ts';
import { chip, settled, spot, toTable } from '../../support/patron.ts';
import { addKeyClock, passEnterGuard } from '../support/keyboard.ts';

// Rulings from the screens to the event log and back, with a server and a patron.

/** Errors of the pages. */
const complaints: (readonly string[])[] = [];

/** Member of the demo staff at a page. */
async function signedIn(live: Live, number: string, path: string): Promise<Page> {
  const { page, complaints: own } = await freshPage(1366, 768);
  complaints.push(own);
  await addKeyClock(page);
  await page.goto(new URL('/sign-in', live.address).href);
  await page.evaluate(async (who) => {
    const answer = await fetch('/staff/demo', {
      method: 'POST',
      headers: { 'x-punto-staff': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ number: who }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }, number);
  await page.goto(new URL(path, live.address).href);
  await page.waitForSelector('main:not(.soon)');
  return page;
}

test('patrons are paid by the ruling that one supervisor proposes and another approves, and it can be corrected and referred', async () => {
  const live = await Live.at('L11');
  const { page: patron } = await freshPage(1366, 768);
  await toTable(patron, live, 'L11');
  await live.shoe('one');
  await live.open();
  await patron.waitForSelector('.ring');
  await chip(patron, 2).click();
  await spot(patron, 'tiger').click();
  await settled(patron);
  await live.close();
  await live.deal('AC 3H 4D 2S 8D');
  const table = await signedIn(live, 'S-2', '/floor/L11');
  expect(await table.locator('[data-testid=events]').innerText()).toContain('Bets closed');
  await live.by('d1', 'ReportIrregularity', { kind: 'wrong-order', note: 'Second and third card were swapped' });

  const first = await signedIn(live, 'S-1', '/floor/L11/ruling');
  await first.waitForSelector('[data-testid=matrix]');
  expect(await first.locator('[data-terminal]').count()).toBe(1);
  await first.keyboard.press('o');
  await first.keyboard.press('ArrowRight');
  await first.keyboard.press('Shift+ArrowRight');
  await first.keyboard.press('Escape');
  await first.waitForFunction(() => document.querySelector('[data-ruling=reconstruct]')?.textContent !== '–');
  await passEnterGuard(first);
  await first.keyboard.press('Enter');
  await first.waitForSelector('[data-testid=sign-bar]');

  await table.keyboard.press('r');
  await table.waitForSelector('[data-testid=effects]');
  await passEnterGuard(table);
  const fragment = await first.locator('[data-testid=fragment]').innerText();
  expect(await table.locator('[data-testid=fragment]').innerText()).toBe(fragment);
  await table.keyboard.type(demoPin);
  await table.keyboard.press('Enter');
  await table.waitForSelector('main.soon');
  expect(live.table.table.round!.cards).toEqual(['AC', '4D', '3H', '2S', '8D']);
  await live.settle();
  const { id } = live.table.table.round!;

  // A card of it was read wrongly.
  await first.goto(new URL(`/rounds/${encodeURIComponent(id)}/correct`, live.address).href);
  await first.waitForSelector('[data-testid=which]');
  for (const key of ['4', '3', 's']) await first.keyboard.press(key);
  await first.waitForSelector('[data-session]');
  await first.fill('[data-field=reason]', 'A three was read as a two');
  await first.press('[data-field=reason]', 'Enter');
  await passEnterGuard(first);
  await first.keyboard.press('Enter');
  await first.waitForSelector('[data-testid=sign-bar]');
  const manager = await signedIn(live, 'G-1', '/floor/L11');
  await manager.waitForSelector('[data-testid=sign-bar]');
  await passEnterGuard(manager);
  await manager.keyboard.type(demoPin);
  await manager.keyboard.press('Enter');
  await manager.waitForSelector('[data-testid=sign-bar]', { state: 'detached' });
  expect(live.table.table.round!.cards[3]).toBe('3S');

  // A case that no rule covers is referred, and decided with a reason.
  await table.goto(new URL('/floor/L11', live.address).href);
  await table.waitForSelector('[data-act=F]');
  await table.keyboard.press('f');
  await table.fill('[data-field=reason]', 'A patron disputes the correction');
  await table.press('[data-field=reason]', 'Enter');
  await passEnterGuard(table);
  await table.keyboard.press('Enter');
  await manager.waitForSelector('[data-act=E]');
  await manager.keyboard.press('e');
  await manager.waitForSelector('[data-testid=decide]');
  await manager.fill('[data-field=reason]', 'The camera shows the three');
  await manager.press('[data-field=reason]', 'Enter');
  await manager.keyboard.press('2');
  await passEnterGuard(manager);
  await manager.keyboard.press('Enter');
  await manager.waitForSelector('main.soon');
  expect(live.table.table.referrals).toEqual([]);
  expect(complaints.flat()).toEqual([]);
  await live.leave();
});
