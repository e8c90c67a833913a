import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSettings } from '../../runtime/support/demo.ts';
import { games } from '../../../src/games/registry.ts';
import { sandsSuper } from '../../../src/games/sandsSuper.ts';
import { type PayLine } from '../../../src/rules/wager.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { type Messages, spotStates } from '../support/spotStates.ts';
import { atSizesAndLanguages, faults, otherLanguage, resize, sizes, still, violations } from '../support/appearance.ts';
import { called, meter, placed, refusal, settled, spot, toTable } from '../support/patron.ts';
import { type Recording, Stage, phases, record } from '../support/recordedViews.ts';
import { sampleOf } from '../../times.ts';
import { wagerTerms } from '../../../src/web/shared/text/wagerTerms.ts';
import { screens } from '../support/screens.ts';

/** The net odds of a wager, highest first, computed here. */
const oddsIn = (lines: readonly PayLine[]): readonly number[] => {
  const odds = lines.flatMap(({ pays, commission: [kept, of] = [0, 1] }) =>
    pays === 'push' ? [] : [(pays[0] * (of - kept)) / (pays[1] * of)],
  );
  return [...new Set(odds)].toSorted((one, other) => other - one);
};

/** The odds in a list of terms: "1 : 1, on 6 1 : 2" are 1 and 0.5. */
const oddsRead = (text: string): readonly number[] => {
  const odds = [...text.matchAll(/([\d.]+) : ([\d.]+)/g)].map(([, win, per]) => Number(win) / Number(per));
  return [...new Set(odds)].toSorted((one, other) => other - one);
};

type Spot = {
  readonly wager: string;
  readonly odds: readonly number[];
  readonly terms: readonly string[];
  readonly range: string;
  readonly taken: boolean;
};

let open: Server;
let terminal: Page;
let terminalComplaints: readonly string[];
let stage: Stage;
let stageComplaints: readonly string[];
beforeAll(async () => {
  open = await startTestServer({ screensFolder: await screens() });
  ({ page: terminal, complaints: terminalComplaints } = await freshPage(1366, 768));
  await terminal.goto(open.address);
  const { page, complaints } = await freshPage(1366, 768);
  stage = await Stage.on(page);
  stageComplaints = complaints;
  await page.goto(open.address);
});
afterAll(async () => {
  await open.close();
});

/** The spots that each table shows, collected by the tests below and compared with the rows of the rulebooks. */
const drawn = new Map<string, readonly Spot[]>();

test.each(games.map((game, n) => ({ id: game.id, game, settings: demoSettings[n]! })))(
  '$id shows exactly its spots with their odds and limits, and takes a chip on each',
  async ({ game, settings }) => {
    // A new terminal for each table.
    await terminal.evaluate((table) => {
      localStorage.clear();
      location.hash = `#/table/${table}`;
    }, game.id);
    await terminal.reload();
    const page = terminal;
    await toTable(page, open, game.id);
    expect(await page.title()).toContain(game.name);

    const spots = await page.$$eval('[data-wager]', (all) =>
      all.map((one) => ({
        wager: one.getAttribute('data-wager')!,
        name: one.querySelector('.name .bi-1')?.textContent ?? null,
        terms: [...one.querySelectorAll('.term, .num-odds')].map((term) =>
          term.textContent.replaceAll(/\s+/g, ' ').trim(),
        ),
        range: (one.querySelector('.range') ??
          one.closest('.strip')!.querySelector('.strip-limit'))!.textContent.trim(),
        label: one.getAttribute('aria-label')!,
      })),
    );
    expect(spots.map(({ wager }) => wager).toSorted()).toEqual(Object.keys(game.wagers).toSorted());
    for (const { wager, name, terms, range, label } of spots) {
      const data = game.wagers[wager]!;
      const [minimum, maximum] = settings.limits[wager] as [number, number];
      if (name !== null) expect(name).toBe(data.name);
      expect(label.startsWith(`${data.name}, `)).toBe(true);
      // On the spot and for screen readers: all odds, each with its condition.
      expect(terms).toEqual(wagerTerms(data, 'en').map(({ when, pays }) => `${when} ${pays}`.trim()));
      expect(oddsRead(terms.join(', '))).toEqual(oddsIn(data.lines));
      expect(oddsRead(/odds (.+), minimum/.exec(label)![1]!)).toEqual(oddsIn(data.lines));
      expect(range).toBe(`${minimum / 100} – ${maximum / 100}`);
      expect(label).toContain(`minimum ${(minimum / 100).toFixed(2)}, maximum ${(maximum / 100).toFixed(2)}`);
    }

    const wagers = Object.keys(game.wagers);
    for (const wager of wagers) await spot(page, wager).click();
    await settled(page);
    const taken = await placed(page);
    expect(taken).toEqual(Object.fromEntries(wagers.map((wager) => [wager, 500])));
    expect(await meter(page, 'bet')).toBe(500 * wagers.length);
    expect(await meter(page, 'credit')).toBe(100_000 - 500 * wagers.length);
    drawn.set(
      game.id,
      spots.map(({ wager, terms, label, range }) => ({
        wager,
        terms,
        odds: oddsRead(/odds (.+), minimum/.exec(label)![1]!),
        range,
        taken: taken[wager] !== undefined,
      })),
    );
    expect(terminalComplaints).toEqual([]);
  },
);

