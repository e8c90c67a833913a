import { expect, test } from 'vitest';
import {
  type StaffServerMessage,
  type StaffClientMessageOf,
  type StaffSession,
} from '../../../../src/wire/staff/messages.ts';
import {
  type RoundPage,
  type ListedRound,
  type GameMeters,
  type RoundTimeline,
  type RoundTimelineStep,
} from '../../../../src/wire/staff/roundTypes.ts';
import { StaffPage } from '../support/staffPage.ts';
import { queryReply } from './queryReplies.ts';
import { hash } from '../console/dealerViews.ts';
import { expectNothingCutOff } from '../support/textChecks.ts';

const game = 'tiger@2021-10-28';
const at = Date.now() - 60_000;
const supervisor = { number: 'S-031', role: 'supervisor' } as const;
const manager = { number: 'M-012', role: 'pit-manager' } as const;

const round = (number: number, more: Partial<ListedRound> = {}): ListedRound => ({
  id: `sg1/L11/2026-11-15/S-2211/${number}`,
  table: number % 2 === 0 ? 'baccarat-squeeze-1' : 'L11',
  number,
  at: at - (60 - number) * 40_000,
  day: '2026-11-15',
  shoe: 'S-2211',
  game,
  cards: ['TC', 'TD', 'QH', 'TS', '9C', '9D'],
  player: 9,
  banker: 9,
  winner: (['player', 'banker', 'tie'] as const)[number % 3]!,
  slips: 300,
  staked: 123_456_700,
  returned: 123_456_700,
  isVoid: false,
  by: null,
  corrected: false,
  playing: false,
  ...more,
});

const listed = [
  round(61, { at: null, returned: null, winner: null, cards: [], player: 0, banker: 0, playing: true }),
  round(60, { isVoid: true, by: 'ETG 5.8.1' }),
  round(59, { corrected: true, by: 'READING 16, ETG 6.3' }),
  round(58, { isVoid: true, corrected: true, by: 'ETG 5.8.1', at: at - 86_400_000 }),
  ...Array.from({ length: 46 }, (_, n) => round(57 - n)),
];

/** History page with replies to its queries. */
async function openHistory(
  path: string,
  who: Partial<StaffSession>,
  answer: (request: StaffClientMessageOf<'query'>) => object | undefined,
): Promise<StaffPage> {
  const staffPage = await StaffPage.at(path, undefined, false, 1366, 768, {}, { table: null, ...who });
  staffPage.reply = (request): StaffServerMessage => {
    const { id } = request;
    const data = request.type === 'query' ? (answer(request) ?? queryReply(request.name, Date.now())) : undefined;
    return data
      ? { type: 'answer', id, data: data as { [field: string]: unknown } }
      : { type: 'done', id, events: [], sequence: 1 };
  };
  await staffPage.page.reload();
  await staffPage.page.waitForSelector('main.page:not(.soon)');
  await staffPage.waitUntilDrawn();
  return staffPage;
}

