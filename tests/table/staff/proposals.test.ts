import { expect, test } from 'vitest';
import { type StaffActor } from '../../../src/access/actor.ts';
import { hashOf } from '../../../src/base/canonicalJson.ts';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import {
  TableScenario,
  afterSettlement,
  openedTable,
  floor,
  natural,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from '../tableScenario.ts';

test('an approval does not lapse with time alone, and a preview does not repeat the slips', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('RestoreOrder', { reason: 'on video' });
  const { id, hash } = scenario.table!.proposal!;
  expect(scenario.wait(5_000).do('Approve', { proposal: id, hash }, supervisor)).toHaveLength(2);
  scenario.deal('2C 9H 4D').settle();
  const first = scenario.round;
  const { slips } = scenario.table!.round!;
  scenario.bets();
  const [event] = scenario.do('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x', slips }, supervisor);
  expect((event as unknown as { effects: object[] }).effects[1]).not.toHaveProperty('slips');
});

test('an approval is bound to the payload, its effects and the state of the round', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S 2C');
  const [event] = scenario.do('CorrectCard', {
    round: scenario.round,
    place: 2,
    card: '3C',
    reason: 'misread',
  }) as unknown as [{ [field: string]: unknown }];
  const round = { id: scenario.round, cards: ['9S', '2C'], ending: null, slips: { T1: { tie: 100 } } };
  expect(event['hash']).toBe(
    hashOf({ proposal: event['proposal'], command: event['command'], effects: event['effects'], before: { round } }),
  );
  expect(event['effects']).toEqual([
    {
      type: 'CardCorrected',
      round: scenario.round,
      by: 'ETG 6.3',
      place: 2,
      was: '2C',
      card: '3C',
      after: ['9S', '3C'],
      burned: [],
      phase: 'dealing',
      reason: 'misread',
    },
  ]);
});

test('a proposal about a shoe ends with the shoe', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = scenario.virtualShoe(natural);
  scenario.do('EndShoe', { cards, salts });
  scenario.do('EndShoe', { cards, salts }, floor);
  expect(scenario.table!.proposal).toBeNull();
});

test('a shoe is verified as it was proposed: another cut needs another approval', () => {
  const scenario = openedTable('tiger');
  scenario.do('BringShoe', { shoe: 'S1', seal: 'x' });
  scenario.do('CountCards', { cards: 416 });
  scenario.do('CutShoe', { behind: 100 });
  scenario.do('VerifyShoe', {});
  const { id, hash } = scenario.table!.proposal!;
  scenario.do('CutShoe', { behind: 6 });
  expect(scenario.refusal('Approve', { proposal: id, hash }, supervisor)).toMatchObject({
    refused: 'changed-proposal',
  });
  expect(scenario.doByTwo('VerifyShoe', {})[1]).toMatchObject({ shoe: 'S1', size: 416, behind: 6 });
});

test('a proposal is withdrawn by its proposer or by a higher role than dealer', () => {
  const scenario = readyTable('tiger').bets().close().deal('9S 2C');
  const fix = { round: scenario.round, place: 2, card: '3C', reason: 'x' };
  scenario.do('CorrectCard', fix);
  const other = { person: 'd2', role: 'dealer' } as const;
  expect(scenario.refusal('WithdrawProposal', { proposal: 'P2' }, other)).toMatchObject({
    refused: 'not-your-role',
    by: 'ETG 6.2',
  });
  expect(scenario.do('WithdrawProposal', { proposal: 'P2' }, supervisor)).toHaveLength(1);
  scenario.do('CorrectCard', fix);
  expect(scenario.do('WithdrawProposal', { proposal: 'P3' })).toHaveLength(1);
});

test('a proposal to end a live shoe locks nothing; one to open a virtual shoe locks it with a reason and shows no salts', () => {
  expect(
    readyTable('tiger')
      .do('EndShoe', { seen: {} })
      .map(({ type }) => type),
  ).toEqual(['Proposed']);
  const scenario = new TableScenario();
  scenario.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager },
    pitManager,
  );
  const { cards, salts } = scenario.virtualShoe(natural);
  const [locked, proposed] = scenario.do('EndShoe', { cards, salts });
  expect(locked).toMatchObject({ reason: 'The shoe is being opened.' });
  expect((proposed as unknown as { effects: object[] }).effects[0]).not.toHaveProperty('salts');
  const { id, hash } = scenario.table!.proposal!;
  const [, ended] = scenario.do('Approve', { proposal: id, hash }, supervisor);
  expect(ended).toMatchObject({ cards, salts });
  expect(ended).not.toHaveProperty('unopened');
  expect((ended as unknown as { extra: object; missing: object }).extra).toEqual({});
  expect((ended as unknown as { extra: object; missing: object }).missing).toEqual({});
});

test('a proposal to open a virtual shoe locks it, so that no bet is made on a known order', () => {
  const scenario = new TableScenario();
  scenario.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager },
    pitManager,
  );
  const { cards, salts } = scenario.virtualShoe(natural);
  expect(scenario.do('EndShoe', { cards, salts }).map(({ type }) => type)).toEqual(['ShoeLocked', 'Proposed']);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'ETG 6.2' });
  const { id, hash } = scenario.table!.proposal!;
  expect(scenario.do('Approve', { proposal: id, hash }, supervisor)[1]).toMatchObject({ type: 'ShoeEnded', seen: 416 });
});

