import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { freshPage } from '../support/browser.ts';
import { Live } from '../support/live.ts';
import { call, called, cardsOut, chip, meter, settled, spot, toTable, winner } from '../support/patron.ts';

// Patrons at attended tables: the page shows what the dealer does.

async function seatedAt(live: Live, [width, height]: readonly [number, number], language = 'en'): Promise<Page> {
  const { page } = await freshPage(width, height);
  await page.addInitScript((one) => localStorage.setItem('punto.language', one), language);
  await toTable(page, live, live.table.id);
  return page;
}

/** The notice in the axis or beside the stage. */
const notice = async (page: Page): Promise<string> =>
  (await page.locator('.notice').first().innerText()).replaceAll(/\s+/g, ' ');
const readIt = async (page: Page): Promise<void> => {
  await page.locator('.notice button').first().click();
};

test('an attended table waits for its dealer, keeps bets open until the close is called, and shows no card as proven', async () => {
  const live = await Live.at('L11');
  const page = await seatedAt(live, [1366, 768]);
  const phone = await seatedAt(live, [390, 844], 'zh');
  await called(page, 'The table waits for its dealer');
  await called(phone, '本台等待荷官');
  await live.by('d1', 'BringShoe', { shoe: 'one', seal: 'S1' });
  await called(page, 'A new shoe is being prepared');
  await live.by('d1', 'CountCards', { cards: 416 });
  await live.by('d1', 'ShuffleShoe', { method: 'by hand' });
  await live.by('d1', 'CutShoe', { behind: 14 });
  await live.by('d1', 'VerifyShoe');
  await live.approved('s1');
  await live.by('d1', 'BurnCards', { card: 'AS' });
  await called(page, 'Next round soon');
  await live.open();
  await called(page, 'Place your bets, please');
  await page.waitForSelector('.ring');
  await chip(page, 2).click();
  await spot(page, 'banker').click();
  await settled(page);
  live.wait(16_000);
  await page.waitForSelector('[data-testid=until-called]');
  expect(await page.getByTestId('until-called').innerText()).toContain('Until the dealer calls');
  expect(await page.locator('.ring').count()).toBe(0);
  await phone.waitForSelector('[data-testid=until-called]');
  expect(await phone.getByTestId('until-called').innerText()).toContain('至荷官停止为止');
  // Bets are still open, and an extension shows the ring again.
  await spot(page, 'tiger').click();
  await settled(page);
  await live.by('d1', 'ExtendBets', { time: 20_000 });
  await page.waitForSelector('.ring');
  expect(await call(page)).toBe('Place your bets, please');
  live.wait(10_000);
  await live.close();
  await called(page, 'No more bets');
  await live.deal('9S 2C KH 4D');
  await cardsOut(page, 4);
  expect(await winner(page)).toBe('Player wins');
  expect(await page.getByTestId('proven').count()).toBe(0);
  expect(await page.locator('[aria-label*="commitment"]').count()).toBe(0);
  await live.settle();
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')?.textContent === '950.00');
  await live.leave();
});

