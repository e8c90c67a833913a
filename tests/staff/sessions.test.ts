import { describe, expect, test } from 'vitest';
import { firstLockMs, maxLockMs, maxWrongSecrets, maxSessionsWithoutConsole } from '../../src/staff/signIn.ts';
import { findCurrentMember, parseStaffNumber } from '../../src/staff/state.ts';
import {
  type StaffScenario,
  admin,
  both,
  dealer,
  hash,
  staffScenario,
  manager,
  mark,
  signInFields,
  supervisor,
} from './staffScenario.ts';

const wrong = (number: string, more: object = {}) => signInFields(number, { right: false, ...more });
const consent = (number: string, right = true) => ({
  number,
  by: 'pin',
  right,
  table: 'L1',
  proposal: 'P1',
  hash,
  console: 'c1',
});

describe('signing in', () => {
  test("begins a session in the person's role, at the table of the console", () => {
    const one = staffScenario();
    expect(one.apply('SignIn', signInFields('D-1', { by: 'pin', console: 'c1' }))).toMatchObject([
      { type: 'SignedIn', session: 's1', person: 'p2', number: 'D-1', role: 'dealer', console: 'c1', table: 'L1' },
    ]);
    expect(one.state!.sessions['s1']).toEqual({
      id: 's1',
      person: 'p2',
      number: 'D-1',
      role: 'dealer',
      acting: null,
      until: null,
      console: 'c1',
      table: 'L1',
      since: one.at,
      locked: false,
    });
  });

  test('needs an enrolled console for a PIN', () => {
    const one = staffScenario();
    expect(one.refusalOf('SignIn', signInFields('D-1', { by: 'pin' }))).toBe('console-needed');
    expect(one.refusalOf('SignIn', signInFields('D-1', { by: 'pin', console: 'c9' }))).toBe('unknown-console');
    expect(one.types('SignIn', signInFields('D-1', { console: 'c2' }))).toEqual(['SignedIn']);
  });

  test("names a role when a person has several; a dealer's console takes the lowest pit role", () => {
    const one = staffScenario();
    expect(one.apply('SignIn', signInFields('S-2'))).toMatchObject([
      { type: 'SignInFailed', reason: 'role-not-chosen', failures: 0 },
    ]);
    expect(one.apply('SignIn', signInFields('S-2', { as: 'dealer' }))).toMatchObject([{ reason: 'role-not-granted' }]);
    expect(one.apply('SignIn', signInFields('S-2', { as: 'cage' }))).toMatchObject([{ role: 'cage' }]);
    const there = { by: 'pin', console: 'c1' };
    expect(one.apply('SignIn', signInFields('S-2', there))).toMatchObject([{ type: 'SignedIn', role: 'supervisor' }]);
    expect(one.apply('SignIn', signInFields('N-1', there))).toMatchObject([{ reason: 'role-not-granted' }]);
    expect(one.apply('SignIn', signInFields('N-1', { ...there, as: 'administrator' }))).toMatchObject([
      { reason: 'role-not-granted' },
    ]);
    one.apply('ChangeRoles', { person: 'p5', roles: ['pit-manager', 'dealer'] }, admin);
    expect(one.apply('SignIn', signInFields('S-2', there)).at(-1)).toMatchObject({ type: 'SignedIn', role: 'dealer' });
  });

  test('ends the former session of the console, and the oldest of a person without one', () => {
    const one = staffScenario();
    one.apply('SignIn', signInFields('D-1', { by: 'pin', console: 'c1' }));
    expect(one.apply('SignIn', signInFields('S-1', { by: 'pin', console: 'c1' }))).toMatchObject([
      { type: 'SessionEnded', session: 's1', reason: 'replaced' },
      { type: 'SignedIn', session: 's2' },
    ]);
    for (let n = 0; n < maxSessionsWithoutConsole; n++) one.apply('SignIn', signInFields('S-1'));
    expect(one.types('SignIn', signInFields('D-1'))).toEqual(['SignedIn']);
    expect(one.apply('SignIn', signInFields('S-1'))).toMatchObject([
      { session: 's3', reason: 'replaced' },
      { type: 'SignedIn' },
    ]);
  });

  test('by one click is allowed in a demo only', () => {
    const click = { by: 'click' };
    const fields = [
      ['SignIn', signInFields('D-1', { ...click, console: 'c1' })],
      ['UnlockSession', { session: 's1', right: true, ...click }],
      ['Relieve', { session: 's1', number: 'S-1', right: true, ...click }],
      ['NoteConsent', { ...consent('D-1'), ...click }],
    ] as const;
    const real = staffScenario();
    real.apply('SignIn', signInFields('D-1', { by: 'pin', console: 'c1' }));
    for (const [type, input] of fields) expect(real.refusalOf(type, input), type).toBe('not-your-role');
    const demo = staffScenario(true);
    for (const [type, input] of fields) expect(demo.types(type, input), type).not.toContain('SignInFailed');
  });
});

