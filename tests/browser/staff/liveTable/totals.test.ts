import { expect, test } from 'vitest';
import { prepareLiveShoe } from '../../../server/support/liveTables.ts';
import { freshPage } from '../../support/browser.ts';
import { cardsOut, toTable } from '../../support/patron.ts';
import { Pit } from '../support/pit.ts';
import { closeBets, keyCards } from './tableActions.ts';

test('[ETG 3.8] displays and terminals show both totals after four cards, and only then the console asks for a third card, first for Player', async () => {
  const pit = await Pit.of('tiger', { bettingTime: 0 });
  await prepareLiveShoe(pit.server, 'tiger');
  const dealer = await pit.person('D-1', '/dealer/tiger', 'tiger');
  const display = await freshPage(1920, 1080);
  await display.page.goto(new URL('/display/tiger', pit.server.address).href);
  const terminal = await freshPage(1366, 768);
  await toTable(terminal.page, pit.server, 'tiger');
  const expectTotals = async (player: string, banker: string, cards: number): Promise<void> => {
    await display.page.waitForFunction((n) => document.querySelectorAll('.d-cards .card').length === n, cards);
    expect(await display.page.locator('.d-total').allInnerTexts()).toEqual([player, banker]);
    await cardsOut(terminal.page, cards);
    for (const [side, total] of [
      ['player', player],
      ['banker', banker],
    ] as const)
      await expect.poll(() => terminal.page.locator(`[data-total=${side}]`).innerText()).toBe(total);
  };
  await dealer.expectPrompt('Ready for the next round');
  await closeBets(dealer);
  for (const [card, next] of [
    ['2s', 'Banker’s first card'],
    ['3h', 'Player’s second card'],
    ['ac', 'Banker’s second card'],
  ] as const) {
    await keyCards(dealer, card);
    await dealer.expectPrompt(next);
  }
  await keyCards(dealer, '2d');
  await expectTotals('3', '5', 4);
  await dealer.expectPrompt('Player draws a third card');
  await keyCards(dealer, '4s');
  await expectTotals('7', '5', 5);
  await dealer.expectPrompt('Banker draws a third card');
  await keyCards(dealer, '0s');
  await dealer.expectPrompt('Player wins, 7 to 5');
  expect([dealer, display, terminal].map(({ complaints }) => complaints)).toEqual([[], [], []]);
  await pit.server.close();
});
