import { expect, test } from 'vitest';
import { tableCommands } from '../../../src/table/schema/commands.ts';
import { parseTableCommand } from '../../../src/table/schema/parseCommand.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
import {
  dealer,
  pitManager,
  supervisor,
  type TableScenario,
  readyTable,
  shiftManager,
  defaultSettings,
  managers,
  afterSettlement,
  natural,
} from '../tableScenario.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);

/** What is possible while a decision is awaited: no card, and of money only what an earlier settlement left to post. */
const whileFrozen: ReadonlySet<string> = new Set([
  'AddNote',
  'AnswerCall',
  'Approve',
  'CallSupervisor',
  'CollectShortfall',
  'DecideReferral',
  'InvestigateCount',
  'PostSettlement',
  'Refer',
  'ReopenTable',
  'ReportInterruption',
  'ReportIrregularity',
  'ReportTerminals',
  'ReportWager',
  'WithdrawProposal',
  'WriteOffShortfall',
]);

test('[ETG 6.1] a referral at any moment of a round stops every command but reports and the decision, until it is made', () => {
  const cards = ['2C', '3D', '2H', 'KS', '6D', '9H'] as const;
  const moments = ['between rounds', 'bets are open', 'bets are closing', ...cards.keys(), 'the deal is complete'];
  for (const moment of moments) {
    const scenario = readyTable('tiger');
    if (moment !== 'between rounds') scenario.bets(stakes);
    if (moment === 'bets are closing') scenario.wait(20_000).do('CallClose', {});
    const count = moment === 'the deal is complete' ? cards.length : moment;
    if (typeof count === 'number') scenario.close().deal(cards.slice(0, count).join(' '));
    scenario.do('Refer', { reason: 'a matter no rule covers' });
    const { table } = scenario;
    const before = structuredClone({ ...table, settings: null });
    // Time alone ends nothing.
    scenario.wait(3_600_000);
    const frozen = { refused: 'awaiting-decision', by: 'ETG 6.1' };
    for (const type of Object.keys(tableCommands) as (keyof typeof tableCommands)[]) {
      if (type === 'OpenTable' || whileFrozen.has(type)) continue;
      const actor = type === 'SetSlip' ? { terminal: 'T1' } : shiftManager;
      expect(scenario.submit(type, {} as never, actor), `${moment}: ${type}`).toMatchObject(frozen);
    }
    expect({ ...scenario.table, settings: null }).toEqual(before);
    for (const actor of [dealer, supervisor, pitManager])
      expect(
        scenario.refusal('DecideReferral', { decision: 'continue', reason: 'x' }, actor),
        String(moment),
      ).toMatchObject({ refused: 'not-your-role', by: 'ETG 6.2' });
    for (const [reason, isWhole] of [
      ['x', true],
      ['', false],
      [undefined, false],
    ]) {
      const command = { type: 'DecideReferral', at: scenario.at, actor: shiftManager, decision: 'continue', reason };
      expect('refused' in parseTableCommand(command), `reason ${reason}`).toBe(!isWhole);
    }
    scenario.do('DecideReferral', { decision: 'continue', reason: 'as before' }, shiftManager);
    expect(scenario.events('ReferralDecided')).toMatchObject([
      { actor: shiftManager, decision: 'continue', reason: 'as before', by: 'ETG 6.1' },
    ]);
    // The table goes on where it was.
    if (moment === 'between rounds') scenario.bets(stakes);
    if (scenario.table!.phase === 'betting') scenario.close();
    if (scenario.table!.phase === 'closing') scenario.wait(500).do('CloseBets', {});
    scenario.deal(cards.slice(scenario.table!.round!.cards.length).join(' ')).settle();
    expect(scenario.balance('T2'), String(moment)).toBe(-500);
  }
});

test('[ETG 6.1] a referral freezes the table until the Gaming Shift Manager decides, with a reason', () => {
  const scenario = dealt('9S 2C');
  expect(scenario.do('Refer', { reason: 'a dispute about a chip' })).toMatchObject([
    { type: 'Referred', by: 'ETG 6.1' },
  ]);
  expect(publicView(scenario.table!).referred).toEqual({ by: 'ETG 6.1' });
  const frozen = { refused: 'awaiting-decision', by: 'ETG 6.1' };
  expect(scenario.refusal('DealCard', { slot: 'P2', card: '9H' })).toMatchObject(frozen);
  expect(scenario.refusal('Settle', {})).toMatchObject(frozen);
  expect(scenario.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'incomplete-deal',
  });
  expect(scenario.refusal('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-ruling',
  });
  const decided = scenario.do('DecideReferral', { decision: 'continue', reason: 'the chip was in time' }, shiftManager);
  expect(decided).toMatchObject([
    { type: 'ReferralDecided', decision: 'continue', by: 'ETG 6.1', reason: 'the chip was in time' },
  ]);
  expect(scenario.refusal('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'not-now',
  });
  scenario.deal('9H 4D').settle();
});

