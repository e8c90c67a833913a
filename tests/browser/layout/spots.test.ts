import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type ServerMessageOf } from '../../../src/wire/messages.ts';
import { type PublicTableView } from '../../../src/wire/tableView.ts';
import { demoSettings } from '../../runtime/support/demo.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { defaultSettings, managers, openedTable } from '../../table/tableScenario.ts';
import { freshPage } from '../support/browser.ts';
import { resize } from '../support/appearance.ts';
import { meter, placed, settled, spot, toTable } from '../support/patron.ts';
import { type Recording, Stage, phaseBanners, record } from '../support/recordedViews.ts';
import { scenarioPage } from '../support/scenarioPage.ts';
import { screens } from '../support/screens.ts';
import { printedOdds } from './printedOdds.ts';

// The spots of each game: which there are, what is printed on them, and when they take a chip.

/** A spot as a patron sees it: its visible texts, what a screen reader says, and its place. */
type ShownSpot = {
  readonly wager: string;
  /** Null in a number strip, where the spot shows its total alone. */
  readonly name: string | null;
  readonly terms: readonly string[];
  readonly range: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
};

/** Odds or limits that cannot be seen read as empty. */
const spotsOf = (page: Page): Promise<readonly ShownSpot[]> =>
  page.$$eval('[data-wager]', (all) => {
    const textOf = (part: Element): string =>
      part.getClientRects().length > 0 && part.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        ? part.textContent.replaceAll(/\s+/g, ' ').trim()
        : '';
    return all.map((one) => {
      const { x, y } = one.getBoundingClientRect();
      return {
        wager: one.getAttribute('data-wager')!,
        name: one.querySelector('.name .bi-1')?.textContent ?? null,
        terms: [...one.querySelectorAll('.term, .num-odds')].map(textOf),
        range: textOf((one.querySelector('.range') ?? one.closest('.strip')!.querySelector('.strip-limit'))!),
        label: one.getAttribute('aria-label')!,
        x,
        y,
      };
    });
  });

type Limits = { readonly [wager: string]: readonly [minimum: number, maximum: number] };
const demoLimits = (id: string): Limits => demoSettings.find(({ table }) => table === id)!.limits as unknown as Limits;
const rangeText = ([minimum, maximum]: readonly [number, number]): string => `${minimum / 100} – ${maximum / 100}`;
const moneyText = (cents: number): string => (cents / 100).toFixed(2);

let server: Server;
let terminal: Page;
let terminalComplaints: readonly string[];
let stage: Stage;
beforeAll(async () => {
  server = await startTestServer({ screensFolder: await screens() });
  ({ page: terminal, complaints: terminalComplaints } = await freshPage(1366, 768));
  await terminal.goto(server.address);
  const { page } = await freshPage(1366, 768);
  stage = await Stage.on(page);
  await page.goto(server.address);
});
afterAll(() => server.close());

/** The spots that each table shows, and the stakes that its terminal placed: compared below with the rulebooks. */
type Drawn = {
  readonly spots: readonly ShownSpot[];
  readonly onPhone: readonly ShownSpot[];
  readonly taken: { [wager: string]: number };
};
const drawn = new Map<string, Drawn>();

test.each(games)('$id shows exactly its spots with their odds and limits, and takes a chip on each', async (game) => {
  // A new terminal for each table.
  await terminal.evaluate((table) => {
    localStorage.clear();
    location.hash = `#/table/${table}`;
  }, game.id);
  await terminal.reload();
  const page = terminal;
  await toTable(page, server, game.id);
  expect(await page.title()).toContain(game.name);
  const spots = await spotsOf(page);
  expect(spots.map(({ wager }) => wager).toSorted()).toEqual(Object.keys(printedOdds[game.id]!).toSorted());
  for (const { wager, name, terms, range, label } of spots) {
    const data = game.wagers[wager]!;
    const limits = demoLimits(game.id)[wager]!;
    const printed = printedOdds[game.id]![wager]!;
    if (name !== null) expect(name).toBe(data.name);
    // On the spot and for screen readers: all odds, each with its condition.
    expect(terms, wager).toEqual(printed);
    expect(range, wager).toBe(rangeText(limits));
    const [minimum, maximum] = limits.map(moneyText);
    expect(label).toBe(`${data.name}, odds ${printed.join(', ')}, minimum ${minimum}, maximum ${maximum}`);
  }

  const wagers = Object.keys(game.wagers);
  for (const wager of wagers) await spot(page, wager).click();
  await settled(page);
  const taken = await placed(page);
  expect(taken).toEqual(Object.fromEntries(wagers.map((wager) => [wager, 500])));
  expect(await meter(page, 'bet')).toBe(500 * wagers.length);
  expect(await meter(page, 'credit')).toBe(100_000 - 500 * wagers.length);
  await resize(page, 390, 844);
  const onPhone = await spotsOf(page);
  expect(onPhone.map(({ wager }) => wager).toSorted()).toEqual(wagers.toSorted());
  await resize(page, 1366, 768);
  drawn.set(game.id, { spots, onPhone, taken });
  expect(terminalComplaints).toEqual([]);
});

