import { expect, test } from 'vitest';
import { type TableScenario, dealer, gameOf, natural, readyTable, shiftManager, supervisor } from '../tableScenario.ts';

// No shoe is locked during a deal.

const needs = {
  refused: 'bad-request',
  by: 'HOUSE 1',
  message: 'The round in play needs cards of the shoe; decide without "lock", or void the round.',
};
const stakes = { T1: { player: 1000 }, T2: { banker: 1000 } };
const dealing = (): TableScenario => readyTable('baccarat').bets(stakes).close().deal('2S 3H');
const decide = (scenario: TableScenario, fields: object) =>
  scenario.submit('DecideReferral', { decision: 'stand', lock: true, reason: 'x', ...fields }, shiftManager);

test.each(['baccarat', 'sands-super', 'sands-elements', 'fabulous-4', 'tiger'])(
  '[READING 26] at %s a void for foreign cards or altered order locks the shoe until two persons change it; with the order restored round and shoe go on',
  (game) => {
    const { book } = gameOf(game);
    const cards = book === 'ELM' ? '21 32' : '2S 3H';
    const electronic = book === 'ETG';
    for (const [kind, by] of [
      ['foreign-card', `${book} 5.1.1`],
      ['order-altered', `${book} ${electronic ? '5.2' : '5.4'}`],
    ] as const) {
      const scenario = readyTable(game).bets(stakes).close().deal(cards);
      scenario.do('ReportIrregularity', { kind });
      scenario.doByTwo('VoidRound', { reason: 'x' });
      const locked = { refused: 'shoe-locked', by };
      expect(scenario.refusal('OpenBets', {})).toMatchObject(locked);
      // One person changes nothing, and an approval by the same person is refused.
      scenario.do('EndShoe', { seen: {} });
      const { id: proposal, hash } = scenario.table!.proposal!;
      expect(scenario.refusal('Approve', { proposal, hash }, dealer)).toMatchObject({ refused: 'same-person' });
      expect(scenario.refusal('OpenBets', {})).toMatchObject(locked);
      scenario.do('Approve', { proposal, hash }, supervisor);
      expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
      expect(scenario.shoe('S2').do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened' }]);
    }
    const restored = readyTable(game).bets(stakes).close().deal(cards);
    restored.do('ReportIrregularity', { kind: 'order-altered' });
    restored.doByTwo('RestoreOrder', { reason: 'put back' });
    restored.deal(book === 'ELM' ? '93 62' : '7S 4H').settle();
    expect(restored.table).toMatchObject({ shoe: { id: 'S1', lockedBy: null } });
    expect(restored.do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened' }]);
  },
);

test('[READING 26] a decision to continue, or for one terminal, cannot lock the shoe', () => {
  const scenario = dealing();
  scenario.do('Refer', { reason: 'x', terminal: 'T1' });
  for (const decision of ['continue', 'stand', 'void'] as const) {
    expect(decide(scenario, { decision })).toMatchObject(needs);
    expect(scenario.table!.shoe!.lockedBy).toBeNull();
  }
  scenario.do('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager);
  scenario.deal('4S');
});

test('[READING 26] a decision to burn a card while bets are open cannot lock the shoe', () => {
  const scenario = readyTable('baccarat').bets(stakes);
  scenario.do('ReportIrregularity', { kind: 'face-up-card' });
  expect(decide(scenario, { decision: 'burn' })).toMatchObject(needs);
});

test('[READING 26] a decision on an earlier round cannot lock the shoe', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  const { slips } = structuredClone(scenario.table!.round!);
  const first = scenario.round;
  scenario.bets(stakes).close().deal('2S');
  scenario.do('Refer', { reason: 'x', round: first });
  for (const decision of ['continue', 'stand'] as const) expect(decide(scenario, { decision })).toMatchObject(needs);
  const out = { decision: 'void', lock: true, reason: 'x', slips } as const;
  expect(scenario.refusal('DecideReferral', out, supervisor)).toMatchObject(needs);
});

test('[READING 26] a void of the round can lock the shoe, and any decision after the complete deal', () => {
  const scenario = dealing();
  scenario.do('Refer', { reason: 'x' });
  expect(decide(scenario, { decision: 'void' })).toMatchObject([
    { type: 'ReferralDecided' },
    { type: 'RoundVoided' },
    { type: 'SettlementPosted' },
    { type: 'ShoeLocked' },
  ]);
  const whole = readyTable('baccarat').bets(stakes).close().deal(natural);
  whole.do('Refer', { reason: 'x' });
  expect(decide(whole, { decision: 'continue' })).toMatchObject([{ type: 'ReferralDecided' }, { type: 'ShoeLocked' }]);
});

test('[READING 26] no card is dealt or burned from a locked shoe, whatever locked it', () => {
  const scenario = dealing();
  scenario.table!.shoe!.lockedBy = 'HOUSE 1';
  expect(scenario.refusal('DealCard', { slot: 'P2', card: '4S' })).toMatchObject({
    refused: 'shoe-locked',
    by: 'HOUSE 1',
  });
});