test('[HOUSE 1] no timer runs while a table is frozen', () => {
  const scenario = readyTable('baccarat').bets(stakes);
  scenario.wait(20_000).do('CallClose', {});
  const { deadline } = scenario.table!.round!;
  scenario.do('Refer', { reason: 'a dispute' });
  expect(scenario.refusal('SetSlip', { round: scenario.round, slip: {}, credit: 0 }, { terminal: 'T1' })).toMatchObject(
    {
      refused: 'awaiting-decision',
      by: 'HOUSE 1',
    },
  );
  scenario.wait(60_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  expect(scenario.table!.round!.deadline).toBe(deadline! + 60_000);
  const result = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H 4D');
  const { resultAt } = result.table!.round!;
  result.do('Refer', { reason: 'a dispute' });
  result.wait(60_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  expect(result.table!.round!.resultAt).toBe(resultAt! + 60_000);
});

test('[HOUSE 1] a decision to stand settles a complete round at once; without a round it does nothing', () => {
  const scenario = dealt('9S 2C 9H 4D', 'baccarat');
  scenario.do('Refer', { reason: 'a dispute' });
  const events = scenario.do('DecideReferral', { decision: 'stand', reason: 'as dealt' }, shiftManager);
  expect(events).toMatchObject([
    { type: 'ReferralDecided', by: 'HOUSE 1' },
    { type: 'RoundSettled' },
    { type: 'SettlementPosted' },
  ]);
  scenario.do('Refer', { reason: 'a complaint' });
  expect(scenario.do('DecideReferral', { decision: 'stand', reason: 'explained' }, shiftManager)).toHaveLength(1);
});

test('[HOUSE 1] a decision to void returns the stakes, after settlement by reversal; the shoe is locked if its cards are doubtful', () => {
  const scenario = dealt('9S 2C', 'baccarat');
  scenario.do('Refer', { reason: 'a dispute' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'nobody can tell' }, shiftManager);
  expect(scenario.table).toMatchObject({
    phase: 'idle',
    round: { ending: { voidBy: 'HOUSE 1' } },
    shoe: { lockedBy: null },
  });
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, 0]);
  scenario.do('Refer', { reason: 'another', round: scenario.round });
  expect(scenario.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'no-such-round',
  });
  scenario.do('DecideReferral', { decision: 'stand', reason: 'over' }, shiftManager);
  scenario.playRound('9S 2C 9H 4D', stakes).do('Refer', { reason: 'a complaint', round: scenario.round });
  expect(() => scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'x' }, afterSettlement)).toThrow(
    'missing-credits',
  );
  scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'agreed', lock: true }, afterSettlement, { T2: 1000 });
  expect(scenario.table).toMatchObject({ shoe: { lockedBy: 'HOUSE 1' } });
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, 0]);
});

test.each(['READING 29', 'HOUSE 1'])('[%s] a void that a clause commands cannot be decided otherwise', () => {
  const scenario = dealt('9S 2C 9H 4D');
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.do('Refer', { reason: 'the patron insists' });
  const decide = (decision: 'stand' | 'continue' | 'void') => ({ decision, reason: 'looked at' });
  expect(scenario.refusal('DecideReferral', decide('stand'), shiftManager)).toMatchObject({
    refused: 'void-commanded',
    by: 'ETG 5.1',
  });
  scenario.do('DecideReferral', decide('continue'), shiftManager);
  expect(scenario.refusal('Settle', {})).toMatchObject({ refused: 'awaiting-ruling', by: 'ETG 5.1' });
  scenario.do('Refer', { reason: 'again' });
  scenario.do('DecideReferral', decide('void'), shiftManager);
  expect(scenario.table).toMatchObject({ openIrregularities: [], shoe: { lockedBy: 'ETG 5.1.1' } });
});

test('[HOUSE 4] a burned card counts as out; if it is one too many, the table stops, or the shoe is locked', () => {
  const burn = (scenario: TableScenario) => {
    scenario.do('ReportIrregularity', { kind: 'face-up-card' });
    scenario.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
    return scenario.doByTwo('BurnCard', { card: 'KS', reason: 'decided' });
  };
  const kings = () => readyTable('baccarat').playRound('KS KS KS KS 9S 9H').playRound('KS KS KS KS 9D 9C');
  const between = [{}, { type: 'CardBurned' }, { kind: 'extra-card', stops: false }, { type: 'ShoeLocked' }];
  expect(burn(kings())).toMatchObject(between);
  expect(burn(kings().bets())).toMatchObject([{}, { type: 'CardBurned' }, { kind: 'extra-card', stops: true }]);
});