/** What a tap on a spot did: the text of the refusal, and the amount that it added to the stake, in cents. */
type Tap = { readonly refused: string | null; readonly added: number };
type Taps = { readonly [wager: string]: Tap };

/** Taps each spot in turn, inside the page, which is much faster than from outside. Closes each refusal. */
const tapsOn = (page: Page): Promise<Taps> =>
  page.evaluate(async () => {
    const until = async (isDone: () => boolean, what: string): Promise<void> => {
      const last = performance.now() + 10_000;
      while (!isDone()) {
        if (performance.now() > last) throw new Error(`${what} within 10 s`);
        await new Promise((resolve) => setTimeout(resolve));
      }
    };
    const notice = (): HTMLElement | null => document.querySelector('[data-testid=refusal]');
    const taps: { [wager: string]: Tap } = {};
    for (const one of document.querySelectorAll<HTMLElement>('[data-wager]')) {
      const wager = one.dataset['wager']!;
      const stakeOf = (): number => Number(one.dataset['staked'] ?? 0);
      const before = stakeOf();
      const { x, y, width, height } = one.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      if (!one.contains(hit)) throw new Error(`a tap does not reach ${wager}`);
      (hit as HTMLElement).click();
      await until(() => notice() !== null || stakeOf() !== before, `a tap on ${wager} shows no effect`);
      const texts = [...(notice()?.querySelectorAll<HTMLElement>('h2, p') ?? [])].map((part) => part.innerText);
      taps[wager] = { refused: notice() && texts.join(': '), added: stakeOf() - before };
      notice()?.querySelector('button')!.click();
      await until(() => notice() === null, `the refusal of ${wager} does not close`);
    }
    return taps;
  });

/** The taps on each spot of a game after the call, before the deadline. */
async function calledTaps(id: string): Promise<Taps> {
  const recording = await record(id);
  await resize(stage.page, 1366, 768);
  await stage.showPhase(recording, ['closing', 'Place your bets, please'], callAt(recording, 60_000));
  const taps = await tapsOn(stage.page);
  // The recording has no reply to these stakes.
  await stage.page.reload();
  return taps;
}

/** The taps on each spot of a game at each time when it takes no bets. */
async function closedTaps(id: string): Promise<readonly Taps[]> {
  const { page } = stage;
  const recording = await record(id);
  const taps: Taps[] = [];
  const tapAll = async (): Promise<void> => {
    const before = await placed(page);
    taps.push(await tapsOn(page));
    expect(await placed(page)).toEqual(before);
  };
  for (const phase of ['dealing', 'result'] as const) {
    await stage.show(recording, phase);
    await tapAll();
  }
  for (const phase of phaseBanners.filter(([one]) => ['paying', 'idle', 'closed'].includes(one))) {
    await stage.showPhase(recording, phase);
    await tapAll();
  }
  // The server has not closed bets yet, but the deadline has passed.
  await stage.showPhase(recording, ['closing', 'No more bets'], callAt(recording, -1_000));
  await tapAll();
  return taps;
}

/** The call of a recorded round, with its deadline this long after the time of the page, and the end of bets later. */
function callAt({ messages }: Recording, leftMs: number): Partial<PublicTableView> {
  const { at } = messages.betting.find(({ type }) => type === 'welcome') as ServerMessageOf<'welcome'>;
  const { view } = messages.betting.find(({ type }) => type === 'table') as ServerMessageOf<'table'>;
  return { round: { ...view.round!, deadline: at + leftMs, closesAt: at + 120_000 } };
}

/** Limits that no two spots share. */
const ownLimits = (id: string): Limits =>
  Object.fromEntries(Object.keys(printedOdds[id]!).map((wager, n) => [wager, [100 * (n + 1), 50_000 + 100 * n]]));

