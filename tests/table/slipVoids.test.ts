import { expect, test } from 'vitest';
import { meter, noMeters } from '../../src/ledger/meters.ts';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { terminalView } from '../../src/table/views/publicView.ts';
import { type TableScenario, afterSettlement, natural, readyTable, shiftManager, supervisor } from './tableScenario.ts';

// A decision about one terminal: the shift manager may depart from the rulebook in a single case.

const stakes = { T1: { player: 1000 }, T2: { player: 500, tie: 100 } };
const out = { decision: 'void', reason: 'it never showed the closing' } as const;

test('[READING 13] decided before settlement, one terminal has its stakes back and is out of the round', () => {
  const sit = readyTable('tiger').bets(stakes).close().deal('9S');
  sit.do('Refer', { reason: 'a dead terminal', terminal: 'T1' });
  expect(sit.do('DecideReferral', out, shiftManager)).toMatchObject([
    { type: 'ReferralDecided', round: sit.round, terminal: 'T1', decision: 'void' },
    { type: 'SlipVoided', round: sit.round, settlement: `${sit.round}#slip1`, terminal: 'T1', slip: stakes.T1 },
    { type: 'SettlementPosted', settlement: `${sit.round}#slip1`, last: true },
  ]);
  expect(sit.table!.round!).toMatchObject({ slips: { T2: stakes.T2 }, terminals: 1, ending: null });
  expect(sit.table!.round!.totals).toEqual({ player: { stake: 500, bettors: 1 }, tie: { stake: 100, bettors: 1 } });
  expect([sit.balance('T1'), sit.account('stakes')]).toEqual([0, 600]);
  expect(terminalView(sit.table!, 'T1')).toMatchObject({
    slip: {},
    paid: [{ wager: 'player', stake: 1000, result: 'void', returned: 1000, by: 'ETG 6.1' }],
  });
  sit.deal('2C 9H 4D').settle();
  expect([sit.balance('T1'), sit.balance('T2'), sit.account('stakes')]).toEqual([0, 400, 0]);
  expect(terminalView(sit.table!, 'T1').paid).toMatchObject([{ result: 'void' }]);
  expect(terminalView(sit.table!, 'T2').paid).toMatchObject([{ result: 'win' }, { result: 'lose' }]);
});

test('[READING 13] decided after settlement, what that terminal was paid is reversed, by two persons', () => {
  const sit = readyTable('tiger').playRound(natural, stakes);
  sit.do('Refer', { reason: 'a dead terminal', round: sit.round, terminal: 'T1' });
  expect(sit.refusal('DecideReferral', out)).toMatchObject({ refused: 'not-your-role' });
  sit.doByTwo('DecideReferral', out, afterSettlement, { T1: 1500 });
  expect(sit.table!.round).toMatchObject({ ending: { results: {} }, slips: { T2: stakes.T2 } });
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([0, 400]);
  // Later changes of the round do not affect it.
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, { T2: 5000 });
  expect([sit.balance('T1'), sit.balance('T2'), sit.account('stakes')]).toEqual([0, -600, 0]);
});

test('[READING 13] a round that was referred as a whole still waits for all others once one terminal of it is void', () => {
  const sit = readyTable('tiger').playRound(natural, stakes);
  sit.do('Refer', { reason: 'dead terminals', round: sit.round });
  sit.doByTwo('DecideReferral', { ...out, terminal: 'T1' }, afterSettlement);
  expect(sit.table!.referrals).toMatchObject([{ id: 'R1', round: sit.round, terminals: null }]);
  // It is disputed, and nothing of it is posted.
  expect(sit.balance('T1')).toBe(1000);
  expect(sit.refusal('OpenBets', {})).toMatchObject({ refused: 'awaiting-decision' });
  sit.do('DecideReferral', { ...out, decision: 'stand' }, shiftManager);
  expect(sit.table!.referrals).toEqual([]);
  sit.do('PostSettlement', { credits: { T1: 2000 } });
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([0, 400]);
});

test('[READING 13] an earlier round keeps the hash of the slips that stay', () => {
  const sit = readyTable('tiger').playRound(natural, stakes);
  const first = sit.round;
  sit.bets({ T3: { banker: 500 } });
  sit.do('Refer', { reason: 'a dead terminal', round: first, terminal: 'T1' });
  expect(sit.refusal('DecideReferral', out, supervisor)).toMatchObject({ refused: 'slips-differ' });
  sit.doByTwo('DecideReferral', { ...out, slips: stakes }, afterSettlement, { T1: 1400 });
  expect(sit.table!.shortfalls).toEqual({});
  expect(sit.table!.round!.slips).toEqual({ T3: { banker: 500 } });
  const fix = { round: first, place: 4, card: '7D', reason: 'x' };
  expect(sit.refusal('CorrectCard', { ...fix, slips: stakes }, supervisor)).toMatchObject({ refused: 'slips-differ' });
  sit.doByTwo('CorrectCard', { ...fix, slips: { T2: stakes.T2 } }, afterSettlement, { T2: 5000 });
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([0, -600]);
});

