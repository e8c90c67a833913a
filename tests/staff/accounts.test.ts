import { expect, test } from 'vitest';
import { staffDecider } from '../../src/deciders/deciders.ts';
import { staffRegisterCommands } from '../../src/staff/commands.ts';
import { evolveStaff } from '../../src/staff/evolve.ts';
import { pitRoles, supportRoles } from '../../src/access/roles.ts';
import {
  StaffScenario,
  admin,
  both,
  dealer,
  floor,
  staffScenario,
  manager,
  mark,
  signInFields,
  supervisor,
} from './staffScenario.ts';

test('the staff register is started once, by the system', () => {
  const one = new StaffScenario();
  const begin = { property: 'p', currency: 'SGD', demo: false };
  expect(one.refusalOf('EnrolPerson', { number: 'N-1', roles: ['administrator'] })).toBe('staff-register-not-started');
  expect(one.refusalOf('StartStaffRegister', begin, admin)).toBe('not-your-role');
  expect(one.types('StartStaffRegister', begin)).toEqual(['StaffRegisterStarted']);
  expect(one.refusalOf('StartStaffRegister', begin)).toBe('staff-register-started');
  one.at -= 1;
  expect(one.refusalOf('EnrolPerson', { number: 'N-1', roles: ['administrator'] })).toBe('clock-ran-back');
  expect(() => evolveStaff(undefined, { type: 'PersonEnded', v: 1, at: 1, actor: floor, person: 'p1' })).toThrow(
    'is started',
  );
  expect(one.refusalOf('Promote')).toBe('bad-request');
  expect(staffDecider.rulebookAt(one.state)).toBeUndefined();
});

test('the floor enrols only the first administrator, who has a password and nothing else', () => {
  const one = new StaffScenario();
  one.apply('StartStaffRegister', { property: 'p', currency: 'SGD', demo: false });
  expect(one.refusalOf('EnrolPerson', { number: 'D-1', roles: ['dealer'] })).toBe('not-your-role');
  one.apply('EnrolPerson', { number: 'N-1', roles: ['administrator'] });
  expect(one.refusalOf('EnrolPerson', { number: 'N-2', roles: ['administrator'] })).toBe('not-your-role');
  expect(one.apply('SetSecret', { person: 'p1', kind: 'password', mark })).toMatchObject([{ once: true }]);
  expect(one.refusalOf('SetSecret', { person: 'p1', kind: 'password', mark })).toBe('not-your-role');
  for (const [type, fields] of [
    ['EnrolConsole', { kind: 'floor', table: null }],
    ['EndConsole', { console: 'c1' }],
    ['ChangeRoles', { person: 'p1', roles: ['dealer'] }],
    ['EndPerson', { person: 'p1' }],
    ['NoteName', { person: 'p1', erased: false }],
  ] as const) {
    expect(one.refusalOf(type, fields), type).toBe('not-your-role');
  }
});

test('in a demo the floor enrols everyone, and no secret has to be changed', () => {
  const one = staffScenario(true);
  expect(one.apply('EnrolPerson', { number: 'T-1', roles: ['technician'] })).toMatchObject([{ person: 'p6' }]);
  expect(one.apply('SetSecret', { person: 'p6', kind: 'pin', mark })).toMatchObject([{ once: false }]);
  expect(one.types('NoteName', { person: 'p6', erased: false })).toEqual(['NameNoted']);
  expect(one.state!.members['p6']).toMatchObject({ named: true, secrets: { pin: { mark, once: false } } });
});