/** The recording of a table at which every spot has limits of its own. */
const withOwnLimits = ({ table, messages }: Recording): Recording => ({
  table,
  messages: {
    ...messages,
    betting: messages.betting.map((message) =>
      message.type === 'table'
        ? {
            ...message,
            view: {
              ...message.view,
              layout: message.view.layout.map((one) => {
                const [minimum, maximum] = ownLimits(table)[one.wager]!;
                return { ...one, minimum, maximum };
              }),
            },
          }
        : message,
    ),
  },
});

/** The spots of a game with limits of their own, on a wide screen and on a phone. */
async function spotsWithOwnLimits(id: string): Promise<readonly (readonly ShownSpot[])[]> {
  const shown: (readonly ShownSpot[])[] = [];
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ] as const) {
    await resize(stage.page, width, height);
    await stage.show(withOwnLimits(await record(id)), 'betting');
    await stage.page.waitForSelector('[aria-label*="minimum 1.00, maximum 500.00"]');
    shown.push(await spotsOf(stage.page));
  }
  return shown;
}

/** What a game shows after the call, when it takes no bets, and with other limits: found once for all of its rows. */
type Observed = {
  readonly called: Taps;
  readonly closed: readonly Taps[];
  readonly limited: readonly (readonly ShownSpot[])[];
};
const observations = new Map<string, Promise<Observed>>();
function observed(id: string): Promise<Observed> {
  const observation =
    observations.get(id) ??
    (async () => ({
      called: await calledTaps(id),
      closed: await closedTaps(id),
      limited: await spotsWithOwnLimits(id),
    }))();
  observations.set(id, observation);
  return observation;
}

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
    const { spots, taken } = drawn.get(id)!;
    const { called, closed, limited } = await observed(id);
    for (const wager of wagers) {
      for (const [shown, limits] of [
        [spots, demoLimits(id)],
        ...limited.map((one) => [one, ownLimits(id)] as const),
      ] as const) {
        expect(shown.filter((one) => one.wager === wager)).toMatchObject([
          { terms: printedOdds[id]![wager], range: rangeText(limits[wager]!) },
        ]);
      }
      // Live while betting is open, and at no other time.
      expect(taken[wager]).toBe(500);
      expect(called[wager]).toEqual({ refused: null, added: 500 });
      for (const taps of closed)
        expect(taps[wager]).toEqual({ refused: expect.stringMatching(/^Refused: Bets are closed/), added: 0 });
      // A game without the wager has no spot for it.
      const having = Object.keys(printedOdds).filter((game) => Object.hasOwn(printedOdds[game]!, wager));
      for (const size of ['spots', 'onPhone'] as const) {
        const showing = [...drawn].filter(([, all]) => all[size].some((one) => one.wager === wager));
        expect(showing.map(([game]) => game).toSorted(), size).toEqual(having.toSorted());
      }
    }
  },
);

const oddsIn = (spots: readonly ShownSpot[]): unknown =>
  Object.fromEntries(spots.map(({ wager, terms }) => [wager, terms]));
/** The odds that a game shows, by wager. */
const shownOdds = (id: string): unknown => oddsIn(drawn.get(id)!.spots);

test.each([
  ['SUP 2.2', 'sands-super'],
  ['SUP diagram-a', 'sands-super'],
  ['ETG appendix-a', 'super-six'],
  ['ETG appendix-b', 'fortune-six'],
  ['ETG appendix-c', 'super-6'],
  ['ETG appendix-d', 'no-commission'],
  ['ETG layout-8', 'tiger'],
  ['ETG layout-8', 'tiger-no-commission'],
])('[%s] the layout of %s has exactly the spots of its pay table, with their odds', async (_, id) => {
  expect(shownOdds(id)).toEqual(printedOdds[id]);
  // A phone has a layout of its own.
  for (const spots of await spotsWithOwnLimits(id)) {
    expect(spots).toHaveLength(Object.keys(printedOdds[id]!).length);
    expect(oddsIn(spots)).toEqual(printedOdds[id]);
  }
});

