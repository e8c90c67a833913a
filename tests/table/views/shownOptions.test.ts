import { expect, test } from 'vitest';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { natural, readyTable, shiftManager, supervisor } from '../tableScenario.ts';

// Staff are offered what the table would decide now, in states that are rarely reached.

const stakes = { T1: { player: 1000 }, T2: { banker: 500 } };

test('[READING 65] a proposed decision to void shows the clause that orders the void, as the table will cite it', () => {
  const scenario = readyTable('baccarat').playRound(natural, stakes);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('Refer', { reason: 'x' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'x' }, supervisor);
  const { rulings, proposal } = buildSupervisorView(scenario.table!);
  expect(rulings!.columns.find(({ ruling }) => ruling === 'void')).toMatchObject({ by: 'BAC 5.2' });
  expect(proposal!.effects).toMatchObject({ by: 'BAC 5.2', changes: [{ type: 'referral-decide' }, {}] });
  const { id, hash } = scenario.table!.proposal!;
  const credits = { T1: 5000, T2: 5000 };
  expect(scenario.do('Approve', { proposal: id, hash, credits }, shiftManager)).toMatchObject([
    { type: 'Approved' },
    { type: 'ReferralDecided', by: 'HOUSE 1' },
    { type: 'RoundResettled', by: 'BAC 5.2' },
    { type: 'SettlementPosted' },
  ]);
});
