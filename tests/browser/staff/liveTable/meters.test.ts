import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { approveProposal, commandBy, prepareLiveShoe } from '../../../server/support/liveTables.ts';
import { freshPage } from '../../support/browser.ts';
import { called, meter, settled, spot, toTable } from '../../support/patron.ts';
import { Pit } from '../support/pit.ts';

const textOf = async (page: Page, testId: string): Promise<string> =>
  (await page.getByTestId(testId).innerText()).replaceAll(/\s+/g, ' ');

/** The lifetime meters on the page of the office. */
async function metersOn(page: Page): Promise<{ readonly [name: string]: string }> {
  await page.getByRole('cell', { name: 'Voided', exact: true }).waitFor();
  const rows = await page.getByRole('row', { name: /^(Coin|Voided|Commission)/ }).all();
  const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
  return Object.fromEntries(cells.map(([name, amount]) => [name!, amount!]));
}

test('[ETG 1.1.3] the meters page has commission beside the net amount that was returned, and their sum is gross', async () => {
  const pit = await Pit.of('tiger', { bettingTime: 0, grace: 0, pause: 0 });
  const table = await prepareLiveShoe(pit.server, 'tiger');
  const terminal = await freshPage(1366, 768);
  await toTable(terminal.page, pit.server, 'tiger');
  await commandBy(table, 'd1', 'OpenBets');
  await called(terminal.page, 'Place your bets, please');
  await spot(terminal.page, 'banker').click();
  await settled(terminal.page);
  await commandBy(table, 'd1', 'CallClose');
  await commandBy(table, 'd1', 'CloseBets');
  for (const [slot, card] of Object.entries({ P1: '2C', B1: '9S', P2: '4D', B2: 'TD' }))
    await commandBy(table, 'd1', 'DealCard', { slot, card });
  await commandBy(table, 'd1', 'Settle');
  await table.processor.idle();
  const manager = await pit.person('G-1', '/meters');
  // The stake of 5.00 comes back with a gross win of 5.00, less 0.25.
  expect(await metersOn(manager.page)).toMatchObject({ 'Coin in': '5.00', 'Coin out': '9.75', Commission: '0.25' });
  expect([terminal, manager].map(({ complaints }) => complaints)).toEqual([[], []]);
  await pit.server.close();
});

test('[ETG 5.1.1] every terminal gives the reason of a void, staked or not, and shows its stake back; the meters page counts it as voided', async () => {
  const pit = await Pit.of('tiger', { bettingTime: 0, grace: 0 });
  const table = await prepareLiveShoe(pit.server, 'tiger');
  const [staked, other] = [await freshPage(1366, 768), await freshPage(1366, 768)];
  for (const { page } of [staked, other]) await toTable(page, pit.server, 'tiger');
  await commandBy(table, 'd1', 'OpenBets');
  await called(staked.page, 'Place your bets, please');
  for (const wager of ['banker', 'tie']) await spot(staked.page, wager).click();
  await settled(staked.page);
  expect(await meter(staked.page, 'credit')).toBe(99_000);
  await commandBy(table, 'd1', 'CallClose');
  await commandBy(table, 'd1', 'CloseBets');
  await commandBy(table, 'd1', 'DealCard', { slot: 'P1', card: '9S' });
  await commandBy(table, 'd1', 'ReportIrregularity', { kind: 'foreign-card' });
  await commandBy(table, 'd1', 'VoidRound', { reason: 'A joker was in the shoe.' });
  await approveProposal(table);

  const reason = 'A joker was in the shoe. ETG 5.1.1';
  await staked.page.getByTestId('round-notice').waitFor();
  expect(await textOf(staked.page, 'round-notice')).toMatch(
    /Round #1 is void A joker was in the shoe. {1,2}ETG 5.1.1.*10.00/,
  );
  await other.page.getByTestId('notice').waitFor();
  expect(await textOf(other.page, 'notice')).toContain(`Round #1 is void ${reason}`);
  await expect.poll(() => meter(staked.page, 'credit')).toBe(100_000);
  expect(await meter(staked.page, 'win')).toBe(0);
  expect(await meter(other.page, 'credit')).toBe(100_000);
  await staked.page.keyboard.press('l');
  expect(await textOf(staked.page, 'round-notice')).toContain(reason);
  await staked.page.keyboard.press('l');
  // The reason is there after the notice is closed and the page loaded again.
  await staked.page.getByTestId('round-notice').getByRole('button').click();
  await staked.page.reload();
  await staked.page.locator('.bar-recall').click();
  await staked.page.getByTestId('recall-void').waitFor();
  expect(await textOf(staked.page, 'recall-void')).toContain(reason);

  const manager = await pit.person('G-1', '/meters');
  expect(await metersOn(manager.page)).toMatchObject({ 'Coin in': '10.00', Voided: '10.00', 'Coin out': '0.00' });
  expect([staked, other, manager].map(({ complaints }) => complaints)).toEqual([[], [], []]);
  await pit.server.close();
});
