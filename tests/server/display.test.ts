import { expect, test } from 'vitest';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type Server } from '../../src/server/serverOptions.ts';
import { attendedSettings } from '../runtime/staffed.ts';
import { Guest, house, secretOf } from './house.ts';

async function watching(server: Server, table: string): Promise<Guest> {
  const guest = await Guest.arrive(server);
  guest.say({ type: 'hello', v: protocolVersion });
  await guest.hears('welcome');
  guest.say({ type: 'watch', table });
  return guest;
}

test('a display sees only the public view, takes no seat and is not counted as a patron', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const server = await house({ store, tables: ['tiger'] });
  const screen = await watching(server, 'tiger');
  await screen.round();
  expect(await screen.hears('welcome')).toMatchObject({ terminal: null });
  const patron = await Guest.seated(server, secretOf('1'), 'tiger');
  const lobby = await Guest.seated(server, secretOf('2'));
  await lobby.hears('lobby', ({ tiles }) => tiles[0]!.patrons === 1);
  patron.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round: await patron.round(), slip: { tie: 500 } });
  await screen.hears('table', ({ view }) => view.staked['tie']?.stake === 500);
  expect(new Set(screen.heard.map(({ type }) => type).filter((type) => type !== 'heartbeat'))).toEqual(
    new Set(['welcome', 'table']),
  );
  screen.say({ type: 'whole', of: 'own' });
  screen.say({ type: 'whole', of: 'table' });
  await screen.hears('table', () => true, screen.heard.length);
  expect(screen.heard.some(({ type }) => type === 'own')).toBe(false);
  patron.leave();
  await lobby.hears('lobby', ({ tiles }) => tiles[0]!.patrons === 0);
  for (const guest of [screen, lobby]) guest.leave();
  await server.close();
  expect(await store.listValues('patron')).toHaveProperty('size', 1);
});

test('a display cannot take a seat, bet, or say hello again with a secret', async () => {
  const server = await house({ tables: ['tiger'] });
  const screen = await watching(server, 'tiger');
  const round = await screen.round();
  expect(await screen.refusal({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'hello-first' });
  expect(
    await screen.refusal({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 500 } }),
  ).toMatchObject({ code: 'not-seated', id: 'slip-0001' });
  expect(await screen.refusal({ type: 'renew', id: 'renew-001', secret: secretOf('9') })).toMatchObject({
    code: 'not-seated',
  });
  expect(await screen.refusal({ type: 'hello', v: protocolVersion, secret: secretOf('1') })).toMatchObject({
    code: 'bad-request',
  });
  expect(await screen.refusal({ type: 'watch', table: 'lion' })).toMatchObject({ code: 'unknown-table' });
  screen.leave();
  await server.close();
});

test('a display may subscribe before its table is opened and gets the view afterwards', async () => {
  const { table } = attendedSettings;
  const server = await house({ tables: [table], settings: { ...attendedSettings } });
  const screen = await watching(server, table);
  screen.say({ type: 'whole', of: 'table' });
  await screen.hears('heartbeat');
  expect(screen.heard.map(({ type }) => type)).not.toContain('table');
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
  expect((await screen.hears('table')).view).toMatchObject({ table, phase: 'idle', shoe: null });
  screen.leave();
  await server.close();
});

test('a seated patron receives lobby tiles while subscribed', async () => {
  const server = await house({ tables: ['tiger', 'baccarat'] });
  const guest = await Guest.seated(server, secretOf('1'), 'tiger');
  await guest.round();
  const from = guest.heard.length;
  guest.say({ type: 'watch-lobby', wanted: true });
  await guest.hears('lobby', ({ tiles }) => tiles.length === 2, from);
  const other = await Guest.seated(server, secretOf('2'), 'baccarat');
  await guest.hears('lobby', ({ tiles }) => tiles.find(({ table }) => table === 'baccarat')!.patrons === 1, from);
  // Another table does not change that, nor does the lobby.
  guest.say({ type: 'sit', table: 'baccarat' });
  await guest.hears('lobby', ({ tiles }) => tiles.find(({ table }) => table === 'baccarat')!.patrons === 2, from);
  guest.say({ type: 'leave' });
  guest.say({ type: 'watch-lobby', wanted: false });
  const back = guest.heard.length;
  other.leave();
  await guest.hears('lobby', ({ tiles }) => tiles.every(({ patrons }) => patrons === 0), back);
  guest.say({ type: 'sit', table: 'tiger' });
  await guest.hears('own', () => true, back);
  const seated = guest.heard.length;
  (await Guest.seated(server, secretOf('3'), 'baccarat')).leave();
  await guest.hears('heartbeat', () => true, seated);
  await guest.hears('heartbeat', ({ at }) => at > Date.now() - 5_000, guest.heard.length);
  expect(guest.heard.slice(seated).map(({ type }) => type)).not.toContain('lobby');
  guest.leave();
  await server.close();
});
