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
  expect(one.refuses('EnrolPerson', { number: 'N-1', posts: ['administrator'] })).toBe('people-not-begun');
  expect(one.refuses('BeginPeople', begin, admin)).toBe('not-your-post');
  expect(one.types('BeginPeople', begin)).toEqual(['PeopleBegun']);
  expect(one.refuses('BeginPeople', begin)).toBe('people-begun');
  one.at -= 1;
  expect(one.refuses('EnrolPerson', { number: 'N-1', posts: ['administrator'] })).toBe('clock-ran-back');
  expect(() => evolveStaff(undefined, { type: 'PersonEnded', v: 1, at: 1, who: floor, person: 'p1' })).toThrow(
    'begins',
  );
  expect(one.refuses('Promote')).toBe('bad-request');
  expect(staffDecider.bookAt(one.people)).toBeUndefined();
});

test('the floor enrols the first administrator alone, who has a password and no other', () => {
  const one = new StaffScenario();
  one.does('BeginPeople', { property: 'p', currency: 'SGD', demo: false });
  expect(one.refuses('EnrolPerson', { number: 'D-1', posts: ['dealer'] })).toBe('not-your-post');
  one.does('EnrolPerson', { number: 'N-1', posts: ['administrator'] });
  expect(one.refuses('EnrolPerson', { number: 'N-2', posts: ['administrator'] })).toBe('not-your-post');
  expect(one.does('SetSecret', { person: 'p1', kind: 'password', mark })).toMatchObject([{ once: true }]);
  expect(one.refuses('SetSecret', { person: 'p1', kind: 'password', mark })).toBe('not-your-post');
  for (const [type, fields] of [
    ['EnrolConsole', { kind: 'floor', table: null }],
    ['EndConsole', { console: 'c1' }],
    ['ChangePosts', { person: 'p1', posts: ['dealer'] }],
    ['EndPerson', { person: 'p1' }],
    ['NoteName', { person: 'p1', erased: false }],
  ] as const) {
    expect(one.refuses(type, fields), type).toBe('not-your-post');
  }
});

test('in a demo the floor keeps everything, and no secret has to be changed', () => {
  const one = staffScenario(true);
  expect(one.does('EnrolPerson', { number: 'T-1', posts: ['technician'] })).toMatchObject([{ person: 'p6' }]);
  expect(one.does('SetSecret', { person: 'p6', kind: 'pin', mark })).toMatchObject([{ once: false }]);
  expect(one.types('NoteName', { person: 'p6', erased: false })).toEqual(['NameNoted']);
  expect(one.people!.members['p6']).toMatchObject({ named: true, secrets: { pin: { mark, once: false } } });
});

test('ids and staff numbers are used once, and a former member is unknown', () => {
  const one = staffScenario();
  expect(one.refuses('EnrolPerson', { number: 'D-1', posts: ['dealer'] }, admin)).toBe('number-taken');
  one.does('EndPerson', { person: 'p2' }, admin);
  expect(one.refuses('EnrolPerson', { number: 'D-1', posts: ['dealer'] }, admin)).toBe('number-taken');
  for (const person of ['p2', 'p9', 'constructor']) {
    expect(one.refuses('EndPerson', { person }, admin)).toBe('unknown-person');
    expect(one.refuses('ChangePosts', { person, posts: ['dealer'] }, admin)).toBe('unknown-person');
    expect(one.refuses('SetSecret', { person, kind: 'pin', mark }, admin)).toBe('unknown-person');
  }
  expect(one.does('EnrolPerson', { number: 'D-2', posts: ['dealer'] }, admin)).toMatchObject([{ person: 'p6' }]);
  // The name of a former member can be erased.
  expect(one.types('NoteName', { person: 'p2', erased: true }, admin)).toEqual(['NameNoted']);
  expect(one.refuses('NoteName', { person: 'p9', erased: true }, admin)).toBe('unknown-person');
});

test.each(['administrator', 'auditor', 'surveillance'])('[HOUSE 2] the post %s goes with no other', (post) => {
  const one = staffScenario();
  expect(one.refuses('EnrolPerson', { number: 'X-1', posts: ['dealer', post] }, admin)).toBe('posts-clash');
  expect(one.refuses('ChangePosts', { person: 'p2', posts: [post, 'cage'] }, admin)).toBe('posts-clash');
  expect(one.refuses('EnrolPerson', { number: 'X-1', posts: [] }, admin)).toBe('bad-request');
  expect(one.refuses('EnrolPerson', { number: 'X-1', posts: ['cage', 'cage'] }, admin)).toBe('bad-request');
});

test('[HOUSE 2] an administrator cannot change their own account', () => {
  const one = staffScenario();
  expect(one.refuses('ChangePosts', { person: 'p1', posts: ['dealer'] }, admin)).toBe('own-account');
  expect(one.refuses('EndPerson', { person: 'p1' }, admin)).toBe('own-account');
  expect(one.refuses('SetSecret', { person: 'p1', kind: 'pin', mark }, admin)).toBe('own-account');
});