describe('a wrong secret', () => {
  const fails = (one: StaffScenario, times: number, number = 'D-1') => {
    for (let n = 0; n < times; n++) one.apply('SignIn', wrong(number));
    return one.state!.failedSignIns[number];
  };

  test('locks the number after five, for a minute, then twice as long each time up to a day', () => {
    const one = staffScenario();
    expect(fails(one, maxWrongSecrets - 1)).toEqual({ failures: 4, locks: 0, until: null });
    let span = firstLockMs;
    for (let locks = 1; locks < 14; locks++) {
      const until = one.at + span;
      expect(fails(one, locks === 1 ? 1 : maxWrongSecrets)).toEqual({ failures: 0, locks, until });
      one.at = until - 1;
      expect(one.apply('SignIn', signInFields('D-1'))).toMatchObject([{ reason: 'locked', until }]);
      expect(one.apply('SignIn', wrong('D-1'))).toMatchObject([{ reason: 'locked', until }]);
      one.at = until;
      span = Math.min(span * 2, maxLockMs);
    }
    expect(span).toBe(maxLockMs);
    expect(one.types('SignIn', signInFields('D-1'))).toEqual(['SignedIn']);
    expect(one.state!.failedSignIns).toEqual({});
  });

  test('counts the same for unknown numbers and those of former members', () => {
    const one = staffScenario();
    one.apply('EndPerson', { person: 'p2' }, admin);
    for (const number of ['D-1', 'X-9']) {
      const results = Array.from(
        { length: maxWrongSecrets + 1 },
        () => one.apply('SignIn', signInFields(number, { number }))[0],
      );
      expect(results).toMatchObject([
        ...Array.from({ length: maxWrongSecrets }, () => ({ type: 'SignInFailed', reason: 'wrong' })),
        { reason: 'locked', until: one.at + firstLockMs },
      ]);
    }
    expect(findCurrentMember(one.state!, 'D-1')).toBeUndefined();
  });

  test('of an unknown number is deleted in the end, of a member never', () => {
    const one = staffScenario();
    one.apply('SignIn', wrong('D-1'));
    for (let n = 0; n <= 1000; n++) one.apply('SignIn', wrong(`X-${n}`));
    expect(Object.keys(one.state!.failedSignIns)).toHaveLength(1001);
    expect(one.state!.failedSignIns).toHaveProperty('D-1');
    expect(one.state!.failedSignIns).not.toHaveProperty('X-0');
  });

  test('counts whatever its purpose', () => {
    const one = staffScenario();
    one.apply('SignIn', signInFields('D-1', { by: 'pin', console: 'c1' }));
    one.apply('SignIn', wrong('D-1'));
    const commands = [
      ['UnlockSession', { session: 's1', by: 'pin', right: false }],
      ['NoteConsent', consent('D-1', false)],
      ['ChangeSecret', { number: 'D-1', kind: 'pin', right: false, mark }],
    ] as const;
    for (const [type, input] of commands) one.apply(type, input);
    expect(one.state!.failedSignIns['D-1']).toMatchObject({ failures: 4 });
    expect(one.apply('Relieve', { session: 's1', number: 'D-1', by: 'pin', right: false })).toMatchObject([
      { of: 'relief', reason: 'wrong', until: one.at + firstLockMs },
    ]);
    one.at += firstLockMs;
    for (const [type, input] of commands) {
      one.apply('SignIn', wrong('D-1'));
      one.apply(type, { ...input, right: true });
      expect(one.state!.failedSignIns, type).toEqual({});
    }
  });

  test('is reset with a new secret by an administrator', () => {
    const one = staffScenario();
    fails(one, maxWrongSecrets);
    one.apply('SetSecret', { person: 'p2', kind: 'password', mark }, admin);
    expect(one.state!.failedSignIns).toEqual({});
  });
});

test('an issued secret can only be changed', () => {
  const one = staffScenario();
  one.apply('SetSecret', { person: 'p2', kind: 'pin', mark }, admin);
  const there = { by: 'pin', console: 'c1' };
  expect(one.apply('SignIn', signInFields('D-1', there))).toMatchObject([
    { type: 'SignInFailed', reason: 'change-due', failures: 0 },
  ]);
  expect(one.apply('NoteConsent', consent('D-1'))).toMatchObject([{ reason: 'change-due' }]);
  one.apply('SignIn', signInFields('D-1'));
  one.apply('SignIn', signInFields('D-1'));
  const next = 'cd'.repeat(16);
  expect(
    one.apply('ChangeSecret', { number: 'D-1', kind: 'pin', right: true, mark: next, session: 's2' }),
  ).toMatchObject([
    { type: 'SecretSet', person: 'p2', kind: 'pin', mark: next, once: false },
    { type: 'SessionEnded', session: 's1', reason: 'secret-changed' },
  ]);
  expect(one.types('SignIn', signInFields('D-1', there))).toEqual(['SignedIn']);
});

