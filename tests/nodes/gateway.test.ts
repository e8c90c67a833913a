import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openGateway } from '../../src/nodes/gateway.ts';

/** Whoever drives the floor, who tells what he was asked, and a gateway to him. */
async function made() {
  const asked: IncomingMessage[] = [];
  const driver = createServer((request, answer) => {
    asked.push(request);
    answer.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] });
    request.pipe(answer);
  });
  const sockets = new WebSocketServer({ server: driver });
  sockets.on('connection', (socket, request) => {
    asked.push(request);
    socket.on('message', (data: Buffer) => socket.send(`heard ${data.toString()}`));
  });
  driver.listen(0, '127.0.0.1');
  await once(driver, 'listening');
  const drivenAt = `http://127.0.0.1:${(driver.address() as AddressInfo).port}/`;
  let target: string | undefined = drivenAt;
  const gateway = await openGateway({ host: '127.0.0.1', port: 0, furtherPorts: 0, target: () => target });
  onTestFinished(async () => {
    await gateway.close();
    for (const socket of sockets.clients) socket.terminate();
    driver.close();
  });
  return { asked, gateway, drivenAt, leadTo: (next: string | undefined): void => void (target = next), sockets };
}

test('pages are passed on as they are, with whom they are for', async () => {
  const { gateway, asked } = await made();
  const answer = await fetch(`${gateway.address}sign-in?x=1`, {
    method: 'POST',
    body: 'words',
    headers: { 'x-forwarded-for': '10.1.1.1' },
  });
  expect([answer.status, await answer.text(), answer.headers.getSetCookie()]).toEqual([201, 'words', ['a=1', 'b=2']]);
  expect([asked[0]!.url, asked[0]!.method, asked[0]!.headers['x-forwarded-for']]).toEqual([
    '/sign-in?x=1',
    'POST',
    '10.1.1.1, 127.0.0.1',
  ]);
  expect(asked[0]!.headers.host).toBe(new URL(gateway.address).host);
});

test('a socket is passed on in both directions, and ends when the driver does', async () => {
  const { gateway, asked, sockets } = await made();
  const socket = new WebSocket(gateway.address.replace('http', 'ws'), { headers: { origin: 'http://page' } });
  await once(socket, 'open');
  socket.send('a slip');
  expect(String((await once(socket, 'message'))[0])).toBe('heard a slip');
  expect([asked[0]!.headers.origin, asked[0]!.headers['x-forwarded-for']]).toEqual(['http://page', '127.0.0.1']);
  const closed = once(socket, 'close');
  for (const one of sockets.clients) one.terminate();
  await closed;
});

test('where nobody drives, or the driver is gone, whoever comes is told to come again', async () => {
  const { gateway, leadTo } = await made();
  for (const where of [undefined, 'http://127.0.0.1:1/']) {
    leadTo(where);
    const answer = await fetch(gateway.address);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ code: 'server-closing' });
    const socket = new WebSocket(gateway.address.replace('http', 'ws'));
    await once(socket, 'error');
  }
});

test('two who take each other for the driver pass nothing on for ever', async () => {
  const { gateway, leadTo } = await made();
  leadTo(gateway.address);
  expect((await fetch(gateway.address)).status).toBe(503);
});