test('the rounds page is paged and searched by keys alone, and cuts nothing off', async () => {
  const next = { at: listed.at(-1)!.at, table: 'L11' };
  const wanted: { readonly [field: string]: unknown }[] = [];
  const staffPage = await openHistory('/rounds', supervisor, ({ name, params: given }): RoundPage | undefined => {
    if (name !== 'rounds') return undefined;
    wanted.push(given);
    return given['before'] === undefined && given['only'] === undefined
      ? { rounds: listed, examined: 200, back: listed.at(-1)!.at, next }
      : { rounds: listed.slice(0, 2), examined: 2, back: null, next: null };
  });
  const { page } = staffPage;
  const rows = page.locator('tbody tr');
  const shows = async (count: number): Promise<void> => {
    await expect.poll(() => rows.count()).toBe(count);
  };
  await shows(listed.length);
  await expectNothingCutOff(staffPage, 'rounds');
  expect(await rows.nth(1).textContent()).toMatch(/1,234,567\.00.*1,234,567\.00.*VoidETG 5\.8\.1/);
  expect(await page.textContent('.foot')).not.toContain('Searched');

  await page.keyboard.press('o');
  await shows(2);
  expect(wanted.at(-1)).toEqual({ before: next });
  await page.keyboard.press('n');
  await shows(listed.length);
  await page.keyboard.press('v');
  await shows(2);
  expect(wanted.at(-1)).toEqual({ only: 'void' });
  await page.keyboard.press('v');
  await shows(listed.length);

  await page.keyboard.press('/');
  for (const name of ['clause', 'terminal', 'person'])
    expect(await page.locator(`[data-field=${name}]`).count()).toBe(1);
  await page.locator('[data-field=terminal]').focus();
  await page.keyboard.type('T-0107');
  await page.keyboard.press('Tab');
  await page.keyboard.type('5.8.1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('d-214');
  await page.keyboard.press('Enter');
  await page.fill('[data-field=until]', '2026-11-15T21:14');
  await page.locator('[data-field=until]').blur();
  await expect
    .poll(() => wanted.at(-1))
    .toEqual({
      terminal: 'T-0107',
      clause: '5.8.1',
      person: 'd-214',
      until: await page.evaluate(() => new Date('2026-11-15T21:14:59.999').getTime()),
    });
  expect(await page.textContent('.foot')).toContain('Searched: 200, back to');
  await expectNothingCutOff(staffPage, 'rounds-sought');
  expect(staffPage.complaints).toEqual([]);
});

test('the timeline of a round cuts nothing off when its postings are open', async () => {
  const actor = { number: 'D-214', role: 'dealer', acting: null };
  const step = (
    sequence: number,
    event: RoundTimelineStep['event'],
    more: Partial<RoundTimelineStep> = {},
  ): RoundTimelineStep => ({
    sequence,
    at: at + sequence * 700,
    event,
    actor,
    second: null,
    postings: [],
    allPostings: 0,
    ...more,
  });
  const results = { tiger: { result: 'win', pays: [12, 1], commission: [0, 1], by: 'ETG 4.10' } };
  const lost = { tiger: { result: 'lose', pays: [0, 1], commission: [0, 1], by: 'ETG 1.1.2' } };
  const postings = Array.from({ length: 50 }, (_, n) => ({
    from: 'demo/SGD/house/L11',
    to: `demo/SGD/terminal/T-01${n}.1`,
    amount: 123_456_700,
  }));
  const cards = ['AC', '4D', '3H', '2S', '8D'];
  const timeline: RoundTimeline = {
    table: 'L11',
    round: listed[2]!.id,
    number: 59,
    day: '2026-11-15',
    game,
    gameHash: hash,
    steps: [
      step(1, { type: 'BetsOpened', number: 59, day: '2026-11-15', game, decks: 8, closesAt: at, by: 'ETG 3.2' }),
      step(2, { type: 'BetsClosed', by: 'ETG 3.3' }),
      ...cards.map((card, n) => step(3 + n, { type: 'CardDealt', card, slot: ['P1', 'B1', 'P2', 'B2', 'P3'][n] })),
      step(8, { type: 'RoundSettled', settlement: '59#1', cards, results }),
      step(
        9,
        { type: 'SettlementPosted', settlement: '59#1', from: 0, count: 300, last: true },
        { postings, allPostings: 300 },
      ),
      step(
        10,
        {
          type: 'RoundResettled',
          settlement: '59#2',
          reverses: '59#1',
          by: 'ETG 6.3',
          cards,
          outcome: 'results',
          results: lost,
        },
        { second: { number: 'S-031', role: 'dealer', acting: 'supervisor' } },
      ),
    ],
    slips: { count: 300, first: at, last: at + 500 },
    rows: Array.from({ length: 300 }, (_, n) => ({
      session: `T-01${n}.12`,
      slip: { tiger: 123_456_700 },
      staked: 123_456_700,
      returned: n % 2 === 0 ? 0 : 1_234_567_000,
    })),
    entries: [1_204_511, 1_205_022],
    head: hash,
  };
  const path = `/rounds/${encodeURIComponent(timeline.round)}`;
  const staffPage = await openHistory(path, supervisor, ({ name }) => (name === 'round' ? timeline : undefined));
  await staffPage.page.waitForSelector('.ev li');
  await expectNothingCutOff(staffPage, 'timeline');
  await staffPage.passEnterGuard();
  await staffPage.type('j', 'j', 'j', 'j', 'Enter');
  await expect.poll(() => staffPage.page.textContent('.ev li.at')).toContain('1,234,567.00');
  await expectNothingCutOff(staffPage, 'timeline-postings');
  expect(staffPage.complaints).toEqual([]);
});

test('the meters page cuts nothing off with all wagers of a game and without any round', async () => {
  const wagers = ['player', 'banker', 'tie', 'tiger', 'small-tiger', 'big-tiger', 'tiger-tie', 'tiger-pair'];
  const total = { rounds: 812_000, stakes: 9_120_455, staked: 912_345_678_900, returned: 899_345_678_900 };
  const byWager = Object.fromEntries(wagers.map((wager) => [wager, { ...total, squares: '91234567890000000000' }]));
  const meters = { coinIn: 912_345_678_900, voided: 1_234_500, coinOut: 899_345_678_900 };
  const metered: GameMeters = {
    game,
    decks: 8,
    tables: ['L11', 'L12'],
    wagers: byWager,
    days: Array.from({ length: 30 }, (_, n) => ({
      day: `2026-10-${String(n + 1).padStart(2, '0')}`,
      wagers: byWager,
    })),
    meters: { ...meters, reversed: 600_000, commission: 45_678_900, reversedCommission: 1_200 },
  };
  let games: readonly GameMeters[] = [metered, { ...metered, game: 'baccarat@2021-10-28', decks: 6 }];
  const staffPage = await openHistory('/meters', manager, ({ name }) => (name === 'meters' ? { games } : undefined));
  await staffPage.page.waitForSelector('.met tbody tr');
  await staffPage.page.waitForSelector('.plot', { timeout: 30_000 });
  await expectNothingCutOff(staffPage, 'meters');
  games = [];
  await staffPage.page.reload();
  await staffPage.page.waitForSelector('.pad-in');
  await expectNothingCutOff(staffPage, 'meters-none');
  expect(staffPage.complaints).toEqual([]);
});
