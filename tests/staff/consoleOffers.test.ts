import { expect, test } from 'vitest';
import { firstLockMs, maxWrongSecrets } from '../../src/staff/signIn.ts';
import { consoleOfferMs } from '../../src/staff/consoleOffers.ts';
import { admin, staffScenario, mark, signInFields, supervisor } from './staffScenario.ts';

test('a device that sends the code of an offer in time becomes that console, once', () => {
  const one = staffScenario();
  const offered = one.apply('OfferConsole', { kind: 'dealer', table: 'L2' }, admin);
  expect(offered).toMatchObject([
    { type: 'ConsoleOffered', offer: 'o1', kind: 'dealer', table: 'L2', until: one.at + consoleOfferMs },
  ]);
  one.at += consoleOfferMs;
  expect(one.apply('ClaimConsole', { offer: 'o1' })).toMatchObject([
    { type: 'ConsoleEnrolled', console: 'c3', kind: 'dealer', table: 'L2', offer: 'o1' },
  ]);
  expect(one.state!.consoles['c3']).toEqual({ console: 'c3', kind: 'dealer', table: 'L2' });
  expect(one.apply('ClaimConsole', { offer: 'o1' })).toMatchObject([{ type: 'ClaimFailed', reason: 'wrong' }]);
});

test("an administrator offers a dealer's console at a table or another console without one", () => {
  const one = staffScenario();
  expect(one.refusalOf('OfferConsole', { kind: 'dealer', table: null }, admin)).toBe('unknown-console');
  expect(one.refusalOf('OfferConsole', { kind: 'cage', table: 'L1' }, admin)).toBe('unknown-console');
  expect(one.refusalOf('OfferConsole', { kind: 'cage', table: null })).toBe('not-your-role');
  expect(one.types('OfferConsole', { kind: 'cage', table: null }, admin)).toEqual(['ConsoleOffered']);
});

test('an expired offer is refused, and deleted with the next one', () => {
  const one = staffScenario();
  one.apply('OfferConsole', { kind: 'floor', table: null }, admin);
  one.at += consoleOfferMs + 1;
  expect(one.apply('ClaimConsole', { offer: 'o1' })).toMatchObject([{ type: 'ClaimFailed', reason: 'wrong' }]);
  expect(one.apply('OfferConsole', { kind: 'cage', table: null }, admin)).toMatchObject([{ offer: 'o2' }]);
  expect(Object.keys(one.state!.offers)).toEqual(['o2']);
});

test('wrong codes lock all claims for a growing time, and a right code is not checked then', () => {
  const one = staffScenario();
  one.apply('OfferConsole', { kind: 'floor', table: null }, admin);
  for (let n = 1; n < maxWrongSecrets; n++) {
    expect(one.apply('ClaimConsole')).toMatchObject([{ reason: 'wrong', failures: n, locks: 0, until: null }]);
  }
  const until = one.at + firstLockMs;
  expect(one.apply('ClaimConsole')).toMatchObject([{ reason: 'wrong', failures: 0, locks: 1, until }]);
  one.at = until - 1;
  expect(one.apply('ClaimConsole', { offer: 'o1' })).toMatchObject([{ reason: 'locked', locks: 1, until }]);
  one.at = until;
  for (let n = 1; n < maxWrongSecrets; n++) one.apply('ClaimConsole');
  expect(one.apply('ClaimConsole')).toMatchObject([{ locks: 2, until: until + 2 * firstLockMs }]);
  // Another offer by an administrator resets the count, and so does a right code.
  one.apply('OfferConsole', { kind: 'floor', table: null }, admin);
  expect(one.apply('ClaimConsole')).toMatchObject([{ failures: 1, locks: 0 }]);
  expect(one.types('ClaimConsole', { offer: 'o2' })).toEqual(['ConsoleEnrolled']);
  expect(one.state!.claims).toEqual({ failures: 0, locks: 0, until: null });
});

test('the operator of the machine resets the secret of an administrator and of no other role', () => {
  const one = staffScenario();
  one.apply('SignIn', signInFields('N-1'));
  const reset = { person: 'p1', kind: 'password', mark };
  expect(one.apply('ResetSecret', reset)).toMatchObject([
    { type: 'SecretSet', person: 'p1', kind: 'password', mark, once: true },
    { type: 'SessionEnded', session: 's1', reason: 'secret-changed' },
  ]);
  expect(one.refusalOf('ResetSecret', { ...reset, person: 'p3' })).toBe('not-your-role');
  expect(one.refusalOf('ResetSecret', { ...reset, person: 'p9' })).toBe('unknown-person');
  for (const who of [admin, supervisor]) expect(one.refusalOf('ResetSecret', reset, who)).toBe('not-your-role');
});