test('ids and staff numbers are used once, and a former member is unknown', () => {
  const one = staffScenario();
  expect(one.refusalOf('EnrolPerson', { number: 'D-1', roles: ['dealer'] }, admin)).toBe('number-taken');
  one.apply('EndPerson', { person: 'p2' }, admin);
  expect(one.refusalOf('EnrolPerson', { number: 'D-1', roles: ['dealer'] }, admin)).toBe('number-taken');
  for (const person of ['p2', 'p9', 'constructor']) {
    expect(one.refusalOf('EndPerson', { person }, admin)).toBe('unknown-person');
    expect(one.refusalOf('ChangeRoles', { person, roles: ['dealer'] }, admin)).toBe('unknown-person');
    expect(one.refusalOf('SetSecret', { person, kind: 'pin', mark }, admin)).toBe('unknown-person');
  }
  expect(one.apply('EnrolPerson', { number: 'D-2', roles: ['dealer'] }, admin)).toMatchObject([{ person: 'p6' }]);
  // The name of a former member can be erased.
  expect(one.types('NoteName', { person: 'p2', erased: true }, admin)).toEqual(['NameNoted']);
  expect(one.refusalOf('NoteName', { person: 'p9', erased: true }, admin)).toBe('unknown-person');
});

test.each(['administrator', 'auditor', 'surveillance'])(
  '[HOUSE 2] the role %s cannot be combined with another',
  (role) => {
    const one = staffScenario();
    expect(one.refusalOf('EnrolPerson', { number: 'X-1', roles: ['dealer', role] }, admin)).toBe('roles-clash');
    expect(one.refusalOf('ChangeRoles', { person: 'p2', roles: [role, 'cage'] }, admin)).toBe('roles-clash');
    expect(one.refusalOf('EnrolPerson', { number: 'X-1', roles: [] }, admin)).toBe('bad-request');
    expect(one.refusalOf('EnrolPerson', { number: 'X-1', roles: ['cage', 'cage'] }, admin)).toBe('bad-request');
  },
);

test('[HOUSE 2] an administrator cannot change their own account', () => {
  const one = staffScenario();
  expect(one.refusalOf('ChangeRoles', { person: 'p1', roles: ['dealer'] }, admin)).toBe('own-account');
  expect(one.refusalOf('EndPerson', { person: 'p1' }, admin)).toBe('own-account');
  expect(one.refusalOf('SetSecret', { person: 'p1', kind: 'pin', mark }, admin)).toBe('own-account');
});

test('[HOUSE 2] only administrators change accounts and consoles', () => {
  const commands = Object.entries({
    EnrolPerson: { number: 'X-1', roles: ['dealer'] },
    ChangeRoles: { person: 'p2', roles: ['cage'] },
    EndPerson: { person: 'p2' },
    EnrolConsole: { kind: 'floor', table: null },
    OfferConsole: { kind: 'floor', table: null },
    EndConsole: { console: 'c1' },
    SetSecret: { person: 'p2', kind: 'pin', mark },
    NoteName: { person: 'p2', erased: true },
  });
  for (const [type, fields] of commands) {
    for (const who of [
      dealer,
      supervisor,
      manager,
      both,
      { person: 'p5', role: 'cage' },
      { terminal: 'T1' },
    ] as const) {
      expect(staffScenario().refusalOf(type, fields, who), type).toBe('not-your-role');
    }
  }
  expect(commands.map(([type]) => type).toSorted()).toEqual(
    Object.entries(staffRegisterCommands)
      .flatMap(([type, one]) => ('role' in one && one.role === 'administrator' ? [type] : []))
      .toSorted(),
  );
});

test('commands of the system are refused for every role', () => {
  const one = staffScenario(true);
  const fields: { readonly [type: string]: object } = {
    StartStaffRegister: { property: 'p', currency: 'SGD', demo: true },
    SignIn: signInFields('D-1'),
    EndSessions: {},
    LockSession: { session: 's1', reason: 'requested' },
    UnlockSession: { session: 's1', by: 'pin', right: true },
    Relieve: { session: 's1', number: 'D-1', by: 'pin', right: true },
    NoteConsent: {
      number: 'D-1',
      by: 'pin',
      right: true,
      table: 'L1',
      proposal: 'P1',
      hash: `sha256:${'0'.repeat(64)}`,
      console: null,
    },
    ChangeSecret: { number: 'D-1', kind: 'pin', right: true, mark },
    ResetSecret: { person: 'p1', kind: 'password', mark },
    ClaimConsole: {},
  };
  const due = Object.entries(staffRegisterCommands).flatMap(([type, declared]) => ('role' in declared ? [] : [type]));
  expect(Object.keys(fields).toSorted()).toEqual(due.toSorted());
  for (const type of due)
    expect(one.refusalOf(type, fields[type] as { [field: string]: unknown }, admin), type).toBe('not-your-role');
});

