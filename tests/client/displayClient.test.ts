import { expect, test } from 'vitest';
import { type DisplayClientState, DisplayClient } from '../../src/client/displayClient.ts';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { TestTerminal, tableMessage } from './fakeSocket.ts';

/** A display of the table tiger, and all states that it had. */
function startDisplay() {
  const terminal = new TestTerminal();
  const states: DisplayClientState[] = [];
  const watcher = new DisplayClient(
    terminal.environment,
    () => terminal.address,
    'tiger',
    (now) => states.push(now),
  );
  watcher.open();
  return { terminal, watcher, last: () => states.at(-1)! };
}

const refused = (code: string): ServerMessage => ({ type: 'refused', id: null, code, message: 'No.', by: null });

test('the display says hello without a secret and applies the deltas of its table', () => {
  const { terminal, last } = startDisplay();
  terminal.socket.welcome(null, terminal.now + 70);
  expect(terminal.socket.sent).toEqual([
    { type: 'hello', v: protocolVersion },
    { type: 'watch', table: 'tiger' },
  ]);
  terminal.socket.deliver(
    tableMessage(4, true, { phase: 'betting', decks: 8 }),
    tableMessage(5, false, { phase: 'dealing' }),
  );
  expect(last()).toMatchObject({
    connection: 'open',
    clockOffsetMs: 70,
    isKnown: true,
    view: { phase: 'dealing', decks: 8 },
  });
  terminal.socket.deliver({ type: 'heartbeat', at: terminal.now + 90 });
  expect(last().clockOffsetMs).toBe(90);
});

test('the display requests the full view and waits for it when a version is missing', () => {
  const { terminal, last } = startDisplay();
  terminal.socket.welcome();
  terminal.socket.deliver(tableMessage(4, true, { phase: 'betting' }), tableMessage(6, false, { phase: 'result' }));
  expect(terminal.socket.sent.at(-1)).toEqual({ type: 'whole', of: 'table' });
  expect(last()).toMatchObject({ view: { phase: 'betting' } });
  terminal.socket.deliver(tableMessage(7, true, { phase: 'idle' }));
  expect(last()).toMatchObject({ view: { phase: 'idle' } });
});

test('the display reconnects, keeps its view meanwhile and starts anew with the server', () => {
  const { terminal, watcher, last } = startDisplay();
  terminal.socket.welcome();
  terminal.socket.deliver(tableMessage(9, true, { phase: 'betting' }));
  terminal.socket.drop();
  expect(last()).toMatchObject({ connection: 'lost', view: { phase: 'betting' } });
  terminal.advance(4_000);
  terminal.socket.welcome();
  expect(terminal.socket.sent.map(({ type }) => type)).toEqual(['hello', 'watch']);
  terminal.socket.deliver(tableMessage(1, true, { phase: 'dealing' }));
  expect(last()).toMatchObject({ connection: 'open', view: { phase: 'dealing' } });
  watcher.close();
  expect(last().connection).toBe('closed');
});

test('the display reports an unknown table and tries again after a reconnect', () => {
  const { terminal, last } = startDisplay();
  terminal.socket.welcome();
  terminal.socket.deliver(refused('unknown-table'));
  expect(last()).toMatchObject({ isKnown: false, view: null });
  terminal.socket.drop();
  terminal.advance(4_000);
  terminal.socket.welcome();
  terminal.socket.deliver(tableMessage(1, true, { phase: 'betting' }));
  expect(last()).toMatchObject({ isKnown: true, view: { phase: 'betting' } });
});

test('the display stops when the server has another protocol version', () => {
  const { terminal, last } = startDisplay();
  terminal.socket.accept();
  terminal.socket.deliver(refused('wrong-protocol'));
  expect(last().connection).toBe('outdated');
  terminal.advance(60_000);
  expect(terminal.sockets).toHaveLength(1);
});
