import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type StoredEntry } from '../../../src/store/store.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { attendedSettings } from '../../runtime/support/attendedFloor.ts';
import { commandBy, prepareLiveShoe } from '../support/liveTables.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

async function openDisplay(server: Server, table: string): Promise<PatronSocket> {
  const patron = await PatronSocket.connect(server);
  patron.send({ type: 'hello', v: protocolVersion });
  await patron.receive('welcome');
  patron.send({ type: 'watch', table });
  return patron;
}

test('a display sees only the public view, takes no seat and is not counted as a patron', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const server = await startTestServer({ store, tables: ['tiger'] });
  const screen = await openDisplay(server, 'tiger');
  await screen.bettingRound();
  expect(await screen.receive('welcome')).toMatchObject({ terminal: null });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const lobby = await PatronSocket.join(server, secretOf('2'));
  await lobby.receive('lobby', ({ tiles }) => tiles[0]!.patrons === 1);
  patron.send({
    type: 'slip',
    id: 'slip-0001',
    table: 'tiger',
    round: await patron.bettingRound(),
    slip: { tie: 500 },
  });
  await screen.receive('table', ({ view }) => view.staked['tie']?.stake === 500);
  expect(new Set(screen.received.map(({ type }) => type).filter((type) => type !== 'heartbeat'))).toEqual(
    new Set(['welcome', 'table']),
  );
  screen.send({ type: 'whole', of: 'own' });
  screen.send({ type: 'whole', of: 'table' });
  await screen.receive('table', () => true, screen.received.length);
  expect(screen.received.some(({ type }) => type === 'own')).toBe(false);
  patron.terminate();
  await lobby.receive('lobby', ({ tiles }) => tiles[0]!.patrons === 0);
  for (const socket of [screen, lobby]) socket.terminate();
  await server.close();
  expect(await store.listValues('binding')).toHaveProperty('size', 1);
});

test.each([
  ['BAC', 'baccarat'],
  ['SUP', 'sands-super'],
  ['ELM', 'sands-elements'],
  ['FAB', 'fabulous-4'],
])(
  '[%s 3.1] every display and terminal of %s receives the open bets of the dealer’s round, and no open bets before; the event log has them',
  async (_, table) => {
    const store = { ...createMemoryStore(), close: async () => {} };
    const server = await startTestServer({
      store,
      tables: [table],
      settings: { dealing: 'keyed', attended: true, behind: 14 },
    });
    const runtime = await prepareLiveShoe(server, table);
    const sockets = [
      await openDisplay(server, table),
      await openDisplay(server, table),
      await PatronSocket.join(server, secretOf('1'), table),
      await PatronSocket.join(server, secretOf('2'), table),
    ];
    const from = await Promise.all(
      sockets.map(async (socket) => {
        await socket.receive('table', ({ view }) => view.shoe?.ready === true);
        const views = socket.received.flatMap((message) => (message.type === 'table' ? [message.view] : []));
        expect(views.map(({ phase }) => phase)).not.toContain('betting');
        return socket.received.length;
      }),
    );
    const sentAt = Date.now();
    await commandBy(runtime, 'd1', 'OpenBets');
    for (const [n, socket] of sockets.entries()) {
      const { view } = await socket.receive('table', () => true, from[n]);
      expect(view).toMatchObject({ phase: 'betting', round: { id: runtime.table.round!.id } });
    }
    const opened: StoredEntry['event'][] = [];
    for await (const entries of store.read(runtime.stream))
      opened.push(...entries.map(({ event }) => event).filter(({ type }) => type === 'BetsOpened'));
    expect(opened).toMatchObject([{ actor: { person: 'd1', role: 'dealer' }, round: runtime.table.round!.id }]);
    // The clock of the server is read in its own way, so it may differ by a few milliseconds.
    expect(Math.abs(opened[0]!['at'] - sentAt)).toBeLessThan(5_000);
    for (const socket of sockets) socket.terminate();
    await server.close();
  },
);

test('a display cannot take a seat, bet, or say hello again with a secret', async () => {
  const server = await startTestServer({ tables: ['tiger'] });
  const screen = await openDisplay(server, 'tiger');
  const round = await screen.bettingRound();
  expect(await screen.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'hello-first' });
  expect(
    await screen.refusalOf({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 500 } }),
  ).toMatchObject({ code: 'not-seated', id: 'slip-0001' });
  expect(await screen.refusalOf({ type: 'renew', id: 'renew-001', secret: secretOf('9') })).toMatchObject({
    code: 'not-seated',
  });
  expect(await screen.refusalOf({ type: 'hello', v: protocolVersion, secret: secretOf('1') })).toMatchObject({
    code: 'bad-request',
  });
  expect(await screen.refusalOf({ type: 'watch', table: 'lion' })).toMatchObject({ code: 'unknown-table' });
  screen.terminate();
  await server.close();
});

test('a display may subscribe before its table is opened and gets the view afterwards', async () => {
  const { table } = attendedSettings;
  const server = await startTestServer({ tables: [table], settings: { ...attendedSettings } });
  const screen = await openDisplay(server, table);
  screen.send({ type: 'whole', of: 'table' });
  await screen.receive('heartbeat');
  expect(screen.received.map(({ type }) => type)).not.toContain('table');
  await server.floor.tables
    .get(table)!
    .submit(
      'open-0001',
      { type: 'OpenTable', actor: { person: 'p1' }, second: { person: 'm1' }, settings: attendedSettings },
      undefined,
      {
        authority: { role: 'pit-manager' },
        secondAuthority: { role: 'gaming-shift-manager' },
      },
    );
  expect((await screen.receive('table')).view).toMatchObject({ table, phase: 'idle', shoe: null });
  screen.terminate();
  await server.close();
});

test('a seated patron receives lobby tiles while subscribed', async () => {
  const server = await startTestServer({ tables: ['tiger', 'baccarat'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await patron.bettingRound();
  const from = patron.received.length;
  patron.send({ type: 'watch-lobby', wanted: true });
  await patron.receive('lobby', ({ tiles }) => tiles.length === 2, from);
  const other = await PatronSocket.join(server, secretOf('2'), 'baccarat');
  await patron.receive('lobby', ({ tiles }) => tiles.find(({ table }) => table === 'baccarat')!.patrons === 1, from);
  // Another table or the lobby does not change that.
  patron.send({ type: 'sit', table: 'baccarat' });
  await patron.receive('lobby', ({ tiles }) => tiles.find(({ table }) => table === 'baccarat')!.patrons === 2, from);
  patron.send({ type: 'leave' });
  patron.send({ type: 'watch-lobby', wanted: false });
  const back = patron.received.length;
  other.terminate();
  await patron.receive('lobby', ({ tiles }) => tiles.every(({ patrons }) => patrons === 0), back);
  patron.send({ type: 'sit', table: 'tiger' });
  await patron.receive('own', () => true, back);
  const seated = patron.received.length;
  (await PatronSocket.join(server, secretOf('3'), 'baccarat')).terminate();
  await patron.receive('heartbeat', () => true, seated);
  await patron.receive('heartbeat', ({ at }) => at > Date.now() - 5_000, patron.received.length);
  expect(patron.received.slice(seated).map(({ type }) => type)).not.toContain('lobby');
  patron.terminate();
  await server.close();
});
