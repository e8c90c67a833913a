import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verify } from '../../src/floor/verify.ts';
import { sqliteStore } from '../../src/store/sqlite.ts';
import { root } from '../house/sources.ts';
import { freshPage, launch } from './browser.ts';
import { meter, placed, settled, spot, toTable } from './patron.ts';

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  taken.close();
  return port;
}

/** Starts the real program and waits for its line. */
async function start(folder: string, port: number): Promise<{ process: ChildProcess; address: string }> {
  const program = spawn(
    process.execPath,
    [join(root, 'src/cli/main.ts'), 'serve', '--port', String(port), '--data', join(folder, 'data')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  return { process: program, address: /http:\S+/.exec(line.toString('utf8'))![0] };
}

test('the plug is pulled in the middle of a round, and nothing that was accepted is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'punto-plug-'));
  const port = await freePort();
  const browser = await launch();
  try {
    const first = await start(folder, port);
    const { page } = await freshPage(browser, 1366, 768);
    await toTable(page, first, 'tiger');
    await page.waitForSelector('.phase.open');
    await spot(page, 'banker').click();
    await spot(page, 'tiger').click();
    await settled(page);
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    await page.waitForSelector('[data-testid=link]');
    await spot(page, 'tie').click();
    await page.waitForSelector('[data-wager=tie] .pale');

    const second = await start(folder, port);
    await page.waitForSelector('[data-testid=link]', { state: 'detached' });
    await settled(page);
    const stakes = await placed(page);
    expect(stakes).toMatchObject({ banker: 500, tiger: 500 });
    const bet = Object.values(stakes).reduce((sum, stake) => sum + stake, 0);
    expect(await meter(page, 'credit')).toBe(100_000 - bet);
    // Wherever the round is by now, it ends for this terminal once: paid or returned.
    await page.waitForSelector('[data-outcome] .fate', { timeout: 60_000 });
    second.process.kill('SIGTERM');
    const [code] = (await once(second.process, 'exit')) as [number];
    expect(code).toBe(0);
    const store = await sqliteStore(join(folder, 'data'));
    expect((await verify(store)).problem).toBeUndefined();
    await store.close();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
