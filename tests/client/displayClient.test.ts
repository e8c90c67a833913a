import { expect, test } from 'vitest';
import { type DisplayState, DisplayClient } from '../../src/client/displayClient.ts';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { Machine, tableTell } from './fake.ts';

/** A screen over the table tiger, with all that it has seen. */
function screen() {
  const machine = new Machine();
  const seen: DisplayState[] = [];
  const watcher = new DisplayClient(
    machine.world,
    () => machine.address,
    'tiger',
    (now) => seen.push(now),
  );
  watcher.open();
  return { machine, watcher, last: () => seen.at(-1)! };
}

const refused = (code: string): ServerMessage => ({ type: 'refused', id: null, code, message: 'No.', by: null });

test('the display says hello without a secret and applies the deltas of its table', () => {
  const { machine, last } = screen();
  machine.socket.welcomes(null, machine.now + 70);
  expect(machine.socket.said).toEqual([
    { type: 'hello', v: protocolVersion },
    { type: 'watch', table: 'tiger' },
  ]);
  machine.socket.tells(tableTell(4, true, { phase: 'betting', decks: 8 }), tableTell(5, false, { phase: 'dealing' }));
  expect(last()).toMatchObject({ link: 'open', ahead: 70, isKnown: true, view: { phase: 'dealing', decks: 8 } });
  machine.socket.tells({ type: 'heartbeat', at: machine.now + 90 });
  expect(last().clockOffsetMs).toBe(90);
});

test('the display requests the full view and waits for it when a version is missing', () => {
  const { machine, last } = screen();
  machine.socket.welcomes();
  machine.socket.tells(tableTell(4, true, { phase: 'betting' }), tableTell(6, false, { phase: 'result' }));
  expect(machine.socket.said.at(-1)).toEqual({ type: 'whole', of: 'table' });
  expect(last()).toMatchObject({ view: { phase: 'betting' } });
  machine.socket.tells(tableTell(7, true, { phase: 'idle' }));
  expect(last()).toMatchObject({ view: { phase: 'idle' } });
});

test('the display reconnects, keeps its view meanwhile and starts anew with the server', () => {
  const { machine, watcher, last } = screen();
  machine.socket.welcomes();
  machine.socket.tells(tableTell(9, true, { phase: 'betting' }));
  machine.socket.ends();
  expect(last()).toMatchObject({ link: 'lost', view: { phase: 'betting' } });
  machine.pass(4_000);
  machine.socket.welcomes();
  expect(machine.socket.said.map(({ type }) => type)).toEqual(['hello', 'watch']);
  machine.socket.tells(tableTell(1, true, { phase: 'dealing' }));
  expect(last()).toMatchObject({ link: 'open', view: { phase: 'dealing' } });
  watcher.close();
  expect(last().connection).toBe('closed');
});

test('the display reports an unknown table and tries again after a reconnect', () => {
  const { machine, last } = screen();
  machine.socket.welcomes();
  machine.socket.tells(refused('unknown-table'));
  expect(last()).toMatchObject({ isKnown: false, view: null });
  machine.socket.ends();
  machine.pass(4_000);
  machine.socket.welcomes();
  machine.socket.tells(tableTell(1, true, { phase: 'betting' }));
  expect(last()).toMatchObject({ isKnown: true, view: { phase: 'betting' } });
});

test('the display stops when the server has another protocol version', () => {
  const { machine, last } = screen();
  machine.socket.opens();
  machine.socket.tells(refused('wrong-protocol'));
  expect(last().connection).toBe('outdated');
  machine.pass(60_000);
  expect(machine.sockets).toHaveLength(1);
});