test('[READING 13] a slip that is taken out while its settlement is being posted is paid back once, and by the void alone', () => {
  const sit = readyTable('tiger', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  sit.do('Settle', {});
  sit.do('Refer', { reason: 'a dead terminal', round: sit.round, terminal: 'T2' });
  sit.doByTwo('DecideReferral', out, afterSettlement);
  expect(sit.table!.pendingSettlements.map(({ settlement }) => settlement)).toEqual([`${sit.round}#slip1`]);
  sit.do('PostSettlement', {});
  expect([sit.balance('T1'), sit.balance('T2'), sit.account('stakes')]).toEqual([1000, 0, 0]);
});

test('[READING 13] the meters count one terminal as void, whatever the round does for the others', () => {
  const sit: TableScenario = readyTable('tiger').bets(stakes).close().deal('9S');
  sit.do('Refer', { reason: 'x', terminal: 'T1' });
  const before = structuredClone(sit.table!);
  sit.do('DecideReferral', out, shiftManager);
  const meters = noMeters();
  const event = sit.events('SettlementPosted')[0]!;
  const { settlement, slip, by } = sit.events('SlipVoided')[0]!;
  const job = {
    settlement,
    round: sit.round,
    before: null,
    after: { voidBy: by },
    slips: { T1: slip },
    order: ['T1'],
    done: 0,
    behind: {},
  };
  meter(meters, event, { ...before, pendingSettlements: [job] });
  expect(meters.terminals['T1']).toMatchObject({ coinIn: 1000, voided: 1000, coinOut: 0, roundsVoid: 1, played: 0 });
});

test('[READING 13] to stand, a terminal stays in the round; who had no stakes, and what is for all, is refused', () => {
  const sit = readyTable('tiger').bets(stakes).close().deal('9S');
  sit.do('Refer', { reason: 'x', terminal: 'T1' });
  const decide = (fields: object) => sit.refusal('DecideReferral', { ...out, ...fields }, shiftManager);
  expect(decide({ terminal: 'T2' })).toMatchObject({ refused: 'no-such-slip', by: 'ETG 6.1' });
  expect(decide({ decision: 'continue', terminal: 'T1' })).toMatchObject({ refused: 'bad-request', by: 'ETG 6.1' });
  sit.do('ReportInterruption', { since: sit.at, stateLost: true });
  expect(sit.do('DecideReferral', { ...out, decision: 'stand' }, shiftManager)).toMatchObject([
    { type: 'ReferralDecided', terminal: 'T1', decision: 'stand' },
  ]);
  // Open irregularities of the round stay open.
  expect(sit.table!.openIrregularities).toMatchObject([{ kind: 'interruption' }]);
  expect(sit.table).toMatchObject({ phase: 'dealing', round: { slips: stakes } });
  sit.do('Refer', { reason: 'x' });
  expect(decide({ terminal: 'T9' })).toMatchObject({ refused: 'no-such-slip', by: 'ETG 6.1' });
});

test('[READING 13] to stand, no terminal is named where none was referred; slips are given for a void alone', () => {
  const whole = (sit: TableScenario, by: string): void => {
    for (const terminal of ['T1', 'T9']) {
      expect(sit.refusal('DecideReferral', { ...out, decision: 'stand', terminal }, shiftManager)).toMatchObject({
        refused: 'bad-request',
        by,
        message: 'What was referred is about no terminal by itself; let it stand for all, or refer that terminal.',
      });
    }
    for (const decision of ['continue', 'stand', 'burn'] as const) {
      expect(sit.refusal('DecideReferral', { ...out, decision, slips: stakes }, shiftManager)).toMatchObject({
        refused: 'bad-request',
        by,
        message: `"${decision}" takes no slips; leave them out.`,
      });
    }
  };
  const played = readyTable('tiger').bets(stakes).close().deal('9S');
  const chips = readyTable('baccarat', { bets: 'chips' });
  for (const [sit, by] of [
    [played, 'ETG 6.1'],
    [readyTable('tiger'), 'ETG 6.1'],
    [chips, 'HOUSE 1'],
  ] as const) {
    sit.do('Refer', { reason: 'x' });
    whole(sit, by);
  }
});

test('[READING 13] of a shortfall of several terminals one is named to be void, or all stand', () => {
  const sit = readyTable('tiger').playRound(natural, stakes);
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'x' }, afterSettlement, {
    T1: 0,
    T2: 0,
  });
  expect(sit.table!.referrals[0]!.terminals).toEqual(['T1', 'T2']);
  expect(sit.refusal('DecideReferral', out, supervisor)).toMatchObject({ refused: 'no-such-slip' });
  expect(sit.do('DecideReferral', { ...out, decision: 'stand' }, shiftManager)).toHaveLength(1);
  expect(sit.table!.referrals).toEqual([]);
});

test('[READING 52] a slip that is voided while its round is in question is paid back once that is over', () => {
  const sit = readyTable('baccarat').bets(stakes).close().deal('9S');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  sit.do('Refer', { reason: 'x', terminal: 'T1' });
  expect(sit.do('DecideReferral', out, shiftManager).map(({ type }) => type)).toEqual([
    'ReferralDecided',
    'SlipVoided',
  ]);
  expect(sit.balance('T1')).toBe(-1000);
  sit.doByTwo('DismissReport', { reason: 'x' });
  sit.deal('2C KH 4D');
  expect(buildDealerView(sit.table!).next).toEqual(['PostSettlement']);
  sit.do('PostSettlement', {});
  expect(sit.balance('T1')).toBe(0);
  expect(buildDealerView(sit.table!).next).toEqual(['Settle']);
});