test('[HOUSE 2] only administrators change accounts and consoles', () => {
  const asks = Object.entries({
    EnrolPerson: { number: 'X-1', posts: ['dealer'] },
    ChangePosts: { person: 'p2', posts: ['cage'] },
    EndPerson: { person: 'p2' },
    EnrolConsole: { kind: 'floor', table: null },
    OfferConsole: { kind: 'floor', table: null },
    EndConsole: { console: 'c1' },
    SetSecret: { person: 'p2', kind: 'pin', mark },
    NoteName: { person: 'p2', erased: true },
  });
  for (const [type, fields] of asks) {
    for (const who of [
      dealer,
      supervisor,
      manager,
      both,
      { person: 'p5', post: 'cage' },
      { terminal: 'T1' },
    ] as const) {
      expect(staffScenario().refuses(type, fields, who), type).toBe('not-your-post');
    }
  }
  expect(asks.map(([type]) => type).toSorted()).toEqual(
    Object.entries(staffRegisterCommands)
      .flatMap(([type, one]) => ('post' in one && one.post === 'administrator' ? [type] : []))
      .toSorted(),
  );
});

test('commands of the system are refused for every role', () => {
  const one = staffScenario(true);
  const fields: { readonly [type: string]: object } = {
    BeginPeople: { property: 'p', currency: 'SGD', demo: true },
    SignIn: signInFields('D-1'),
    EndSessions: {},
    LockSession: { session: 's1', why: 'asked' },
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
  const due = Object.entries(staffRegisterCommands).flatMap(([type, declared]) => ('post' in declared ? [] : [type]));
  expect(Object.keys(fields).toSorted()).toEqual(due.toSorted());
  for (const type of due)
    expect(one.refuses(type, fields[type] as { [field: string]: unknown }, admin), type).toBe('not-your-post');
});

test("a post that is not held is nobody's, whatever was brought", () => {
  const one = staffScenario();
  for (const post of [...pitRoles, ...supportRoles]) {
    if (post === 'dealer') continue;
    const who = { person: 'p2', post };
    expect(one.refuses('EnrolPerson', { number: 'X-1', posts: ['dealer'] }, who), post).toBe('post-not-held');
  }
  const acts = { person: 'p2', post: 'dealer', acting: 'gaming-shift-manager', until: 9_999_999 } as const;
  expect(one.refuses('SignOut', { session: 's1', why: 'ended' }, acts)).toBe('post-not-held');
  one.does('EnrolPerson', { number: 'N-2', posts: ['administrator'] }, admin);
  one.does('EndPerson', { person: 'p6' }, admin);
  expect(one.refuses('EndPerson', { person: 'p2' }, { person: 'p6', post: 'administrator' })).toBe('post-not-held');
  expect(one.refuses('EndPerson', { person: 'p2' }, { person: 'p9', post: 'administrator' })).toBe('post-not-held');
});

test('a person who loses a role is signed out of it at once, and stays signed in by another', () => {
  const one = staffScenario();
  one.does('SignIn', signInFields('S-2', { as: 'supervisor' }));
  one.does('SignIn', signInFields('S-2', { as: 'cage' }));
  expect(one.does('ChangePosts', { person: 'p5', posts: ['cage'] }, admin)).toMatchObject([
    { type: 'PostsChanged', posts: ['cage'] },
    { type: 'SessionEnded', session: 's1', person: 'p5', why: 'post-ended' },
  ]);
  expect(Object.keys(one.people!.sessions)).toEqual(['s2']);
  expect(one.does('EndPerson', { person: 'p5' }, admin)).toMatchObject([
    { type: 'PersonEnded' },
    { type: 'SessionEnded', session: 's2', why: 'post-ended' },
  ]);
});

test('a secret that is given anew signs its person out', () => {
  const one = staffScenario();
  one.does('SignIn', signInFields('D-1'));
  expect(one.does('SetSecret', { person: 'p2', kind: 'password', mark }, admin)).toMatchObject([
    { type: 'SecretSet', person: 'p2', kind: 'password', mark, once: true },
    { type: 'SessionEnded', session: 's1', why: 'secret-changed' },
  ]);
});

test("a dealer's console stands at a table, and no other does; with a console its sessions end", () => {
  const one = staffScenario();
  expect(one.refuses('EnrolConsole', { kind: 'dealer', table: null }, admin)).toBe('unknown-console');
  expect(one.refuses('EnrolConsole', { kind: 'floor', table: 'L1' }, admin)).toBe('unknown-console');
  one.does('SignIn', signInFields('D-1', { by: 'pin', console: 'c1' }));
  one.does('SignIn', signInFields('S-1'));
  expect(one.does('EndConsole', { console: 'c1' }, admin)).toMatchObject([
    { type: 'ConsoleEnded', console: 'c1' },
    { type: 'SessionEnded', session: 's1', why: 'ended' },
  ]);
  expect(one.refuses('EndConsole', { console: 'c1' }, admin)).toBe('unknown-console');
  expect(one.does('EnrolConsole', { kind: 'office', table: null }, admin)).toMatchObject([{ console: 'c3' }]);
});

test('no command has a context field in its payload', () => {
  for (const [type, { fields }] of Object.entries(staffRegisterCommands)) {
    expect(
      Object.keys(fields).filter((field) => staffDecider.brought.has(field)),
      type,
    ).toEqual([]);
  }
});
