import { expect, test } from 'vitest';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

/** Sends a text in fragments; `ends` decides whether the last one ends the message. */
function sendFragments(patron: PatronSocket, text: string, count: number, ends = true): void {
  const size = Math.ceil(text.length / count);
  for (let n = 0; n < count; n++) {
    patron.socket.send(text.slice(n * size, (n + 1) * size), { fin: ends && n === count - 1 });
  }
}

const hello = JSON.stringify({ type: 'hello', v: protocolVersion, secret: secretOf('1') });

test('a message may have at most sixteen fragments', async () => {
  const server = await startTestServer({ tables: ['tiger'] });
  const first = await PatronSocket.connect(server);
  sendFragments(first, hello, 16);
  await first.receive('welcome');
  // Fragments are counted per message.
  sendFragments(first, JSON.stringify({ type: 'sit', table: 'tiger' }), 16);
  await first.receive('own');
  const other = await PatronSocket.connect(server);
  sendFragments(other, hello, 17);
  expect(await other.waitForClose()).toMatchObject({ code: 1008 });
  const empty = await PatronSocket.connect(server);
  sendFragments(empty, '', 17, false);
  expect(await empty.waitForClose()).toMatchObject({ code: 1008 });
  first.terminate();
  await server.close();
});

test('an incomplete message closes the connection in time, whatever arrives in between', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({ tables: ['tiger'], scheduler: time });
  const slow = await PatronSocket.join(server, secretOf('1'));
  const other = await PatronSocket.join(server, secretOf('2'));
  sendFragments(slow, '{"type":', 3, false);
  sendFragments(other, '{"type":', 3, false);
  // The pong shows that the fragments sent before it have arrived.
  await waitForPong(slow);
  await waitForPong(other);
  await time.advance(9_000);
  other.socket.send('"leave"}', { fin: true });
  await other.receive('lobby', () => true, other.received.length);
  await time.advance(2_000);
  expect(await slow.waitForClose()).toEqual({ code: 1008, reason: 'too-slow' });
  expect(slow.received.at(-1)).toMatchObject({ type: 'refused', code: 'too-slow' });
  await waitForPong(other);
  other.terminate();
  await time.advanceUntilSettled(server.close());
});

test('a connection without hello is closed in time', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({ tables: ['tiger'], scheduler: time });
  const silent = await PatronSocket.connect(server);
  const polite = await PatronSocket.join(server, secretOf('1'));
  await time.advance(11_000);
  expect(await silent.waitForClose()).toEqual({ code: 1008, reason: 'too-slow' });
  await waitForPong(polite);
  polite.terminate();
  await time.advanceUntilSettled(server.close());
});

test('pongs count as messages', async () => {
  const time = new TestScheduler();
  const server = await startTestServer({ tables: ['tiger'], scheduler: time });
  const flood = await PatronSocket.connect(server);
  for (let n = 0; n < 40; n++) flood.socket.pong('x');
  flood.socket.pong('x');
  expect(await flood.waitForClose()).toMatchObject({ code: 1008, reason: 'too-many-messages' });
  await time.advanceUntilSettled(server.close());
});

/** Waits for a pong: the connection is alive. */
const waitForPong = (patron: PatronSocket): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  patron.socket.once('pong', () => resolve());
  patron.socket.ping();
  return promise;
};
