import { once } from 'node:events';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { connect as plainConnect } from 'node:net';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { socketUrlOf } from '../../../src/client/webSocketInNode.ts';
import { PatronClient } from '../../../src/client/patronClient.ts';
import { createClientEnvironment } from '../../../src/client/environment.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { selfSignedCertificate } from '../support/certificate.ts';
import { startTestServer, secretOf } from '../support/testServer.ts';
import { startPit } from '../staff/pit.ts';

const tls = selfSignedCertificate();

async function httpsRequest(server: Server, path: string, options: RequestOptions = {}, body?: object) {
  const sent = request(new URL(path, server.address), { ca: tls.cert, agent: false, ...options });
  sent.end(body && JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode, headers: answer.headers };
}

test('pages are served by TLS in HTTP/1.1, with HSTS', async () => {
  const server = await startTestServer({ tables: ['tiger'], tls });
  onTestFinished(async () => void (await server.close()));
  expect(server.address).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/);
  const { status, headers } = await httpsRequest(server, '/');
  expect(status).toBe(200);
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect((await httpsRequest(server, '/nothing')).headers).toHaveProperty('strict-transport-security');
  const { port } = new URL(server.address);
  const line = connect({ port: Number(port), host: '127.0.0.1', ca: tls.cert, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(line, 'secureConnect');
  expect(line.alpnProtocol).toBe('http/1.1');
  expect(line.getProtocol()).toBe('TLSv1.3');
  line.end('no request at all\r\n\r\n');
  const [answer] = (await once(line, 'data')) as [Buffer];
  expect(answer.toString('utf8')).toMatch(/^HTTP\/1\.1 400 [\s\S]+strict-transport-security: max-age=31536000/);
});

test('plain HTTP gets no response from a TLS server, and a missing handshake is closed in time', async () => {
  const server = await startTestServer({ tables: ['tiger'], tls, limits: { requestMs: 300 } });
  onTestFinished(async () => void (await server.close()));
  const { port } = new URL(server.address);
  const sent = plainRequest({ port, host: '127.0.0.1' });
  sent.end();
  const [error] = (await once(sent, 'error')) as [NodeJS.ErrnoException];
  expect(['ECONNRESET', 'EPIPE', 'HPE_INVALID_CONSTANT']).toContain(error.code);
  const silent = plainConnect(Number(port), '127.0.0.1');
  silent.on('error', () => {});
  await once(silent, 'close');
  const { headers } = await httpsRequest(server, '/');
  expect(headers).toHaveProperty('strict-transport-security');
});

test('a server without TLS sends no HSTS', async () => {
  const server = await startTestServer({ tables: ['tiger'] });
  onTestFinished(async () => void (await server.close()));
  expect((await fetch(server.address)).headers.has('strict-transport-security')).toBe(false);
});

test('the client bets over a TLS socket', async () => {
  const server = await startTestServer({ tables: ['tiger'], tls });
  onTestFinished(async () => void (await server.close()));
  const { origin } = new URL(server.address);
  const environment = createClientEnvironment(
    (address) => new WebSocket(address, { perMessageDeflate: false, origin, ca: tls.cert }),
  );
  const patron = new PatronClient(environment, () => socketUrlOf(server.address), secretOf('1'));
  onTestFinished(() => patron.close());
  const round = Promise.withResolvers<string>();
  patron.watch(({ view }) => {
    if (view?.phase === 'betting') round.resolve(view.round!.id);
  });
  patron.sit('tiger');
  patron.open();
  expect(await patron.slip('tiger', await round.promise, { tie: 500 })).toMatchObject({ type: 'accepted' });
});

test('an http origin gets no socket of a TLS server', async () => {
  const server = await startTestServer({ tables: ['tiger'], tls });
  onTestFinished(async () => void (await server.close()));
  const { host } = new URL(server.address);
  const openSocketFrom = (origin: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`wss://${host}/socket`, { origin, ca: tls.cert });
      socket.once('open', () => {
        socket.close();
        resolve('open');
      });
      socket.once('unexpected-response', (_, answer) => resolve(String(answer.statusCode)));
      socket.on('error', () => {});
    });
  expect(await openSocketFrom(`https://${host}`)).toBe('open');
  expect(await openSocketFrom(`http://${host}`)).toBe('403');
});

test('staff cookies are Secure under TLS', async () => {
  const server = await startPit({ tls });
  onTestFinished(async () => void (await server.close()));
  const { origin } = new URL(server.address);
  const headers = { 'x-punto-staff': '1', origin, 'content-type': 'application/json' };
  const { status, headers: got } = await httpsRequest(
    server,
    '/staff/demo',
    { method: 'POST', headers },
    { number: 'S-1' },
  );
  expect(status).toBe(200);
  expect(got['set-cookie']![0]).toMatch(/^punto-staff=.+; HttpOnly; Secure; SameSite=Strict/);
});

test('a renewed certificate serves new connections, and open ones stay', async () => {
  const server = await startTestServer({ tables: ['tiger'], tls });
  onTestFinished(async () => void (await server.close()));
  const { port } = new URL(server.address);
  const servedCertificate = async (ca: string): Promise<string> => {
    const line = connect({ port: Number(port), host: '127.0.0.1', ca });
    await once(line, 'secureConnect');
    const { fingerprint256 } = line.getPeerCertificate();
    line.end();
    return fingerprint256;
  };
  const before = await servedCertificate(tls.cert);
  const socket = new WebSocket(`wss://127.0.0.1:${port}/socket`, {
    origin: new URL(server.address).origin,
    ca: tls.cert,
  });
  await once(socket, 'open');
  const next = selfSignedCertificate();
  server.renewCertificate(next);
  expect(await servedCertificate(next.cert)).not.toBe(before);
  await expect(servedCertificate(tls.cert)).rejects.toThrow(/self-signed/);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  socket.close();
});
