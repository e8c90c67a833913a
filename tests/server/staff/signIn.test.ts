import { expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, secretOf } from '../support/testServer.ts';
import { StaffSocket, demoSignIn, reusableStore, openTable, startPit, startRealMoneyPit, staffRequest } from './pit.ts';

const first = async (server: Server): Promise<{ readonly number: string; readonly password: string }> =>
  server.floor.firstPassword!;

test('the first administrator changes the one-time password, signs in and out', async () => {
  const server = await startRealMoneyPit();
  const { number, password } = await first(server);
  const me = async (cookie?: string) => (await staffRequest(server, 'me', undefined, cookie ? { cookie } : {})).body;
  expect(await me()).toMatchObject({ demo: false, session: null, console: null, staff: [] });
  expect((await staffRequest(server, 'sign-in', { number, password })).body).toMatchObject({ code: 'secret-due' });
  const next = 'a longer password';
  expect((await staffRequest(server, 'password', { number, kind: 'password', old: password, new: next })).status).toBe(
    200,
  );
  const { status, cookie, setCookies, body } = await staffRequest(server, 'sign-in', { number, password: next });
  expect(status).toBe(200);
  expect(body).toEqual({ session: expect.objectContaining({ number, role: 'administrator', locked: false }) });
  expect(setCookies).toEqual([expect.stringMatching(/^punto-staff=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/)]);
  expect(await me(cookie)).toMatchObject({ session: { number } });
  const out = await staffRequest(server, 'sign-out', {}, { cookie: cookie! });
  expect(out.setCookies[0]).toMatch(/^punto-staff=; Max-Age=0;/);
  expect(await me(cookie)).toMatchObject({ session: null });
  await server.close();
});

test("behind a trusted proxy with https the cookie is Secure; other peers' headers are ignored", async () => {
  for (const [proxies, isSecure] of [
    [['127.0.0.1'], true],
    [[], false],
  ] as const) {
    const server = await startPit({ proxies });
    const { setCookies } = await staffRequest(
      server,
      'demo',
      { number: 'S-1', code: server.demoSignIn.code },
      { headers: { 'x-forwarded-proto': 'https' } },
    );
    expect(setCookies[0]!.includes('; Secure')).toBe(isSecure);
    await server.close();
  }
});

test('one-click sign-in is refused outside a demo', async () => {
  const server = await startRealMoneyPit();
  expect(await staffRequest(server, 'demo', { number: 'N-1' })).toMatchObject({
    status: 404,
    body: { code: 'not-found' },
  });
  await server.close();
});

test('sign-in issues a new session cookie and ends the old session', async () => {
  const server = await startPit();
  const fixed = `punto-staff=${'0'.repeat(64)}`;
  const one = await staffRequest(server, 'demo', { number: 'S-1' }, { cookie: fixed });
  expect(one.cookie).not.toBe(fixed);
  expect((await staffRequest(server, 'me', undefined, { cookie: fixed })).body).toMatchObject({ session: null });
  // A foreign session planted in this browser ends when its owner signs in.
  const two = await staffRequest(server, 'demo', { number: 'S-2' }, { cookie: one.cookie! });
  expect(two.cookie).not.toBe(one.cookie);
  expect((await staffRequest(server, 'me', undefined, { cookie: one.cookie! })).body).toMatchObject({ session: null });
  await server.close();
});

test('a cookie that occurs twice is ignored', async () => {
  const server = await startPit();
  const cookie = await demoSignIn(server, 'S-1');
  const twice = `${cookie}; punto-staff=${'f'.repeat(64)}`;
  expect((await staffRequest(server, 'me', undefined, { cookie: twice })).body).toMatchObject({ session: null });
  await expect(StaffSocket.connect(server, twice)).rejects.toThrow('401');
  await server.close();
});