test('[READING 59] a proposal is open only while it can be approved: not during a referral or a more serious irregularity', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S 2C');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.do('ReconstructRound', { cards: ['2C', '9S'], unseen: false, reason: 'on video' });
  const shown = () => {
    const { proposal, prompt } = buildSupervisorView(scenario.table!);
    return [proposal?.command ?? null, prompt.code, proposal !== null];
  };
  expect(shown()).toEqual(['ReconstructRound', 'proposed', true]);
  scenario.wait(1_000).do('ReportIrregularity', { kind: 'foreign-card' });
  expect(shown()).toEqual([null, 'stopped', false]);
  scenario.do('DismissReport', { reason: 'it belongs' });
  expect(shown()).toEqual(['DismissReport', 'proposed', true]);
  scenario.do('Refer', { reason: 'nobody agrees' });
  expect(shown()).toEqual([null, 'frozen', false]);
  const { id, hash } = scenario.table!.proposal!;
  expect(scenario.refusal('Approve', { proposal: id, hash }, supervisor).refused).toBe('awaiting-decision');
  scenario.do('DecideReferral', { decision: 'continue', reason: 'look again' }, shiftManager);
  expect(shown()).toEqual(['DismissReport', 'proposed', true]);
  // A round that was decided meanwhile leaves nothing to approve.
  scenario.do('VoidRound', { reason: 'it does not belong' });
  scenario.do('Refer', { reason: 'nobody agrees' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'it does not' }, shiftManager);
  expect(shown()).toEqual([null, 'shoe-locked', false]);
});

test('a proposal about no irregularity is open between rounds as well', () => {
  const scenario = readyTable('tiger');
  scenario.do('CorrectCut', { behind: 20, reason: 'it was counted again' });
  expect(buildSupervisorView(scenario.table!)).toMatchObject({
    proposal: { command: 'CorrectCut' },
    prompt: { code: 'proposed' },
  });
});

test('[READING 59] a proposal about an earlier report is not approved for a later one, and its screen has gone', () => {
  const scenario = readyTable('tiger').playRound(natural);
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('DismissReport', { reason: 'nothing moved' });
  const { id: proposal, hash } = scenario.table!.proposal!;
  // The shoe is locked for another reason, which closes the report; then its order is altered.
  scenario.wait(1_000).do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.wait(1_000).do('ReportIrregularity', { kind: 'order-altered' });
  expect(buildSupervisorView(scenario.table!).proposal).toBeNull();
  expect(scenario.refusal('Approve', { proposal, hash }, supervisor)).toMatchObject({ refused: 'changed-proposal' });
  expect(scenario.table!.openIrregularities).toHaveLength(1);
});

test('a proposal that would now do something else is shown with the refusal of its approval', () => {
  const scenario = openedTable('tiger');
  scenario.do('BringShoe', { shoe: 'S1', seal: 'x' });
  scenario.do('CountCards', { cards: 416 });
  scenario.do('CutShoe', { behind: 100 });
  scenario.do('VerifyShoe', {});
  const effects = () => buildSupervisorView(scenario.table!).proposal!.effects;
  expect(effects()).toMatchObject({ not: null, changes: [{ type: 'shoe-ready' }] });
  scenario.do('CutShoe', { behind: 6 });
  expect(effects()).toMatchObject({ not: 'changed-proposal', changes: [] });
});

test('[READING 63] a shortfall is written off, a sealed shoe counted and an earlier round corrected while the next round goes on', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  const first = scenario.round;
  const { slips } = scenario.table!.round!;
  scenario.doByTwo('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' }, afterSettlement, { T1: 0 });
  const seal = { seal: '88160' };
  scenario.doByTwo('SealShoe', seal);
  scenario.shoe('S2').bets();
  const others = [
    { person: 'd2', role: 'dealer' },
    { person: 's2', role: 'supervisor' },
  ] as const;
  const seen = Object.fromEntries(cardsOfDeck('french').map((card) => [card, 8]));
  const goesOn = (): void => {
    scenario.slip('T2', { banker: 500 + 100 * scenario.table!.proposals });
  };
  const approve = (who: StaffActor) => {
    const { id: proposal, hash } = scenario.table!.proposal!;
    goesOn();
    return scenario.do('Approve', { proposal, hash, credits: { T1: 0 } }, who);
  };
  scenario.do('CountSealedShoe', { shoe: 'S1', seen }, others[0]);
  expect(approve(others[1])[1]).toMatchObject({ type: 'SealedShoeCounted' });
  scenario.do('WriteOffShortfall', { terminal: 'T1', round: first, amount: 500, reason: 'x' }, supervisor);
  expect(approve(shiftManager)[1]).toMatchObject({ type: 'ShortfallWrittenOff', left: 1500 });
  scenario.do('CorrectCard', { round: first, place: 4, card: '8D', reason: 'x', slips }, supervisor);
  expect(approve(shiftManager)[1]).toMatchObject({ type: 'CardCorrected', round: first });
  // What the second person approves must not have changed itself.
  const writeOff = { terminal: 'T1', round: first, reason: 'x' };
  scenario.do('WriteOffShortfall', { ...writeOff, amount: 100 }, supervisor);
  const { id: proposal, hash } = scenario.table!.proposal!;
  scenario.doByTwo('WriteOffShortfall', { ...writeOff, amount: 200 }, afterSettlement);
  scenario.do('WriteOffShortfall', { ...writeOff, amount: 100 }, supervisor);
  expect(scenario.refusal('Approve', { proposal, hash }, shiftManager).refused).toBe('unknown-proposal');
  // An approval about the round in play still depends on it.
  scenario.close().deal('9S');
  scenario.do('CorrectCard', { round: scenario.round, place: 1, card: '9C', reason: 'x' });
  const open = scenario.table!.proposal!;
  scenario.deal('2C');
  expect(scenario.refusal('Approve', { proposal: open.id, hash: open.hash }, supervisor).refused).toBe(
    'changed-proposal',
  );
});
