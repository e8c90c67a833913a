import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../house/sources.ts';
import { freshPage } from './browser.ts';
import { toTable } from './patron.ts';

/** What the page itself notes: when it last heard anything, and when it said that the link is lost. */
type Noted = { readonly heard: number; readonly lost: number[] };

test('a server that is frozen is noticed within three seconds, and the page comes back by itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'punto-frozen-'));
  const program = spawn(process.execPath, [join(root, 'src/cli/main.ts'), 'serve', '--data', join(folder, 'data')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(program.stdout, 'data')) as [Buffer];
    const address = /http:\S+/.exec(line.toString('utf8'))![0];
    const { page } = await freshPage(390, 844);
    await page.addInitScript(() => {
      const noted = { heard: 0, lost: [] as number[] };
      Object.assign(window, { noted });
      const Real = WebSocket;
      Object.assign(window, {
        WebSocket: class extends Real {
          constructor(to: string) {
            super(to);
            this.addEventListener('message', () => (noted.heard = performance.now()));
          }
        },
      });
      let shown = false;
      new MutationObserver(() => {
        const shows = document.querySelector('[data-testid=link]') !== null;
        if (shows && !shown && noted.heard > 0) noted.lost.push(performance.now());
        shown = shows;
      }).observe(document, { childList: true, subtree: true });
    });
    await toTable(page, { address }, 'X09');
    const noted = (): Promise<Noted> => page.evaluate(() => (window as unknown as { noted: Noted }).noted);
    // The server is never silent for long: while it runs, nothing is lost.
    await page.waitForTimeout(3_000);
    expect((await noted()).lost).toEqual([]);

    program.kill('SIGSTOP');
    await page.waitForSelector('[data-testid=link]');
    const { heard, lost } = await noted();
    expect(lost[0]! - heard).toBeLessThan(3_000);
    expect(await page.getByTestId('lamp').getAttribute('aria-label')).toBe('No link');
    // It stays lost while the frozen server takes calls and says nothing.
    await page.waitForTimeout(1_000);
    expect(await page.getByTestId('link').count()).toBe(1);

    program.kill('SIGCONT');
    await page.waitForSelector('[data-testid=link]', { state: 'detached' });
    expect((await noted()).heard).toBeGreaterThan(heard);
    expect(await page.getByTestId('lamp').getAttribute('aria-label')).toBe('The link is up');
    await page.context().close();
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  } finally {
    program.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
