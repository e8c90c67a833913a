import { pitRoles, hasAuthority, supportRoles } from '../../../src/access/roles.ts';
import { type StaffActor } from '../../../src/access/actor.ts';
import { expect, test } from 'vitest';
import { tableCommands } from '../../../src/table/schema/commands.ts';
import { approvalRules } from '../../../src/access/approvalRules.ts';
import { dealer, floor, pitManager, readyTable, shiftManager, supervisor } from '../tableScenario.ts';

test('[ETG 6.2] a command is allowed for its role, for an acting role in its time, and for a higher role', () => {
  for (const [required, role] of pitRoles.entries()) {
    for (const [actual, other] of pitRoles.entries()) {
      expect(hasAuthority({ role: other }, role, 0), `${other} as ${role}`).toBe(actual >= required);
    }
    const acting: StaffActor = { person: 'x', role: 'dealer', acting: role, until: 1000 };
    expect(hasAuthority(acting, role, 1000)).toBe(true);
    expect(hasAuthority(acting, role, 1001)).toBe(role === 'dealer');
    for (const side of supportRoles) {
      expect(hasAuthority({ role: side }, role, 0)).toBe(false);
      expect(hasAuthority({ role: side, acting: role, until: 1000 }, role, 0)).toBe(false);
    }
  }
  expect(hasAuthority({ role: 'auditor' }, 'auditor', 0)).toBe(true);
  expect(hasAuthority(shiftManager, 'auditor', 0)).toBe(false);
});

test('[HOUSE 2] cage, technician, auditor, surveillance and administrator may submit no game command', () => {
  const names = Object.keys(tableCommands) as (keyof typeof tableCommands)[];
  for (const role of supportRoles) {
    for (const type of names.filter((name) => name !== 'OpenTable')) {
      const refused = readyTable('baccarat').submit(type, {}, { person: 'x1', role });
      expect(refused, `${role} ${type}`).toMatchObject({ refused: 'not-your-role', by: 'HOUSE 2' });
    }
  }
});

test('[HOUSE 2] the approval rules are those of the house procedures', () => {
  expect(approvalRules).toEqual({
    'run the table': { first: 'dealer' },
    'void with no card out': { first: 'dealer' },
    'void with a card out': { first: 'dealer', second: 'supervisor' },
    'rule before settlement': { first: 'dealer', second: 'supervisor' },
    'enter the felt': { first: 'dealer', second: 'supervisor', anyOrder: true },
    'burn a card': { first: 'dealer', second: 'supervisor' },
    refer: { first: 'dealer' },
    'answer a call': { first: 'supervisor' },
    'investigate a count': { first: 'pit-manager' },
    'confirm what a clause computes': { first: 'supervisor' },
    'close the table': { first: 'pit-manager', second: 'gaming-shift-manager' },
    'settle a shortfall': { first: 'supervisor', second: 'gaming-shift-manager' },
    'rule after settlement': { first: 'supervisor', second: 'gaming-shift-manager' },
    'decide a referral': { first: 'gaming-shift-manager' },
    'pay by hand above the limit': { first: 'supervisor', second: 'pit-manager' },
    'change the settings': { first: 'pit-manager', second: 'gaming-shift-manager' },
    'change the shoe': { first: 'dealer', second: 'supervisor' },
  });
});

/** A card is in the wrong place, and the dealer proposes a correction. */
function proposed() {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S 2C');
  scenario.do('CorrectCard', { round: scenario.round, place: 2, card: '3C', reason: 'misread' });
  const { id, hash } = scenario.table!.proposal!;
  return { sit: scenario, consent: { proposal: id, hash } };
}

test('a proposal has an id, a hash, all its effects and two minutes', () => {
  const { sit: scenario } = proposed();
  expect(scenario.entries.at(-1)!.event).toMatchObject({
    type: 'Proposed',
    proposal: 'P2',
    command: { type: 'CorrectCard', place: 2, card: '3C', reason: 'misread' },
    effects: [{ type: 'CardCorrected', was: '2C', card: '3C', after: ['9S', '3C'] }],
    hash: expect.stringMatching(/^sha256:/) as string,
    expires: scenario.at + 120_000,
  });
});

