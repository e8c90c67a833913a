import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createServerLog } from '../../../src/cli/support/serverLog.ts';
import { withCheckDigit } from '../../../src/base/validationNumber.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { type ClientMessage, clientMessageSchemas } from '../../../src/wire/messages.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { type StaffHttpRequestName } from '../../../src/wire/staff/signInRequests.ts';
import { type StaffClientMessage, staffClientMessageSchemas } from '../../../src/wire/staff/messages.ts';
import { staffProtocolVersion } from '../../../src/wire/staff/protocolVersion.ts';
import { PatronSocket, startTestServer } from '../../server/support/testServer.ts';
import { StaffSocket, demoSignIn, staffRequest } from '../../server/staff/pit.ts';
import { Kept } from '../support/punto.ts';

const fresh = (): string => randomBytes(32).toString('hex');
const token = fresh();
const ticket = withCheckDigit('90817263544536271');
const pin = '918273';
const [password, next, code] = ['wrong battery 4471', 'other staple 90125', 'QX7KZW9P'];
const scan = 'ACE-OF-NOTHING';

const table = 'tiger';
let count = 0;
const id = (): string => `say-${String(++count).padStart(8, '0')}`;
const person = { number: 'M-1', pin };
const hash = `sha256:${'ab'.repeat(32)}`;

/** Every message of a patron, a device or a display, with a secret in each secret field. */
const client = (secret: string, renewed: string): { readonly [type in ClientMessage['type']]: object } => ({
  hello: { v: protocolVersion, secret },
  sit: { table },
  watch: { table },
  'watch-lobby': { wanted: true },
  slip: { id: id(), table, round: 'none', slip: { tie: 500 } },
  renew: { id: id(), secret: renewed },
  load: { id: id(), amount: 500 },
  redeem: { id: id(), number: ticket },
  collect: { id: id() },
  recall: { id: id() },
  limit: { id: id(), stake: 500 },
  pause: { id: id(), minutes: 1 },
  scan: { id: id(), table, text: scan },
  whole: { of: 'own' },
  leave: {},
});

/** Every staff message, with a secret in each secret field. */
const staff = (): { readonly [type in StaffClientMessage['type']]: object } => ({
  hello: { v: staffProtocolVersion },
  watch: { table, as: 'supervisor' },
  floor: { wanted: true },
  command: { id: id(), table, request: { type: 'ShuffleShoe', method: 'by hand' } },
  consent: { id: id(), table, proposal: 'p', hash, ...person },
  open: { id: id(), table, hash, ...person },
  staff: { id: id(), request: { type: 'SetSecret', person: 'P1', kind: 'pin', secret: pin } },
  terminal: { id: id(), terminal: 'T1', request: { type: 'Unlock', reason: 'as agreed' }, ...person },
  pay: { id: id(), ticket },
  query: { id: id(), name: 'ticket', params: { number: ticket } },
  activity: {},
  whole: { of: 'floor' },
  leave: {},
});

/** Every staff request, with a secret in each secret field. */
const requests: { readonly [name in StaffHttpRequestName]: object } = {
  'sign-in': { number: 'S-1', password },
  unlock: { password },
  relief: { number: 'S-2', pin },
  demo: { number: 'S-1' },
  console: { kind: 'dealer', table },
  offer: { kind: 'dealer', table },
  enrol: { code },
  password: { number: 'S-1', kind: 'password', old: password, new: next },
  lock: {},
  'sign-out': {},
};

/** A store that can be made to fail with errors that contain its arguments. */
function leakyStore(): { readonly store: Store; fails: (isSo: boolean) => void } {
  const memory = createMemoryStore();
  let isFailing = false;
  const own = new Set(['close', 'writerEpoch']);
  const store = Object.fromEntries(
    Object.entries(memory).map(([name, does]) => [
      name,
      own.has(name) || typeof does !== 'function'
        ? does
        : (...args: unknown[]) => {
            if (isFailing) throw new Error(`cannot ${name} ${JSON.stringify(args)}`);
            return (does as (...all: unknown[]) => unknown)(...args);
          },
    ]),
  ) as unknown as Store;
  return { store, fails: (isSo) => void (isFailing = isSo) };
}

test.each(['text', 'json'])('the log contains no secret of any message when the store fails (%s)', async (format) => {
  const errors = new Kept();
  const log = createServerLog(format, errors);
  const { store, fails } = leakyStore();
  const server = await startTestServer({
    tables: [table],
    initialStaff: { demo: true },
    store,
    onOutage: log.outage,
    warn: log.error,
    onFatal: (error) => log.error('the record', error),
    onSignInFailures: log.signInsFailed,
  });
  const secrets: string[] = [];
  const speak = async (): Promise<void> => {
    const guest = await PatronSocket.connect(server);
    const [secret, renewed] = [fresh(), fresh()];
    secrets.push(secret, renewed);
    for (const [type, message] of Object.entries(client(secret, renewed))) {
      expect(clientMessageSchemas[type as ClientMessage['type']].check({ type, ...message }), type).toBeUndefined();
      guest.send({ type, ...message });
      // No page says so much at once.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    guest.send(`{"type":"hello","secret":"${secret}`);
    await guest.receive('refused', ({ code: why }) => why === 'not-json');
    guest.terminate();
  };
  const work = async (cookie: string): Promise<void> => {
    const colleague = await StaffSocket.connect(server, cookie);
    for (const [type, message] of Object.entries(staff())) {
      expect(
        staffClientMessageSchemas[type as StaffClientMessage['type']].check({ type, ...message }),
        type,
      ).toBeUndefined();
      colleague.send({ type, ...message });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    colleague.terminate();
    for (const [name, args] of Object.entries(requests)) {
      await staffRequest(server, name, args, { cookie: `punto-staff=${token}; punto-console=${token}` });
      await staffRequest(server, name, args, { cookie, headers: { 'content-type': 'text/plain' } });
    }
  };
  const cookies: string[] = [];
  for (const isFailing of [false, true]) {
    const there: string[] = [];
    for (const number of ['C-1', 'A-1', 'S-1']) there.push(await demoSignIn(server, number));
    cookies.push(...there);
    fails(isFailing);
    await speak();
    for (const cookie of there) await work(cookie);
    fails(false);
  }
  await server.close();

  const { text } = errors;
  // The failure is logged, with the message of the store.
  for (const component of ['money', 'connection', 'staff sign-in', 'table tiger'])
    expect(text).toContain(`problem with ${component}`);
  expect(text).toMatch(/cannot (findCommands|append|findBySubject|putValue|recordHeartbeats)/);
  expect(text).toMatch(/wrong-secret/);
  const sessionTokens = cookies.map((cookie) => cookie.split('=')[1]!);
  expect(sessionTokens.every((one) => /^[0-9a-f]{64}$/.test(one))).toBe(true);
  for (const hidden of [...secrets, token, ticket, pin, password, next, code, scan, ...sessionTokens]) {
    expect(text).not.toContain(hidden);
  }
});
