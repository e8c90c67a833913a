import { expect, test } from 'vitest';
import { fortuneSix, super6, tiger, tigerNoCommission } from '../../../src/games/electronic.ts';
import { games } from '../../../src/games/registry.ts';
import { parseLayout, wagerIdsOf } from '../../../src/rules/game.ts';
import { publicView, terminalView } from '../../../src/table/views/publicView.ts';
import {
  TableScenario,
  defaultSettings,
  managers,
  openedTable,
  pitManager,
  readyTable,
  shiftManager,
} from '../../table/tableScenario.ts';

for (const [row, optional, on] of [
  ['ETG 4.5', ['banker-dragon-bonus'], [fortuneSix, super6]],
  ['ETG 4.6', ['player-dragon-bonus'], [fortuneSix, super6]],
  ['ETG 4.9', ['tiger-pair'], [tiger, tigerNoCommission]],
  ['ETG 4.10', ['tiger', 'small-tiger', 'big-tiger', 'tiger-tie'], [tiger, tigerNoCommission]],
] as const) {
  test(`[${row}] ${optional.join(', ')}: on or off the layout of ${on.map(({ id }) => id).join(' and ')}, refused elsewhere`, () => {
    const off = games.filter(({ id }) => !on.some((game) => game.id === id));
    expect(off).toHaveLength(8);
    const spotsOf = ({ table }: TableScenario) => publicView(table!).layout.map(({ wager }) => wager);
    for (const wager of optional) {
      for (const game of on) {
        const all = wagerIdsOf(game);
        const without = all.filter((id) => id !== wager);
        expect(parseLayout(game, all)).toEqual(all);
        expect(parseLayout(game, without)).toEqual(without);
        // Off the layout the table takes no stake on it.
        const limits = Object.fromEntries(without.map((id) => [id, [100, 100_000]]));
        const refusesStake = (scenario: TableScenario): void => {
          expect(spotsOf(scenario)).toEqual(without);
          const slip = { round: scenario.bets().round, slip: { [wager]: 1000 }, credit: 1000 };
          expect(scenario.refusal('SetSlip', slip, { terminal: 'T1' })).toMatchObject({ refused: 'wager-not-offered' });
        };
        const takesStake = (scenario: TableScenario): void => {
          expect(spotsOf(scenario)).toEqual(all);
          expect(scenario.bets().slip('T1', { [wager]: 1000 })).toMatchObject([{ type: 'SlipSet', debit: 1000 }]);
        };
        refusesStake(readyTable(game.id, { offered: without, limits }));
        takesStake(readyTable(game.id));
        // A table switches it off and on again.
        const switched = openedTable(game.id);
        switched.doByTwo(
          'ChangeSettings',
          { settings: defaultSettings(game.id, { offered: without, limits }) },
          managers,
        );
        refusesStake(switched.shoe());
        const back = openedTable(game.id, { offered: without, limits });
        back.doByTwo('ChangeSettings', { settings: defaultSettings(game.id) }, managers);
        takesStake(back.shoe());
      }
      for (const game of off) {
        const more = [...wagerIdsOf(game), wager];
        expect(parseLayout(game, more)).toMatchObject({ refused: 'unknown-wager' });
        const settings = defaultSettings(game.id, { offered: more });
        const opening = { settings, second: shiftManager };
        expect(new TableScenario().refusal('OpenTable', opening, pitManager)).toMatchObject({
          refused: 'unknown-wager',
        });
        const scenario = readyTable(game.id);
        expect(spotsOf(scenario)).not.toContain(wager);
        const slip = { round: scenario.bets().round, slip: { [wager]: 1000 }, credit: 1000 };
        expect(scenario.refusal('SetSlip', slip, { terminal: 'T1' })).toMatchObject({ refused: 'wager-not-offered' });
      }
    }
  });
}

test.each(['tiger', 'tiger-no-commission'])(
  '[ETG 4.10] at %s the four Tiger wagers have four stakes, each settled by itself',
  (game) => {
    const slip = { tiger: 1000, 'small-tiger': 2000, 'big-tiger': 3000, 'tiger-tie': 4000 };
    for (const [cards, won] of [
      ['KC 6D 4H KS TD', { tiger: 12, 'small-tiger': 22 }],
      ['KC 2D 2H KS 2D 4H', { tiger: 20, 'big-tiger': 50 }],
      ['KC 6D 6H KS', { 'tiger-tie': 35 }],
      ['9S 2C KH 4D', {}],
    ] as const) {
      const scenario = readyTable(game).bets({ T1: slip });
      expect(scenario.table!.round!.slips['T1']).toEqual(slip);
      expect(scenario.balance('T1')).toBe(-10_000);
      scenario.close().deal(cards).settle();
      const odds: { readonly [wager: string]: number } = won;
      const expected = Object.entries(slip).map(([wager, stake]) => {
        const win = odds[wager];
        return win === undefined
          ? { wager, stake, result: 'lose', won: 0, returned: 0 }
          : { wager, stake, result: 'win', won: win * stake, returned: (win + 1) * stake };
      });
      expect(terminalView(scenario.table!, 'T1').paid, cards).toMatchObject(expected);
      const returned = expected.reduce((sum, one) => sum + one.returned, 0);
      expect(scenario.balance('T1')).toBe(returned - 10_000);
    }
  },
);

test.each([
  ['ETG 4.9.a', '9S 2C 9H 4D', 4],
  ['ETG 4.9.a', '2C 9S 4D 9H', 4],
  ['ETG 4.9.b', '9S QC 9H QD', 20],
  ['ETG 4.9.c', 'TC TD TH TS 9C AD', 100],
])('[%s] a settled round has one line for the stake on Tiger Pair after %s, at %i to 1', (_, cards, odds) => {
  for (const game of ['tiger', 'tiger-no-commission']) {
    const scenario = readyTable(game).playRound(cards, { T1: { 'tiger-pair': 1000 } });
    expect(terminalView(scenario.table!, 'T1').paid).toMatchObject([
      { wager: 'tiger-pair', result: 'win', won: 1000 * odds, returned: 1000 + 1000 * odds, by: 'ETG 4.9' },
    ]);
    expect(scenario.events('SettlementPosted')).toHaveLength(1);
    expect(scenario.balance('T1')).toBe(1000 * odds);
  }
});