/** The refusals of a tap on each spot of a game while no bets are open, by wager; none of the taps changes a stake. */
async function refusedTaps(id: string, phase: 'dealing' | 'result'): Promise<{ readonly [wager: string]: string }> {
  const { page } = stage;
  await resize(page, 1366, 768);
  await stage.show(await record(id), phase);
  const before = await placed(page);
  const refused: { [wager: string]: string } = {};
  for (const wager of Object.keys(before)) {
    await spot(page, wager).click();
    refused[wager] = await refusal(page);
    await page.locator('[data-testid=refusal] button').click();
    await page.waitForSelector('[data-testid=refusal]', { state: 'detached' });
  }
  expect(await placed(page)).toEqual(before);
  return refused;
}

/** Refused taps of a game after the close and after the result, once for all of its rows. */
const closedTaps = new Map<string, readonly { readonly [wager: string]: string }[]>();

const sides = (name: string): readonly string[] => [`player-${name}`, `banker-${name}`];
const points = (name: string, from: number): readonly string[] =>
  Array.from({ length: 10 - from }, (_, n) => `${name}-wins-on-${from + n}`);

test.each([
  ['BAC 2.2.1', 'baccarat', ['banker']],
  ['BAC 2.2.2', 'baccarat', ['player']],
  ['BAC 2.2.3', 'baccarat', ['tie']],
  ['BAC 2.2.4', 'baccarat', sides('pair')],
  ['ELM 2.2.1', 'sands-elements', ['banker']],
  ['ELM 2.2.2', 'sands-elements', ['player']],
  ['ELM 2.2.3', 'sands-elements', ['tie']],
  ['ELM 2.2.4', 'sands-elements', sides('pair')],
  ['ELM 2.2.5', 'sands-elements', ['fortune-six']],
  ['FAB 2.2.1', 'fabulous-4', ['player']],
  ['FAB 2.2.2', 'fabulous-4', ['banker']],
  ['FAB 2.2.3', 'fabulous-4', ['tie']],
  ['FAB 2.2.4', 'fabulous-4', sides('precious-pair')],
  ['FAB 2.2.5', 'fabulous-4', sides('fabulous-4')],
  ['SUP 2.2.1', 'sands-super', ['player']],
  ['SUP 2.2.2', 'sands-super', ['banker']],
  ['SUP 2.2.3', 'sands-super', ['tie']],
  ['SUP 2.2.4', 'sands-super', sides('red')],
  ['SUP 2.2.5', 'sands-super', sides('black')],
  ['SUP 2.2.6', 'sands-super', ['sands-six']],
  ['SUP 2.2.7', 'sands-super', sides('precious-pair')],
  ['SUP 2.2.8', 'sands-super', points('player', 1)],
  ['SUP 2.2.9', 'sands-super', points('banker', 1)],
  ['SUP 2.2.10', 'sands-super', points('tie', 0)],
] as const)(
  '[%s] %s has these spots, which take a chip while bets are open only, and show odds and limits: %j',
  async (_, id, wagers) => {
    if (!closedTaps.has(id)) closedTaps.set(id, [await refusedTaps(id, 'dealing'), await refusedTaps(id, 'result')]);
    for (const wager of wagers) {
      const all = drawn.get(id)!.filter((one) => one.wager === wager);
      expect(all).toHaveLength(1);
      const found = all[0]!;
      const [minimum, maximum] = demoSettings[games.findIndex((game) => game.id === id)]!.limits[wager] as [
        number,
        number,
      ];
      const { lines } = games.find((game) => game.id === id)!.wagers[wager]!;
      expect(found).toMatchObject({ taken: true, odds: oddsIn(lines), range: `${minimum / 100} – ${maximum / 100}` });
      // Live while betting is open, and at no other time.
      for (const refused of closedTaps.get(id)!) expect(refused[wager]).toMatch(/^Refused: Bets are closed/);
      // A game without the wager has no spot for it.
      const having = games.filter((game) => Object.hasOwn(game.wagers, wager)).map((game) => game.id);
      expect([...drawn].filter(([, spots]) => spots.some((one) => one.wager === wager)).map(([name]) => name)).toEqual(
        having,
      );
    }
  },
);