test('a ruling needs a report that offers it', () => {
  const scenario = dealt('9S 2C', 'baccarat');
  const none = { refused: 'no-such-ruling', by: 'HOUSE 1' };
  expect(scenario.refusal('BurnCard', { card: 'KD', reason: 'x' })).toMatchObject(none);
  expect(scenario.refusal('ReconstructRound', { cards: [], unseen: false, reason: 'x' })).toMatchObject(none);
  expect(scenario.refusal('RestoreOrder', { reason: 'x' })).toMatchObject(none);
});

test('a report about the last round can be dismissed when its shoe is gone', () => {
  const scenario = readyTable('baccarat').playRound('9S 2C 9H 4D');
  scenario.doByTwo('EndShoe', { seen: {} });
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.doByTwo('DismissReport', { reason: 'counted again' }, afterSettlement);
  expect(scenario.table!.openIrregularities).toEqual([]);
});

test('before the first round a referral voids nothing; a commanded ruling is refused with the allowed ones', () => {
  const scenario = readyTable('tiger');
  scenario.do('Refer', { reason: 'x' });
  const decide = (decision: 'void' | 'stand') =>
    scenario.refusal('DecideReferral', { decision, reason: 'x' }, shiftManager);
  expect(decide('void')).toMatchObject({ refused: 'no-such-round' });
  scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  scenario.bets().close().deal('9S');
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.do('Refer', { reason: 'x' });
  expect(decide('stand').message).toBe(
    'The open irregularity does not allow that decision; decide "continue", then send VoidRound, DismissReport, Refer.',
  );
});

test('a count by the table itself cannot be decided otherwise', () => {
  const scenario = readyTable('baccarat')
    .playRound('KS KS KS KS 9S 9H')
    .playRound('KS KS KS KS 9D 9C')
    .bets()
    .close()
    .deal('KS');
  scenario.do('Refer', { reason: 'x' });
  const refused = scenario.refusal('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
  expect(refused.message).toBe(
    'The open irregularity does not allow that decision; decide "continue", then send CorrectCard, VoidRound, Refer.',
  );
});

test('[HOUSE 1] the shift manager may let a reported round stand, if no clause commands a void', () => {
  const scenario = readyTable('baccarat')
    .bets({ T1: { player: 1000 } })
    .close()
    .deal(natural);
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.do('Refer', { reason: 'the camera shows nothing wrong' });
  const stand = { decision: 'stand', reason: 'as dealt' } as const;
  expect(scenario.do('DecideReferral', stand, shiftManager).map(({ type }) => type)).toEqual([
    'ReferralDecided',
    'RoundSettled',
    'SettlementPosted',
  ]);
  expect(scenario.table!.openIrregularities).toEqual([]);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x' });
  scenario.doByTwo('DecideReferral', stand, afterSettlement);
  expect(scenario.table).toMatchObject({ openIrregularities: [], phase: 'idle' });
});

test('[READING 54] a decision to let a settled round stand dismisses its report, and so needs the same two persons; without a report the shift manager decides alone', () => {
  const scenario = readyTable('baccarat').playRound(natural, { T1: { player: 1000 } });
  const stand = { decision: 'stand', reason: 'as dealt' } as const;
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x' });
  expect(scenario.do('DecideReferral', stand, shiftManager)).toMatchObject([{ type: 'Proposed' }]);
  expect(scenario.table!.openIrregularities).toMatchObject([{ kind: 'wrong-number' }]);
  scenario.doByTwo('DecideReferral', stand, afterSettlement);
  expect(scenario.table!.openIrregularities).toEqual([]);
  scenario.do('Refer', { reason: 'x', round: scenario.round });
  expect(scenario.do('DecideReferral', stand, shiftManager)).toMatchObject([{ type: 'ReferralDecided' }]);
});

test('[HOUSE 4] a card that the shift manager decided to burn is burned, not dismissed', () => {
  const scenario = readyTable('baccarat').bets();
  scenario.do('ReportIrregularity', { kind: 'face-up-card' });
  scenario.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
  expect(scenario.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling' });
});

test('a void round leaves nothing to rule on, whatever the table deals now', () => {
  const scenario = readyTable('tiger').bets({ T1: { tiger: 1000 } });
  scenario.do('VoidRound', { reason: 'x' });
  scenario.doByTwo('EndShoe', { seen: {} });
  scenario.doByTwo('ChangeSettings', { settings: defaultSettings('fabulous-4') }, managers);
  scenario.do('Refer', { reason: 'a complaint', round: scenario.round });
  expect(buildSupervisorView(scenario.table!).rulings!.rows).toMatchObject([
    { paid: 1000, back: { void: 1000, stand: 1000, continue: null } },
  ]);
});
