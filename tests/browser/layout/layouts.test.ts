import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { type Messages, spotStates } from '../support/spotStates.ts';
import { atSizesAndLanguages, faults, otherLanguage, resize, sizes, still, violations } from '../support/appearance.ts';
import { type Recording, Stage, phaseBanners, phases, record } from '../support/recordedViews.ts';
import { sampleOf } from '../../times.ts';
import { screens } from '../support/screens.ts';

let open: Server;
let stage: Stage;
let stageComplaints: readonly string[];
beforeAll(async () => {
  open = await startTestServer({ screensFolder: await screens() });
  const { page, complaints } = await freshPage(1366, 768);
  stage = await Stage.on(page);
  stageComplaints = complaints;
  await page.goto(open.address);
});
afterAll(async () => {
  await open.close();
});

type Sight = 'cards' | 'roads';

test.each(games)(
  '$id looks right in every phase and language, with six cards and a stack on every spot',
  async ({ id }) => {
    const { page } = stage;
    const recording = await record(id);
    let chinese: readonly string[] = [];
    for (const [width, height] of sampleOf(`phases of ${id}`, sizes, 1)) {
      await resize(page, width, height);
      for (const phase of phases) {
        await stage.show(recording, phase);
        // The language changes once per phase, not twice: it starts with the current one.
        for (let pass = 0; pass < 2; pass++) {
          if (pass > 0) await otherLanguage(page);
          await still(page);
          const spoken = await page.evaluate(() => document.documentElement.lang);
          const label = `${width}x${height} ${spoken}`;
          expect(await faults(page), `${phase} ${label}`).toEqual([]);
          // The result of axe is the same in every size of one shape, and in both languages.
          const isChecked = ['1366x768 en', '390x844 zh-Hans', '1080x1920 en'].includes(label);
          if (isChecked) expect(await violations(page), `${phase} ${label}`).toEqual([]);
          if (spoken === 'en') continue;
          chinese = await page.$$eval('.spot-title, .spot-odds small, .fate, .tally li, .axis, .strip-name', (all) =>
            all.map((one) => one.textContent),
          );
        }
      }
      // After three phases the language is not the initial one.
      await otherLanguage(page);
    }
    // No English text is left in Chinese.
    expect(chinese.length).toBeGreaterThan(15);
    const clause = /\b(?:BAC|SUP|ELM|FAB|ETG) [\d.]+/g;
    expect(chinese.filter((text) => /[A-Za-z]/.test(text.replaceAll(clause, '')))).toEqual([]);
    expect(stageComplaints).toEqual([]);
  },
);

/** Presses SWAP VIEW until the page shows this view. */
async function swapTo(page: Page, sight: Sight): Promise<void> {
  while ((await page.locator(`.terminal.sight-${sight}`).count()) === 0) await page.keyboard.press('v');
}

/** The round number in the messages, as the legend shows it. */
const numberIn = (messages: Messages): number | string =>
  messages.find((message) => message.type === 'table')!.view.round?.number ?? '–';

test.each(sampleOf('fates', games, 2))(
  '$id shows every possible result of a stake with odds and clause',
  async ({ id }) => {
    const { page } = stage;
    const recording = await record(id);
    const states = (['small', 'large'] as const).flatMap((amount) =>
      [...spotStates(recording, amount)].map(([state, messages]) => ({ name: `${state}, ${amount}`, messages })),
    );
    const sights = ['cards', 'roads'] as const satisfies readonly Sight[];
    const cases = states.flatMap((state) => sights.map((sight) => ({ ...state, sight })));
    await atSizesAndLanguages(
      page,
      async (label) => {
        for (const { name, messages, sight } of sampleOf(`fates of ${id} ${label}`, cases, 8)) {
          await stage.showMessages(id, ...messages);
          await page.waitForSelector(`[data-testid=game]:text-is("${numberIn(messages)}")`);
          await swapTo(page, sight);
          await still(page);
          expect(await faults(page), `${name}, ${sight} ${label}`).toEqual([]);
          await swapTo(page, 'cards');
        }
      },
      sampleOf(`sizes of ${id}`, sizes, 1),
    );
    expect(stageComplaints).toEqual([]);
  },
);

/** The recording with a table that offers only these wagers. */
const offering = ({ table, messages }: Recording, wagers: ReadonlySet<string>): Recording => ({
  table,
  messages: Object.fromEntries(
    Object.entries(messages).map(([phase, phaseMessages]) => [
      phase,
      phaseMessages.map((message) =>
        message.type === 'table' && 'layout' in message.view
          ? {
              ...message,
              view: { ...message.view, layout: message.view.layout.filter(({ wager }) => wagers.has(wager)) },
            }
          : message,
      ),
    ]),
  ) as unknown as Recording['messages'],
});

test.each(games.filter(({ wagers }) => Object.values(wagers).some(({ optional }) => optional)))(
  '$id has a layout without holes for each single optional wager and for none',
  async ({ id, wagers }) => {
    const { page } = stage;
    const recording = await record(id);
    const fixed = Object.keys(wagers).filter((wager) => !wagers[wager]!.optional);
    const optional = Object.keys(wagers).filter((wager) => wagers[wager]!.optional);
    for (const [width, height] of sizes.slice(0, 2)) {
      await resize(page, width, height);
      for (const more of [[], ...optional.map((wager) => [wager])]) {
        const offered = new Set([...fixed, ...more]);
        await stage.show(offering(recording, offered), 'betting');
        await page.waitForFunction((count) => document.querySelectorAll('[data-wager]').length === count, offered.size);
        await still(page);
        expect(await faults(page), `${more.join()} ${width}`).toEqual([]);
        // The spots fill the island except for the lines between them.
        const filled = await page.evaluate(() => {
          const area = (one: Element): number => {
            const rect = one.getBoundingClientRect();
            return rect.width * rect.height;
          };
          const spots = [...document.querySelectorAll('.spots .spot')].reduce((sum, one) => sum + area(one), 0);
          return spots / area(document.querySelector('.spots')!);
        });
        expect(filled).toBeGreaterThan(0.96);
      }
    }
  },
);

test.each(['ETG layout-11', 'READING 29'])(
  '[%s] the malfunction notice is visible in every phase and language',
  async () => {
    const { page } = stage;
    const recording = await record('tiger');
    for (const [width, height] of [
      [1366, 768],
      [390, 844],
    ] as const) {
      await resize(page, width, height);
      for (const phase of phaseBanners) {
        await stage.showPhase(recording, phase);
        for (const text of ['MALFUNCTION VOIDS ALL PAYS AND PLAYS', '机器故障时，一切投注与派彩无效']) {
          const legend = page.locator('.legend-must', { hasText: text });
          const { top, bottom, left, right } = await legend.evaluate((one) => one.getBoundingClientRect());
          const isSeen = await legend.evaluate((one) =>
            one.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
          );
          expect(
            [isSeen, left >= 0, left < right, right <= width, top > 0, top < bottom, bottom <= height],
            `${phase[0]} ${text} ${width}`,
          ).toEqual(Array(7).fill(true));
          await otherLanguage(page);
        }
      }
    }
  },
);
