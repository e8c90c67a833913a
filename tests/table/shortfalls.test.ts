import { expect, test } from 'vitest';
import { terminalAccount } from '../../src/ledger/accounts.ts';
import { buildSupervisorView } from '../../src/table/views/supervisorView.ts';
import { terminalView } from '../../src/table/views/publicView.ts';
import {
  type TableScenario,
  dealer,
  afterSettlement,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from './tableScenario.ts';

/** T1 was paid 1,000 by mistake, and has 300 of it left. */
function owing(): TableScenario {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, { T1: 300 });
  sit.do('DecideReferral', { decision: 'continue', reason: 'to be collected' }, shiftManager);
  return sit;
}
const owed = (sit: TableScenario): number =>
  sit.balances.get(terminalAccount(sit.table!.settings, 'T1', 'shortfall')) ?? 0;

test('[READING 57] a shortfall is kept by terminal and round, and is shown', () => {
  const sit = owing();
  expect(sit.table!.shortfalls).toEqual({ T1: { [sit.round]: 1700 } });
  expect(buildSupervisorView(sit.table!).shortfalls).toEqual([{ terminal: 'T1', round: sit.round, amount: 1700 }]);
  expect(terminalView(sit.table!, 'T1').owes).toEqual({ [sit.round]: 1700 });
  expect(terminalView(sit.table!, 'T2').owes).toEqual({});
  expect(owed(sit)).toBe(-1700);
});

test('[READING 57] a shortfall is collected from the credit by two persons, in parts if need be', () => {
  const sit = owing();
  const { round } = sit;
  const collect = (amount: number) => ({ terminal: 'T1', round, amount, reason: 'at the terminal' });
  expect(sit.refusal('CollectShortfall', collect(700), dealer)).toMatchObject({ refused: 'not-your-role' });
  expect(() => sit.doByTwo('CollectShortfall', collect(700), afterSettlement)).toThrow('missing-credits');
  expect(() => sit.doByTwo('CollectShortfall', collect(700), afterSettlement, { T1: 699 })).toThrow(
    'not-enough-credit',
  );
  expect(sit.doByTwo('CollectShortfall', collect(700), afterSettlement, { T1: 700 })[1]).toMatchObject({
    type: 'ShortfallCollected',
    round,
    amount: 700,
    left: 1000,
    by: 'HOUSE 10',
  });
  expect(sit.entries.at(-1)!.postings).toEqual([
    { from: 'sg1/SGD/terminal/T1', to: 'sg1/SGD/shortfall/T1', amount: 700 },
  ]);
  expect(sit.refusal('CollectShortfall', collect(1001), supervisor)).toMatchObject({ refused: 'bad-request' });
  expect(sit.refusal('CollectShortfall', collect(0), supervisor)).toMatchObject({ refused: 'bad-request' });
  sit.doByTwo('CollectShortfall', collect(1000), afterSettlement, { T1: 1000 });
  expect([sit.table!.shortfalls, owed(sit)]).toEqual([{}, 0]);
  expect(sit.refusal('CollectShortfall', collect(1), supervisor)).toMatchObject({
    refused: 'no-such-shortfall',
    by: 'HOUSE 10',
  });
});

test('[READING 57] a shortfall is written off by two persons, and the house bears it', () => {
  const sit = owing();
  const house = sit.account('house');
  sit.doByTwo('WriteOffShortfall', { terminal: 'T1', round: sit.round, amount: 1700, reason: 'gone' }, afterSettlement);
  expect(sit.entries.at(-1)!.event).toMatchObject({ type: 'ShortfallWrittenOff', left: 0 });
  expect([sit.table!.shortfalls, owed(sit), sit.account('house')]).toEqual([{}, 0, house - 1700]);
});

test('[READING 57] void for a patron who owes: the stake goes back in full, and the shortfall stays open', () => {
  const sit = owing();
  const before = sit.balance('T1');
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.doByTwo('VoidRound', { reason: 'x' }, afterSettlement, { T1: 0 });
  expect(sit.balance('T1')).toBe(before + 1000);
  expect(sit.table!.shortfalls).toEqual({ T1: { [sit.round]: 1700 } });
});

test('[READING 57] what falls short from one round twice is one sum, and another round another', () => {
  const sit = owing();
  const { round } = sit;
  sit.doByTwo('CorrectCard', { round, place: 4, card: '4D', reason: 'it was a four' }, afterSettlement);
  sit.doByTwo('CorrectCard', { round, place: 4, card: '7D', reason: 'it was not' }, afterSettlement, { T1: 0 });
  sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  expect(sit.table!.shortfalls).toEqual({ T1: { [round]: 3700 } });
  sit.playRound(natural, { T1: { player: 1000 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, { T1: 0 });
  expect(sit.table!.shortfalls).toEqual({ T1: { [round]: 3700, [sit.round]: 2000 } });
});
