// What `npm run bench -- screens` measures in a real Chromium: how much a terminal loads, and how smoothly it deals.
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { percentile } from '../../bench/measure.ts';
import { screens } from '../../src/server/assets.ts';
import { house } from '../server/house.ts';
import { chromium } from './chromium.ts';
import { Dealer } from './dealer.ts';
import { type Smoothness, watchFrames } from './frames.ts';
import { toTable } from './patron.ts';
import { prepared } from './shoe.ts';
import { sumOf, weigh } from './weight.ts';

const throttling = 4;
/** The time between two frames of a screen, and the most that 19 of 20 may take. */
const [aFrame, mostAFrame] = [1000 / 60, 20];
/** So long after a card comes the next, and so long is everything else watched. */
const [aCard, aWhile] = [700, 2_000];

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

async function weights(browser: Browser): Promise<void> {
  const floor = await house({ screens: await screens() });
  for (const [language, most] of [
    ['en', 180_000],
    ['zh', 320_000],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    await page.addInitScript((chosen) => localStorage.setItem('punto.language', chosen), language);
    const files = await weigh(page, `${floor.address}#/table/tiger`);
    const of = (ending: string): string =>
      kilobytes(sumOf(new Map([...files].filter(([path]) => path.endsWith(ending)))));
    console.log(
      `  first load in ${language}: ${kilobytes(sumOf(files))} of ${kilobytes(most)} compressed, scripts ${of('.js')}, styles ${of('.css')}, fonts ${of('.woff2')} in ${files.size} files`,
    );
    await page.close();
  }
  await floor.close();
}

const told = ({ frames, work }: Smoothness): string => {
  const places = Math.round(frames.reduce((sum, time) => sum + time, 0) / aFrame);
  const long = work.filter((time) => time > mostAFrame).length;
  return `p95 ${percentile(frames, 0.95).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(0)} ms, ${frames.length} of ${places} drawn; the page itself was at work for ${percentile(work, 0.95).toFixed(1)} ms at p95, for more than ${mostAFrame} ms in ${long} (${((100 * long) / places).toFixed(1)} %)`;
};

/** The floor of this machine at this moment: a page without script, on which a browser moves a square by itself. */
async function empty(browser: Browser, width: number, height: number): Promise<Smoothness> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(
    `<style>body{background:#0b4335}i{display:block;width:114px;height:160px;background:#fff;animation:go 2s infinite alternate}@keyframes go{to{transform:translate(200px,200px)}}</style><i></i>`,
  );
  await slow(page);
  const seen = await watchFrames(browser, page, () => wait(aWhile));
  await page.close();
  return seen;
}

/** A round of six cards from the close of bets to the result, and the same page at rest beside it. */
async function deal(browser: Browser, width: number, height: number): Promise<void> {
  const dealer = await Dealer.at('tiger', { chance: prepared('2C 3D 2D KS 5H 2H') });
  const page = await browser.newPage({ viewport: { width, height } });
  await toTable(page, dealer, 'tiger');
  await wait(aWhile);
  await slow(page);
  const rest = await watchFrames(browser, page, () => wait(aWhile));
  const dealt = await watchFrames(browser, page, async () => {
    for (let card = 1; card <= 6; card++) {
      await dealer.deal(card);
      await wait(aCard);
    }
    await dealer.settle();
    await wait(aWhile);
  });
  console.log(`  a deal at ${width}x${height} and ${throttling} times CPU throttling, frames: ${told(dealt)}`);
  console.log(`    the same page at rest: ${told(rest)}`);
  console.log(`    an empty page of that size with one thing that moves: ${told(await empty(browser, width, height))}`);
  const moved = dealt.moved.length === 0 ? 'nothing' : dealt.moved.join(', ');
  console.log(`    layout shift ${dealt.shift.toFixed(4)}: ${moved}`);
  await page.close();
  await dealer.leave();
}

async function slow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttling });
}

const browser = await playwright.launch(await chromium());
try {
  await weights(browser);
  await deal(browser, 1366, 768);
  await deal(browser, 390, 844);
} finally {
  await browser.close();
}
