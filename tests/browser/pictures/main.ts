// `npm run pictures`: a picture of every screen in every state, at six sizes and in two languages, from views of real
// tables. `--only NAME` selects by the start of the name, `--out FOLDER` sets the folder; `--readme` makes the
// pictures of README.md.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Page, chromium as playwright } from 'playwright-core';
import { chromium } from '../support/chromium.ts';
import { resize, sizes, still } from '../support/appearance.ts';
import { dialogs } from './dialogs.ts';
import { forReadme } from './readme.ts';
import { lobbyAndDisplays } from './lobbyAndDisplays.ts';
import { states } from './states.ts';
import { tables } from './tables.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'pictures' },
    only: { type: 'string', default: '' },
    readme: { type: 'boolean', default: false },
  },
});
const folder = resolve(values.out);
const begun = performance.now();
if (!values.readme) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

const browser = await playwright.launch(await chromium());
let made = 0;

/** Takes pictures of the page at every size. */
async function take(page: Page, name: string): Promise<void> {
  const language = await page.evaluate(() => document.documentElement.lang.slice(0, 2));
  for (const [width, height] of sizes) {
    await resize(page, width, height);
    await still(page);
    await page.screenshot({ path: join(folder, `${name}-${width}x${height}-${language}.png`) });
    made++;
  }
  await resize(page, 1366, 768);
}

try {
  if (values.readme) await forReadme(browser);
  for (const language of values.readme ? [] : ['en', 'zh']) {
    for (const { name, shoot } of [...lobbyAndDisplays, ...states, ...dialogs, ...tables]) {
      if (!name.startsWith(values.only)) continue;
      const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1366, height: 768 } });
      const page = await context.newPage();
      await page.addInitScript((chosen) => localStorage.setItem('punto.language', chosen), language);
      const before = made;
      await shoot(page, (state) => take(page, state === undefined ? name : `${name}-${state}`), language);
      console.log(`${name}, ${language}: ${made - before} pictures`);
      await context.close();
    }
  }
} finally {
  await browser.close();
}
if (!values.readme) console.log(`${made} pictures in ${folder}, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