test.each(['spots', 'onPhone'] as const)(
  '[SUP 2.2] the spots of Sands Super lie as in Diagram A: hands on their sides, the tie between them, three strips below (%s)',
  (size) => {
    const spots = drawn.get('sands-super')![size];
    const at = (wager: string): ShownSpot => spots.find((one) => one.wager === wager)!;
    const isRising = (values: readonly number[]): boolean =>
      values.every((value, n) => n === 0 || value > values[n - 1]!);
    expect(isRising(['player', 'tie', 'banker'].map((wager) => at(wager).x))).toBe(true);
    for (const side of ['player', 'banker']) {
      for (const wager of ['red', 'black', 'precious-pair'].map((name) => `${side}-${name}`)) {
        expect(at(wager).x < at('tie').x, wager).toBe(side === 'player');
      }
    }
    const strips = [points('tie', 0), points('banker', 1), points('player', 1)];
    for (const strip of strips) {
      // In reading order: in one row, or on a phone in two.
      const places = strip.map((wager) => Math.round(at(wager).y) * 10_000 + at(wager).x);
      expect(isRising(places)).toBe(true);
      expect(new Set(strip.map((wager) => Math.round(at(wager).y))).size).toBe(size === 'spots' ? 1 : 2);
    }
    const others = spots.filter(({ wager }) => !wager.includes('-wins-on-'));
    const lowest = Math.max(...others.map(({ y }) => y));
    expect(isRising([lowest, ...strips.flatMap((strip) => [at(strip[0]!).y, at(strip.at(-1)!).y + 1])])).toBe(true);
  },
);

test('[SUP diagram-a] cells that cannot be read in the picture follow section 4', () => {
  const { spots } = drawn.get('sands-super')!;
  const odds = ['tie-wins-on-4', 'tie-wins-on-5', 'sands-six'].map(
    (wager) => spots.find((one) => one.wager === wager)!.terms,
  );
  expect(odds).toEqual([['100 : 1'], ['80 : 1'], ['6 : 1']]);
});

test('[ETG 2.2.i] the terminal of each table shows the layout of the game of that table', () => {
  expect([...drawn.keys()].toSorted()).toEqual(Object.keys(printedOdds).toSorted());
  for (const id of drawn.keys()) expect(shownOdds(id), id).toEqual(printedOdds[id]);
});

test('[ETG 2.2.i] a terminal draws the other layout when it changes its table', async () => {
  await resize(stage.page, 1366, 768);
  const ids = Object.keys(printedOdds);
  for (const id of [...ids, ...ids.toReversed()]) {
    await stage.show(await record(id), 'betting');
    const wagers = (await spotsOf(stage.page)).map(({ wager }) => wager);
    expect(wagers.toSorted(), id).toEqual(Object.keys(printedOdds[id]!).toSorted());
  }
});

test('[ETG 2.2.i] a terminal draws the other layout when its table changes its game', async () => {
  const { page, show } = await scenarioPage(server.address);
  const played = ['super-six', 'fortune-six', 'super-6', 'no-commission', 'tiger', 'tiger-no-commission'];
  const { profile } = defaultSettings('tiger');
  const approved = games.map(({ id, version }) => `${id}@${version}`);
  const settingsOf = (id: string) => defaultSettings(id, { profile: { ...profile, approved } });
  const scenario = openedTable(played[0]!, settingsOf(played[0]!));
  for (const [n, id] of played.entries()) {
    if (n > 0) scenario.doByTwo('ChangeSettings', { settings: settingsOf(id) }, managers);
    await show(scenario);
    const odds = (await spotsOf(page)).map(({ wager, terms }) => [wager, terms] as const);
    expect(Object.fromEntries(odds), id).toEqual(printedOdds[id]);
  }
});

test('[ETG layout-8] Banker shows 0.95 to 1 at Tiger, and 1 to 1 with 1 to 2 on a 6 at Tiger No Commission', () => {
  const banker = (id: string) => drawn.get(id)!.spots.find(({ wager }) => wager === 'banker')!.terms;
  expect([banker('tiger'), banker('tiger-no-commission')]).toEqual([['0.95 : 1'], ['1 : 1', 'on 6 1 : 2']]);
});

test.each([
  ['tiger', 'player', ['1 : 1']],
  ['tiger', 'banker', ['0.95 : 1']],
  ['tiger-no-commission', 'player', ['1 : 1']],
  ['tiger-no-commission', 'banker', ['1 : 1', 'on 6 1 : 2']],
])('[ETG layout-9] at %s the %s spot shows its odds, with a win on 6 where it pays half: %j', (id, wager, odds) => {
  const { terms, label } = drawn.get(id)!.spots.find((one) => one.wager === wager)!;
  expect(terms).toEqual(odds);
  expect(label).toContain(`, odds ${odds.join(', ')}, minimum`);
});
