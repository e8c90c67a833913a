import { describe, expect, test } from 'vitest';
import {
  isAcceptablePinOrPassword,
  insecureScryptCost,
  newPinOrPassword,
  defaultScryptCost,
} from '../../../src/runtime/staff/credentialStore.ts';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { PropertyFileMismatchError, openFloor } from '../../../src/runtime/openFloor.ts';
import { demoStaff, demoPin } from '../../../src/runtime/staff/initialStaff.ts';
import { textOfAuthenticValue } from '../../../src/store/authenticatedValues.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestClock } from '../../chaos/time.ts';
import { demoOwner, demoPace } from '../support/demo.ts';
import { key, start, testDependencies } from '../support/testDependencies.ts';
import {
  openWithAdministrator,
  staffEvents,
  newCommandId,
  expectSignedIn,
  passwordSignIn,
  openFloorWithStaff,
  password,
  pin,
  openWithStaff,
} from '../support/floorWithStaff.ts';

test('property starts with one administrator, whose password is shown once and changed before use', async () => {
  const store = createMemoryStore();
  const { floor, staff, warnings } = await openFloorWithStaff(store);
  const { number, password: first } = floor.firstPassword!;
  expect(number).toBe('N-1');
  expect(first).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  expect(await staff.signIns.signIn(passwordSignIn('N-1', first))).toMatchObject({ refused: 'secret-due' });
  expect(await staff.signIns.demoSignIn({ number: 'N-1' })).toMatchObject({ refused: 'not-your-role' });
  for (const next of [first, 'short', '0123456789'.repeat(21)]) {
    const change = staff.secrets.change({ number, kind: 'password', secret: first, next });
    expect(await change).toMatchObject({ refused: 'weak-secret' });
  }
  const change = { number, kind: 'password', next: password } as const;
  expect(await staff.secrets.change({ ...change, secret: 'not it at all' })).toMatchObject({
    refused: 'wrong-secret',
  });
  expect(await staff.secrets.change({ ...change, number: 'x', secret: first })).toMatchObject({
    refused: 'bad-request',
  });
  expect(await staff.secrets.change({ ...change, secret: first })).toBeUndefined();
  expect(await staff.signIns.signIn(passwordSignIn('N-1', first))).toMatchObject({ refused: 'wrong-secret' });
  const { session } = await expectSignedIn(staff.signIns.signIn(passwordSignIn('n1', password)));
  expect(session).toMatchObject({ id: 's1', person: 'p1', number: 'N-1', role: 'administrator', console: null });
  // Another start shows no password.
  await floor.drain();
  const reopened = await openFloorWithStaff(store, { time: new TestClock(start + 1_000) });
  expect(reopened.floor.firstPassword).toBeUndefined();
  expect([...warnings, ...reopened.warnings]).toEqual([]);
  expect(await verifyStore(store)).toMatchObject({ problem: undefined });
});

test('no secret and no name is in the hash chain', async () => {
  const store = createMemoryStore();
  const { staff, admin, token, consoleKey } = await openWithStaff(store);
  expect(await staff.names.set(newCommandId(), 'p2', 'Somebody Here', admin)).toBeUndefined();
  const text = JSON.stringify(await staffEvents(store));
  for (const secret of [password, pin, token, consoleKey, 'Somebody']) expect(text).not.toContain(secret);
  const values = await Promise.all(
    ['secret', 'session', 'console'].map(async (kind) => [...(await store.listValues(kind))]),
  );
  for (const secret of [password, pin, token, consoleKey]) expect(JSON.stringify(values)).not.toContain(secret);
});

test('demo starts with staff of every role who sign in by one click, and a console at each table', async () => {
  const store = createMemoryStore();
  const { floor, staff, warnings } = await openFloorWithStaff(store, { demo: true });
  expect(floor.firstPassword).toBeUndefined();
  expect(Object.values(staff.state!.members).map(({ number, roles }) => [number, ...roles])).toEqual(
    demoStaff.map(({ number, role }) => [number, role]),
  );
  const { console } = Object.values(staff.state!.consoles).find(({ table }) => table === 'L1')!;
  const { session } = await expectSignedIn(staff.signIns.demoSignIn({ number: 'D-1', console }));
  expect(session).toMatchObject({ number: 'D-1', role: 'dealer', table: 'L1' });
  const relieved = await expectSignedIn(staff.signIns.relieve(session.id, { number: 'D-2', pin: demoPin }));
  expect(await expectSignedIn(staff.signIns.relieve(relieved.session.id, { number: 'D-1' }))).toMatchObject({
    session: { table: 'L1' },
  });
  await staff.lock('s3');
  expect(await staff.signIns.unlock('s3')).toBeUndefined();
  expect((await expectSignedIn(staff.signIns.demoSignIn({ number: 'N-1' }))).session).toMatchObject({ console: null });
  await floor.drain();
  const before = (await staffEvents(store)).length;
  const reopened = await openFloorWithStaff(store, { demo: true, time: new TestClock(start + 1_000) });
  expect(await staffEvents(store)).toHaveLength(before);
  expect([...warnings, ...reopened.warnings]).toEqual([]);
  expect(await verifyStore(store)).toMatchObject({ problem: undefined });
});

