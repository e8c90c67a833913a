import { EventEmitter, once } from 'node:events';
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type ClientMessage, type ServerMessage, type SlipStakes } from '../../../src/wire/messages.ts';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { toTable } from '../support/patron.ts';

/** The slips that a page sends, and how many accepted replies it has received. */
function slipsOf(page: Page) {
  const sent: SlipStakes[] = [];
  const accepted: string[] = [];
  const received = new EventEmitter();
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const message = JSON.parse(String(payload)) as ClientMessage;
      if (message.type === 'slip') sent.push(message.slip);
    });
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload)) as ServerMessage;
      if (message.type === 'accepted') accepted.push(message.id);
      received.emit('message');
    });
  });
  const waitForSlips = async (count: number): Promise<void> => {
    while (accepted.length < count) await once(received, 'message');
  };
  return { sent, waitForSlips };
}

const tap = (page: Page, times: number): Promise<void> =>
  page.evaluate((count) => {
    for (let n = 0; n < count; n++) document.querySelector<HTMLElement>('[data-wager=tie]')!.click();
  }, times);

test('a page sends at most three slips per second, and the last state wins', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(1366, 768);
  const { sent, waitForSlips } = slipsOf(page);
  // The clock of the page stands still from the beginning, so that no delay of this machine counts.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await toTable(page, dealer, 'tiger');
  await tap(page, 1);
  await waitForSlips(1);
  await tap(page, 2);
  await tap(page, 1);
  expect(sent).toEqual([{ tie: 500 }]);
  await page.clock.runFor(300);
  expect(sent).toEqual([{ tie: 500 }]);
  await page.clock.runFor(50);
  await waitForSlips(2);
  expect(sent).toEqual([{ tie: 500 }, { tie: 2000 }]);
  // After the interval a slip is sent at once.
  await page.clock.runFor(1_000);
  await tap(page, 1);
  await waitForSlips(3);
  expect(sent.at(-1)).toEqual({ tie: 2500 });
  await dealer.leave();
});