test('a command in a role that the person does not have is refused, whatever its context', () => {
  const one = staffScenario();
  for (const role of [...pitRoles, ...supportRoles]) {
    if (role === 'dealer') continue;
    const who = { person: 'p2', role };
    expect(one.refusalOf('EnrolPerson', { number: 'X-1', roles: ['dealer'] }, who), role).toBe('role-not-granted');
  }
  const acts = { person: 'p2', role: 'dealer', acting: 'gaming-shift-manager', until: 9_999_999 } as const;
  expect(one.refusalOf('SignOut', { session: 's1', reason: 'ended' }, acts)).toBe('role-not-granted');
  one.apply('EnrolPerson', { number: 'N-2', roles: ['administrator'] }, admin);
  one.apply('EndPerson', { person: 'p6' }, admin);
  expect(one.refusalOf('EndPerson', { person: 'p2' }, { person: 'p6', role: 'administrator' })).toBe(
    'role-not-granted',
  );
  expect(one.refusalOf('EndPerson', { person: 'p2' }, { person: 'p9', role: 'administrator' })).toBe(
    'role-not-granted',
  );
});

test('a person who loses a role is signed out of it at once, and stays signed in with another', () => {
  const one = staffScenario();
  one.apply('SignIn', signInFields('S-2', { as: 'supervisor' }));
  one.apply('SignIn', signInFields('S-2', { as: 'cage' }));
  expect(one.apply('ChangeRoles', { person: 'p5', roles: ['cage'] }, admin)).toMatchObject([
    { type: 'RolesChanged', roles: ['cage'] },
    { type: 'SessionEnded', session: 's1', person: 'p5', reason: 'role-ended' },
  ]);
  expect(Object.keys(one.state!.sessions)).toEqual(['s2']);
  expect(one.apply('EndPerson', { person: 'p5' }, admin)).toMatchObject([
    { type: 'PersonEnded' },
    { type: 'SessionEnded', session: 's2', reason: 'role-ended' },
  ]);
});

test('a newly issued secret signs its person out', () => {
  const one = staffScenario();
  one.apply('SignIn', signInFields('D-1'));
  expect(one.apply('SetSecret', { person: 'p2', kind: 'password', mark }, admin)).toMatchObject([
    { type: 'SecretSet', person: 'p2', kind: 'password', mark, once: true },
    { type: 'SessionEnded', session: 's1', reason: 'secret-changed' },
  ]);
});

test("a dealer's console has a table, and no other has; ending a console ends its sessions", () => {
  const one = staffScenario();
  expect(one.refusalOf('EnrolConsole', { kind: 'dealer', table: null }, admin)).toBe('unknown-console');
  expect(one.refusalOf('EnrolConsole', { kind: 'floor', table: 'L1' }, admin)).toBe('unknown-console');
  one.apply('SignIn', signInFields('D-1', { by: 'pin', console: 'c1' }));
  one.apply('SignIn', signInFields('S-1'));
  expect(one.apply('EndConsole', { console: 'c1' }, admin)).toMatchObject([
    { type: 'ConsoleEnded', console: 'c1' },
    { type: 'SessionEnded', session: 's1', reason: 'ended' },
  ]);
  expect(one.refusalOf('EndConsole', { console: 'c1' }, admin)).toBe('unknown-console');
  expect(one.apply('EnrolConsole', { kind: 'office', table: null }, admin)).toMatchObject([{ console: 'c3' }]);
});

test('no command has a context field in its payload', () => {
  for (const [type, { fields }] of Object.entries(staffRegisterCommands)) {
    expect(
      Object.keys(fields).filter((field) => staffDecider.contextFields.has(field)),
      type,
    ).toEqual([]);
  }
});