test.each([
  ['SUP 2.2', 'sands-super'],
  ['ETG appendix-a', 'super-six'],
  ['ETG appendix-b', 'fortune-six'],
  ['ETG appendix-c', 'super-6'],
  ['ETG appendix-d', 'no-commission'],
])('[%s] the layout of %s has exactly the spots of its pay table', (_, id) => {
  const { wagers } = games.find((game) => game.id === id)!;
  expect(Object.fromEntries(drawn.get(id)!.map(({ wager, odds }) => [wager, odds]))).toEqual(
    Object.fromEntries(Object.entries(wagers).map(([wager, { lines }]) => [wager, oddsIn(lines)])),
  );
});

test('[SUP diagram-a] every spot has the odds of its pay line, also where the picture is illegible', () => {
  const odds = Object.fromEntries(drawn.get('sands-super')!.map((one) => [one.wager, one.odds]));
  expect(Object.keys(odds)).toHaveLength(Object.keys(sandsSuper.wagers).length);
  for (const [wager, { lines }] of Object.entries(sandsSuper.wagers)) expect(odds[wager], wager).toEqual(oddsIn(lines));
  expect([odds['tie-wins-on-4'], odds['tie-wins-on-5'], odds['sands-six']]).toEqual([[100], [80], [6]]);
});

test('[ETG 2.2.i] the terminal of each table shows the layout of the game of that table', () => {
  expect([...drawn.keys()]).toEqual(games.map(({ id }) => id));
  for (const { id, wagers } of games) {
    expect(
      drawn
        .get(id)!
        .map(({ wager }) => wager)
        .toSorted(),
      id,
    ).toEqual(Object.keys(wagers).toSorted());
  }
});

test('[ETG layout-8] Banker shows 0.95 to 1 at Tiger, and 1 to 1 with 1 to 2 at Tiger No Commission', () => {
  const banker = (id: string) => drawn.get(id)!.find(({ wager }) => wager === 'banker')!.odds;
  expect([banker('tiger'), banker('tiger-no-commission')]).toEqual([[0.95], [1, 0.5]]);
  // All other odds come out of the pay table too.
  for (const id of ['tiger', 'tiger-no-commission']) {
    const { wagers } = games.find((game) => game.id === id)!;
    expect(Object.fromEntries(drawn.get(id)!.map(({ wager, odds }) => [wager, odds]))).toEqual(
      Object.fromEntries(Object.entries(wagers).map(([wager, { lines }]) => [wager, oddsIn(lines)])),
    );
  }
});

test('[ETG layout-9] Player and Banker show their odds with conditions: a win with 6 is named where it pays half', () => {
  const terms = (id: string, wager: string) => drawn.get(id)!.find((one) => one.wager === wager)!.terms;
  expect([terms('tiger', 'player'), terms('tiger', 'banker')]).toEqual([['1 : 1'], ['0.95 : 1']]);
  expect(terms('tiger-no-commission', 'player')).toEqual(['1 : 1']);
  expect(terms('tiger-no-commission', 'banker')).toEqual(['1 : 1', 'on 6 1 : 2']);
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
    await resize(page, 1366, 768);
    const banners = [
      ['betting', 'Place your bets, please'],
      ['paying', 'Paying'],
      // Until the deadline bets are open.
      ['closing', 'Place your bets, please'],
      ['dealing', 'No more bets'],
      ['idle', 'Next round soon'],
      ['result', 'No more bets'],
      ['closed', 'Table closed'],
    ] as const;
    for (const [n, [phase, banner]] of banners.entries()) {
      const messages = recording.messages.betting.map((message) =>
        message.type === 'table'
          ? { ...message, version: message.version + n, view: { ...message.view, phase } }
          : message,
      );
      await stage.showMessages('tiger', ...messages);
      await called(page, banner);
      for (const text of ['MALFUNCTION VOIDS ALL PAYS AND PLAYS', '机器故障时，一切投注与派彩无效']) {
        const legend = page.locator('.legend', { hasText: text });
        const { top, bottom } = await legend.evaluate((one) => one.getBoundingClientRect());
        expect([top > 0, bottom <= 768], `${phase} ${text}`).toEqual([true, true]);
        await page.keyboard.press('l');
      }
    }
  },
);
