import { type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { afterSettlement, openedTable } from '../../table/tableScenario.ts';
import { scenarioPage } from '../support/scenarioPage.ts';
import { screens } from '../support/screens.ts';

// Counters and ask rows of a terminal, compared with rounds whose counts and marks are typed here.

let server: Server;
beforeAll(async () => {
  server = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
});
afterAll(() => server.close());

/** The counters of the shoe by name; null for a number that is not in sight. */
const counters = (page: Page): Promise<{ readonly [id: string]: number | null }> =>
  page.$$eval('.stage [data-counter]', (all) =>
    Object.fromEntries(
      all.map((one) => {
        const number = one.querySelector('b')!;
        const isSeen = number.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        return [one.getAttribute('data-counter')!, isSeen ? Number(number.textContent) : null];
      }),
    ),
  );

/** Rounds with the counters that each moves: sixes of two and three cards, naturals of each hand and of both, pairs. */
const dealtRounds: readonly (readonly [cards: string, counted: readonly string[]])[] = [
  ['2C KD 2D 6S KH', ['banker', 'small-tiger', 'tiger-pair']],
  ['2C 2S AD KH KC 4H', ['banker', 'big-tiger']],
  ['3C 2D 3H 4S', ['tie', 'tiger-tie', 'tiger-pair']],
  ['9H 2S KS QS', ['player', 'natural']],
  ['KS 9H QS KD', ['banker', 'natural']],
  ['8C 8D KC KD', ['tie', 'natural']],
  ['9C 9D 9H 9S', ['tie', 'natural', 'tiger-pair']],
  // A nine of three cards is no natural.
  ['2C 3D 2D KS 5H 2H', ['player', 'tiger-pair']],
  ['3S KC 4D 6C', ['player']],
];

test.each([
  ['ETG layout-5', ['banker', 'player', 'tie', 'natural'], ['庄 Banker', '闲 Player', '和 Tie', '8/9 Natural']],
  [
    'ETG layout-6',
    ['small-tiger', 'big-tiger', 'tiger-tie', 'tiger-pair'],
    ['小老虎 Small Tiger', '大老虎 Big Tiger', '老虎和 Tiger Tie', '老虎对子 Tiger Pair'],
  ],
] as const)(
  '[%s] the counters equal a recount of the settled rounds, skip a void, and restart with a new shoe',
  async (_, ids, marks) => {
    const { page, show } = await scenarioPage(server.address);
    const scenario = openedTable('tiger').shoe();
    const due = Object.fromEntries(ids.map((id) => [id, 0]));
    const expectDue = async (when: string): Promise<void> => {
      await show(scenario);
      const all = await counters(page);
      expect(Object.fromEntries(ids.map((id) => [id, all[id]])), when).toEqual(due);
    };
    const count = (counted: readonly string[]): void => {
      for (const id of counted) if (due[id] !== undefined) due[id] += 1;
    };
    await expectDue('an unused shoe');
    const signs = await page.$$eval('.stage [data-counter]', (all) =>
      all.map((one) => {
        const [mark, name] = ['.tally-mark', '.tally-name'].map((part) => {
          const text = one.querySelector(part)!;
          return text.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ? text.textContent : '';
        });
        return [one.getAttribute('data-counter')!, `${mark} ${name}`] as const;
      }),
    );
    expect(ids.map((id) => Object.fromEntries(signs)[id])).toEqual(marks);
    for (const [cards, counted] of dealtRounds) {
      scenario.bets().close().deal(cards);
      await expectDue(`${cards} before settlement`);
      scenario.settle();
      count(counted);
      await expectDue(cards);
    }
    scenario.bets().do('VoidRound', { reason: 'the lights went out' });
    await expectDue('a void without cards');
    const [cards, counted] = dealtRounds[0]!;
    scenario.playRound(cards);
    count(counted);
    await expectDue('a round to be corrected');
    // With a five for the six Banker still wins, without a tiger.
    scenario.doByTwo(
      'CorrectCard',
      { round: scenario.round, place: 4, card: '5S', reason: 'misread' },
      afterSettlement,
      {},
    );
    if ('small-tiger' in due) due['small-tiger'] -= 1;
    await expectDue('a corrected round');
    // The ruling that voids a round also ends its shoe.
    const newShoe = async (shoe: string): Promise<void> => {
      scenario.do('ReportIrregularity', { kind: 'wrong-order' });
      scenario.doByTwo('VoidRound', { reason: 'not to be restored' }, afterSettlement, {});
      await expectDue('a void round with a result');
      scenario.doByTwo('EndShoe', { seen: {} });
      scenario.shoe(shoe);
      for (const id of ids) due[id] = 0;
      await expectDue('a new shoe');
    };
    scenario.bets().close().deal(cards);
    await newShoe('S2');
    scenario.playRound(cards);
    count(counted);
    await expectDue('the first round of a new shoe');
    for (const id of ids) due[id] = 0;
    await newShoe('S3');
  },
);

test('a counter that changed with the round is marked', async () => {
  const { page, show } = await scenarioPage(server.address);
  await show(openedTable('tiger').shoe().playRound('2C KD 2D 6S KH'));
  const moved = await page.$$eval('.stage .is-moved', (all) => all.map((one) => one.getAttribute('data-counter')));
  expect(moved.toSorted((one, other) => (one! < other! ? -1 : 1))).toEqual(['banker', 'small-tiger', 'tiger-pair']);
});

/**
 * Results, and after each the next marks of Player and of Banker: big eye boy, small road, cockroach pig; red, blue or
 * none.
 */
const nextMarks = [
  ['B', '---', '---'],
  ['B', '---', '---'],
  ['P', 'r--', 'b--'],
  ['T', 'r--', 'b--'],
  ['B', 'rb-', 'br-'],
  ['P', 'bbr', 'rrb'],
  ['P', 'rrb', 'bbr'],
  ['B', 'brr', 'rbb'],
  ['B', 'rbb', 'brr'],
  ['B', 'bbb', 'rrr'],
  ['P', 'rrb', 'bbr'],
  ['B', 'rbb', 'brr'],
  ['T', 'rbb', 'brr'],
  ['P', 'bbr', 'rrb'],
] as const;

test('[ETG layout-7] the ask rows show the next marks of the derived roads for each hand', async () => {
  const { page, show } = await scenarioPage(server.address);
  const scenario = openedTable('tiger').shoe();
  const wins = { B: '2C KD 2D 6S KH', P: '9H 2S KS QS', T: '8C 8D TC TD' } as const;
  for (const [n, [letter, player, banker]] of nextMarks.entries()) {
    scenario.playRound(wins[letter]);
    await show(scenario);
    for (const [side, marks] of [
      ['player', player],
      ['banker', banker],
    ] as const) {
      // What is drawn: the colour of each mark, or the dash of none; empty if it is not in sight.
      const shown = await page.$$eval(`.board [data-ask=${side}] [data-mark]`, (all) =>
        all
          .map((one) => {
            if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return '';
            const drawn = one.firstElementChild!;
            if (drawn.classList.contains('no-mark')) return '-';
            const { fill, stroke } = getComputedStyle(drawn);
            const [red, , blue] = (stroke === 'none' ? fill : stroke).match(/\d+/g)!.map(Number) as [
              number,
              number,
              number,
            ];
            return red > blue ? 'r' : 'b';
          })
          .join(''),
      );
      expect(shown, `${side} after ${n + 1} rounds`).toBe(marks);
    }
  }
  for (const [side, name, sign] of [
    ['banker', 'Banker', '庄'],
    ['player', 'Player', '闲'],
  ] as const) {
    const row = page.locator(`.board [data-ask=${side}]`);
    expect(await row.getAttribute('aria-label')).toBe(
      `If the next winner is ${name}: ${side === 'player' ? 'Big eye boy blue, Small road blue, Cockroach pig red' : 'Big eye boy red, Small road red, Cockroach pig blue'}`,
    );
    expect(await row.locator('.ask-name').innerText()).toMatch(new RegExp(`^${name[0]}\\s*${sign}`));
  }
});
