import { expect, test } from 'vitest';
import { hashOf } from '../../src/base/canonicalJson.ts';
import { buildSupervisorView } from '../../src/table/views/supervisorView.ts';
import {
  TableScenario,
  openedTable,
  floor,
  natural,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from './tableScenario.ts';

test('a consent does not lapse because time goes on, and a preview does not repeat the slips', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.do('RestoreOrder', { reason: 'on video' });
  const { id, hash } = sit.table!.proposal!;
  expect(sit.wait(5_000).do('Approve', { proposal: id, hash }, supervisor)).toHaveLength(2);
  sit.deal('2C 9H 4D').settle();
  const first = sit.round;
  const { slips } = sit.table!.round!;
  sit.bets();
  const [event] = sit.do('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x', slips }, supervisor);
  expect((event as unknown as { effects: object[] }).effects[1]).not.toHaveProperty('slips');
});

test('an approval is bound to the payload, its effects and the state of the round', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S 2C');
  const [event] = sit.do('CorrectCard', { round: sit.round, place: 2, card: '3C', reason: 'misread' }) as unknown as [
    { [field: string]: unknown },
  ];
  const round = { id: sit.round, cards: ['9S', '2C'], totals: { tie: { stake: 100, bettors: 1 } }, terminals: 1 };
  expect(event['hash']).toBe(
    hashOf({ proposal: event['proposal'], command: event['command'], effects: event['effects'], round }),
  );
  expect(event['effects']).toEqual([
    {
      type: 'CardCorrected',
      round: sit.round,
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
  const sit = new TableScenario();
  sit.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = sit.virtualShoe(natural);
  sit.do('EndShoe', { cards, salts });
  sit.do('EndShoe', { cards, salts }, floor);
  expect(sit.table!.proposal).toBeNull();
});

test('a shoe is verified as it was proposed: another cut needs another consent', () => {
  const sit = openedTable('tiger');
  sit.do('BringShoe', { shoe: 'S1', seal: 'x' });
  sit.do('CountCards', { cards: 416 });
  sit.do('CutShoe', { behind: 100 });
  sit.do('VerifyShoe', {});
  const { id, hash } = sit.table!.proposal!;
  sit.do('CutShoe', { behind: 6 });
  expect(sit.refusal('Approve', { proposal: id, hash }, supervisor)).toMatchObject({ refused: 'changed-proposal' });
  expect(sit.doByTwo('VerifyShoe', {})[1]).toMatchObject({ shoe: 'S1', size: 416, behind: 6 });
});

test('a proposal is withdrawn by its proposer or by a higher role than dealer', () => {
  const sit = readyTable('tiger').bets().close().deal('9S 2C');
  const fix = { round: sit.round, place: 2, card: '3C', reason: 'x' };
  sit.do('CorrectCard', fix);
  const other = { person: 'd2', role: 'dealer' } as const;
  expect(sit.refusal('WithdrawProposal', { proposal: 'P2' }, other)).toMatchObject({
    refused: 'not-your-role',
    by: 'ETG 6.2',
  });
  expect(sit.do('WithdrawProposal', { proposal: 'P2' }, supervisor)).toHaveLength(1);
  sit.do('CorrectCard', fix);
  expect(sit.do('WithdrawProposal', { proposal: 'P3' })).toHaveLength(1);
});

test('to propose the end of a live shoe locks nothing; a virtual one says why it is locked, and shows no salts', () => {
  expect(
    readyTable('tiger')
      .do('EndShoe', { seen: {} })
      .map(({ type }) => type),
  ).toEqual(['Proposed']);
  const sit = new TableScenario();
  sit.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager }, pitManager);
  const { cards, salts } = sit.virtualShoe(natural);
  const [locked, proposed] = sit.do('EndShoe', { cards, salts });
  expect(locked).toMatchObject({ reason: 'The shoe is being opened.' });
  expect((proposed as unknown as { effects: object[] }).effects[0]).not.toHaveProperty('salts');
  const { id, hash } = sit.table!.proposal!;
  const [, ended] = sit.do('Approve', { proposal: id, hash }, supervisor);
  expect(ended).toMatchObject({ cards, salts });
  expect(ended).not.toHaveProperty('unopened');
  expect((ended as unknown as { extra: object; missing: object }).extra).toEqual({});
  expect((ended as unknown as { extra: object; missing: object }).missing).toEqual({});
});

test('a proposal to open a virtual shoe locks it, so that no bet is made on a known order', () => {
  const sit = new TableScenario();
  sit.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager }, pitManager);
  const { cards, salts } = sit.virtualShoe(natural);
  expect(sit.do('EndShoe', { cards, salts }).map(({ type }) => type)).toEqual(['ShoeLocked', 'Proposed']);
  expect(sit.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'ETG 6.2' });
  const { id, hash } = sit.table!.proposal!;
  expect(sit.do('Approve', { proposal: id, hash }, supervisor)[1]).toMatchObject({ type: 'ShoeEnded', seen: 416 });
});

test('[READING 59] a proposal is open only while it can be approved: not during a referral or a more serious irregularity', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S 2C');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  sit.do('ReconstructRound', { cards: ['2C', '9S'], unseen: false, reason: 'on video' });
  const shown = () => {
    const { proposal, prompt, effects } = buildSupervisorView(sit.table!);
    return [proposal?.command ?? null, prompt.code, effects !== null];
  };
  expect(shown()).toEqual(['ReconstructRound', 'proposed', true]);
  sit.wait(1_000).do('ReportIrregularity', { kind: 'foreign-card' });
  expect(shown()).toEqual([null, 'stopped', false]);
  sit.do('DismissReport', { reason: 'it belongs' });
  expect(shown()).toEqual(['DismissReport', 'proposed', true]);
  sit.do('Refer', { reason: 'nobody agrees' });
  expect(shown()).toEqual([null, 'frozen', false]);
  const { id, hash } = sit.table!.proposal!;
  expect(sit.refusal('Approve', { proposal: id, hash }, supervisor).refused).toBe('awaiting-decision');
  sit.do('DecideReferral', { decision: 'continue', reason: 'look again' }, shiftManager);
  expect(shown()).toEqual(['DismissReport', 'proposed', true]);
  // A round that was decided meanwhile leaves nothing to approve.
  sit.do('VoidRound', { reason: 'it does not belong' });
  sit.do('Refer', { reason: 'nobody agrees' });
  sit.do('DecideReferral', { decision: 'void', reason: 'it does not' }, shiftManager);
  expect(shown()).toEqual([null, 'shoe-locked', false]);
});

test('a proposal about no irregularity is open between rounds as well', () => {
  const sit = readyTable('tiger');
  sit.do('CorrectCut', { behind: 20, reason: 'it was counted again' });
  expect(buildSupervisorView(sit.table!)).toMatchObject({
    proposal: { command: 'CorrectCut' },
    prompt: { code: 'proposed' },
  });
});
