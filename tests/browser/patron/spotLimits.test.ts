import { expect, test } from 'vitest';
import { formatShortMoney } from '../../../src/base/formatMoney.ts';
import { demoSettings } from '../../runtime/support/demo.ts';
import { PatronSocket, secretOf, startTestServer } from '../../server/support/testServer.ts';
import { managers, openedTable } from '../../table/tableScenario.ts';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { toTable } from '../support/patron.ts';
import { scenarioPage } from '../support/scenarioPage.ts';
import { screens } from '../support/screens.ts';

// Limits as a terminal prints them and as the server enforces them.

const wagersOf = (table: string): readonly string[] =>
  Object.keys(demoSettings.find((one) => one.table === table)!.limits);
/** Limits of which no two spots have the same. */
const ownLimits = (n: number) => [500 + 100 * n, 20_000 + 1000 * n] as const;
/** Limits of which side bets in the middle have the extremes. */
const mixedLimits = (n: number) =>
  [[400, 300, 200, 500][n % 4]!, [20_000, 10_000, 30_000, 50_000, 40_000][n % 5]!] as const;

test.each([
  ...['super-six', 'fortune-six', 'super-6', 'no-commission', 'tiger', 'tiger-no-commission'].map(
    (table) => ['ETG 2.2.ii', table, ownLimits, null] as const,
  ),
  // Of unequal limits the legend has the lowest minimum, and the maxima of Player and Banker and of the side bets.
  ['ETG layout-13', 'tiger', ownLimits, ['MIN-BET 5.00', 'MAX-BET 210.00 side 270.00']],
  ['ETG layout-13', 'tiger', mixedLimits, ['MIN-BET 2.00', 'MAX-BET 200.00 side 500.00']],
  ['ETG layout-13', 'tiger', () => [100, 20_000] as const, ['MIN-BET 1.00', 'MAX-BET 200.00']],
] as const)(
  '[%s] the limits printed at %s equal the limits that the server enforces',
  async (_, table, limitsOf, legend) => {
    const wagers = wagersOf(table);
    const limits = Object.fromEntries(wagers.map((wager, n) => [wager, limitsOf(n)]));
    const dealer = await Dealer.at(table, { settings: { limits } });
    const { page, complaints } = await freshPage(1366, 768);
    await toTable(page, dealer, table);
    if (legend !== null) {
      const texts = await page.$$eval('.legend > span', (all) =>
        all
          .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          .map((one) => (one as HTMLElement).innerText),
      );
      expect(texts.map((text) => text.replaceAll(/\s+/g, ' ')).filter((text) => /^M(IN|AX)-BET/.test(text))).toEqual(
        legend,
      );
    }
    const ranges = await page.$$eval('[data-wager]', (all) =>
      all.map(
        (one) => [one.getAttribute('data-wager')!, (one.querySelector('.range') as HTMLElement).innerText] as const,
      ),
    );
    expect(ranges.map(([wager]) => wager).toSorted()).toEqual(wagers.toSorted());
    const guest = await PatronSocket.join(dealer.server, secretOf('2'), table);
    const round = await guest.bettingRound();
    for (const [n, [wager, range]] of ranges.entries()) {
      const [minimum, maximum] = range.split(' – ').map((amount) => Math.round(100 * Number(amount))) as [
        number,
        number,
      ];
      const slip = (cents: number, id: string) => ({ type: 'slip', id, table, round, slip: { [wager]: cents } });
      expect(await guest.refusalOf(slip(maximum + 100, `over-${n}-000`))).toMatchObject({
        code: 'over-maximum',
        by: 'ETG 2.2',
        message: `The maximum on ${wager} is ${maximum}; stake less.`,
      });
      // Below a minimum of 1.00 there is no stake at all: stakes are multiples of 1.00.
      const [less, reason] =
        minimum > 100
          ? [
              minimum - 100,
              { code: 'under-minimum', message: `The minimum on ${wager} is ${minimum}; stake more or nothing.` },
            ]
          : [
              50,
              { code: 'off-step-stake', message: `A stake of 50 on ${wager} is not allowed; use multiples of 100.` },
            ];
      expect(await guest.refusalOf(slip(less, `under-${n}-000`))).toMatchObject({ ...reason, by: 'ETG 2.2' });
      for (const [cents, id] of [
        [maximum, `most-${n}-000`],
        [minimum, `least-${n}-000`],
      ] as const) {
        guest.send(slip(cents, id));
        await guest.receive('accepted', (reply) => reply.id === id);
      }
    }
    guest.terminate();
    expect(complaints).toEqual([]);
    await dealer.leave();
  },
);

test.each(['ETG 2.2.ii', 'HOUSE 10'])(
  '[%s] each open spot shows the limits that the server enforces, and new limits before the next opening',
  async () => {
    const server = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
    const { page, show } = await scenarioPage(server.address);
    const scenario = openedTable('tiger').shoe().playRound('9S 2C 9H 4D');
    await show(scenario);
    const ranges = (): Promise<{ readonly [wager: string]: string }> =>
      page.$$eval('.spot', (all) =>
        Object.fromEntries(
          all.map((one) => [one.getAttribute('data-wager')!, (one.querySelector('.range') as HTMLElement).innerText]),
        ),
      );
    const { settings } = scenario.table!;
    const due = (limits: typeof settings.limits): unknown =>
      Object.fromEntries(
        Object.entries(limits).map(([wager, [minimum, maximum]]) => [
          wager,
          `${formatShortMoney(minimum)} – ${formatShortMoney(maximum)}`,
        ]),
      );
    expect(await ranges()).toEqual(due(settings.limits));
    const limits = { ...settings.limits, tie: [200, 30_000] as const };
    scenario.doByTwo('ChangeSettings', { settings: { ...settings, limits } }, managers);
    await show(scenario);
    expect(scenario.table!.phase).toBe('idle');
    expect(await ranges()).toEqual(due(limits));
    scenario.bets();
    for (const [stake, refused, message] of [
      [100, 'under-minimum', 'The minimum on tie is 200; stake more or nothing.'],
      [30_100, 'over-maximum', 'The maximum on tie is 30000; stake less.'],
    ] as const) {
      const slip = { round: scenario.round, slip: { tie: stake }, credit: 100_000 };
      expect(scenario.refusal('SetSlip', slip, { terminal: 'T9' })).toMatchObject({ refused, message, by: 'ETG 2.2' });
    }
    for (const stake of [200, 30_000]) scenario.slip('T9', { tie: stake });
    await show(scenario);
    expect((await ranges())['tie']).toBe('2 – 300');
  },
);
