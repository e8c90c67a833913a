import { type PitRole, pitRoles, hasAuthority, supportRoles } from '../../../src/access/roles.ts';
import { type StaffActor } from '../../../src/access/actor.ts';
import { expect, test } from 'vitest';
import { isRefused } from '../../../src/base/refusal.ts';
import { decide } from '../../../src/table/decide/decide.ts';
import { type TableCommand, tableCommands } from '../../../src/table/schema/commands.ts';
import { type Table } from '../../../src/table/state.ts';
import { approvalRules } from '../../../src/access/approvalRules.ts';
import { dealer, floor, natural, pitManager, readyTable, shiftManager, supervisor } from '../tableScenario.ts';

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

/** True when the command is refused for the role of its actor; past that check the empty payload may fail in any way. */
function isRoleRefused(type: keyof typeof tableCommands, actor: StaffActor, table: Table): boolean {
  try {
    const decision = decide({ type, at: table.at, actor } as unknown as TableCommand, table);
    return isRefused(decision) && decision.refused === 'not-your-role';
  } catch {
    return false;
  }
}

/** The lowest role of each command while cards are dealt; all others are for a dealer. */
const lowestRoles: { readonly [role in PitRole]?: readonly string[] } = {
  supervisor: ['ConfirmRuling', 'AnswerCall', 'CollectShortfall', 'WriteOffShortfall'],
  'pit-manager': ['ChangeSettings', 'CloseTable', 'ReopenTable', 'InvestigateCount'],
  'gaming-shift-manager': ['DecideReferral'],
};

test('[ETG 6.2] every command of the table is for its role, for a person acting in it until the stated time and for all higher roles', () => {
  const { table } = readyTable('tiger').bets().close().deal('9S 2C');
  const found = new Map<string, string[]>();
  for (const type of Object.keys(tableCommands) as (keyof typeof tableCommands)[]) {
    if (type === 'OpenTable' || type === 'SetSlip' || type === 'CorrectCard') continue;
    const lowest = pitRoles.find((role) => lowestRoles[role]?.includes(type)) ?? 'dealer';
    found.set(lowest, [...(found.get(lowest) ?? []), type]);
    for (const role of pitRoles) {
      const isLower = pitRoles.indexOf(role) < pitRoles.indexOf(lowest);
      expect(isRoleRefused(type, { person: 'x', role }, table!), `${type} by ${role}`).toBe(isLower);
      const acting = { person: 'x', role: 'dealer', acting: role } as const;
      const [now, lapsed] = [0, -1].map((time) => isRoleRefused(type, { ...acting, until: table!.at + time }, table!));
      expect([now, lapsed], `${type} by an acting ${role}`).toEqual([isLower, lowest !== 'dealer']);
    }
  }
  expect(found.get('dealer')!.length).toBeGreaterThan(30);
  for (const [role, types] of Object.entries(lowestRoles))
    expect(found.get(role)!.toSorted()).toEqual(types.toSorted());
});

test('[ETG 6.2] a second signature is for its role, for a person acting in it until the stated time and for all higher roles', () => {
  const settled = readyTable('tiger').playRound(natural);
  settled.do('CorrectCard', { round: settled.round, place: 4, card: '7D', reason: 'misread' }, supervisor);
  const shoe = readyTable('tiger').playRound(natural);
  shoe.do('EndShoe', { seen: {} });
  for (const [scenario, second] of [
    [shoe, 'supervisor'],
    [settled, 'gaming-shift-manager'],
  ] as const) {
    const { id: proposal, hash } = scenario.table!.proposal!;
    const codeOf = (actor: StaffActor): string => {
      const table = structuredClone({ ...scenario.table!, settings: null });
      const decision = decide(
        { type: 'Approve', at: table.at, actor, proposal, hash },
        { ...table, settings: scenario.table!.settings },
      );
      return isRefused(decision) ? decision.refused : 'approved';
    };
    for (const role of pitRoles) {
      const code = pitRoles.indexOf(role) < pitRoles.indexOf(second) ? 'not-your-role' : 'approved';
      expect(codeOf({ person: 'x', role }), `${second}: ${role}`).toBe(code);
      const acting = { person: 'x', role: 'dealer', acting: role } as const;
      expect(codeOf({ ...acting, until: scenario.at }), `${second}: acting ${role}`).toBe(code);
      expect(codeOf({ ...acting, until: scenario.at - 1 }), `${second}: lapsed ${role}`).toBe('not-your-role');
    }
  }
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
