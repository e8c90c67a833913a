import { afterAll, beforeAll, expect, test } from 'vitest';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

let server: Server;
const store = createMemoryStore();
beforeAll(async () => {
  server = await startTestServer({ store, hostNames: ['punto.example'] });
});
afterAll(() => server.close());

const slipFor = (round: string, slip: object, id = 'slip-0001') => ({ type: 'slip', id, table: 'tiger', round, slip });

test('a terminal is identified by its secret, gets demo credit, and keeps both', async () => {
  const secret = secretOf('1');
  const patron = await PatronSocket.join(server, secret, 'tiger');
  const { view } = await patron.receive('own');
  expect(view).toMatchObject({ credit: 100_000, slip: {}, stake: 0, paid: null });
  patron.terminate();
  const again = await PatronSocket.connect(server);
  again.send({ type: 'hello', v: protocolVersion, secret });
  expect(await again.receive('welcome')).toMatchObject({ terminal: view.terminal, demo: true });
  const other = await PatronSocket.join(server, secretOf('2'));
  expect(await other.receive('welcome')).toMatchObject({ terminal: null });
  expect(JSON.stringify([...again.received, ...patron.received])).not.toContain(secret);
});

test('messages sent together with hello are handled in order', async () => {
  for (let n = 0; n < 20; n++) {
    const patron = await PatronSocket.connect(server);
    patron.send({ type: 'hello', v: protocolVersion, secret: n.toString(16).padStart(2, 'e').repeat(32) });
    patron.send({ type: 'sit', table: 'tiger' });
    await patron.receive('own');
    // The balance is sent as soon as the terminal is known.
    const types = patron.received.map(({ type }) => type).filter((type) => type !== 'balance');
    expect(types).toEqual(['welcome', 'lobby', 'table', 'own']);
    patron.terminate();
  }
});

test('the lobby first sends all tables completely', async () => {
  const patron = await PatronSocket.join(server, secretOf('3'));
  const { tiles } = await patron.receive('lobby');
  expect(tiles).toHaveLength(10);
  expect(tiles.map(({ phase }) => phase)).toEqual(Array.from({ length: 10 }, () => 'betting'));
});

test('a slip is accepted and shown to its terminal only, and a resend changes nothing', async () => {
  const patron = await PatronSocket.join(server, secretOf('4'), 'tiger');
  const other = await PatronSocket.join(server, secretOf('5'), 'tiger');
  const round = await patron.bettingRound();
  patron.send(slipFor(round, { banker: 1000, tiger: 500 }));
  expect(await patron.receive('accepted')).toMatchObject({ id: 'slip-0001', slip: { banker: 1000, tiger: 500 } });
  const { view } = await patron.receive('own', (own) => own.view.stake > 0);
  expect(view).toMatchObject({ slip: { banker: 1000, tiger: 500 }, stake: 1500, credit: 98_500 });

  const from = patron.received.length;
  patron.send(slipFor(round, { banker: 1000, tiger: 500 }));
  expect(await patron.receive('accepted', () => true, from)).toMatchObject({ id: 'slip-0001' });
  expect(await patron.refusalOf(slipFor(round, { banker: 1000 }))).toMatchObject({ code: 'command-reused' });
  patron.send({ type: 'whole', of: 'own' });
  expect((await patron.receive('own', () => true, from)).view).toMatchObject({ stake: 1500, credit: 98_500 });

  // The total stakes are public and are published at most twice a second; their owners are not public.
  const total = await other.receive('table', (message) => message.view.staked['banker'] !== undefined);
  expect(total.view.staked['banker']).toEqual({ stake: 1000, bettors: 1 });
  expect(JSON.stringify(other.received)).not.toContain(view.terminal + '"');
});

test("a terminal cannot use another's command ids or act for it", async () => {
  const patron = await PatronSocket.join(server, secretOf('6'), 'tiger');
  const round = await patron.bettingRound();
  patron.send(slipFor(round, { tie: 100 }));
  expect(await patron.receive('accepted')).toMatchObject({ id: 'slip-0001' });
  for (const forged of [
    { ...slipFor(round, { tie: 200 }, 'slip-0002'), terminal: 'T1' },
    { ...slipFor(round, { tie: 200 }, 'slip-0002'), actor: { terminal: 'T1' } },
    { ...slipFor(round, { tie: 200 }, 'slip-0002'), credit: 1e9 },
  ]) {
    expect(await patron.refusalOf(forged)).toMatchObject({ code: 'unknown-field', id: 'slip-0002' });
  }
});

