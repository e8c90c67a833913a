import { expect, test } from 'vitest';
import { type ClientMessage, type ServerMessage } from '../../../src/wire/messages.ts';
import { closeLater } from '../../closing.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { call, toTable } from '../support/patron.ts';
import { record } from '../support/recordedViews.ts';
import { screens } from '../support/screens.ts';

/** A page whose clock is two hours behind the clock of the server, and moves only when the test moves it. */
async function pausedTerminal(options: Parameters<typeof freshPage>[2], atDeadline = false) {
  const server = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
  closeLater(() => server.close());
  const { page } = await freshPage(1366, 768, options);
  const minute = Math.ceil(Date.now() / 60_000) * 60_000;
  await page.clock.install({ time: minute });
  await page.clock.pauseAt(minute + 1_000);
  const nextMinute = minute + 7_200_000;
  const serverTime = nextMinute - 1_000;
  const { messages } = await record('tiger');
  await page.routeWebSocket(/socket$/, (route) => {
    const send = (...types: readonly ServerMessage['type'][]): void => {
      for (const message of messages.betting) {
        if (!types.includes(message.type)) continue;
        const sent =
          message.type === 'welcome'
            ? { ...message, at: serverTime }
            : message.type === 'table' && atDeadline
              ? {
                  ...message,
                  view: { ...message.view, phase: 'closing', round: { ...message.view.round, deadline: nextMinute } },
                }
              : message;
        route.send(JSON.stringify(sent));
      }
    };
    route.onMessage((text) => {
      const { type } = JSON.parse(String(text)) as ClientMessage;
      if (type === 'hello') send('welcome');
      if (type === 'sit') send('table', 'own');
    });
  });
  await toTable(page, server, 'tiger');
  return { page, serverTime, nextMinute };
}

test.each([
  ['UTC', 0],
  ['Asia/Singapore', 480],
  ['Asia/Kathmandu', 345],
])('[ETG layout-10] the time of day in %s changes within a second of the clock of the server', async (zone, east) => {
  const { page, serverTime, nextMinute } = await pausedTerminal({ timezoneId: zone });
  const text = (): Promise<string> => page.locator('.bar-clock time').innerText();
  const textAt = (time: number): string => new Date(time + 60_000 * east).toISOString().slice(11, 16);
  expect(await text()).toBe(textAt(serverTime));
  await page.clock.runFor(900);
  expect(await text()).toBe(textAt(serverTime));
  await page.clock.runFor(1_100);
  expect(await text()).toBe(textAt(nextMinute));
});

test('[ETG layout-3] in the closing phase the banner follows the deadline within 200 ms, without a message', async () => {
  // The deadline is a second after the last message.
  const { page } = await pausedTerminal({}, true);
  expect(await call(page)).toBe('Place your bets, please');
  await page.clock.runFor(950);
  expect(await call(page)).toBe('Place your bets, please');
  await page.clock.runFor(250);
  expect(await call(page)).toBe('No more bets');
});