test('staff requests without the header or from a foreign origin are refused', async () => {
  const server = await startPit();
  const cookie = await demoSignIn(server, 'S-1');
  for (const headers of [{ 'x-punto-staff': '0' }, { origin: 'https://elsewhere.example' }]) {
    for (const name of [
      'sign-in',
      'sign-out',
      'lock',
      'unlock',
      'relief',
      'demo',
      'console',
      'offer',
      'enrol',
      'password',
    ]) {
      expect(await staffRequest(server, name, {}, { cookie, headers })).toMatchObject({
        status: 403,
        body: { code: 'foreign-origin' },
      });
    }
  }
  const me = await staffRequest(server, 'me', undefined, { cookie, headers: { 'x-punto-staff': '' } });
  expect(me).toMatchObject({ status: 403, body: { code: 'foreign-origin' } });
  await expect(StaffSocket.connect(server, cookie, { origin: 'https://elsewhere.example' })).rejects.toThrow(
    '403 {"code":"foreign-origin"',
  );
  expect((await staffRequest(server, 'me', undefined, { cookie })).body).toMatchObject({ session: { number: 'S-1' } });
  await server.close();
});

test('oversized and malformed staff requests are refused', async () => {
  const server = await startPit();
  const long = await staffRequest(server, 'sign-in', { number: 'S-1', password: 'x'.repeat(1_500) });
  expect(long).toMatchObject({ status: 413, body: { code: 'bad-request' } });
  expect(await staffRequest(server, 'sign-in', { number: 7 })).toMatchObject({
    status: 400,
    body: { code: 'bad-request' },
  });
  expect(await staffRequest(server, 'sign-in', { number: 'S-1' })).toMatchObject({ status: 400 });
  expect(await staffRequest(server, 'lock', { more: 1 })).toMatchObject({
    status: 400,
    body: { code: 'unknown-field' },
  });
  for (const name of ['lock', 'unlock', 'console']) {
    const body = name === 'console' ? { kind: 'floor', table: null } : {};
    expect(await staffRequest(server, name, body)).toMatchObject({ status: 401, body: { code: 'not-signed-in' } });
  }
  await server.close();
});

test('the staff socket needs a valid session token', async () => {
  const server = await startPit();
  const refused = '401 {"code":"not-signed-in"';
  await expect(StaffSocket.connect(server, undefined)).rejects.toThrow(refused);
  await expect(StaffSocket.connect(server, `punto-staff=${'a'.repeat(64)}`)).rejects.toThrow(refused);
  const cookie = await demoSignIn(server, 'S-1');
  // A stolen token is valid elsewhere until its owner signs out.
  const stolen = await StaffSocket.join(server, cookie);
  await staffRequest(server, 'sign-out', {}, { cookie });
  expect((await stolen.receive('ended')).reason).toBe('signed-out');
  expect(await stolen.waitForClose()).toEqual({ code: 1008, reason: 'not-signed-in' });
  await expect(StaffSocket.connect(server, cookie)).rejects.toThrow(refused);
  await server.close();
});

test('the patron socket refuses staff messages, and the staff socket those of patrons', async () => {
  const server = await startPit();
  const patron = await PatronSocket.join(server, secretOf('a'));
  const refusal = await patron.refusalOf({ type: 'watch', table: 'tiger', as: 'supervisor' });
  expect(refusal).toMatchObject({ code: 'unknown-field' });
  expect(await patron.refusalOf({ type: 'floor', wanted: true })).toMatchObject({ code: 'unknown-message' });
  expect(
    await patron.refusalOf({ type: 'command', id: '12345678', table: 'tiger', request: { type: 'OpenBets' } }),
  ).toMatchObject({ code: 'unknown-message' });
  patron.terminate();
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  supervisor.send({ type: 'sit', table: 'tiger' });
  expect(await supervisor.receive('refused')).toMatchObject({ code: 'unknown-message' });
  supervisor.terminate();
  await server.close();
});

