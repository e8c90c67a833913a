import { expect, test } from 'vitest';
import { addToTableMeters, emptyTableMeters } from '../../../src/ledger/meters.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { terminalView } from '../../../src/table/views/publicView.ts';
import {
  type TableScenario,
  afterSettlement,
  natural,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

// A decision about one terminal: the shift manager may depart from the rulebook in a single case.

const stakes = { T1: { player: 1000 }, T2: { player: 500, tie: 100 } };
const out = { decision: 'void', reason: 'it never showed the closing' } as const;

test('[READING 13] before settlement, a terminal that is voided gets its stakes back and is out of the round', () => {
  const scenario = readyTable('tiger').bets(stakes).close().deal('9S');
  scenario.do('Refer', { reason: 'a dead terminal', terminal: 'T1' });
  expect(scenario.do('DecideReferral', out, shiftManager)).toMatchObject([
    { type: 'ReferralDecided', round: scenario.round, terminal: 'T1', decision: 'void' },
    {
      type: 'SlipVoided',
      round: scenario.round,
      settlement: `${scenario.round}#slip1`,
      terminal: 'T1',
      slip: stakes.T1,
    },
    { type: 'SettlementPosted', settlement: `${scenario.round}#slip1`, last: true },
  ]);
  expect(scenario.table!.round!).toMatchObject({ slips: { T2: stakes.T2 }, terminals: 1, ending: null });
  expect(scenario.table!.round!.totals).toEqual({
    player: { stake: 500, bettors: 1 },
    tie: { stake: 100, bettors: 1 },
  });
  expect([scenario.balance('T1'), scenario.account('stakes')]).toEqual([0, 600]);
  expect(terminalView(scenario.table!, 'T1')).toMatchObject({
    slip: {},
    paid: [{ wager: 'player', stake: 1000, result: 'void', returned: 1000, by: 'ETG 6.1' }],
  });
  scenario.deal('2C 9H 4D').settle();
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('stakes')]).toEqual([0, 400, 0]);
  expect(terminalView(scenario.table!, 'T1').paid).toMatchObject([{ result: 'void' }]);
  expect(terminalView(scenario.table!, 'T2').paid).toMatchObject([{ result: 'win' }, { result: 'lose' }]);
});

test('[READING 13] after settlement, the payment of a voided terminal is reversed, by two persons', () => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  scenario.do('Refer', { reason: 'a dead terminal', round: scenario.round, terminal: 'T1' });
  expect(scenario.refusal('DecideReferral', out)).toMatchObject({ refused: 'not-your-role' });
  scenario.doByTwo('DecideReferral', out, afterSettlement, { T1: 1500 });
  expect(scenario.table!.round).toMatchObject({ ending: { results: {} }, slips: { T2: stakes.T2 } });
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, 400]);
  // Later changes of the round do not affect it.
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, {
    T2: 5000,
  });
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('stakes')]).toEqual([0, -600, 0]);
});

test('[READING 13] a round that was referred as a whole still waits for all others once one terminal of it is void', () => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  scenario.do('Refer', { reason: 'dead terminals', round: scenario.round });
  scenario.doByTwo('DecideReferral', { ...out, terminal: 'T1' }, afterSettlement);
  expect(scenario.table!.referrals).toMatchObject([{ id: 'R1', round: scenario.round, terminals: null }]);
  // It is disputed, and nothing of it is posted.
  expect(scenario.balance('T1')).toBe(1000);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'awaiting-decision' });
  scenario.do('DecideReferral', { ...out, decision: 'stand' }, shiftManager);
  expect(scenario.table!.referrals).toEqual([]);
  scenario.do('PostSettlement', { credits: { T1: 2000 } });
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, 400]);
});

test('[READING 13] an earlier round keeps the hash of the slips that stay', () => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  const first = scenario.round;
  scenario.bets({ T3: { banker: 500 } });
  scenario.do('Refer', { reason: 'a dead terminal', round: first, terminal: 'T1' });
  expect(scenario.refusal('DecideReferral', out, supervisor)).toMatchObject({ refused: 'slips-differ' });
  scenario.doByTwo('DecideReferral', { ...out, slips: stakes }, afterSettlement, { T1: 1400 });
  expect(scenario.table!.shortfalls).toEqual({});
  expect(scenario.table!.round!.slips).toEqual({ T3: { banker: 500 } });
  const fix = { round: first, place: 4, card: '7D', reason: 'x' };
  expect(scenario.refusal('CorrectCard', { ...fix, slips: stakes }, supervisor)).toMatchObject({
    refused: 'slips-differ',
  });
  scenario.doByTwo('CorrectCard', { ...fix, slips: { T2: stakes.T2 } }, afterSettlement, { T2: 5000 });
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, -600]);
});

