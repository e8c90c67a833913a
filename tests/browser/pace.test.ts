import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type ClientMessage, type ServerMessage, type Slip } from '../../src/wire/messages.ts';
import { freshPage } from './browser.ts';
import { Dealer } from './dealer.ts';
import { toTable } from './patron.ts';

/** The slips that a page sends, and how many of them it has heard to be accepted. */
function slipsOf(page: Page) {
  const sent: Slip[] = [];
  let accepted = 0;
  let wake = (): void => {};
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const said = JSON.parse(String(payload)) as ClientMessage;
      if (said.type === 'slip') sent.push(said.slip);
    });
    socket.on('framereceived', ({ payload }) => {
      if ((JSON.parse(String(payload)) as ServerMessage).type !== 'accepted') return;
      accepted += 1;
      wake();
    });
  });
  const heard = async (count: number): Promise<void> => {
    while (accepted < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { sent, heard };
}

const tap = (page: Page, times: number): Promise<void> =>
  page.evaluate((count) => {
    for (let n = 0; n < count; n++) document.querySelector<HTMLElement>('[data-wager=tie]')!.click();
  }, times);

test('a page sends three slips a second at most, and the last state wins', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(1366, 768);
  const { sent, heard } = slipsOf(page);
  await page.clock.install();
  await toTable(page, dealer, 'tiger');
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await tap(page, 1);
  await heard(1);
  await tap(page, 2);
  await tap(page, 1);
  expect(sent).toEqual([{ tie: 500 }]);
  await page.clock.runFor(300);
  expect(sent).toEqual([{ tie: 500 }]);
  await page.clock.runFor(50);
  await heard(2);
  expect(sent).toEqual([{ tie: 500 }, { tie: 2000 }]);
  // Whoever has waited long enough waits for nothing.
  await page.clock.runFor(1_000);
  await tap(page, 1);
  await heard(3);
  expect(sent.at(-1)).toEqual({ tie: 2500 });
  await page.context().close();
  await dealer.leave();
});