test('demo staff are refused outside a demo, and other staff in a demo', async () => {
  for (const demo of [true, false]) {
    const store = createMemoryStore();
    const setup = testDependencies(store, 'one');
    await openFloor(demoOwner, [], demoPace, {
      ...setup.dependencies,
      staff: { demo, scryptCost: insecureScryptCost },
    });
    const other = openFloor(demoOwner, [], demoPace, {
      ...setup.dependencies,
      staff: { demo: !demo, scryptCost: insecureScryptCost },
    });
    await expect(other).rejects.toThrow(PropertyFileMismatchError);
  }
});

test('no staff are created without a configuration, and those of the event log remain', async () => {
  const store = createMemoryStore();
  const none = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'none').dependencies);
  expect(none.staff.state).toBeUndefined();
  expect(await none.staff.signIns.signIn(passwordSignIn('N-1', password))).toMatchObject({
    refused: 'staff-register-not-started',
  });
  expect(none.staff.sessionByToken('x')).toBeUndefined();
  expect(none.staff.sessions()).toEqual([]);
  const { floor } = await openWithAdministrator(store);
  await floor.drain();
  const later = await openFloor(
    demoOwner,
    [],
    demoPace,
    testDependencies(store, 'later', new TestClock(start + 9_000)).dependencies,
  );
  expect(later.staff.state!.numbers).toEqual({ 'N-1': 'p1' });
});

test('consent has the strongest role of its person, and none after that ends', async () => {
  const { staff, admin, console } = await openWithStaff(createMemoryStore());
  const hash = `sha256:${'0'.repeat(64)}`;
  const consent = await staff.signIns.consent({ number: 'S-1', pin, table: 'L1', proposal: 'P1', hash, console });
  if ('refused' in consent) throw new Error(consent.message);
  expect(staff.contextFor(consent)).toEqual({ authority: { role: 'supervisor' }, grant: staff.sequence });
  await staff.submit(newCommandId(), { type: 'EndPerson', person: consent.person }, admin);
  expect(staff.contextFor(consent)).toMatchObject({ refused: 'session-over' });
});

test('a name that is sent again with its id does not come back after a later change', async () => {
  const store = createMemoryStore();
  const { staff, admin } = await openWithStaff(store);
  const [first, second, erasure] = [newCommandId(), newCommandId(), newCommandId()];
  const set = (id: string, name: string | undefined) => staff.names.set(id, 'p2', name, admin);
  expect(await set(first, 'Ah Kow')).toBeUndefined();
  expect(await set(second, 'Wei Ling')).toBeUndefined();
  expect(await set(first, 'Ah Kow')).toBeUndefined();
  expect(staff.names.nameOf('p2')).toBe('Wei Ling');
  expect(await set(erasure, undefined)).toBeUndefined();
  expect(await set(second, 'Wei Ling')).toBeUndefined();
  expect(staff.names.nameOf('p2')).toBeUndefined();
  expect((await store.listValues('name')).size).toBe(0);
  expect((await staffEvents(store)).filter(({ type }) => type === 'NameNoted')).toHaveLength(3);
});

test('name is set, read and erased, and each act is recorded', async () => {
  const store = createMemoryStore();
  const { staff, admin, floor, pinSignIn } = await openWithStaff(store);
  const { session: dealer } = await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
  expect(await staff.names.set(newCommandId(), 'p2', 'Ah Kow', dealer)).toMatchObject({ refused: 'not-your-role' });
  expect(await staff.names.set(newCommandId(), 'p2', '  ', admin)).toMatchObject({ refused: 'bad-request' });
  expect(await staff.names.set(newCommandId(), 'p2', 'Ah\u202e Kow', admin)).toEqual({
    refused: 'bad-request',
    message: 'A name must have 1 to 100 characters and no control characters. Enter the name again.',
    by: null,
  });
  expect(await staff.names.set(newCommandId(), 'p9', 'Ah Kow', admin)).toMatchObject({ refused: 'unknown-person' });
  expect(await staff.names.set(newCommandId(), 'p2', 'Ah Kow', admin)).toBeUndefined();
  expect(staff.names.nameOf('p2')).toBe('Ah Kow');
  await floor.drain();
  const reopened = await openFloorWithStaff(store, { time: new TestClock(start + 1_000) });
  expect(reopened.staff.names.nameOf('p2')).toBe('Ah Kow');
  const later = reopened.staff.session(admin.id)!;
  expect(await reopened.staff.names.set(newCommandId(), 'p2', undefined, later)).toBeUndefined();
  expect(reopened.staff.names.nameOf('p2')).toBeUndefined();
  expect((await store.listValues('name')).size).toBe(0);
  expect((await staffEvents(store)).slice(-1)).toMatchObject([{ type: 'NameNoted', person: 'p2', erased: true }]);
});

