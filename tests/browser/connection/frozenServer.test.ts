import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { started } from '../../cli/support/serverProcess.ts';
import { temporaryFolder } from '../../temporary.ts';
import { freshPage } from '../support/browser.ts';
import { toTable } from '../support/patron.ts';

/** Counted in the page: sockets opened, heartbeats received, and how often it showed a lost connection. */
type Counted = { readonly sockets: number; readonly heartbeats: number; readonly disconnected: number };

test('a terminal detects a frozen server within three seconds and reconnects automatically', async () => {
  const { program, address } = await started(['--data', join(temporaryFolder('frozen'), 'data')]);
  const { page } = await freshPage(390, 844);
  await page.clock.install();
  await page.addInitScript(() => {
    const counted = { sockets: 0, heartbeats: 0, disconnected: 0 };
    Object.assign(window, { counted });
    const Real = WebSocket;
    Object.assign(window, {
      WebSocket: class extends Real {
        constructor(to: string) {
          super(to);
          counted.sockets += 1;
          this.addEventListener('message', ({ data }) => {
            if (String(data).startsWith('{"type":"heartbeat"')) counted.heartbeats += 1;
          });
        }
      },
    });
    let isShown = false;
    new MutationObserver(() => {
      const shows = document.querySelector('[data-testid=connection]') !== null;
      if (shows && !isShown && counted.heartbeats > 0) counted.disconnected += 1;
      isShown = shows;
    }).observe(document, { childList: true, subtree: true });
  });
  await toTable(page, { address }, 'X09');
  const counted = (): Promise<Counted> => page.evaluate(() => (window as unknown as { counted: Counted }).counted);
  const lamp = (): Promise<string | null> => page.getByTestId('lamp').getAttribute('aria-label');
  // A running server is never silent for long.
  await expect.poll(async () => (await counted()).heartbeats).toBeGreaterThanOrEqual(3);
  expect((await counted()).disconnected).toBe(0);

  program.kill('SIGSTOP');
  await page.clock.runFor(3_000);
  expect(await page.getByTestId('connection').count()).toBe(1);
  expect(await lamp()).toBe('No connection');
  // The connection stays lost while the frozen server accepts connections and sends nothing.
  const { sockets, heartbeats } = await counted();
  await expect.poll(async () => (await counted()).sockets).toBeGreaterThan(sockets);
  expect(await page.getByTestId('connection').count()).toBe(1);

  program.kill('SIGCONT');
  await page.waitForSelector('[data-testid=connection]', { state: 'detached' });
  await expect.poll(async () => (await counted()).heartbeats).toBeGreaterThan(heartbeats);
  expect(await lamp()).toBe('Connected');
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
});
