import { EventEmitter } from 'node:events';
import { type WebSocket } from 'ws';
import { expect, test } from 'vitest';
import { PatronConnection } from '../../src/server/socket/patronConnection.ts';
import { defaultLimits } from '../../src/server/limits/serverLimits.ts';
import { Guest, house, secretOf } from './house.ts';
import { Colleague } from './staff/made.ts';

test('the server sends heartbeats to idle connections, and none before hello', async () => {
  const server = await house({ tables: ['tiger'] });
  // Once its table takes bets, nothing happens on this floor for ten minutes.
  const early = await Guest.seated(server, secretOf('0'));
  await early.hears('lobby', ({ tiles }) => tiles.every(({ phase }) => phase === 'betting'));
  early.leave();
  const stranger = await Guest.arrive(server);
  const guest = await Guest.seated(server, secretOf('1'));
  const first = await guest.hears('heartbeat');
  const second = await guest.hears('heartbeat', () => true, guest.heard.length);
  expect(second.at).toBeGreaterThan(first.at);
  expect(new Set(guest.heard.map(({ type }) => type))).toEqual(new Set(['welcome', 'lobby', 'heartbeat']));
  expect(stranger.heard).toEqual([]);
  stranger.leave();
  guest.leave();
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
  const connection = new PatronConnection(socket as unknown as WebSocket, '127.0.0.1', {
    clock: () => 0,
    limits: defaultLimits,
    onMessage: async () => {},
    onClose: () => {},
    onDefect: () => {},
    onRefusal: () => {},
  });
  const due = (): void => connection.sendHeartbeat(Buffer.from('heartbeat'));
  due();
  expect(sent).toEqual([]);
  connection.isWelcomed = true;
  due();
  connection.sendText('a view');
  for (let n = 0; n < 6; n++) due();
  // A beat is something heard as well: in silence every second one is sent.
  expect(sent).toEqual(['heartbeat', 'a view', 'heartbeat', 'heartbeat', 'heartbeat']);
});

test("a heartbeat has the time of the leader of the patron's table", async () => {
  const server = await house({ tables: ['tiger'], offsetOf: (stream) => (stream === 'demo/table/tiger' ? 50_000 : 0) });
  const [seated, standing] = [
    await Guest.seated(server, secretOf('1'), 'tiger'),
    await Guest.seated(server, secretOf('2')),
  ];
  const aheadOf = async (guest: Guest): Promise<number> =>
    (await guest.hears('heartbeat', () => true, guest.heard.length)).at - Date.now();
  expect(Math.abs((await aheadOf(seated)) - 50_000)).toBeLessThan(10_000);
  expect(Math.abs(await aheadOf(standing))).toBeLessThan(10_000);
  for (const guest of [seated, standing]) guest.leave();
  await server.close();
});

test("a staff heartbeat has the time of the table's leader, or of this node for the floor view alone", async () => {
  const server = await house({
    tables: ['tiger'],
    staff: { demo: true },
    offsetOf: (stream) => (stream === 'demo/table/tiger' ? 50_000 : 0),
  });
  const [watching, looking] = [await Colleague.clicked(server, 'S-1'), await Colleague.clicked(server, 'S-2')];
  for (const one of [watching, looking]) one.say({ type: 'floor', wanted: true });
  const aheadOf = async (one: Colleague): Promise<number> =>
    (await one.hears('heartbeat', () => true, one.heard.length)).at - Date.now();
  const areAhead = async (): Promise<readonly boolean[]> =>
    (await Promise.all([watching, looking].map(aheadOf))).map((ahead) => Math.abs(ahead - 50_000) < 10_000);
  expect(await areAhead()).toEqual([false, false]);
  watching.say({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await watching.hears('supervisor');
  expect(await areAhead()).toEqual([true, false]);
  for (const one of [watching, looking]) one.socket.close();
  await server.close();
});
