import { expect, test } from 'vitest';
import { type ClientMessage, type ServerMessage } from '../../../src/wire/messages.ts';
import { closeLater } from '../../closing.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { toTable } from '../support/patron.ts';
import { record } from '../support/recordedViews.ts';
import { screens } from '../support/screens.ts';

test.each([
  ['UTC', 0],
  ['Asia/Singapore', 480],
  ['Asia/Kathmandu', 345],
])('[ETG layout-10] the time of day in %s changes within a second of the clock of the server', async (zone, east) => {
  const server = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
  closeLater(() => server.close());
  const { page } = await freshPage(1366, 768, { timezoneId: zone });
  // Both clocks stand still, two hours apart; only the test moves that of the page.
  const minute = Math.ceil(Date.now() / 60_000) * 60_000;
  await page.clock.install({ time: minute });
  await page.clock.pauseAt(minute + 1_000);
  const serverTime = minute + 7_200_000 - 1_000;
  const { messages } = await record('tiger');
  await page.routeWebSocket(/socket$/, (route) => {
    const send = (...types: readonly ServerMessage['type'][]): void => {
      for (const message of messages.betting.filter(({ type }) => types.includes(type))) {
        route.send(JSON.stringify(message.type === 'welcome' ? { ...message, at: serverTime } : message));
      }
    };
    route.onMessage((text) => {
      const { type } = JSON.parse(String(text)) as ClientMessage;
      if (type === 'hello') send('welcome');
      if (type === 'sit') send('table', 'own');
    });
  });
  await toTable(page, server, 'tiger');
  const text = (): Promise<string> => page.locator('.bar-clock time').innerText();
  const textAt = (time: number): string => new Date(time + 60_000 * east).toISOString().slice(11, 16);
  expect(await text()).toBe(textAt(serverTime));
  await page.clock.runFor(900);
  expect(await text()).toBe(textAt(serverTime));
  await page.clock.runFor(1_100);
  expect(await text()).toBe(textAt(minute + 7_200_000));
});
