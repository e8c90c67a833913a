import { expect, test } from 'vitest';
import { type TableEvent } from '../../../src/table/schema/events.ts';
import {
  TableScenario,
  openedTable,
  dealer,
  floor,
  afterSettlement,
  natural,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from '../tableScenario.ts';

test('a burned card counts: one too many stops the round, and locks the shoe between rounds', () => {
  const scenario = readyTable('baccarat', { decks: 4 }).playRound('KS KS KS KS 9S 2C').bets();
  const burn = (): readonly TableEvent[] => {
    scenario.do('ReportIrregularity', { kind: 'face-up-card' });
    scenario.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
    return scenario.doByTwo('BurnCard', { card: 'KS', reason: 'seen' });
  };
  expect(burn().at(-1)).toMatchObject({ type: 'IrregularityFound', kind: 'extra-card', by: 'HOUSE 7', stops: true });
  scenario.doByTwo('VoidRound', { reason: 'five of one card' });
  expect(burn().at(-1)).toMatchObject({ type: 'ShoeLocked', by: 'HOUSE 7' });
});

test('a face-up card found after the close and before the first card is referred', () => {
  const scenario = readyTable('tiger').bets().close();
  expect(scenario.do('ReportIrregularity', { kind: 'face-up-card' })[1]).toMatchObject({ type: 'Referred' });
  const wager = { kind: 'late-wager', place: 'x', wager: 'lion', amount: 1 } as const;
  expect(scenario.refusal('ReportWager', wager)).toMatchObject({ refused: 'wager-not-offered', wager: 'lion' });
});

test('a face-up card found in the pause is the first of the next round: it is referred', () => {
  const scenario = readyTable('baccarat').bets().close().deal(natural);
  expect(scenario.do('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject([
    { kind: 'face-up-before' },
    { type: 'Referred' },
  ]);
});

test.each(['READING 56', 'HOUSE 8'])(
  '[%s] cards drawn together of which the first belongs to the initial deal follow the rulebook, and the shoe goes on',
  () => {
    const scenario = readyTable('baccarat').bets().close().deal('9S 2C 9H 4D');
    expect(scenario.table!.phase).toBe('result');
    expect(scenario.do('ReportIrregularity', { kind: 'drawn-together', place: 3 })[0]).toMatchObject({
      kind: 'drawn-together',
      by: 'BAC 5.3',
    });
    const across = readyTable('baccarat').bets().close().deal('2S 3H AC');
    expect(across.do('ReportIrregularity', { kind: 'drawn-together' })[0]).toMatchObject({ by: 'BAC 5.3' });
    across.doByTwo('VoidRound', { reason: 'nobody knows which' });
    expect(across.table).toMatchObject({ round: { ending: { voidBy: 'BAC 5.3' } }, shoe: { lockedBy: null } });
    const third = readyTable('baccarat').bets().close().deal('2S 3H AC 2D 4S');
    expect(third.do('ReportIrregularity', { kind: 'drawn-together', place: 5 })[0]).toMatchObject({
      kind: 'third-cards-together',
      by: 'HOUSE 8',
    });
  },
);

test('a position is given for cards drawn together only, and is within the round', () => {
  const scenario = readyTable('baccarat').bets().close().deal('2S 3H');
  for (const [place, by] of [
    [0, 'BAC 5.3'],
    [4, 'BAC 5.3'],
    [7, 'HOUSE 8'],
  ] as const) {
    expect(scenario.refusal('ReportIrregularity', { kind: 'drawn-together', place })).toMatchObject({
      refused: 'no-such-card',
      by,
      message: `The round has no card ${place} yet; give a number from 1 to 3.`,
    });
  }
  expect(scenario.refusal('ReportIrregularity', { kind: 'foreign-card', place: 1 })).toMatchObject({
    refused: 'bad-request',
  });
  expect(scenario.do('ReportIrregularity', { kind: 'drawn-together', place: 3 })).toHaveLength(1);
  const whole = readyTable('baccarat').bets().close().deal('2S 3H AC 2D 4S 6H');
  expect(whole.refusal('ReportIrregularity', { kind: 'drawn-together', place: 7 }).message).toContain('is surplus');
  const four = readyTable('baccarat').bets().close().deal(natural);
  expect(four.refusal('ReportIrregularity', { kind: 'drawn-together', place: 5 }).message).toContain('is surplus');
  expect(four.refusal('ReportIrregularity', { kind: 'drawn-together', place: 0 }).message).toBe(
    'The round has no card 0 yet; give a number from 1 to 4.',
  );
});

test('while one card is counted too often, a correction of another does not let the deal continue', () => {
  const scenario = readyTable('baccarat', { decks: 4 }).playRound('9S 2C KH 4D', { T1: { player: 1000 } });
  const { round } = scenario;
  scenario.bets().close().deal('KS KS KS KS KS');
  const slips = { T1: { player: 1000 } };
  const both = [supervisor, shiftManager] as const;
  scenario.doByTwo('CorrectCard', { round, place: 2, card: '3C', slips, reason: 'misread' }, both, { T1: 5000 });
  expect(scenario.table!.openIrregularities[0]).toMatchObject({
    kind: 'extra-card',
    note: 'KS is seen more often than the decks hold.',
  });
});

test('a report of an extra card can be dismissed unless the count shows one', () => {
  const scenario = readyTable('baccarat')
    .playRound('KS KS KS KS 9S 9H')
    .playRound('KS KS KS KS 9D 9C')
    .bets()
    .close()
    .deal('2C');
  scenario.do('ReportIrregularity', { kind: 'extra-card', note: 'thought so' });
  scenario.doByTwo('DismissReport', { reason: 'eight are eight' });
  scenario.do('DealCard', { slot: 'B1', card: 'KS' });
  expect(scenario.table!.openIrregularities[0]).toMatchObject({
    kind: 'extra-card',
    note: 'KS was seen more often than the decks hold.',
  });
});

test('an irregularity found between rounds names no round', () => {
  const scenario = readyTable('tiger').playRound(natural);
  expect(scenario.do('ReportIrregularity', { kind: 'missing-card' })[0]).not.toHaveProperty('round');
});

test('[HOUSE 5] a wrong order found after the next opening is referred by the house procedure, a wrong number by the rulebook', () => {
  const scenario = readyTable('fabulous-4').playRound(natural).bets();
  expect(scenario.refusal('ReportIrregularity', { kind: 'wrong-order' })).toMatchObject({
    refused: 'too-late',
    by: 'HOUSE 1',
  });
  expect(scenario.refusal('ReportIrregularity', { kind: 'wrong-number' })).toMatchObject({
    refused: 'too-late',
    by: 'FAB 5.2',
  });
});

test('a void of the last round locks its own shoe, not a later one', () => {
  const scenario = readyTable('tiger').playRound(natural);
  scenario.doByTwo('EndShoe', { seen: {} });
  scenario.shoe('S2').do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.doByTwo('VoidRound', { reason: 'x' }, afterSettlement);
  expect(scenario.table).toMatchObject({
    shoe: { id: 'S2', lockedBy: null },
    round: { ending: { voidBy: 'ETG 5.2' } },
  });
});

test('events have their round or shoe if there is one, and the note unchanged', () => {
  const idle = readyTable('tiger');
  const stamp = { v: 1, at: idle.at, actor: dealer };
  expect(idle.do('ReportIrregularity', { kind: 'foreign-card' })).toEqual([
    { type: 'IrregularityFound', ...stamp, kind: 'foreign-card', by: 'ETG 5.1', rulings: ['void'], stops: false },
    { type: 'ShoeLocked', ...stamp, shoe: 'S1', by: 'ETG 5.1', reason: 'foreign-card' },
  ]);
  expect(idle.do('ReportIrregularity', { kind: 'missing-card', note: 'counted' })[1]).toEqual({
    type: 'ShoeLocked',
    ...stamp,
    shoe: 'S1',
    by: 'ETG 5.1',
    reason: 'counted',
  });
  expect(idle.do('Refer', { reason: 'a doubt' })).toEqual([
    { type: 'Referred', ...stamp, referral: 'R1', by: 'ETG 6.1', reason: 'a doubt' },
  ]);
  const manager = { v: 1, at: idle.at, actor: shiftManager };
  expect(idle.do('DecideReferral', { decision: 'stand', reason: 'none' }, shiftManager)).toEqual([
    { type: 'ReferralDecided', ...manager, referral: 'R1', decision: 'stand', by: 'ETG 6.1', reason: 'none' },
  ]);
  expect(idle.do('ReportTerminals', { terminals: ['T1'], disconnected: true })).toEqual([
    { type: 'TerminalsDisconnected', ...stamp, terminals: ['T1'], closed: false, by: 'ETG 5.10' },
  ]);
  const scenario = readyTable('tiger').bets();
  const { round } = scenario;
  const now = { v: 1, at: scenario.at, actor: dealer, round };
  expect(scenario.do('ReportTerminals', { terminals: ['T1'], disconnected: false })).toEqual([
    { type: 'TerminalsReconnected', ...now, terminals: ['T1'] },
  ]);
  expect(scenario.do('ReportCuttingCard', {})).toEqual([
    { type: 'CuttingCardOut', ...now, shoe: 'S1', by: 'ETG 3.10', roundsLeft: 0 },
  ]);
  expect(scenario.do('ReportIrregularity', { kind: 'face-up-card' })).toEqual([
    {
      type: 'IrregularityFound',
      ...now,
      kind: 'face-up-before',
      by: 'ETG 6.1',
      rulings: ['refer', 'burn'],
      stops: false,
    },
    {
      type: 'Referred',
      ...now,
      referral: 'R1',
      by: 'ETG 6.1',
      reason: 'A card lay face up before the first card of the round.',
      proposed: 'burn',
      proposedBy: 'HOUSE 4',
    },
  ]);
  expect(scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager)[0]).toHaveProperty(
    'round',
    round,
  );
  expect(scenario.do('Refer', { reason: 'x' })[0]).toHaveProperty('round', round);
  const shut = readyTable('tiger').bets().close().deal(natural);
  expect(shut.do('ReportTerminals', { terminals: ['T1'], disconnected: true })[0]).toMatchObject({ closed: true });
  expect(shut.do('ReportWager', { kind: 'late-wager', place: 'x', wager: 'tie', amount: 1 })).toHaveLength(1);
  const voided = readyTable('tiger').bets();
  voided.do('ReportInterruption', { since: 0, stateLost: true });
  expect(voided.do('ConfirmRuling', {}, supervisor)[0]).toMatchObject({
    reason: 'No outcome was established before the interruption.',
  });
  const open = openedTable('tiger').entries[0]!.event;
  expect(open).toMatchObject({ actor: pitManager, second: shiftManager });
  const alone = new TableScenario();
  expect(
    alone.do('OpenTable', { settings: defaultSettings('tiger', { attended: false, dealing: 'virtual' }) }, floor)[0],
  ).not.toHaveProperty('second');
});

test('the system of an unattended table voids nothing that no clause voids', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  scenario.virtualShoe(natural);
  scenario.do('OpenBets', {}, floor);
  expect(scenario.refusal('VoidRound', { reason: 'x' }, floor)).toMatchObject({ refused: 'no-such-ruling' });
});