describe('a session', () => {
  test('is locked, locked again with an event of its own, and unlocked by its own person', () => {
    const one = staffScenario();
    one.apply('SignIn', signInFields('D-1'));
    expect(one.apply('LockSession', { session: 's1', reason: 'idle' })).toMatchObject([
      { type: 'SessionLocked', reason: 'idle' },
    ]);
    expect(one.apply('LockSession', { session: 's1', reason: 'requested' })).toMatchObject([
      { type: 'SessionLocked', reason: 'requested' },
    ]);
    expect(one.state!.sessions['s1']).toMatchObject({ locked: true });
    expect(one.types('UnlockSession', { session: 's1', by: 'password', right: true })).toEqual(['SessionUnlocked']);
    expect(one.state!.sessions['s1']).toMatchObject({ locked: false });
  });

  test('is ended only by its person, an administrator, a higher role or the system', () => {
    for (const [who, code] of [
      [undefined, undefined],
      [{ person: 'p3', role: 'supervisor' }, undefined],
      [admin, undefined],
      [manager, undefined],
      [dealer, 'not-your-role'],
      [both, 'not-your-role'],
    ] as const) {
      const one = staffScenario();
      one.apply('SignIn', signInFields('S-1'));
      const result = one.submit('SignOut', { session: 's1', reason: 'ended' }, who) as { refused?: string };
      expect(result.refused).toBe(code);
    }
    const one = staffScenario();
    one.apply('GrantActingRole', { person: 'p2', as: 'pit-manager', from: one.at, until: one.at + 9 }, manager);
    one.apply('SignIn', signInFields('D-1', { as: 'pit-manager' }));
    expect(one.refusalOf('SignOut', { session: 's1', reason: 'ended' }, supervisor)).toBe('not-your-role');
  });

  test('that has ended is refused for any further act', () => {
    const one = staffScenario();
    one.apply('SignIn', signInFields('D-1', { by: 'pin', console: 'c1' }));
    one.apply('SignOut', { session: 's1', reason: 'signed-out' });
    for (const [type, more] of [
      ['SignOut', { reason: 'ended' }],
      ['LockSession', { reason: 'requested' }],
      ['UnlockSession', { by: 'pin', right: true }],
      ['Relieve', { number: 'S-1', by: 'pin', right: true }],
    ] as const) {
      expect(one.refusalOf(type, { session: 's1', ...more }), type).toBe('unknown-session');
    }
  });

  test('passes to another person at the same console in one command', () => {
    const one = staffScenario();
    one.apply('SignIn', signInFields('D-1', { by: 'pin', console: 'c1' }));
    const relief = { session: 's1', by: 'pin', right: true };
    expect(one.apply('Relieve', { ...relief, number: 'D-1' })).toMatchObject([{ of: 'relief', reason: 'same-person' }]);
    expect(one.apply('Relieve', { ...relief, number: 'N-1' })).toMatchObject([
      { of: 'relief', reason: 'role-not-granted' },
    ]);
    expect(one.apply('Relieve', { ...relief, number: 'S-1', as: 'supervisor' })).toMatchObject([
      { type: 'SessionEnded', session: 's1', person: 'p2', reason: 'relieved' },
      { type: 'SignedIn', session: 's2', person: 'p3', console: 'c1', table: 'L1' },
    ]);
    one.apply('SignIn', signInFields('D-1'));
    expect(one.refusalOf('Relieve', { ...relief, session: 's3', number: 'S-1' })).toBe('console-needed');
  });

  test('ends with all others after a rollback of the store', () => {
    const one = staffScenario();
    one.apply('SignIn', signInFields('D-1'));
    one.apply('SignIn', signInFields('S-1'));
    expect(one.apply('EndSessions')).toMatchObject([
      { type: 'SessionEnded', session: 's1', reason: 'rolled-back' },
      { type: 'SessionEnded', session: 's2', reason: 'rolled-back' },
    ]);
    expect(one.refusalOf('EndSessions')).toBe('unknown-session');
  });
});

test('a consent is for one proposal and its hash, and starts no session', () => {
  const one = staffScenario();
  expect(one.apply('NoteConsent', consent('S-1'))).toMatchObject([
    { type: 'ConsentGiven', person: 'p3', number: 'S-1', table: 'L1', proposal: 'P1', hash, console: 'c1' },
  ]);
  expect(one.state!.sessions).toEqual({});
});

test('a staff number is normalised', () => {
  expect(['D-214', 'd214', ' d-214 '].map(parseStaffNumber)).toEqual(['D-214', 'D-214', 'D-214']);
  expect(['', '214', 'D-', 'ABCDE-1', 'D-1234567', 'D--1'].map(parseStaffNumber)).toEqual(Array.from({ length: 6 }));
});
