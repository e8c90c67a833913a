import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type Page } from 'playwright-core';
import { root } from '../../architecture/sources.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { still } from '../support/appearance.ts';
import { type Phase, Stage, record } from '../support/recordedViews.ts';
import { late, controlSocket, tilesAt } from '../support/scriptedPage.ts';
import { screens } from '../support/screens.ts';

const folder = join(root, 'docs', 'pictures');

/** The small pictures of README.md. */
export async function forReadme(browser: Browser): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const floor = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
  const pageOf = async (width: number, height: number, language: string): Promise<Page> => {
    const page = await browser.newPage({ reducedMotion: 'reduce', viewport: { width, height } });
    await page.addInitScript((chosen) => localStorage.setItem('punto.language', chosen), language);
    return page;
  };
  const keep = async (page: Page, name: string): Promise<void> => {
    await still(page);
    await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 80 });
    await page.close();
  };
  const table = async (page: Page, game: string, phase: Phase, name: string): Promise<void> => {
    const stage = await Stage.on(page);
    await page.goto(floor.address);
    await stage.show(late(await record(game)), phase);
    await keep(page, name);
  };
  await table(await pageOf(1366, 768, 'en'), 'tiger-no-commission', 'result', 'terminal');
  await table(await pageOf(390, 844, 'zh'), 'baccarat', 'betting', 'phone');
  const lobby = await pageOf(1366, 768, 'en');
  await controlSocket(lobby, () => [{ type: 'lobby', version: 1, tiles: tilesAt(Date.now()) }]);
  await lobby.goto(floor.address);
  await lobby.waitForSelector('.tile');
  await keep(lobby, 'lobby');
  await floor.close();
}