test('five wrong secrets lock a number for a time, also for the right secret', async () => {
  const server = await startRealMoneyPit();
  const { number, password } = await first(server);
  for (let n = 0; n < 4; n++) {
    const response = await staffRequest(server, 'sign-in', { number, password: `wrong ${n}` });
    expect(response).toMatchObject({ status: 401, body: { code: 'wrong-secret' } });
  }
  const fifth = await staffRequest(server, 'sign-in', { number, password: 'wrong' });
  expect(fifth).toMatchObject({ status: 429, body: { code: 'sign-in-locked', until: expect.any(Number) } });
  expect((await staffRequest(server, 'sign-in', { number, password })).body).toMatchObject({ code: 'sign-in-locked' });
  // The reply does not show which staff numbers exist.
  expect((await staffRequest(server, 'sign-in', { number: 'Q-77', password })).body).toMatchObject({
    code: 'wrong-secret',
  });
  await server.close();
});

test('secrets per address are rate limited, whatever the numbers', async () => {
  const server = await startRealMoneyPit({ limits: { signInBurst: 6, signInsPerSecond: 0.001 } });
  for (let n = 0; n < 6; n++) {
    expect((await staffRequest(server, 'sign-in', { number: `Q-${n}`, password: 'wrong' })).body['code']).toBe(
      'wrong-secret',
    );
  }
  const { status, body } = await staffRequest(server, 'sign-in', { number: 'Q-9', password: 'wrong' });
  expect({ status, code: body['code'] }).toEqual({ status: 429, code: 'too-many-attempts' });
  await server.close();
});

test('a session is locked and unlocked by hand, and refuses commands in between', async () => {
  const server = await startPit();
  const cookie = await demoSignIn(server, 'S-1');
  const supervisor = await StaffSocket.join(server, cookie);
  await staffRequest(server, 'lock', {}, { cookie });
  expect((await supervisor.receive('ended')).reason).toBe('locked');
  const reply = await supervisor.request({ type: 'query', name: 'tables', params: {} });
  expect(reply).toMatchObject({ type: 'refused', code: 'session-locked' });
  const from = supervisor.received.length;
  expect((await staffRequest(server, 'unlock', {}, { cookie })).status).toBe(200);
  expect((await supervisor.receive('welcome', () => true, from)).session.locked).toBe(false);
  expect((await supervisor.request({ type: 'query', name: 'tables', params: {} })).type).toBe('answer');
  supervisor.terminate();
  await server.close();
});

test('an idle session is locked; presence keeps it open, and queries do not', async () => {
  const time = new TestScheduler();
  const server = await startPit({ scheduler: time });
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  await time.advance(200_000);
  supervisor.send({ type: 'activity' });
  await supervisor.request({ type: 'query', name: 'tables', params: {} });
  await time.advance(200_000);
  await supervisor.request({ type: 'query', name: 'tables', params: {} });
  expect(supervisor.received.some(({ type }) => type === 'ended')).toBe(false);
  await time.advance(150_000);
  expect((await supervisor.receive('ended')).reason).toBe('locked');
  supervisor.terminate();
  await server.close();
});

test('relief at a console ends one session and starts the other', async () => {
  const server = await startPit();
  await openTable(server);
  const cookie = await demoSignIn(server, 'D-1', 'tiger');
  const before = await StaffSocket.join(server, cookie);
  const table = server.floor.tables.get('tiger')!;
  const steps = {
    BringShoe: { shoe: 'L1', seal: 'S1', decks: 8, backs: 'red' },
    InspectCards: { match: true },
    CountCards: { cards: 416 },
    ShuffleShoe: { method: 'by hand' },
    CutShoe: { behind: 14 },
    VerifyShoe: {},
  };
  for (const [type, fields] of Object.entries(steps)) {
    expect(await before.command('tiger', type, fields), type).toMatchObject({ type: 'done' });
  }
  const refused = await staffRequest(server, 'relief', { number: 'D-2', pin: '111222' }, { cookie });
  expect(refused).toMatchObject({ status: 401, body: { code: 'wrong-secret' } });
  // A proposal of the relieved dealer is withdrawn by the relief, and not before.
  expect(table.table.proposal).toMatchObject({ command: { type: 'VerifyShoe' } });
  const relief = await staffRequest(server, 'relief', { number: 'D-2', pin: '246810' }, { cookie });
  expect(relief.body).toMatchObject({ session: { number: 'D-2', table: 'tiger' } });
  expect((await before.receive('ended')).reason).toBe('relieved');
  expect(table.table.proposal).toBeNull();
  await before.waitForClose();
  const after = await StaffSocket.join(server, relief.cookie!);
  expect((await after.receive('welcome')).session).toMatchObject({ number: 'D-2', table: 'tiger' });
  after.terminate();
  await server.close();
});

