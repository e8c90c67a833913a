import { EventEmitter } from 'node:events';
import { type WebSocket } from 'ws';
import { expect, test } from 'vitest';
import { DeviceConnection } from '../../../src/server/socket/deviceConnection.ts';
import { defaultServerLimits } from '../../../src/server/limits/serverLimits.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';
import { StaffSocket } from '../staff/pit.ts';

test('the server sends heartbeats to idle connections, and none before hello', async () => {
  const server = await startTestServer({ tables: ['tiger'] });
  // Once its table is in betting, nothing happens on this floor for ten minutes.
  const early = await PatronSocket.join(server, secretOf('0'));
  await early.receive('lobby', ({ tiles }) => tiles.every(({ phase }) => phase === 'betting'));
  early.terminate();
  const newcomer = await PatronSocket.connect(server);
  const patron = await PatronSocket.join(server, secretOf('1'));
  const first = await patron.receive('heartbeat');
  const second = await patron.receive('heartbeat', () => true, patron.received.length);
  expect(second.at).toBeGreaterThan(first.at);
  expect(new Set(patron.received.map(({ type }) => type))).toEqual(new Set(['welcome', 'lobby', 'heartbeat']));
  expect(newcomer.received).toEqual([]);
  newcomer.terminate();
  patron.terminate();
  await server.close();
});

test('a connection skips a heartbeat when it sent a message since the last one', () => {
  const sent: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (text: string | Buffer) => sent.push(String(text)),
  });
  const connection = new DeviceConnection(socket as unknown as WebSocket, '127.0.0.1', {
    clock: () => 0,
    limits: defaultServerLimits,
    onMessage: async () => {},
    onClose: () => {},
    onDefect: () => {},
    onRefusal: () => {},
  });
  const sendHeartbeat = (): void => connection.sendHeartbeat(Buffer.from('heartbeat'));
  sendHeartbeat();
  expect(sent).toEqual([]);
  connection.isWelcomed = true;
  sendHeartbeat();
  connection.sendText('a view');
  for (let n = 0; n < 6; n++) sendHeartbeat();
  // A heartbeat is a message as well: in silence one is sent every second interval.
  expect(sent).toEqual(['heartbeat', 'a view', 'heartbeat', 'heartbeat', 'heartbeat']);
});

test("a heartbeat has the time of the leader of the patron's table", async () => {
  const server = await startTestServer({
    tables: ['tiger'],
    leaderClockOffset: (stream) => (stream === 'demo/table/tiger' ? 50_000 : 0),
  });
  const [seated, unseated] = [
    await PatronSocket.join(server, secretOf('1'), 'tiger'),
    await PatronSocket.join(server, secretOf('2')),
  ];
  const clockOffsetOf = async (patron: PatronSocket): Promise<number> =>
    (await patron.receive('heartbeat', () => true, patron.received.length)).at - Date.now();
  expect(Math.abs((await clockOffsetOf(seated)) - 50_000)).toBeLessThan(10_000);
  expect(Math.abs(await clockOffsetOf(unseated))).toBeLessThan(10_000);
  for (const patron of [seated, unseated]) patron.terminate();
  await server.close();
});

test("a staff heartbeat has the time of the table's leader, or of this node for the floor view alone", async () => {
  const server = await startTestServer({
    tables: ['tiger'],
    initialStaff: { demo: true },
    leaderClockOffset: (stream) => (stream === 'demo/table/tiger' ? 50_000 : 0),
  });
  const [watching, looking] = [await StaffSocket.signIn(server, 'S-1'), await StaffSocket.signIn(server, 'S-2')];
  for (const one of [watching, looking]) one.send({ type: 'floor', wanted: true });
  const clockOffsetOf = async (one: StaffSocket): Promise<number> =>
    (await one.receive('heartbeat', () => true, one.received.length)).at - Date.now();
  const offsets = async (): Promise<readonly boolean[]> =>
    (await Promise.all([watching, looking].map(clockOffsetOf))).map((offset) => Math.abs(offset - 50_000) < 10_000);
  expect(await offsets()).toEqual([false, false]);
  watching.send({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await watching.receive('supervisor');
  expect(await offsets()).toEqual([true, false]);
  for (const one of [watching, looking]) one.socket.close();
  await server.close();
});
