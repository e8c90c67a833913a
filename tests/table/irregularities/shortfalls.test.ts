import { expect, test } from 'vitest';
import { terminalAccount } from '../../../src/ledger/accounts.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { terminalView } from '../../../src/table/views/publicView.ts';
import {
  type TableScenario,
  dealer,
  afterSettlement,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

/** T1 was paid 1,000 by mistake, and has 300 of it left. */
function owing(): TableScenario {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, {
    T1: 300,
  });
  return scenario;
}
const owed = (scenario: TableScenario): number =>
  scenario.balances.get(terminalAccount(scenario.table!.settings, 'T1', 'shortfall')) ?? 0;

test('[READING 57] a shortfall is kept by terminal and round, and is shown', () => {
  const scenario = owing();
  expect(scenario.table!.shortfalls).toEqual({ T1: { [scenario.round]: 1700 } });
  expect(buildSupervisorView(scenario.table!).shortfalls).toEqual([
    { terminal: 'T1', round: scenario.round, amount: 1700 },
  ]);
  expect(terminalView(scenario.table!, 'T1').owes).toEqual({ [scenario.round]: 1700 });
  expect(terminalView(scenario.table!, 'T2').owes).toEqual({});
  expect(owed(scenario)).toBe(-1700);
});

test.each(['READING 63', 'HOUSE 10'])('[%s] a shortfall stops neither the table nor the patron, and stays open', () => {
  const scenario = owing();
  expect(scenario.table).toMatchObject({ referrals: [], stoppedSince: null });
  expect(terminalView(scenario.table!, 'T1').frozen).toBe(false);
  const first = scenario.round;
  scenario.playRound(natural, { T2: { player: 1000 } });
  expect(buildSupervisorView(scenario.table!)).toMatchObject({
    frozen: [],
    shortfalls: [{ terminal: 'T1', round: first, amount: 1700 }],
  });
});

test.each(['READING 57', 'READING 63', 'HOUSE 10'])(
  '[%s] a shortfall is collected from the credit by two persons, also in parts',
  () => {
    const scenario = owing();
    const { round } = scenario;
    const collect = (amount: number) => ({ terminal: 'T1', round, amount, reason: 'at the terminal' });
    expect(scenario.refusal('CollectShortfall', collect(700), dealer)).toMatchObject({ refused: 'not-your-role' });
    scenario.do('CollectShortfall', collect(700), supervisor);
    const { id: proposal, hash } = scenario.table!.proposal!;
    expect(scenario.refusal('Approve', { proposal, hash }, shiftManager)).toMatchObject({
      refused: 'missing-credits',
      terminal: 'T1',
    });
    expect(scenario.refusal('Approve', { proposal, hash, credits: { T1: 699 } }, shiftManager)).toMatchObject({
      refused: 'not-enough-credit',
      credit: 699,
    });
    expect(scenario.doByTwo('CollectShortfall', collect(700), afterSettlement, { T1: 700 })[1]).toMatchObject({
      type: 'ShortfallCollected',
      round,
      amount: 700,
      left: 1000,
      by: 'HOUSE 10',
    });
    expect(scenario.entries.at(-1)!.postings).toEqual([
      { from: 'sg1/SGD/terminal/T1', to: 'sg1/SGD/shortfall/T1', amount: 700 },
    ]);
    expect(scenario.refusal('CollectShortfall', collect(1001), supervisor)).toMatchObject({ refused: 'bad-request' });
    expect(scenario.refusal('CollectShortfall', collect(0), supervisor)).toMatchObject({ refused: 'bad-request' });
    scenario.doByTwo('CollectShortfall', collect(1), afterSettlement, { T1: 1 });
    scenario.doByTwo('CollectShortfall', collect(999), afterSettlement, { T1: 999 });
    expect([scenario.table!.shortfalls, owed(scenario)]).toEqual([{}, 0]);
    expect(scenario.refusal('CollectShortfall', collect(1), supervisor)).toMatchObject({
      refused: 'no-such-shortfall',
      by: 'HOUSE 10',
    });
  },
);

test.each(['READING 57', 'READING 63', 'HOUSE 10'])(
  '[%s] a shortfall is written off by two persons, and the house bears it',
  () => {
    const scenario = owing();
    const balanceBefore = scenario.account('house');
    scenario.doByTwo(
      'WriteOffShortfall',
      { terminal: 'T1', round: scenario.round, amount: 1700, reason: 'gone' },
      afterSettlement,
    );
    expect(scenario.entries.at(-1)!.event).toMatchObject({ type: 'ShortfallWrittenOff', left: 0 });
    expect([scenario.table!.shortfalls, owed(scenario), scenario.account('house')]).toEqual([
      {},
      0,
      balanceBefore - 1700,
    ]);
  },
);

test.each(['READING 57', 'HOUSE 10'])(
  '[%s] a void for a patron with a shortfall returns the whole stake, and the shortfall stays open',
  () => {
    const scenario = owing();
    const before = scenario.balance('T1');
    scenario.do('ReportIrregularity', { kind: 'wrong-number' });
    scenario.doByTwo('VoidRound', { reason: 'x' }, afterSettlement, { T1: 0 });
    expect(scenario.balance('T1')).toBe(before + 1000);
    expect(scenario.table!.shortfalls).toEqual({ T1: { [scenario.round]: 1700 } });
  },
);

test('a shortfall is settled by the same two roles while the order of the shoe is in question', () => {
  const scenario = owing();
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  const writeOff = { terminal: 'T1', round: scenario.round, amount: 1700, reason: 'gone' };
  expect(scenario.refusal('WriteOffShortfall', writeOff, dealer)).toMatchObject({ refused: 'not-your-role' });
  scenario.doByTwo('WriteOffShortfall', writeOff, afterSettlement);
  expect(scenario.table!.shortfalls).toEqual({});
});

test('[READING 57] shortfalls of one round are one sum, and those of another round another', () => {
  const scenario = owing();
  const { round } = scenario;
  scenario.doByTwo('CorrectCard', { round, place: 4, card: '4D', reason: 'it was a four' }, afterSettlement);
  scenario.doByTwo('CorrectCard', { round, place: 4, card: '7D', reason: 'it was not' }, afterSettlement, { T1: 0 });
  expect(scenario.table!.shortfalls).toEqual({ T1: { [round]: 3700 } });
  scenario.playRound(natural, { T1: { player: 1000 } });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, {
    T1: 0,
  });
  expect(scenario.table!.shortfalls).toEqual({ T1: { [round]: 3700, [scenario.round]: 2000 } });
});
