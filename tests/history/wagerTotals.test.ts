import { expect, test } from 'vitest';
import { type WagerTotals, emptyWagerTotals, projectEntryToWagerTotals } from '../../src/history/wagerTotals.ts';
import { houseWin } from '../../src/ledger/meters.ts';
import { entriesOfScenario, tableStream } from './storedEntries.ts';
import { dealer, afterSettlement, natural, readyTable, type TableScenario } from '../table/tableScenario.ts';

const totalsAt = (scenario: TableScenario): WagerTotals =>
  entriesOfScenario(scenario).of(tableStream).reduce(projectEntryToWagerTotals, emptyWagerTotals(tableStream));

const game = 'tiger@2021-10-28/8';
/** Player wins by a natural nine. */
const stakes = { T1: { player: 1000 }, T2: { player: 500, tie: 100 } };
const day = '2023-11-15';

test('wager totals count all stakes on a wager in a round as one', () => {
  const totals = totalsAt(
    readyTable('tiger')
      .playRound(natural, stakes)
      .playRound(natural, { T1: { player: 2000 } }),
  );
  expect(totals.weights[game]).toEqual({
    player: { rounds: 2, stakes: 3, staked: 3500, returned: 7000, squares: String(1500 ** 2 + 2000 ** 2) },
    tie: { rounds: 1, stakes: 1, staked: 100, returned: 0, squares: '10000' },
  });
  expect(totals.days[day]).toMatchObject({ rounds: 2, voids: 0, corrected: 0, weights: totals.weights });
  const { player, tie } = totals.meters[game]!;
  expect([houseWin(player!), houseWin(tie!)]).toEqual([-3500, 100]);
});

test('wager totals count void rounds without turnover, and ignore withdrawn stakes', () => {
  const scenario = readyTable('tiger').bets({ T1: { player: 1000 } });
  scenario.slip('T1', { tie: 100 });
  scenario.do('VoidRound', { reason: 'evacuation' }, dealer);
  const totals = totalsAt(scenario);
  expect(totals.weights).toEqual({});
  expect(totals.days[day]).toMatchObject({ rounds: 1, voids: 1 });
  const other = readyTable('tiger').bets({ T1: { player: 1000 } });
  other.slip('T1', { tie: 100 });
  expect(Object.keys(totalsAt(other.close().deal(natural).settle()).weights[game]!)).toEqual(['tie']);
});

test('wager totals use the last settlement of a corrected round', () => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: '7D', reason: 'misread' }, afterSettlement, {
    T1: 9000,
    T2: 9000,
  });
  const totals = totalsAt(scenario);
  expect(totals.weights[game]!['player']).toMatchObject({ rounds: 1, staked: 1500, returned: 0, squares: '2250000' });
  expect(totals.days[day]).toMatchObject({ rounds: 1, corrected: 1, voids: 0 });
});

test('wager totals remove a settled round that becomes void', () => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.doByTwo('VoidRound', { reason: 'nobody knows' }, afterSettlement, { T1: 9000, T2: 9000 });
  const totals = totalsAt(scenario);
  expect(totals.weights[game]!['player']).toEqual({ rounds: 0, stakes: 0, staked: 0, returned: 0, squares: '0' });
  expect(totals.days[day]).toMatchObject({ rounds: 1, corrected: 1, voids: 1 });
});

test('wager totals remove a slip that is voided after the round, posted or not', () => {
  const out = { decision: 'void', reason: 'it never showed the closing' } as const;
  const paid = readyTable('tiger').playRound(natural, stakes);
  paid.do('Refer', { reason: 'a dead terminal', round: paid.round, terminal: 'T1' });
  paid.doByTwo('DecideReferral', out, afterSettlement, { T1: 5000 });
  expect(totalsAt(paid).weights[game]!['player']).toEqual({
    rounds: 1,
    stakes: 1,
    staked: 500,
    returned: 1000,
    squares: '250000',
  });
  const playing = readyTable('tiger').bets(stakes).close().deal('9S');
  playing.do('Refer', { reason: 'a dead terminal', terminal: 'T1' });
  playing.do('DecideReferral', out, afterSettlement[1]);
  playing.deal('2C 9H 4D').settle();
  expect(totalsAt(playing).weights).toEqual(totalsAt(paid).weights);
});

test('wager totals do not grow with rounds and days', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 100 } });
  for (let n = 0; n < 45; n++) scenario.wait(86_400_000).bets().do('VoidRound', { reason: 'evacuation' });
  const totals = totalsAt(scenario);
  expect(Object.keys(totals.days)).toHaveLength(41);
  expect(Object.keys(totals.days)).not.toContain(day);
  expect(Object.keys(totals.counted)).toEqual([...scenario.table!.history.map(({ id }) => id), scenario.round]);
  expect(totals.weights[game]).toMatchObject({ player: { rounds: 1 } });
  expect(JSON.parse(JSON.stringify(totals))).toEqual(totals);
});