test('an administrator makes a browser a console with PIN sign-in', async () => {
  const server = await startPit();
  const admin = await demoSignIn(server, 'N-1');
  const dealer = await demoSignIn(server, 'D-1');
  const body = { kind: 'dealer', table: 'tiger' };
  expect(await staffRequest(server, 'console', body, { cookie: dealer })).toMatchObject({
    status: 403,
    body: { code: 'not-your-role' },
  });
  const { status, cookie, setCookies } = await staffRequest(server, 'console', body, { cookie: admin });
  expect(status).toBe(200);
  expect(setCookies[0]).toMatch(/^punto-console=[0-9a-f]{64}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
  expect((await staffRequest(server, 'me', undefined, { cookie: cookie! })).body).toMatchObject({
    console: { kind: 'dealer', table: 'tiger' },
  });
  const entered = await staffRequest(server, 'sign-in', { number: 'd1', pin: '246810' }, { cookie: cookie! });
  expect(entered.body).toMatchObject({ session: { number: 'D-1', table: 'tiger', role: 'dealer' } });
  await server.close();
});

test('an administrator offers a console to another device by a one-time code', async () => {
  const { store, problem } = reusableStore();
  const server = await startPit({ store });
  const admin = await demoSignIn(server, 'N-1');
  const dealer = await demoSignIn(server, 'D-1');
  const body = { kind: 'dealer', table: 'tiger' };
  expect((await staffRequest(server, 'offer', body)).body).toMatchObject({ code: 'not-signed-in' });
  expect((await staffRequest(server, 'offer', body, { cookie: dealer })).body).toMatchObject({
    code: 'not-your-role',
  });
  const offered = await staffRequest(server, 'offer', body, { cookie: admin });
  expect(offered).toMatchObject({ status: 200, setCookies: [], body: { until: expect.any(Number) as number } });
  const code = String(offered.body['code']);
  expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const refused = await staffRequest(server, 'enrol', { code: 'AAAA-AAAA' });
  expect(refused).toMatchObject({ status: 401, setCookies: [], body: { code: 'wrong-code' } });
  // As typed by hand; the session at that console ends.
  const typed = code.replace('-', ' ').toLowerCase();
  const enrolled = await staffRequest(server, 'enrol', { code: typed }, { cookie: dealer });
  expect(enrolled).toMatchObject({ status: 200, body: { console: expect.any(String) as string } });
  const key = enrolled.setCookies.find((one) => one.startsWith('punto-console='))!.split(';')[0]!;
  expect((await staffRequest(server, 'me', undefined, { cookie: dealer })).body).toMatchObject({ session: null });
  expect((await staffRequest(server, 'me', undefined, { cookie: key })).body).toMatchObject({ console: body });
  const entered = await staffRequest(server, 'sign-in', { number: 'd1', pin: '246810' }, { cookie: key });
  expect(entered.body).toMatchObject({ session: { number: 'D-1', table: 'tiger', role: 'dealer' } });
  expect((await staffRequest(server, 'enrol', { code })).body).toMatchObject({ code: 'wrong-code' });
  await server.close();
  expect(await problem()).toBeUndefined();
});

test('five wrong codes lock all codes for a time, and each try is recorded', async () => {
  const server = await startPit();
  const admin = await demoSignIn(server, 'N-1');
  const offers = async () =>
    String((await staffRequest(server, 'offer', { kind: 'cage', table: null }, { cookie: admin })).body['code']);
  const code = await offers();
  const before = server.floor.staff.sequence;
  for (let n = 0; n < 4; n++) {
    expect((await staffRequest(server, 'enrol', { code: `AAAAAAA${n}` })).body).toMatchObject({ code: 'wrong-code' });
  }
  const locked = { code: 'codes-locked', until: expect.any(Number) as number };
  expect(await staffRequest(server, 'enrol', { code: 'AAAAAAAA' })).toMatchObject({ status: 429, body: locked });
  expect((await staffRequest(server, 'enrol', { code })).body).toMatchObject(locked);
  expect(server.floor.staff.sequence).toBe(before + 6);
  expect((await staffRequest(server, 'enrol', { code: await offers() })).status).toBe(200);
  await server.close();
});

test('an administrator creates an account with a one-time secret, and its owner changes it and signs in', async () => {
  const server = await startRealMoneyPit();
  const { number, password } = await first(server);
  const next = 'a longer password';
  await staffRequest(server, 'password', { number, kind: 'password', old: password, new: next });
  const { cookie } = await staffRequest(server, 'sign-in', { number, password: next });
  const admin = await StaffSocket.join(server, cookie!);
  const request = (command: object) => admin.request({ type: 'staff', request: command });
  expect(await request({ type: 'EnrolPerson', number: 'S-31', roles: ['supervisor'] })).toMatchObject({
    events: ['PersonEnrolled'],
  });
  const reply = await admin.request({ type: 'query', name: 'staff', params: {} });
  const staffList = (reply.type === 'answer' ? reply.data['staff'] : []) as { number: string; person: string }[];
  const { person } = staffList.find((one) => one.number === 'S-31')!;
  expect(await request({ type: 'NoteName', person, name: 'Somebody' })).toMatchObject({ type: 'answer', data: {} });
  const setSecret = { type: 'staff', id: 'secret-01', request: { type: 'SetSecret', person, kind: 'password' } };
  const reset = await admin.request(setSecret);
  // The secret is shown once, whatever the state of the session at a resend.
  expect(await admin.request(setSecret)).toMatchObject({ code: 'command-reused' });
  await staffRequest(server, 'lock', {}, { cookie: cookie! });
  expect(await admin.request(setSecret)).toMatchObject({ code: 'command-reused' });
  expect(await admin.request({ ...setSecret, id: 'secret-02' })).toMatchObject({ code: 'session-locked' });
  await staffRequest(server, 'unlock', { password: next }, { cookie: cookie! });
  const { secret } = (reset.type === 'answer' ? reset.data : {}) as { secret: string };
  const signIn = (entered: string) => staffRequest(server, 'sign-in', { number: 's31', password: entered });
  expect((await signIn(secret)).body).toMatchObject({ code: 'secret-due' });
  const own = 'chosen by oneself';
  expect(
    (await staffRequest(server, 'password', { number: 's31', kind: 'password', old: secret, new: own })).status,
  ).toBe(200);
  expect((await signIn(own)).body).toMatchObject({ session: { number: 'S-31', role: 'supervisor' } });
  // An administrator has no rights in a game, and replies contain no secret or name.
  expect(await admin.command('tiger', 'AddNote', { text: 'A note.' })).toMatchObject({ code: 'not-open' });
  admin.send({ type: 'watch', table: 'tiger', as: 'supervisor' });
  expect(await admin.receive('refused', ({ id }) => id === null)).toMatchObject({ code: 'not-your-role' });
  expect(JSON.stringify(reply)).not.toContain('Somebody');
  admin.terminate();
  await server.close();
});