test('a refusal of the table has code, sentence and clause', async () => {
  const patron = await PatronSocket.join(server, secretOf('7'), 'tiger');
  const round = await patron.bettingRound();
  const refused = (slip: object, id: string) => patron.refusalOf(slipFor(round, slip, id));
  expect(await refused({ tiger: 10_100 }, 'limit-01')).toMatchObject({
    code: 'over-maximum',
    by: 'ETG 2.2',
    id: 'limit-01',
  });
  expect(await refused({ tiger: 150 }, 'limit-02')).toMatchObject({ code: 'off-step-stake' });
  expect(await refused({ lion: 100 }, 'limit-03')).toMatchObject({ code: 'wager-not-offered' });
  expect(await refused({ constructor: 100 }, 'limit-04')).toMatchObject({ code: 'wager-not-offered' });
  for (const slip of [
    '{"__proto__":100}',
    '{"A_B":"x"}',
    '{"TIE":null}',
    '{"tie":1e308}',
    '{"tie":-1}',
    '{"tie":1.5}',
  ]) {
    const text = JSON.stringify(slipFor(round, {}, 'limit-06')).replace('"slip":{}', `"slip":${slip}`);
    expect(await patron.refusalOf(text), slip).toMatchObject({ code: 'bad-request', id: 'limit-06' });
  }
  expect(await patron.refusalOf(slipFor('demo/tiger/x/y/1', { tie: 100 }, 'limit-05'))).toMatchObject({
    code: 'bets-closed',
  });
  expect(await patron.refusalOf({ ...slipFor(round, { tie: 100 }), table: 'lion' })).toMatchObject({
    code: 'unknown-table',
  });
  expect(await patron.refusalOf({ type: 'sit', table: 'lion' })).toMatchObject({ code: 'unknown-table' });
});

test('malformed frames, unknown messages, wrong versions and slips without a seat are refused', async () => {
  const patron = await PatronSocket.connect(server);
  expect(await patron.refusalOf({ type: 'leave' })).toMatchObject({ code: 'hello-first' });
  expect(await patron.refusalOf('{')).toMatchObject({ code: 'not-json' });
  expect(await patron.refusalOf('[]')).toMatchObject({ code: 'bad-request' });
  expect(await patron.refusalOf('null')).toMatchObject({ code: 'bad-request' });
  expect(await patron.refusalOf({ type: 'toString' })).toMatchObject({ code: 'unknown-message' });
  const next = await PatronSocket.connect(server);
  expect(await next.refusalOf({ type: 'hello', v: protocolVersion, secret: 'short' })).toMatchObject({
    code: 'bad-request',
  });
  next.send({ type: 'hello', v: protocolVersion, secret: secretOf('8') });
  await next.receive('welcome');
  expect(await next.refusalOf({ type: 'hello', v: protocolVersion, secret: secretOf('9') })).toMatchObject({
    code: 'bad-request',
  });
  expect(await next.refusalOf(slipFor('\ud83d', {}))).toMatchObject({ code: 'bad-request', id: 'slip-0001' });
  expect(await next.refusalOf(slipFor('x', {}))).toMatchObject({ code: 'not-seated', id: 'slip-0001' });
  const old = await PatronSocket.connect(server);
  expect(await old.refusalOf({ type: 'hello', v: 0, secret: secretOf('8') })).toMatchObject({ code: 'wrong-protocol' });
  expect(await old.waitForClose()).toEqual({ code: 1008, reason: 'wrong-protocol' });
});

test('binary and large frames are refused, and larger ones close the socket', async () => {
  const patron = await PatronSocket.join(server, secretOf('a'));
  patron.socket.send(Buffer.from([1, 2, 3]));
  expect(await patron.receive('refused')).toMatchObject({ code: 'bad-request' });
  expect(await patron.refusalOf({ type: 'slip', id: 'x'.repeat(9000) })).toMatchObject({ code: 'frame-too-large' });
  patron.send('x'.repeat(100_000));
  expect(await patron.waitForClose()).toMatchObject({ code: 1009 });
});