test('[READING 13] a slip that is voided while its settlement is being posted is returned once, and by the void alone', () => {
  const scenario = readyTable('tiger', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  scenario.do('Settle', {});
  scenario.do('Refer', { reason: 'a dead terminal', round: scenario.round, terminal: 'T2' });
  scenario.doByTwo('DecideReferral', out, afterSettlement);
  expect(scenario.table!.pendingSettlements.map(({ settlement }) => settlement)).toEqual([`${scenario.round}#slip1`]);
  scenario.do('PostSettlement', {});
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('stakes')]).toEqual([1000, 0, 0]);
});

test('[READING 13] the meters count one terminal as void, whatever the round does for the others', () => {
  const scenario: TableScenario = readyTable('tiger').bets(stakes).close().deal('9S');
  scenario.do('Refer', { reason: 'x', terminal: 'T1' });
  const before = structuredClone(scenario.table!);
  scenario.do('DecideReferral', out, shiftManager);
  const meters = emptyTableMeters();
  const event = scenario.events('SettlementPosted')[0]!;
  const { settlement, slip, by } = scenario.events('SlipVoided')[0]!;
  const job = {
    settlement,
    round: scenario.round,
    before: null,
    after: { voidBy: by },
    slips: { T1: slip },
    order: ['T1'],
    done: 0,
    behind: {},
  };
  addToTableMeters(meters, event, { ...before, pendingSettlements: [job] });
  expect(meters.terminals['T1']).toMatchObject({ coinIn: 1000, voided: 1000, coinOut: 0, roundsVoid: 1, played: 0 });
});

test('[READING 13] a decision to stand keeps the terminal in the round; it is refused for a terminal without stakes and for all at once', () => {
  const scenario = readyTable('tiger').bets(stakes).close().deal('9S');
  scenario.do('Refer', { reason: 'x', terminal: 'T1' });
  const decide = (fields: object) => scenario.refusal('DecideReferral', { ...out, ...fields }, shiftManager);
  expect(decide({ terminal: 'T2' })).toMatchObject({ refused: 'no-such-slip', by: 'ETG 6.1' });
  expect(decide({ decision: 'continue', terminal: 'T1' })).toMatchObject({ refused: 'bad-request', by: 'ETG 6.1' });
  scenario.do('ReportInterruption', { since: scenario.at, stateLost: true });
  expect(scenario.do('DecideReferral', { ...out, decision: 'stand' }, shiftManager)).toMatchObject([
    { type: 'ReferralDecided', terminal: 'T1', decision: 'stand' },
  ]);
  // Open irregularities of the round stay open.
  expect(scenario.table!.openIrregularities).toMatchObject([{ kind: 'interruption' }]);
  expect(scenario.table).toMatchObject({ phase: 'dealing', round: { slips: stakes } });
  scenario.do('Refer', { reason: 'x' });
  expect(decide({ terminal: 'T9' })).toMatchObject({ refused: 'no-such-slip', by: 'ETG 6.1' });
});

test('[READING 13] a decision to stand names no terminal when none was referred; slips are given for a void only', () => {
  const whole = (scenario: TableScenario, by: string): void => {
    for (const terminal of ['T1', 'T9']) {
      expect(scenario.refusal('DecideReferral', { ...out, decision: 'stand', terminal }, shiftManager)).toMatchObject({
        refused: 'bad-request',
        by,
        message:
          'The referral is about the whole round, so its result stands for all terminals; leave the terminal out, or refer that terminal by itself.',
      });
    }
    for (const decision of ['continue', 'stand', 'burn'] as const) {
      expect(scenario.refusal('DecideReferral', { ...out, decision, slips: stakes }, shiftManager)).toMatchObject({
        refused: 'bad-request',
        by,
        message: `"${decision}" takes no slips; leave them out.`,
      });
    }
  };
  const played = readyTable('tiger').bets(stakes).close().deal('9S');
  const chips = readyTable('baccarat', { bets: 'chips' });
  for (const [scenario, by] of [
    [played, 'ETG 6.1'],
    [readyTable('tiger'), 'ETG 6.1'],
    [chips, 'HOUSE 1'],
  ] as const) {
    scenario.do('Refer', { reason: 'x' });
    whole(scenario, by);
  }
});

test('[READING 52] a slip that is voided while its round is disputed is returned after the dispute', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.do('Refer', { reason: 'x', terminal: 'T1' });
  expect(scenario.do('DecideReferral', out, shiftManager).map(({ type }) => type)).toEqual([
    'ReferralDecided',
    'SlipVoided',
  ]);
  expect(scenario.balance('T1')).toBe(-1000);
  scenario.doByTwo('DismissReport', { reason: 'x' });
  scenario.deal('2C KH 4D');
  expect(buildDealerView(scenario.table!).next).toEqual(['PostSettlement']);
  scenario.do('PostSettlement', {});
  expect(scenario.balance('T1')).toBe(0);
  expect(buildDealerView(scenario.table!).next).toEqual(['Settle']);
});
