import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type RandomSource, createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { seed } from '../../seed.ts';
import { times } from '../../times.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

const messages = times(10_000);
/** Percentage of inputs that are not messages: invalid frames, or no HTTP. */
const invalidPercent = 5;
const breath = 100;

const wellFormed: readonly { readonly [field: string]: unknown }[] = [
  { type: 'hello', v: protocolVersion, secret: secretOf('1') },
  { type: 'sit', table: 'tiger' },
  { type: 'slip', id: 'slip-0001', table: 'tiger', round: 'demo/tiger/1/1', slip: { tie: 100 } },
  { type: 'renew', id: 'renew-001', secret: secretOf('2') },
  { type: 'whole', of: 'own' },
];

const values = [null, true, -1, 0.5, 1e308, '', '\ud800', '\u0000', [], {}, [[[[[[[[]]]]]]]], { __proto__: null }];

/** An invalid message, made from a valid one. */
function malformedMessage(random: RandomSource): string | Buffer {
  const message = wellFormed[random.below(wellFormed.length)]!;
  const text = JSON.stringify(message);
  const fields = Object.keys(message);
  const field = fields[random.below(fields.length)]!;
  switch (random.below(8)) {
    case 0:
      return text.slice(0, random.below(text.length));
    case 1:
      return JSON.stringify({ ...message, [`x${random.below(1000)}`]: 1 });
    case 2:
      return JSON.stringify({ ...message, [field]: values[random.below(values.length)] });
    case 3:
      return JSON.stringify({ ...message, [field]: undefined });
    case 4:
      return Buffer.from(text);
    case 5:
      return text + text;
    case 6:
      return JSON.stringify({ ...message, type: 'x'.repeat(8_192) });
    default:
      return '['.repeat(1 + random.below(2_000));
  }
}

const frame = (first: number, second: number, ...rest: readonly number[]): Buffer =>
  Buffer.from([first, second, ...rest]);
const mask = [0, 0, 0, 0];

/** Frames that the WebSocket protocol forbids. */
const wrongFrames: readonly Buffer[] = [
  frame(0x83, 0x80, ...mask),
  frame(0x8f, 0x80, ...mask),
  frame(0xc1, 0x80, ...mask),
  frame(0x81, 0x02, 0x7b, 0x7d),
  frame(0x80, 0x80, ...mask),
  frame(0x09, 0x80, ...mask),
  frame(0x89, 0xfe, 0x00, 0x80, ...mask),
  frame(0x81, 0x82, ...mask, 0xc3, 0x28),
  frame(0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, ...mask),
  frame(0x81, 0xff, 0x00, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, ...mask),
  frame(0x88, 0x82, ...mask, 0x00, 0x01),
  frame(0x88, 0x81, ...mask, 0x03),
  Buffer.concat([frame(0x01, 0x80, ...mask), frame(0x81, 0x80, ...mask)]),
  Buffer.concat(
    Array.from({ length: 17 }, () => frame(0x00, 0x80, ...mask)).toSpliced(0, 1, frame(0x01, 0x80, ...mask)),
  ),
];

/** Sends bytes on a new connection; gives the response once the server has closed it. */
async function sendBytes(server: Server, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(server.address);
  const socket = connect({ host: hostname, port: Number(port) });
  let response = '';
  socket.setEncoding('latin1').on('data', (text: string) => (response += text));
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return response;
}

/** Opens a socket and sends a forbidden frame in the same packet. */
async function sendInvalidFrame(server: Server, random: RandomSource): Promise<void> {
  const { host, origin } = new URL(server.address);
  const handshake =
    `GET /socket HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`;
  if (random.below(2) === 0) {
    const noise = Buffer.from(Array.from({ length: 1 + random.below(200) }, () => random.below(256)));
    expect(await sendBytes(server, Buffer.concat([noise, Buffer.from('\r\n\r\n')]))).toMatch(/^HTTP\/1\.1 40[08] /);
    return;
  }
  const response = await sendBytes(
    server,
    Buffer.concat([Buffer.from(handshake), wrongFrames[random.below(wrongFrames.length)]!]),
  );
  expect(response).toMatch(/^HTTP\/1\.1 101 /);
}

/** Sends malformed messages; each gets one refusal. */
async function sendMalformed(server: Server, random: RandomSource): Promise<void> {
  const patron = await PatronSocket.join(server, secretOf('3'));
  patron.received.length = 0;
  for (let n = 0; n < breath; n++) patron.socket.send(malformedMessage(random));
  const refused = (): number => patron.received.filter(({ type }) => type === 'refused').length;
  while (refused() < breath) await once(patron.socket, 'message');
  expect(patron.received.filter(({ type }) => type !== 'refused' && type !== 'heartbeat' && type !== 'lobby')).toEqual(
    [],
  );
  patron.terminate();
}

test(`${messages.toLocaleString('en')} malformed messages, seed ${seed}: each is refused, nothing is stored, and the table continues`, async () => {
  const store = createMemoryStore();
  const server = await startTestServer({
    store,
    tables: ['tiger'],
    limits: { messageBurst: 1_000_000, messagesPerSecond: 1_000_000 },
  });
  const random = createSeededRandom(`malformed ${seed}`);
  const polite = await PatronSocket.join(server, secretOf('9'), 'tiger');
  const round = await polite.bettingRound();
  const before = (await store.heads()).get('demo/table/tiger');
  for (let count = 0; count < messages; count += breath + invalidPercent) {
    await Promise.all([
      sendMalformed(server, random),
      ...Array.from({ length: invalidPercent }, () => sendInvalidFrame(server, random)),
    ]);
  }
  expect((await store.heads()).get('demo/table/tiger')).toEqual(before);
  expect([...(await store.heads()).keys()]).toEqual(['demo/floor/main', 'demo/table/tiger']);
  polite.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 100 } });
  await polite.receive('accepted');
  polite.terminate();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});
