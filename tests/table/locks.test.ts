import { expect, test } from 'vitest';
import { type TableScenario, natural, readyTable, shiftManager, supervisor } from './tableScenario.ts';

// No shoe is locked during a deal.

const needs = {
  refused: 'bad-request',
  by: 'HOUSE 1',
  message: 'The round that is played needs cards of the shoe; decide without the lock, or that it is void.',
};
const stakes = { T1: { player: 1000 }, T2: { banker: 1000 } };
const dealing = (): TableScenario => readyTable('baccarat').bets(stakes).close().deal('2S 3H');
const decide = (sit: TableScenario, fields: object) =>
  sit.submit('DecideReferral', { decision: 'stand', lock: true, reason: 'x', ...fields }, shiftManager);

test('[READING 26] not to go on with it, nor for one terminal', () => {
  const sit = dealing();
  sit.do('Refer', { reason: 'x', terminal: 'T1' });
  for (const decision of ['continue', 'stand', 'void'] as const) {
    expect(decide(sit, { decision })).toMatchObject(needs);
    expect(sit.table!.shoe!.lockedBy).toBeNull();
  }
  sit.do('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager);
  sit.deal('4S');
});

test('[READING 26] not with a card that is to be burned while bets are open', () => {
  const sit = readyTable('baccarat').bets(stakes);
  sit.do('ReportIrregularity', { kind: 'face-up-card' });
  expect(decide(sit, { decision: 'burn' })).toMatchObject(needs);
});

test('[READING 26] not by a decision on an earlier round', () => {
  const sit = readyTable('baccarat').playRound(natural, stakes);
  const { slips } = structuredClone(sit.table!.round!);
  const first = sit.round;
  sit.bets(stakes).close().deal('2S');
  sit.do('Refer', { reason: 'x', round: first });
  for (const decision of ['continue', 'stand'] as const) expect(decide(sit, { decision })).toMatchObject(needs);
  const out = { decision: 'void', lock: true, reason: 'x', slips } as const;
  expect(sit.refusal('DecideReferral', out, supervisor)).toMatchObject(needs);
});

test('[READING 26] but with the void of the round, and once its deal is complete', () => {
  const sit = dealing();
  sit.do('Refer', { reason: 'x' });
  expect(decide(sit, { decision: 'void' })).toMatchObject([
    { type: 'ReferralDecided' },
    { type: 'RoundVoided' },
    { type: 'SettlementPosted' },
    { type: 'ShoeLocked' },
  ]);
  const whole = readyTable('baccarat').bets(stakes).close().deal(natural);
  whole.do('Refer', { reason: 'x' });
  expect(decide(whole, { decision: 'continue' })).toMatchObject([{ type: 'ReferralDecided' }, { type: 'ShoeLocked' }]);
});

test('[READING 26] and from a locked shoe no card is dealt or burned, however that came about', () => {
  const sit = dealing();
  sit.table!.shoe!.lockedBy = 'HOUSE 1';
  expect(sit.refusal('DealCard', { slot: 'P2', card: '4S' })).toMatchObject({
    refused: 'shoe-locked',
    by: 'HOUSE 1',
  });
});
