// Measurements of `npm run bench -- screens` in a real Chromium: the bytes that a terminal loads, and the frame times
// of a deal.
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { type BenchSize, type Sizes } from '../../../bench/support/bench.ts';
import { figure, percentile } from '../../../bench/support/measure.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { chromium } from '../support/chromium.ts';
import { Dealer } from '../support/dealer.ts';
import { type Smoothness, watchFrames } from './frames.ts';
import { toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';
import { sumOf, weigh } from './pageWeight.ts';
import { screens } from '../support/screens.ts';

type Counts = {
  readonly languages: readonly ('en' | 'zh')[];
  readonly viewports: readonly (readonly [width: number, height: number])[];
  /** Time between two cards, and how long everything else is recorded. */
  readonly cardMs: number;
  readonly watchMs: number;
};

const sizes: Sizes<Counts> = {
  full: {
    languages: ['en', 'zh'],
    viewports: [
      [1366, 768],
      [390, 844],
    ],
    cardMs: 700,
    watchMs: 2_000,
  },
  short: { languages: ['en'], viewports: [[390, 844]], cardMs: 50, watchMs: 200 },
};

const { languages, viewports, cardMs, watchMs } = sizes[process.argv[2] as BenchSize];
const throttling = 4;
/** Time between two frames of a screen, and the target for p95, in milliseconds. */
const [frameMs, aimMs] = [1000 / 60, 20];
const maxBytes = { en: 180_000, zh: 320_000 };

const kilobytes = (bytes: number): string => `${figure(bytes / 1000)} kB`;

async function weights(browser: Browser): Promise<void> {
  const floor = await startTestServer({ screensFolder: await screens() });
  for (const language of languages) {
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    await page.addInitScript((chosen) => localStorage.setItem('punto.language', chosen), language);
    const files = await weigh(page, `${floor.address}#/table/tiger`);
    const of = (ending: string): string =>
      kilobytes(sumOf(new Map([...files].filter(([path]) => path.endsWith(ending)))));
    console.log(
      `  first load in ${language}: ${kilobytes(sumOf(files))} of ${kilobytes(maxBytes[language])} compressed, scripts ${of('.js')}, styles ${of('.css')}, fonts ${of('.woff2')} in ${files.size} files`,
    );
    await page.close();
  }
  await floor.close();
}

const smoothness = ({ frames, work }: Smoothness): string => {
  const due = Math.round(frames.reduce((sum, time) => sum + time, 0) / frameMs);
  const long = work.filter((time) => time > aimMs).length;
  const share = long === 0 ? 'none' : `${long} (${figure((100 * long) / due)} %)`;
  return `p95 ${figure(percentile(frames, 0.95))} ms, longest ${figure(Math.max(...frames))} ms, ${frames.length} of ${due} frames drawn; CPU time of the page per frame: p95 ${figure(percentile(work, 0.95))} ms, frames above ${aimMs} ms: ${share}`;
};

/** The baseline of this machine at this moment: a page without script, on which the browser animates a square. */
async function empty(browser: Browser, width: number, height: number): Promise<Smoothness> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(
    `<style>body{background:#0b4335}i{display:block;width:114px;height:160px;background:#fff;animation:go 2s infinite alternate}@keyframes go{to{transform:translate(200px,200px)}}</style><i></i>`,
  );
  await slow(page);
  const measured = await watchFrames(browser, page, () => wait(watchMs));
  await page.close();
  return measured;
}

/** A round of six cards from the close of bets to the result, and the same page at rest. */
async function deal(browser: Browser, width: number, height: number): Promise<void> {
  const dealer = await Dealer.at('tiger', { chance: prepared('2C 3D 2D KS 5H 2H') });
  const page = await browser.newPage({ viewport: { width, height } });
  await toTable(page, dealer, 'tiger');
  await wait(watchMs);
  await slow(page);
  const rest = await watchFrames(browser, page, () => wait(watchMs));
  const dealt = await watchFrames(browser, page, async () => {
    for (let card = 1; card <= 6; card++) {
      await dealer.deal(card);
      await wait(cardMs);
    }
    await dealer.settle();
    await wait(watchMs);
  });
  console.log(`  deal at ${width}x${height} and ${throttling} times CPU throttling, frame times: ${smoothness(dealt)}`);
  console.log(`    the same page at rest: ${smoothness(rest)}`);
  console.log(`    an empty page with one animation: ${smoothness(await empty(browser, width, height))}`);
  const shift = dealt.shift === 0 ? 'none' : `${figure(dealt.shift)} (${dealt.moved.join(', ')})`;
  console.log(`    layout shift: ${shift}`);
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
  for (const [width, height] of viewports) await deal(browser, width, height);
} finally {
  await browser.close();
}
