import { describe, expect, test } from 'vitest';
import { type Role, pitRoles, hasAuthority } from '../../src/access/roles.ts';
import { hasRole, authoritiesOf, highestAuthority } from '../../src/staff/roleGrants.ts';
import {
  type StaffScenario,
  admin,
  both,
  dealer,
  staffScenario,
  manager,
  signInFields,
  supervisor,
} from './staffScenario.ts';

const day = 86_400_000;
const grantFields = (one: StaffScenario, role: Role, more: object = {}) => ({
  person: 'p2',
  as: role,
  from: one.at,
  until: one.at + day,
  ...more,
});

test('[ETG 6.2] an acting role lets its holder sign in with it and act in it until its end', () => {
  const one = staffScenario();
  const [granted] = one.apply('GrantActingRole', grantFields(one, 'supervisor'), manager);
  expect(granted).toMatchObject({ acting: 'a1', person: 'p2', actor: manager });
  expect(one.state!.acting['a1']).toMatchObject({ by: 'p4' });
  const until = one.at + day;
  expect(one.apply('SignIn', signInFields('D-1', { as: 'supervisor' }))).toMatchObject([
    { type: 'SignedIn', role: 'dealer', acting: 'supervisor', until },
  ]);
  const person = { person: 'p2', role: 'dealer', acting: 'supervisor', until } as const;
  expect(hasRole(one.state!, person, one.at)).toBe(true);
  expect(hasRole(one.state!, { ...person, until: until + 1 }, one.at)).toBe(false);
  expect(hasRole(one.state!, { ...person, acting: 'pit-manager' }, one.at)).toBe(false);
  expect(hasAuthority(person, 'supervisor', until)).toBe(true);
  expect(hasAuthority(person, 'supervisor', until + 1)).toBe(false);
  // A person in an acting role may not grant roles.
  one.apply('GrantActingRole', grantFields(one, 'pit-manager', { until }), manager);
  const acts = { ...person, acting: 'pit-manager' } as const;
  one.apply('EnrolPerson', { number: 'D-2', roles: ['dealer'] }, admin);
  expect(one.refusalOf('GrantActingRole', grantFields(one, 'supervisor', { person: 'p6' }), acts)).toBe(
    'not-your-role',
  );
});

