import { EventEmitter, once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse, get } from 'node:http';
import { type Server as Listener, type Socket, connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { TrustedProxies } from '../../../src/server/http/clientAddress.ts';
import { limitTcpConnections } from '../../../src/server/http/connectionQuota.ts';
import { createPipeliningLimiter } from '../../../src/server/http/pipeliningLimiter.ts';
import { defaultServerLimits } from '../../../src/server/limits/serverLimits.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

/** Raw TCP connection: sends any bytes, HTTP or not, and keeps the received text until it is closed. */
class RawConnection {
  readonly closed: Promise<string>;
  readonly #socket: Socket;

  constructor(server: Server) {
    const { hostname, port } = new URL(server.address);
    this.#socket = connect({ host: hostname, port: Number(port) });
    let response = '';
    this.#socket.setEncoding('latin1').on('data', (text: string) => (response += text));
    this.#socket.on('error', () => {});
    this.closed = new Promise((resolve) => void this.#socket.on('close', () => resolve(response)));
  }

  async open(): Promise<this> {
    if (this.#socket.connecting) await once(this.#socket, 'connect');
    return this;
  }

  send(text: string): this {
    this.#socket.write(text, 'latin1');
    return this;
  }

  leave(): void {
    this.#socket.destroy();
  }
}

/** A server that only counts connections, and a function that connects from any address. */
function startCountingServer(limits: { readonly maxConnections: number; readonly maxConnectionsPerAddress: number }) {
  const server = new EventEmitter();
  const proxies = new TrustedProxies();
  proxies.trust('192.0.2.1');
  limitTcpConnections(server as Listener, { ...defaultServerLimits, ...limits }, proxies);
  return (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      isLetIn: true,
      destroy: () => void (socket.isLetIn = false),
    });
    server.emit('connection', socket);
    return socket;
  };
}

test('the connection quota of one address does not affect other addresses', () => {
  const call = startCountingServer({ maxConnections: 100, maxConnectionsPerAddress: 10 });
  const idle = Array.from({ length: 4_200 }, () => call('198.51.100.1'));
  expect(idle.filter(({ isLetIn }) => isLetIn)).toHaveLength(10);
  expect(call('::ffff:198.51.100.1').isLetIn).toBe(false);
  expect(call('198.51.100.2').isLetIn).toBe(true);
  idle[0]!.emit('close');
  expect(call('198.51.100.1').isLetIn).toBe(true);
  expect(call('198.51.100.1').isLetIn).toBe(false);
});

test('the connection quota counts an IPv6 /64 network as one address', () => {
  const call = startCountingServer({ maxConnections: 100, maxConnectionsPerAddress: 10 });
  const many = Array.from({ length: 50 }, (_, n) => call(`2001:db8:0:1::${n}`));
  expect(many.filter(({ isLetIn }) => isLetIn)).toHaveLength(10);
  expect(call('2001:db8:0:2::1').isLetIn).toBe(true);
});

test('the connection quota limits a trusted proxy by the total only', () => {
  const call = startCountingServer({ maxConnections: 100, maxConnectionsPerAddress: 10 });
  const many = Array.from({ length: 150 }, () => call('192.0.2.1'));
  expect(many.filter(({ isLetIn }) => isLetIn)).toHaveLength(100);
  expect(call('198.51.100.1').isLetIn).toBe(false);
  many[0]!.emit('close');
  expect(call('198.51.100.1').isLetIn).toBe(true);
});

test('the server destroys connections above the quota and accepts new ones after a close', async () => {
  const server = await startTestServer({
    tables: ['tiger'],
    limits: { maxConnectionsPerAddress: 3, requestMs: 600_000 },
  });
  const idle = await Promise.all(Array.from({ length: 3 }, () => new RawConnection(server).open()));
  expect(await new RawConnection(server).closed).toBe('');
  idle[0]!.leave();
  let patron: PatronSocket | undefined;
  while (patron === undefined) patron = await PatronSocket.connect(server).catch(() => undefined);
  for (const raw of idle) raw.leave();
  patron.terminate();
  await server.close();
});

/** A connection that accepts any request; a request stays open until its response is closed. */
function startConnection(maxRequests: number) {
  const limited = createPipeliningLimiter(maxRequests);
  const handled: string[] = [];
  const socket = { destroyed: false, destroy: () => void (socket.destroyed = true) };
  const sendRequest = (what: string) => {
    const answer = new EventEmitter();
    limited(() => handled.push(what))({ socket } as unknown as IncomingMessage, answer as ServerResponse);
    return answer;
  };
  return { sendRequest, handled, socket };
}

test('the ninth unanswered request of a connection destroys it, whatever follows', () => {
  const { sendRequest, handled, socket } = startConnection(8);
  const responses = Array.from({ length: 8 }, () => sendRequest('page'));
  responses[0]!.emit('close');
  responses[1]!.emit('close');
  sendRequest('page');
  sendRequest('page');
  expect(socket.destroyed).toBe(false);
  for (let n = 0; n < 2_000; n++) sendRequest('too many');
  expect(socket.destroyed).toBe(true);
  responses[2]!.emit('close');
  sendRequest('too late');
  expect(handled).toEqual(Array.from({ length: 10 }, () => 'page'));
});

test('the server serves sequential requests without end and destroys a connection that pipelines too many', async () => {
  const server = await startTestServer({ tables: ['tiger'] });
  const page = `GET / HTTP/1.1\r\n${host}\r\n`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; n < 50; n++) {
    const [answer] = (await once(get(server.address, { agent }), 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    await once(answer.resume(), 'end');
  }
  agent.destroy();
  const limited = new RawConnection(server).send(page.repeat(7) + `GET / HTTP/1.1\r\n${host}${close}`);
  expect((await limited.closed).match(/HTTP\/1.1 200/g)).toHaveLength(8);
  for (const text of [
    page,
    page.replace('GET', 'HEAD'),
    page.replace('/ ', '/x '),
    `${page.trim()}\r\nExpect: x\r\n\r\n`,
  ]) {
    const responses = (await new RawConnection(server).send(text.repeat(2_000)).closed).match(/HTTP\/1.1 \d/g) ?? [];
    expect(responses.length, text).toBeLessThanOrEqual(8);
  }
  await server.close();
});

test("clients behind a trusted proxy are limited separately; other peers' headers are ignored", async () => {
  const limits = { maxSocketsPerAddress: 1, seatsPerMinute: 1, maxConnectionsPerAddress: 2 };
  const from = (address: string) => ({ 'x-forwarded-for': `198.51.100.7, ${address}` });
  const behind = await startTestServer({ tables: ['tiger'], limits, proxies: ['127.0.0.0/8'] });
  const patrons = [];
  for (const address of ['203.0.113.1', '203.0.113.2', '2001:db8:0:1::1', '2001:db8:0:2::1']) {
    patrons.push(await PatronSocket.connect(behind, from(address)));
  }
  await expect(PatronSocket.connect(behind, from('203.0.113.1'))).rejects.toThrow('503');
  await expect(PatronSocket.connect(behind, from('2001:db8:0:1::2'))).rejects.toThrow('503');
  for (const patron of patrons) patron.terminate();
  await behind.close();

  const limited = await startTestServer({ tables: ['tiger'], limits });
  const one = await PatronSocket.connect(limited, from('203.0.113.1'));
  await expect(PatronSocket.connect(limited, from('203.0.113.2'))).rejects.toThrow('503');
  one.terminate();
  await limited.close();
});

test('the server answers 408 too-slow and closes when an HTTP request does not arrive in time', async () => {
  const server = await startTestServer({ tables: ['tiger'], limits: { requestMs: 200 } });
  const connections = [
    new RawConnection(server),
    new RawConnection(server).send('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: 1'),
    new RawConnection(server).send('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1'),
  ];
  for (const raw of connections) {
    const response = await raw.closed;
    expect(response).toContain('HTTP/1.1 408');
    expect(response).toContain('{"code":"too-slow"');
  }
  await server.close();
});

const upgrade = (headers: string, path = '/socket'): string =>
  `GET ${path} HTTP/1.1\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
const host = 'Host: localhost\r\n';
const origin = 'Origin: http://localhost\r\n';
const shake = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
const close = 'Connection: close\r\n\r\n';

const requests: readonly (readonly [string, string, number, string])[] = [
  ['the page', `GET / HTTP/1.1\r\n${host}${close}`, 200, '<!doctype html>'],
  ['a page that is not there', `GET /x HTTP/1.1\r\n${host}${close}`, 404, 'not-found'],
  ['a path that is none', `GET /%zz HTTP/1.1\r\n${host}${close}`, 400, 'bad-request'],
  ['another name', `GET / HTTP/1.1\r\nHost: evil.example\r\n${close}`, 403, 'foreign-origin'],
  ['two names', `GET / HTTP/1.1\r\n${host}Host: evil.example\r\n${close}`, 400, 'bad-request'],
  ['the same name twice', `GET / HTTP/1.1\r\n${host}hOST: localhost\r\n${close}`, 400, 'bad-request'],
  ['no name', `GET / HTTP/1.1\r\n${close}`, 400, 'bad-request'],
  ['a body', `POST / HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Type: text/plain\r\n${close}hi`, 404, 'not-found'],
  ['a body that is no JSON', json('{'), 400, 'bad-request'],
  ['a body that is too long', json(`"${'x'.repeat(2_000)}"`), 413, 'bad-request'],
  ['an expectation', `GET / HTTP/1.1\r\n${host}Expect: cards\r\n${close}`, 417, 'bad-request'],
  ['headers without end', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(17_000)}\r\n${close}`, 431, 'bad-request'],
  ['no HTTP at all', 'let me in\r\n\r\n', 400, 'bad-request'],
  ['a socket for two names', upgrade(`${host}${host}${origin}${shake}`), 400, 'bad-request'],
  ['a socket without a name', upgrade(`${origin}${shake}`), 400, 'bad-request'],
  ['a socket for another page', upgrade(`${host}Origin: http://evil.example\r\n${shake}`), 403, 'foreign-origin'],
  ['a socket elsewhere', upgrade(`${host}${origin}${shake}`, '/other'), 404, 'not-found'],
  ['a socket with half a handshake', upgrade(`${host}${origin}`), 400, 'bad-request'],
];