test('an approval has id and hash, and comes in time from another person in the right role', () => {
  const { sit: scenario, consent } = proposed();
  const by = 'ETG 6.2';
  const refused = (fields: object, who: StaffActor = supervisor) =>
    scenario.refusal('Approve', { ...consent, ...fields }, who);
  expect(refused({ proposal: 'P9' })).toMatchObject({ refused: 'unknown-proposal', by });
  expect(refused({}, dealer)).toMatchObject({ refused: 'same-person', by });
  expect(refused({}, { ...dealer, role: 'supervisor' })).toMatchObject({ refused: 'same-person', by });
  expect(refused({ hash: `sha256:${'0'.repeat(64)}` })).toMatchObject({ refused: 'changed-proposal', by });
  expect(refused({}, { person: 'd2', role: 'dealer' })).toMatchObject({ refused: 'not-your-role', by });
  expect(scenario.refusal('Approve', consent, floor)).toMatchObject({ refused: 'not-your-role' });
  scenario.wait(120_000);
  expect(scenario.do('Approve', consent, pitManager)[1]).toMatchObject({
    type: 'CardCorrected',
    actor: dealer,
    second: pitManager,
    was: '2C',
    card: '3C',
  });
  expect(refused({})).toMatchObject({ refused: 'unknown-proposal' });
});

test('a proposal lapses after two minutes', () => {
  const { sit: scenario, consent } = proposed();
  scenario.wait(120_001);
  expect(scenario.refusal('Approve', consent, supervisor)).toMatchObject({
    refused: 'expired-proposal',
    by: 'ETG 6.2',
  });
});

test('an approval is refused as changed when the proposal would have other effects by now', () => {
  const { sit: scenario, consent } = proposed();
  scenario.deal('9H');
  expect(scenario.refusal('Approve', consent, supervisor)).toMatchObject({
    refused: 'changed-proposal',
    by: 'ETG 6.2',
  });
  const other = proposed();
  other.sit.do('TakeBackCard', {});
  expect(other.sit.refusal('Approve', other.consent, supervisor)).toMatchObject({ refused: 'changed-proposal' });
});

test('a new proposal replaces the old one; a proposal can be withdrawn', () => {
  const { sit: scenario, consent } = proposed();
  scenario.do('CorrectCard', { round: scenario.round, place: 2, card: '4C', reason: 'misread' });
  expect(scenario.refusal('Approve', consent, supervisor)).toMatchObject({ refused: 'unknown-proposal' });
  expect(scenario.refusal('WithdrawProposal', { proposal: 'P2' })).toMatchObject({ refused: 'unknown-proposal' });
  scenario.do('WithdrawProposal', { proposal: 'P3' });
  expect(scenario.table!.proposal).toBeNull();
});

test('a proposal from before a stop waits until the table resumes', () => {
  const { sit: scenario, consent } = proposed();
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(scenario.refusal('Approve', consent, supervisor)).toMatchObject({ refused: 'changed-proposal' });
  const other = readyTable('tiger').playRound('9S 2C 9H 4D');
  other.do('EndShoe', { seen: {} });
  const end = { proposal: other.table!.proposal!.id, hash: other.table!.proposal!.hash };
  other.do('ReportIrregularity', { kind: 'order-altered' });
  expect(other.refusal('Approve', end, supervisor)).toMatchObject({ refused: 'awaiting-ruling', by: 'ETG 5.2' });
});

test('an acting role is valid until its end', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  scenario.do('Refer', { reason: 'a dispute' });
  const acting: StaffActor = { person: 's2', role: 'supervisor', acting: 'gaming-shift-manager', until: scenario.at };
  const decision = { decision: 'continue', reason: 'looked at' } as const;
  expect(scenario.refusal('DecideReferral', decision, supervisor)).toMatchObject({
    refused: 'not-your-role',
    by: 'ETG 6.2',
  });
  scenario.wait(1);
  expect(scenario.refusal('DecideReferral', decision, acting)).toMatchObject({ refused: 'not-your-role' });
  expect(scenario.do('DecideReferral', decision, { ...acting, until: scenario.at })).toHaveLength(1);
});