describe('an acting role', () => {
  test('is granted by a higher role, the highest by another holder of it', () => {
    const may: { readonly [role in Role]?: readonly Role[] } = {
      dealer: [],
      supervisor: ['gaming-shift-manager'],
      'pit-manager': ['gaming-shift-manager'],
      'gaming-shift-manager': ['gaming-shift-manager'],
    };
    for (const role of pitRoles) {
      for (const who of [supervisor, manager, both, admin]) {
        const one = staffScenario();
        const refused = one.submit('GrantActingRole', grantFields(one, role), who);
        const isMay = may[role]!.includes(who.role);
        const code = role === 'dealer' && who !== admin ? 'acting-not-higher' : isMay ? undefined : 'not-your-role';
        expect((refused as { refused?: string }).refused, `${role} by ${who.role}`).toBe(code);
      }
    }
    const one = staffScenario();
    expect(one.refusalOf('GrantActingRole', grantFields(one, 'supervisor'))).toBe('not-your-role');
  });

  test('is never granted to oneself, to an unknown person, without a pit role or with an equal one', () => {
    const one = staffScenario();
    one.apply('EnrolPerson', { number: 'C-1', roles: ['cage'] }, admin);
    one.apply('EnrolPerson', { number: 'G-2', roles: ['gaming-shift-manager'] }, admin);
    for (const [person, role, code] of [
      ['p4', 'pit-manager', 'same-person'],
      ['p9', 'supervisor', 'unknown-person'],
      ['p6', 'supervisor', 'acting-not-higher'],
      ['p3', 'supervisor', 'acting-not-higher'],
      ['p7', 'gaming-shift-manager', 'acting-not-higher'],
    ] as const) {
      expect(one.refusalOf('GrantActingRole', grantFields(one, role, { person }), manager), person).toBe(code);
    }
    one.apply('EndPerson', { person: 'p2' }, admin);
    expect(one.refusalOf('GrantActingRole', grantFields(one, 'supervisor'), manager)).toBe('unknown-person');
  });

  test('has a start and an end, neither in the past', () => {
    const one = staffScenario();
    const from = one.at - 500;
    expect(one.refusalOf('GrantActingRole', grantFields(one, 'supervisor', { from, until: one.at }), manager)).toBe(
      'acting-over',
    );
    expect(one.apply('GrantActingRole', grantFields(one, 'supervisor', { from }), manager)).toMatchObject([
      { from: one.at },
    ]);
    one.apply('GrantActingRole', grantFields(one, 'pit-manager', { from: one.at + 10, until: one.at + 20 }), manager);
    const actsAs = (at: number) => highestAuthority(one.state!, 'p2', at)?.acting;
    expect(
      [one.at, one.at + 9, one.at + 10, one.at + 20, one.at + 21, one.at + day, one.at + day + 1].map(actsAs),
    ).toEqual(['supervisor', 'supervisor', 'pit-manager', 'pit-manager', 'supervisor', 'supervisor', undefined]);
  });

  test('is ended by a role that may grant it or by its holder, and its sessions end', () => {
    for (const who of [manager, dealer]) {
      const one = staffScenario();
      one.apply('GrantActingRole', grantFields(one, 'pit-manager'), manager);
      one.apply('SignIn', signInFields('D-1', { as: 'pit-manager' }));
      one.apply('SignIn', signInFields('D-1', { as: 'dealer' }));
      expect(one.refusalOf('EndActingRole', { acting: 'a1' }, supervisor)).toBe('not-your-role');
      expect(one.apply('EndActingRole', { acting: 'a1' }, who)).toMatchObject([
        { type: 'ActingRoleEnded', acting: 'a1', person: 'p2' },
        { type: 'SessionEnded', session: 's1', reason: 'role-ended' },
      ]);
      expect(one.refusalOf('EndActingRole', { acting: 'a1' }, who)).toBe('unknown-acting');
      expect(Object.keys(one.state!.sessions)).toEqual(['s2']);
    }
  });

  test('ends with the last pit role, and stays with another', () => {
    const one = staffScenario();
    one.apply('GrantActingRole', grantFields(one, 'pit-manager'), manager);
    one.apply('SignIn', signInFields('D-1', { as: 'pit-manager' }));
    expect(one.types('ChangeRoles', { person: 'p2', roles: ['dealer', 'cage'] }, admin)).toEqual(['RolesChanged']);
    expect(one.types('ChangeRoles', { person: 'p2', roles: ['cage'] }, admin)).toEqual([
      'RolesChanged',
      'ActingRoleEnded',
      'SessionEnded',
    ]);
    expect(one.state!.acting).toEqual({});
  });

  test('is deleted after its end, with the next grant', () => {
    const one = staffScenario();
    one.apply('GrantActingRole', grantFields(one, 'supervisor'), manager);
    one.at += day + 1;
    one.apply('GrantActingRole', grantFields(one, 'supervisor'), manager);
    expect(Object.keys(one.state!.acting)).toEqual(['a2']);
  });
});

test('the highest role comes first, and duplicates are merged', () => {
  const one = staffScenario();
  one.apply('GrantActingRole', grantFields(one, 'pit-manager', { person: 'p5' }), manager);
  one.apply('GrantActingRole', grantFields(one, 'pit-manager', { person: 'p5', until: one.at + 2 * day }), manager);
  one.apply('GrantActingRole', grantFields(one, 'gaming-shift-manager', { person: 'p5' }), manager);
  expect(authoritiesOf(one.state!, 'p5', one.at)).toEqual([
    { role: 'supervisor' },
    { role: 'cage' },
    { role: 'supervisor', acting: 'gaming-shift-manager', until: one.at + day },
    { role: 'supervisor', acting: 'pit-manager', until: one.at + 2 * day },
  ]);
  // The own role by then needs no acting.
  one.apply('ChangeRoles', { person: 'p5', roles: ['pit-manager'] }, admin);
  expect(authoritiesOf(one.state!, 'p5', one.at)).toHaveLength(2);
  expect(authoritiesOf(one.state!, 'p9', one.at)).toEqual([]);
  one.apply('EndPerson', { person: 'p5' }, admin);
  expect(authoritiesOf(one.state!, 'p5', one.at)).toEqual([]);
});