test('console is known by its key until it is ended', async () => {
  const { staff, admin, consoleKey, console, pinSignIn } = await openWithStaff(createMemoryStore());
  expect(staff.consoleOf(consoleKey)).toEqual({ console, kind: 'dealer', table: 'L1' });
  expect(staff.consoleOf('else')).toBeUndefined();
  expect(await staff.consoles.enrol(newCommandId(), { kind: 'floor', table: 'L1' }, admin)).toMatchObject({
    refused: 'unknown-console',
  });
  await staff.submit(newCommandId(), { type: 'EndConsole', console }, admin);
  expect(staff.consoleOf(consoleKey)).toBeUndefined();
  expect(await staff.signIns.signIn(pinSignIn('D-1'))).toMatchObject({ refused: 'unknown-console' });
  for (const type of ['SetSecret', 'EnrolConsole', 'NoteName']) {
    expect(await staff.submit(newCommandId(), { type }, admin)).toMatchObject({ refused: 'bad-request' });
  }
  expect(await staff.secrets.issue(newCommandId(), 'p1', 'pin', admin)).toMatchObject({ refused: 'own-account' });
});

describe('the secret of a person', () => {
  test('has its cost stored with it, and a PIN is keyed with the encrypted PIN key', async () => {
    const store = createMemoryStore();
    const { staff, floor, pinSignIn } = await openWithStaff(store, { cost: defaultScryptCost });
    const secrets = [...(await store.listValues('secret'))].map(([, value]) => value);
    expect(secrets).toHaveLength(7);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43} scrypt 32768 8 1 [\w-]{22} [\w-]{43}$/);
    expect(await store.blobIds()).toContain('pins');
    // Another cost applies to new secrets; earlier ones stay valid.
    await floor.drain();
    const reopened = await openFloorWithStaff(store, { time: new TestClock(start + 1_000) });
    expect(await reopened.staff.signIns.signIn(pinSignIn('D-1'))).toHaveProperty('token');
    expect(staff.state!.members['p2']!.secrets).toMatchObject({ pin: { once: false } });
  });

  test('is ignored and reported when it is not authenticated', async () => {
    const store = createMemoryStore();
    const { floor, staff, pinSignIn } = await openWithStaff(store);
    const { token } = await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
    const isBound = (kind: Parameters<typeof textOfAuthenticValue>[1], what: string, value: string): boolean =>
      textOfAuthenticValue(key, kind, what, value) !== undefined;
    expect(await verifyStore(store, { isAuthentic: isBound })).toMatchObject({ problem: undefined });
    // Swaps the PINs of two persons, and two sessions.
    const secrets = await store.listValues('secret');
    const idOf = (person: string): string => [...secrets.keys()].find((one) => one.startsWith(`${person}/pin/`))!;
    await store.putValue('secret', idOf('p4'), secrets.get(idOf('p2')));
    const [[hash, value]] = [...(await store.listValues('session'))].slice(-1) as [[string, string]];
    await store.putValue('session', hash, value.replace('s2 p2', 's1 p1'));
    await store.putValue('session', 'f'.repeat(64), 'nothing');
    await floor.drain();
    const reopened = await openFloorWithStaff(store, { time: new TestClock(start + 1_000) });
    expect(reopened.warnings).toHaveLength(3);
    expect(reopened.warnings[0]).toContain('was not written with the data key of this store and is ignored');
    expect(reopened.staff.sessionByToken(token)).toBeUndefined();
    expect(await reopened.staff.signIns.signIn(pinSignIn('S-1'))).toMatchObject({ refused: 'wrong-secret' });
    expect((await verifyStore(store, { isAuthentic: isBound })).problem).toMatch(
      /^The secret p4\/pin\/\w+ in the key-value table was not written/,
    );
  });

  test('a PIN is six digits that are hard to guess, a password ten characters', () => {
    const chance = createSeededRandom('secrets');
    for (let n = 0; n < 200; n++) {
      for (const kind of ['pin', 'password'] as const)
        expect(isAcceptablePinOrPassword(kind, newPinOrPassword(kind, chance.below))).toBe(true);
    }
    expect(
      ['123456', '987654', '890123', '000000', '12345', '1234567', '12a456'].some((one) =>
        isAcceptablePinOrPassword('pin', one),
      ),
    ).toBe(false);
    expect(['246810', '112233', '902744'].every((one) => isAcceptablePinOrPassword('pin', one))).toBe(true);
    expect(
      ['123456789', 'x'.repeat(201), '\ud800aaaaaaaaaaaa'].some((one) => isAcceptablePinOrPassword('password', one)),
    ).toBe(false);
  });
});
