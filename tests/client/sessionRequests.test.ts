import { expect, test } from 'vitest';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { Machine } from './fake.ts';

const purse = (version: number, credit: number): ServerMessage => ({
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
  const machine = new Machine();
  machine.join();
  const asked = [
    machine.patron.recall(),
    machine.patron.recall('tiger:7'),
    machine.patron.limit({ stake: 500 }),
    machine.patron.pause(30),
  ];
  const said = machine.socket.said.slice(1);
  expect(said).toEqual([
    { type: 'recall', id: 'slip-0001' },
    { type: 'recall', id: 'slip-0002', before: 'tiger:7' },
    { type: 'limit', id: 'slip-0003', stake: 500 },
    { type: 'pause', id: 'slip-0004', minutes: 30 },
  ]);
  machine.socket.tells({ type: 'recalled', id: 'slip-0001', rounds: [], next: null });
  machine.socket.ends();
  machine.pass(125);
  machine.socket.welcomes('T1');
  // Wherever the patron sits by now.
  expect(machine.socket.said.slice(1)).toEqual(said.slice(1));
  machine.socket.tells(
    { type: 'recalled', id: 'slip-0002', rounds: [], next: 'tiger:3' },
    { type: 'limited', id: 'slip-0003' },
    { type: 'refused', id: 'slip-0004', code: 'limits-only-tighten', message: 'No.', by: null },
  );
  expect((await Promise.all(asked)).map(({ type }) => type)).toEqual(['recalled', 'recalled', 'limited', 'refused']);
});

test('the patron client keeps the newest balance in the lobby and at tables and resets versions when the server restarts', () => {
  const machine = new Machine();
  machine.join();
  machine.socket.tells(purse(2, 900), purse(1, 800));
  expect(machine.patron.state).toMatchObject({ terminal: 'T1', balance: { credit: 900, limits: { loss: 5_000 } } });
  expect(machine.patron.state.balance).not.toHaveProperty('version');
  machine.patron.sit('tiger');
  expect(machine.patron.state.balance).toMatchObject({ credit: 900 });
  machine.socket.ends();
  machine.pass(125);
  machine.socket.welcomes('T1').tells(purse(1, 700));
  expect(machine.patron.state.balance).toMatchObject({ credit: 700 });
});