test('an attended table shows corrections, voids and referrals in both languages', async () => {
  const live = await Live.at('L13');
  const page = await seatedAt(live, [1366, 768]);
  const phone = await seatedAt(live, [390, 844], 'zh');
  const bet = async (): Promise<void> => {
    await live.open();
    for (const one of [page, phone]) {
      await chip(one, 2).click();
      await spot(one, 'banker').click();
      await settled(one);
    }
    await live.close();
  };
  await live.shoe('one');
  await bet();
  await live.deal('91 22 F3 41');
  await live.settle();
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')?.textContent === '975.00');
  const { id } = live.table.table.round!;
  await live.by('s1', 'CorrectCard', { round: id, place: 4, card: '75', reason: 'It was a seven.' });
  await live.approved('m1');
  await page.waitForSelector('.notice');
  expect(await notice(page)).toContain(
    'Round #1 is settled again 0.00 was returned before; your credit changed by +25.00. HOUSE 9',
  );
  expect(await notice(phone)).toContain('第 1 局已重新结算');
  expect(await meter(page, 'credit')).toBe(100_000);
  for (const one of [page, phone]) await readIt(one);

  await bet();
  await live.deal('91 22');
  await live.by('d1', 'ReportIrregularity', { kind: 'foreign-card', note: 'A card of another deck.' });
  await called(page, 'The table waits for the supervisor');
  await called(phone, '本台等待主管处理');
  expect(await notice(page)).toContain('The supervisor decides what follows; no bets are taken until then. ELM 5.1');
  expect(await notice(page)).toContain('Your bets in round #2 stand 25.00');
  await live.by('d1', 'VoidRound', { reason: 'A card of another deck.' });
  await live.approved('s1');
  await called(page, 'Round void');
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')?.textContent === '1,000.00');
  expect(await notice(page)).toMatch(/Round #2 is void.*A card of another deck\. ELM 5\.1.*25\.00/);
  expect(await notice(phone)).toMatch(/第 2 局.*ELM 5\.1/);
  for (const one of [page, phone]) await readIt(one);

  await live.by('d1', 'EndShoe', { seen: {} });
  await live.approved('s1');
  await live.shoe('two');
  await bet();
  await live.deal('91 22 F3');
  await live.by('d1', 'Refer', { reason: 'A patron disputes a stake.' });
  await called(page, 'The table waits for the shift manager');
  await called(phone, '本台等待值班经理裁定');
  expect(await notice(page)).toContain(
    'the Gaming Shift Manager decides what follows. No bets are taken until then. HOUSE 1',
  );
  expect(await notice(phone)).toContain('由博彩值班经理裁定');
  await live.by('m1', 'DecideReferral', { decision: 'continue', reason: 'The stake stands.' });
  await called(page, 'No more bets');
  await live.deal('41');
  await live.settle();
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')?.textContent === '975.00');
  await live.leave();
});

test('[READING 61] an interruption of an attended round waits for the supervisor, and the page shows it', async () => {
  const live = await Live.at('L11');
  const page = await seatedAt(live, [1366, 768]);
  await live.shoe('one');
  await live.open();
  await chip(page, 2).click();
  await spot(page, 'banker').click();
  await settled(page);
  await live.close();
  await live.deal('9S 2C');
  live.wait(60_000);
  await live.by('d1', 'ReportInterruption', { since: live.table.table.at, stateLost: false });
  await called(page, 'The table waits for the supervisor');
  expect(await notice(page)).toContain('ETG 5.9');
  await live.by('d1', 'EnterCard', { slot: 'P2', card: 'KH', reason: 'It lay on the felt.' });
  await live.approved('s1');
  await live.by('d1', 'ConfirmFelt');
  await live.approved('s1');
  await live.by('s1', 'ConfirmRuling');
  await page.waitForSelector('[data-testid=notice]');
  expect(await notice(page)).toContain('Round #1 continues');
  await live.deal('4D');
  await live.settle();
  await page.waitForFunction(() => document.querySelector('[data-meter=credit]')?.textContent === '975.00');
  await live.leave();
});

test('the tile of a table with chips leads to its display, which shows the round', async () => {
  const live = await Live.at('L12');
  const { page, complaints } = await freshPage(1366, 768);
  await page.goto(`${live.address}#/table/L12`);
  await page.waitForSelector('.tile');
  expect(await page.locator('.lobby-alert').innerText()).toContain(
    'That table takes bets with chips only; choose another table.',
  );
  await page.locator('[data-table=L12]').click();
  await page.waitForSelector('.display');
  expect(await page.locator('.d-phase').innerText()).toMatch(/waiting for dealer/i);
  await live.shoe('one');
  await live.open();
  await page.waitForSelector('[data-testid=until-called]');
  expect(await page.locator('.ring').count()).toBe(0);
  await live.close();
  await live.deal('9S 2C KH 4D');
  await page.waitForSelector('.d-phase.winner-player');
  await live.settle();
  expect(await page.locator('.d-phase').innerText()).toMatch(/player wins/i);
  expect(complaints).toEqual([]);
  await live.leave();
});