function json(body: string): string {
  return `POST / HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${close}${body}`;
}

const served = startTestServer({ tables: ['tiger'] });
afterAll(async () => (await served).close());

test.each(requests)('the response to %s has the security headers', async (_, text, status, body) => {
  const response = await new RawConnection(await served).send(text).closed;
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(response).toContain(body);
  for (const header of [
    "content-security-policy: default-src 'none'",
    'cross-origin-opener-policy: same-origin',
    'cross-origin-resource-policy: same-origin',
    'permissions-policy: camera=()',
    'referrer-policy: no-referrer',
    'x-content-type-options: nosniff',
  ]) {
    expect(response.match(new RegExp(`^${header.replace(/[()]/g, '\\$&')}`, 'gim')), header).toHaveLength(1);
  }
});

test('a socket above the quota is refused with the security headers', async () => {
  const server = await startTestServer({ tables: ['tiger'], limits: { maxSocketsPerAddress: 1 } });
  const patron = await PatronSocket.join(server, secretOf('1'));
  const response = await new RawConnection(server).send(upgrade(`${host}${origin}${shake}`)).closed;
  expect(response).toMatch(/^HTTP\/1.1 503 [\s\S]*nosniff[\s\S]*"too-many-connections"/);
  patron.terminate();
  await server.close();
});
