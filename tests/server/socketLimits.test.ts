import { expect, test } from 'vitest';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { Clock } from './clock.ts';
import { Guest, house, secretOf } from './house.ts';

/** Says a text in so many fragments; whether the last of them ends it is another matter. */
function fragments(guest: Guest, text: string, count: number, ends = true): void {
  const size = Math.ceil(text.length / count);
  for (let n = 0; n < count; n++) {
    guest.socket.send(text.slice(n * size, (n + 1) * size), { fin: ends && n === count - 1 });
  }
}

const hello = JSON.stringify({ type: 'hello', v: protocolVersion, secret: secretOf('1') });

test('a message may have at most sixteen fragments', async () => {
  const server = await house({ tables: ['tiger'] });
  const patient = await Guest.arrive(server);
  fragments(patient, hello, 16);
  await patient.hears('welcome');
  // Each message is counted by itself.
  fragments(patient, JSON.stringify({ type: 'sit', table: 'tiger' }), 16);
  await patient.hears('own');
  const other = await Guest.arrive(server);
  fragments(other, hello, 17);
  expect(await other.left()).toMatchObject({ code: 1008 });
  const empty = await Guest.arrive(server);
  fragments(empty, '', 17, false);
  expect(await empty.left()).toMatchObject({ code: 1008 });
  patient.leave();
  await server.close();
});

test('an incomplete message closes the connection in time, whatever arrives in between', async () => {
  const time = new Clock();
  const server = await house({ tables: ['tiger'], time });
  const slow = await Guest.seated(server, secretOf('1'));
  const other = await Guest.seated(server, secretOf('2'));
  fragments(slow, '{"type":', 3, false);
  fragments(other, '{"type":', 3, false);
  // An answer to what was said behind it: the fragments are there.
  await pinged(slow);
  await pinged(other);
  await time.pass(9_000);
  other.socket.send('"leave"}', { fin: true });
  await other.hears('lobby', () => true, other.heard.length);
  await time.pass(2_000);
  expect(await slow.left()).toEqual({ code: 1008, reason: 'too-slow' });
  expect(slow.heard.at(-1)).toMatchObject({ type: 'refused', code: 'too-slow' });
  await pinged(other);
  other.leave();
  await time.until(server.close());
});

test('a connection without hello is closed in time', async () => {
  const time = new Clock();
  const server = await house({ tables: ['tiger'], time });
  const silent = await Guest.arrive(server);
  const polite = await Guest.seated(server, secretOf('1'));
  await time.pass(11_000);
  expect(await silent.left()).toEqual({ code: 1008, reason: 'too-slow' });
  await pinged(polite);
  polite.leave();
  await time.until(server.close());
});

test('pongs count as messages', async () => {
  const time = new Clock();
  const server = await house({ tables: ['tiger'], time });
  const flood = await Guest.arrive(server);
  for (let n = 0; n < 40; n++) flood.socket.pong('x');
  flood.socket.pong('x');
  expect(await flood.left()).toMatchObject({ code: 1008, reason: 'too-many-messages' });
  await time.until(server.close());
});

/** Is still there: a ping is answered. */
const pinged = (guest: Guest): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  guest.socket.once('pong', () => resolve());
  guest.socket.ping();
  return promise;
};
