// `npm run pictures`: a picture of every screen, made from the views of real tables: ten games in three phases and with
// roads only, and the lobby, at six sizes and in two languages.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium as playwright } from 'playwright-core';
import { games } from '../../src/games/registry.ts';
import { screens } from '../../src/server/assets.ts';
import { chromium } from './chromium.ts';
import { otherLanguage, resize, sizes, still } from './looks.ts';
import { Stage, phases, record } from './recorded.ts';
import { house } from '../server/house.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'pictures' } } });
const folder = resolve(values.out);
const begun = performance.now();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const browser = await playwright.launch(await chromium());
const floor = await house({ screens: await screens() });
let made = 0;
try {
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  /** The page as it stands, at every size and in both languages. */
  const take = async (name: string): Promise<void> => {
    for (const [width, height] of sizes) {
      await resize(page, width, height);
      for (const _ of ['one language', 'the other']) {
        const language = await page.evaluate(() => document.documentElement.lang);
        await page.screenshot({ path: join(folder, `${name}-${width}x${height}-${language}.png`), fullPage: true });
        made++;
        await otherLanguage(page);
        await still(page);
      }
    }
  };
  await page.goto(floor.address);
  await page.waitForSelector('.tile');
  await take('lobby');
  const stage = await Stage.on(page);
  await page.reload();
  for (const { id } of games) {
    const recording = await record(id);
    for (const phase of phases) {
      await stage.show(recording, phase);
      await take(`${id}-${phase}`);
      if (phase !== 'betting') continue;
      await page.keyboard.press('v');
      await take(`${id}-roads`);
      for (const _ of ['all tables', 'cards']) await page.keyboard.press('v');
    }
    console.log(`${id}: ${phases.length} phases, ${sizes.length} sizes, 2 languages`);
  }
} finally {
  await browser.close();
  await floor.close();
}
console.log(`${made} pictures in ${folder}, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
