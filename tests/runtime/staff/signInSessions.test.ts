import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { reencryptBlobs } from '../../../src/runtime/encryption/encryptedBlobs.ts';
import { reauthenticateValues } from '../../../src/store/authenticatedValues.ts';
import { maxLockedSessionMs, defaultIdleTimeoutMs } from '../../../src/runtime/staff/idleTimeout.ts';
import { type AcceptedIntegrityIssue } from '../../../src/runtime/ports/floorConfig.ts';
import { firstLockMs } from '../../../src/staff/signIn.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { TestClock, flushPromises } from '../../chaos/time.ts';
import { demoOwner, demoPace } from '../support/demo.ts';
import { key, start, testDependencies } from '../support/testDependencies.ts';
import {
  enrolStaff,
  staffEvents,
  newCommandId,
  expectSignedIn,
  passwordSignIn,
  openFloorWithStaff,
  password,
  pin,
  openWithStaff,
} from '../support/floorWithStaff.ts';

describe('a session', () => {
  test('continues after a restart, by a token of which only a hash is stored', async () => {
    const store = createMemoryStore();
    const { floor, staff, pinSignIn, time } = await openWithStaff(store);
    const { token, session } = await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(session).toMatchObject({ person: 'p2', number: 'D-1', role: 'dealer', table: 'L1', locked: false });
    await floor.drain();
    const reopened = await openFloorWithStaff(store, { time: new TestClock(time.now + 5_000) });
    expect(reopened.staff.sessionByToken(token)).toEqual(session);
    expect(reopened.staff.sessionByToken(token.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).toBeUndefined();
    await reopened.staff.signOut(session.id);
    expect(reopened.staff.sessionByToken(token)).toBeUndefined();
    await reopened.floor.drain();
    const third = await openFloorWithStaff(store, { time: new TestClock(time.now + 9_000) });
    expect(third.staff.sessionByToken(token)).toBeUndefined();
    expect((await store.listValues('session')).size).toBe(1);
    expect(await third.staff.signOut(session.id)).toMatchObject({ refused: 'unknown-session' });
  });

  test('passes to the relieving person, with another token, in one command', async () => {
    const store = createMemoryStore();
    const { staff, pinSignIn } = await openWithStaff(store);
    const one = await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
    const before = staff.sequence;
    expect(await staff.signIns.relieve(one.session.id, { number: 'D-2', pin: '111222' })).toMatchObject({
      refused: 'wrong-secret',
    });
    expect(await staff.signIns.relieve(one.session.id, { number: 'D-2' })).toMatchObject({ refused: 'not-your-role' });
    expect(await staff.signIns.relieve(one.session.id, { number: '?', pin })).toMatchObject({
      refused: 'bad-request',
    });
    expect(await staff.signIns.relieve(one.session.id, { number: 'D-1', pin })).toMatchObject({
      refused: 'same-person',
    });
    expect(staff.sessionByToken(one.token)).toEqual(one.session);
    const two = await expectSignedIn(staff.signIns.relieve(one.session.id, { number: 'd2', pin }));
    expect(two.session).toMatchObject({ number: 'D-2', table: 'L1' });
    expect(staff.sessionByToken(one.token)).toBeUndefined();
    expect(two.token).not.toBe(one.token);
    expect((await staffEvents(store)).slice(before).map(({ type }) => type)).toEqual([
      'SignInFailed',
      'SignInFailed',
      'SessionEnded',
      'SignedIn',
    ]);
  });

  test('locks when idle, opens by its secret, and ends when it stays locked', async () => {
    const store = createMemoryStore();
    const { staff, pinSignIn, time, floor } = await openWithStaff(store);
    const { session, token } = await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
    const wait = async (span: number): Promise<void> => {
      const until = time.now + span;
      time.after(span, () => {});
      while (time.now < until) await time.step();
      await flushPromises();
    };
    await wait(defaultIdleTimeoutMs - 1_000);
    staff.touch(session.id);
    await wait(defaultIdleTimeoutMs - 1_000);
    expect(staff.sessionByToken(token)).toMatchObject({ locked: false });
    await wait(2_000);
    expect(staff.sessionByToken(token)).toMatchObject({ locked: true });
    expect(staff.contextFor(session)).toMatchObject({ refused: 'session-locked' });
    expect(await staff.signIns.unlock(session.id, '111222')).toMatchObject({ refused: 'wrong-secret' });
    expect(await staff.signIns.unlock(session.id)).toMatchObject({ refused: 'not-your-role' });
    expect(await staff.signIns.unlock(session.id, pin)).toBeUndefined();
    expect(staff.sessionByToken(token)).toMatchObject({ locked: false });
    expect(await staff.lock(session.id)).toBeUndefined();
    await wait(maxLockedSessionMs + defaultIdleTimeoutMs);
    expect(staff.sessionByToken(token)).toBeUndefined();
    expect(await staff.signIns.unlock(session.id, pin)).toMatchObject({ refused: 'session-over' });
    expect((await staffEvents(store)).at(-1)).toMatchObject({ type: 'SessionEnded', reason: 'idle' });
    await floor.drain();
  });

  test('without a console opens by the password', async () => {
    const { staff, admin } = await openWithStaff(createMemoryStore());
    await staff.lock(admin.id);
    expect(await staff.signIns.unlock(admin.id, pin)).toMatchObject({ refused: 'wrong-secret' });
    expect(await staff.signIns.unlock(admin.id, password)).toBeUndefined();
    expect(staff.signIns.secretKindAt('c9')).toBe('password');
  });

  test('ends with its role, and gives no context after that', async () => {
    const { staff, admin, pinSignIn } = await openWithStaff(createMemoryStore());
    const { session, token } = await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
    expect(staff.contextFor(session)).toEqual({ authority: { role: 'dealer' }, grant: staff.sequence });
    const received: string[] = [];
    const stop = staff.subscribe((events) => received.push(...events.map(({ type }) => type)));
    await staff.submit(newCommandId(), { type: 'ChangeRoles', person: 'p2', roles: ['cage'] }, admin);
    stop();
    expect(received).toEqual(['RolesChanged', 'SessionEnded']);
    expect(staff.sessionByToken(token)).toBeUndefined();
    expect(staff.contextFor(session)).toMatchObject({ refused: 'session-over' });
    expect(await staff.submit(newCommandId(), { type: 'EndPerson', person: 'p3' }, session)).toMatchObject({
      refused: 'session-over',
    });
    expect(staff.session('s99')).toBeUndefined();
  });

  test('in an acting role has it until its time is over, and the own role after that', async () => {
    const { staff, admin, time } = await openWithStaff(createMemoryStore());
    await enrolStaff(staff, admin, 'G-1', ['gaming-shift-manager']);
    const { session: manager } = await expectSignedIn(staff.signIns.signIn(passwordSignIn('G-1', password)));
    const until = time.now + 60_000;
    const grant = { type: 'GrantActingRole', person: 'p2', as: 'supervisor', from: time.now, until };
    expect(await staff.submit(newCommandId(), grant, manager)).toHaveProperty('entries');
    expect(await staff.signIns.signIn(passwordSignIn('D-1', password))).toMatchObject({
      refused: 'role-not-chosen',
      roles: ['dealer', 'supervisor'],
    });
    const { session } = await expectSignedIn(
      staff.signIns.signIn({ ...passwordSignIn('D-1', password), role: 'supervisor' }),
    );
    expect(session).toMatchObject({ role: 'dealer', acting: 'supervisor', until });
    expect(staff.contextFor(session)).toMatchObject({ authority: { role: 'dealer', acting: 'supervisor', until } });
    expect(staff.contextFor(session, until + 1)).toMatchObject({ authority: { role: 'dealer' } });
    time.now = until + 1;
    expect(staff.session(session.id)).toMatchObject({ acting: null, until: null });
    expect(staff.contextFor(session)).toEqual({ authority: { role: 'dealer' }, grant: staff.sequence });
  });

  test('ends when the event log was rolled back', async () => {
    const store = createMemoryStore();
    const { floor, staff, pinSignIn, time } = await openWithStaff(store);
    const { token } = await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
    await floor.drain();
    const issue: AcceptedIntegrityIssue = { reason: 'behind-anchor', confirmation: 'one two', missing: [] };
    const reopened = await openFloorWithStaff(
      store,
      { time: new TestClock(time.now + 1_000) },
      { integrityIssue: issue },
    );
    expect(reopened.staff.sessionByToken(token)).toBeUndefined();
    expect(reopened.staff.sessions()).toEqual([]);
    expect((await staffEvents(store)).at(-1)).toMatchObject({ type: 'SessionEnded', reason: 'rolled-back' });
    expect((await store.listValues('session')).size).toBe(0);
  });
});

describe('a number is locked', () => {
  test('by five wrong secrets, for one minute and then for two, whatever they were for', async () => {
    const store = createMemoryStore();
    const { staff, pinSignIn, time, console } = await openWithStaff(store);
    const consent = {
      number: 'S-1',
      pin: '111222',
      table: 'L1',
      proposal: 'P1',
      hash: `sha256:${'0'.repeat(64)}`,
      console,
    };
    for (let span = firstLockMs; span <= 4 * firstLockMs; span *= 2) {
      for (let n = 0; n < 3; n++)
        expect(await staff.signIns.consent(consent)).toMatchObject({ refused: 'wrong-secret' });
      expect(await staff.signIns.signIn(pinSignIn('S-1', '333444'))).toMatchObject({ refused: 'wrong-secret' });
      const until = time.now + span;
      expect(await staff.signIns.signIn(pinSignIn('S-1', '333444'))).toMatchObject({
        refused: 'sign-in-locked',
        until,
      });
      expect(await staff.signIns.signIn(pinSignIn('S-1'))).toMatchObject({ refused: 'sign-in-locked', until });
      time.now = until;
    }
    expect(await staff.signIns.consent({ ...consent, number: '?' })).toMatchObject({ refused: 'bad-request' });
    expect(await staff.signIns.consent({ ...consent, pin, console: 'c1' })).toEqual({
      person: 'p4',
      number: 'S-1',
      table: 'L1',
      proposal: 'P1',
      hash: consent.hash,
    });
  });

  test('also when many try at once: a right secret after the fifth is refused', async () => {
    const { staff, pinSignIn } = await openWithStaff(createMemoryStore());
    const tries = Array.from({ length: 20 }, (_, n) =>
      staff.signIns.signIn(pinSignIn('D-1', n === 15 ? pin : '111222')),
    );
    const results = (await Promise.all(tries)) as readonly { refused?: string }[];
    expect(results.filter(({ refused }) => refused === 'wrong-secret')).toHaveLength(4);
    expect(results.filter(({ refused }) => refused === 'sign-in-locked')).toHaveLength(16);
  });

  test('whether it exists or not, with the same answers', async () => {
    const { staff, pinSignIn } = await openWithStaff(createMemoryStore());
    const resultsFor = async (number: string) => {
      const results = [];
      for (let n = 0; n < 6; n++) results.push(await staff.signIns.signIn(pinSignIn(number, '111222')));
      return results;
    };
    expect(await resultsFor('X-9')).toEqual(await resultsFor('D-1'));
  });
});

/** Advances the time until a promise settles, even when another thread resolves it. */
async function advanceUntil<T>(time: TestClock, result: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const over = result.finally(() => (state.isOver = true));
  over.catch(() => {});
  while (!state.isOver) {
    await time.step();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return over;
}

describe('while the event store fails', () => {
  /** Staff on a store that fails as the test says. */
  async function openOnFailingStore() {
    const store = createMemoryStore();
    const disk = { fails: false, failsValues: false };
    const setup = await openWithStaff({
      ...store,
      append: async (batch) => {
        if (disk.fails) throw new Error('The disk is full.');
        return store.append(batch);
      },
      putValue: async (...what) => {
        if (disk.failsValues) throw new Error('The disk is full.');
        return store.putValue(...what);
      },
    });
    return { ...setup, disk };
  }

  test('no sign-in waits, and a late one is undone', async () => {
    const { staff, pinSignIn, disk, time, failures } = await openOnFailingStore();
    disk.fails = true;
    expect(await advanceUntil(time, staff.signIns.signIn(pinSignIn('D-1')))).toMatchObject({
      refused: 'cannot-record',
    });
    expect(await staff.signIns.signIn(pinSignIn('D-2'))).toMatchObject({ refused: 'cannot-record' });
    expect(await staff.lock('s1')).toMatchObject({ refused: 'cannot-record' });
    disk.fails = false;
    for (let steps = 0; steps < 4; steps++) await time.step();
    expect(failures.length).toBeGreaterThan(0);
    expect(staff.sessions().filter(({ number }) => number !== 'N-1')).toEqual([]);
    await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
  });

  test('a session whose token cannot be saved ends, and nothing else is half done', async () => {
    const { staff, pinSignIn, disk, admin, warnings } = await openOnFailingStore();
    disk.failsValues = true;
    expect(await staff.signIns.signIn(pinSignIn('D-1'))).toMatchObject({ refused: 'cannot-record' });
    expect(staff.sessions().map(({ number }) => number)).toEqual(['N-1']);
    // The command id may have been used before.
    expect(await staff.secrets.issue(newCommandId(), 'p2', 'pin', admin)).toMatchObject({ refused: 'result-unknown' });
    const change = { number: 'D-1', kind: 'pin', secret: pin, next: '135797' } as const;
    expect(await staff.secrets.change(change)).toMatchObject({ refused: 'cannot-record' });
    // A resend completes what the event log has by then.
    const [one, two] = [newCommandId(), newCommandId()];
    const enrols = () => staff.consoles.enrol(one, { kind: 'floor', table: null }, admin);
    const names = () => staff.names.set(two, 'p2', 'Somebody', admin);
    expect(await enrols()).toMatchObject({ refused: 'result-unknown' });
    expect(await names()).toMatchObject({ refused: 'result-unknown' });
    disk.failsValues = false;
    expect(warnings.length).toBeGreaterThan(4);
    await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
    const { console, key: consoleKey } = (await enrols()) as { console: string; key: string };
    expect(staff.consoleOf(consoleKey)).toMatchObject({ console, kind: 'floor' });
    expect(Object.values(staff.state!.consoles).filter(({ kind }) => kind === 'floor')).toHaveLength(1);
    expect(await names()).toBeUndefined();
    expect(staff.names.nameOf('p2')).toBe('Somebody');
  });

  test('an issued secret is shown although the former one cannot be deleted', async () => {
    const { staff, disk, admin, pinSignIn, warnings } = await openOnFailingStore();
    // The new one is saved, and then the disk is full.
    const giving = staff.secrets.issue(newCommandId(), 'p2', 'pin', admin);
    const stop = staff.subscribe(() => (disk.failsValues = true));
    const { secret } = (await giving) as { secret: string };
    stop();
    disk.failsValues = false;
    expect(warnings).not.toEqual([]);
    expect(await staff.signIns.signIn(pinSignIn('D-1'))).toMatchObject({ refused: 'wrong-secret' });
    expect(await staff.secrets.change({ number: 'D-1', kind: 'pin', secret, next: pin })).toBeUndefined();
    await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
  });

  test('a secret with an unknown result is kept until the result is known', async () => {
    const { staff, disk, pinSignIn, time } = await openOnFailingStore();
    const next = '135797';
    disk.fails = true;
    const change = { number: 'D-1', kind: 'pin', secret: pin, next } as const;
    expect(await advanceUntil(time, staff.secrets.change(change))).toMatchObject({ refused: 'cannot-record' });
    disk.fails = false;
    for (let steps = 0; steps < 4; steps++) await time.step();
    await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1', next)));
  });

  test('a floor that cannot write its staff does not start', async () => {
    const store = createMemoryStore();
    const { dependencies, time } = testDependencies(
      {
        ...store,
        append: async (batch) => {
          if (batch.stream.endsWith('/staff/main')) throw new Error('The disk is full.');
          return store.append(batch);
        },
      },
      'never',
    );
    const opening = openFloor(demoOwner, [], demoPace, { ...dependencies, staff: { demo: true } });
    await expect(advanceUntil(time, opening)).rejects.toThrow('The staff stream cannot be written.');
  });

  test('a failing listener does not stop the stream', async () => {
    const { staff, pinSignIn, warnings } = await openWithStaff(createMemoryStore());
    staff.subscribe(() => {
      throw new Error('I am lost.');
    });
    await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
    expect(warnings).toEqual(['the staff stream: Error: I am lost.']);
  });
});

test('credentials of all staff survive a key rotation', async () => {
  const store = createMemoryStore();
  const { staff, floor, pinSignIn, admin, consoleKey } = await openWithStaff(store);
  const { token } = await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
  await staff.names.set(newCommandId(), 'p2', 'Somebody', admin);
  await store.putValue('secret', 'p9/pin/x', 'forged nothing');
  await floor.drain();
  const next = randomBytes(32);
  await reencryptBlobs(store, key, next);
  for (let times = 0; times < 2; times++)
    expect(await reauthenticateValues(store, key, next)).toEqual(['secret p9/pin/x']);
  const reopened = await openFloorWithStaff(store, { time: new TestClock(start + 1_000) }, { key: next });
  expect(reopened.warnings).toHaveLength(1);
  expect(reopened.staff.sessionByToken(token)).toMatchObject({ number: 'D-1' });
  expect(reopened.staff.consoleOf(consoleKey)).toMatchObject({ table: 'L1' });
  expect(reopened.staff.names.nameOf('p2')).toBe('Somebody');
  await expectSignedIn(reopened.staff.signIns.signIn(pinSignIn('D-2')));
  expect(await reopened.staff.signIns.signIn(pinSignIn('D-2', '111222'))).toMatchObject({ refused: 'wrong-secret' });
});

test('damaged PIN key makes all PINs invalid, and passwords stay valid', async () => {
  const store = createMemoryStore();
  const { floor, pinSignIn } = await openWithStaff(store);
  await floor.drain();
  await store.putBlob('pins', randomBytes(64));
  const { staff, warnings } = await openFloorWithStaff(store, { time: new TestClock(start + 1_000) });
  expect(warnings).toEqual([expect.stringContaining('The encrypted blob "pins" cannot be decrypted') as string]);
  expect(await staff.signIns.signIn(pinSignIn('D-1'))).toMatchObject({ refused: 'wrong-secret' });
  const { session: admin } = await expectSignedIn(staff.signIns.signIn(passwordSignIn('N-1', password)));
  const { secret } = (await staff.secrets.issue(newCommandId(), 'p2', 'pin', admin)) as { secret: string };
  expect(await staff.secrets.change({ number: 'D-1', kind: 'pin', secret, next: pin })).toBeUndefined();
  await expectSignedIn(staff.signIns.signIn(pinSignIn('D-1')));
});
