import { expect, test } from 'vitest';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { TestTerminal } from './fakeSocket.ts';

const balance = (version: number, credit: number): ServerMessage => ({
  type: 'balance',
  version,
  terminal: 'T1',
  credit,
  session: { number: 1, since: 5, loaded: 100_000 },
  openStakes: [],
  limits: { stake: null, loss: 5_000, pausedUntil: null, realityCheckMs: 3_600_000, help: null },
  collect: null,
  locked: null,
  owed: 0,
  demo: true,
});

test('the patron client resends recall, limit and pause requests with the same id after a reconnect', async () => {
  const terminal = new TestTerminal();
  terminal.join();
  const requests = [
    terminal.patron.recall(),
    terminal.patron.recall('tiger:7'),
    terminal.patron.limit({ stake: 500 }),
    terminal.patron.pause(30),
  ];
  const sent = terminal.socket.sent.slice(1);
  expect(sent).toEqual([
    { type: 'recall', id: 'slip-0001' },
    { type: 'recall', id: 'slip-0002', before: 'tiger:7' },
    { type: 'limit', id: 'slip-0003', stake: 500 },
    { type: 'pause', id: 'slip-0004', minutes: 30 },
  ]);
  terminal.socket.deliver({ type: 'recalled', id: 'slip-0001', rounds: [], next: null });
  terminal.socket.drop();
  terminal.advance(125);
  terminal.socket.welcome('T1');
  // At whatever table the patron sits by now.
  expect(terminal.socket.sent.slice(1)).toEqual(sent.slice(1));
  terminal.socket.deliver(
    { type: 'recalled', id: 'slip-0002', rounds: [], next: 'tiger:3' },
    { type: 'limited', id: 'slip-0003' },
    { type: 'refused', id: 'slip-0004', code: 'limits-only-tighten', message: 'No.', by: null },
  );
  expect((await Promise.all(requests)).map(({ type }) => type)).toEqual(['recalled', 'recalled', 'limited', 'refused']);
});

test('the patron client keeps the newest balance in the lobby and at tables and resets versions when the server restarts', () => {
  const terminal = new TestTerminal();
  terminal.join();
  terminal.socket.deliver(balance(2, 900), balance(1, 800));
  expect(terminal.patron.state).toMatchObject({ terminal: 'T1', balance: { credit: 900, limits: { loss: 5_000 } } });
  expect(terminal.patron.state.balance).not.toHaveProperty('version');
  terminal.patron.sit('tiger');
  expect(terminal.patron.state.balance).toMatchObject({ credit: 900 });
  terminal.socket.drop();
  terminal.advance(125);
  terminal.socket.welcome('T1').deliver(balance(1, 700));
  expect(terminal.patron.state.balance).toMatchObject({ credit: 700 });
});