test('a flood of messages is refused and closes the socket', async () => {
  const patron = await PatronSocket.join(server, secretOf('b'), 'tiger');
  for (let n = 0; n < 500; n++) patron.send({ type: 'whole', of: 'own' });
  expect(await patron.receive('refused')).toMatchObject({ code: 'too-many-messages' });
  expect(await patron.waitForClose()).toEqual({ code: 1008, reason: 'too-many-messages' });
});

test('a foreign origin gets no socket, and a foreign host name is refused', async () => {
  await expect(PatronSocket.connect(server, { origin: 'http://evil.example' })).rejects.toThrow('403');
  await expect(PatronSocket.connect(server, { origin: 'null' })).rejects.toThrow('403');
  const { host } = new URL(server.address);
  await expect(PatronSocket.connect(server, { host: 'evil.example', origin: 'http://evil.example' })).rejects.toThrow(
    '403',
  );
  const named = await PatronSocket.connect(server, {
    host: `localhost:${host.split(':')[1]}`,
    origin: `http://localhost:${host.split(':')[1]}`,
  });
  named.terminate();
  (await PatronSocket.connect(server, { host: 'punto.example', origin: 'https://punto.example' })).terminate();
});

test('pages have a strict content policy, and unknown paths are not served', async () => {
  const page = await fetch(server.address);
  expect(page.status).toBe(200);
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  for (const path of ['nothing', '../package.json', '%2e%2e/package.json', 'assets/', 'index.html/..%2f']) {
    expect((await fetch(new URL(path, server.address))).status, path).toBe(404);
  }
  expect((await fetch(server.address, { method: 'POST', body: '{}' })).status).toBe(404);
});

test('random bytes never stop the server', async () => {
  const bits = [
    '{',
    '}',
    '"type"',
    ':',
    '"slip"',
    '1e999',
    '[',
    ']',
    'null',
    '\u0000',
    '"hello"',
    ',',
    '"v"',
    '-1',
    '"\\ud800"',
  ];
  for (let n = 0; n < 20; n++) {
    const patron = await PatronSocket.connect(server);
    for (let m = 0; m < 6; m++)
      patron.send(Array.from({ length: 6 }, (_, k) => bits[(n * 31 + m * 7 + k * k) % bits.length]).join(''));
    await patron.receive('refused');
    patron.terminate();
  }
  const still = await PatronSocket.join(server, secretOf('c'), 'baccarat');
  expect((await still.receive('own')).view.credit).toBe(100_000);
});

test('the store of the server verifies', async () => {
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('a resend gets the first reply, also after the session ended or the terminal was locked', async () => {
  const patron = await PatronSocket.join(server, secretOf('c'), 'tiger');
  const { view } = await patron.receive('own');
  const terminal = view.terminal.split('.')[0]!;
  const round = await patron.bettingRound();
  const sendSlip = async (slip: object, id: string) => {
    const from = patron.received.length;
    patron.send(slipFor(round, slip, id));
    return Promise.race([patron.receive('accepted', () => true, from), patron.receive('refused', () => true, from)]);
  };
  expect(await sendSlip({ banker: 1000 }, 'resent-01')).toMatchObject({ type: 'accepted' });
  expect(await sendSlip({}, 'resent-02')).toMatchObject({ type: 'accepted' });
  expect(await server.floor.terminals.collect(terminal, 'out-c', 'cash')).toHaveProperty('entries');
  expect(await sendSlip({ banker: 1000 }, 'resent-01')).toMatchObject({ type: 'accepted' });
  expect(await sendSlip({ banker: 2000 }, 'resent-01')).toMatchObject({ type: 'refused', code: 'command-reused' });
  await server.floor.terminals.submit(terminal, 'lock-c', { type: 'LockTerminal', reason: 'A door is open.' });
  expect(await sendSlip({ banker: 1000 }, 'resent-01')).toMatchObject({ type: 'accepted' });
  expect(await sendSlip({ banker: 1000 }, 'resent-03')).toMatchObject({ type: 'refused', code: 'terminal-locked' });
});
