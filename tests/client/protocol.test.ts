import { expect, expectTypeOf, test } from 'vitest';
import { PendingRequests } from '../../src/client/pendingRequests.ts';
import { ReconnectingSocket, type ConnectionState } from '../../src/client/reconnectingSocket.ts';
import { TestTerminal } from './fakeSocket.ts';

/** Invented protocol: a device in the pit that says hello with its number and requests cards. */
type Device = {
  readonly outgoing:
    | { readonly type: 'hello'; readonly device: number }
    | { readonly type: 'fetch'; readonly id: string; readonly decks: number }
    | { readonly type: 'rest' };
  readonly incoming:
    | { readonly type: 'welcome'; readonly pit: string }
    | { readonly type: 'accepted'; readonly id: string; readonly by: number }
    | { readonly type: 'refused'; readonly id: string | null; readonly code: string };
};

function device() {
  const terminal = new TestTerminal();
  const states: ConnectionState[] = [];
  const pits: string[] = [];
  const pending = new PendingRequests<Device>();
  const socket: ReconnectingSocket<Device> = new ReconnectingSocket<Device>(
    terminal.environment,
    { address: () => terminal.address, firstMessages: () => [{ type: 'hello', device: 7 }, { type: 'rest' }] },
    {
      onMessage: (message) => {
        if (message.type !== 'welcome') return pending.resolve(message);
        pits.push(message.pit);
        for (const request of pending.unanswered) socket.send(request);
      },
      onStateChange: (state) => states.push(state),
    },
  );
  const messages = (...reply: readonly Device['incoming'][]): void => {
    for (const one of reply) terminal.socket.deliverText(JSON.stringify(one));
  };
  return { terminal, states, pits, pending, socket, messages };
}

const welcome = { type: 'welcome', pit: 'north' } as const;
const fetch = { type: 'fetch', id: 'f1', decks: 8 } as const;

test('the socket and requests work with another protocol, also after a reconnect', async () => {
  const { terminal, states, pits, pending, socket, messages } = device();
  socket.open();
  terminal.socket.accept();
  expect(terminal.socket.sent).toEqual([{ type: 'hello', device: 7 }, { type: 'rest' }]);
  messages(welcome);
  const answer = pending.add(fetch);
  expect(socket.send(fetch)).toBe(true);
  terminal.socket.drop();
  expect(socket.send({ type: 'rest' })).toBe(false);
  terminal.advance(250);
  terminal.socket.accept();
  messages(welcome, { type: 'accepted', id: 'f1', by: 3 });
  expect(terminal.socket.sent.at(-1)).toEqual(fetch);
  const reply = await answer;
  expect(reply).toEqual({ type: 'accepted', id: 'f1', by: 3 });
  // The type of a message follows from the protocol.
  if (reply.type === 'accepted') expectTypeOf(reply.by).toBeNumber();
  expect([states, pits, pending.unanswered]).toEqual([['open', 'lost', 'open'], ['north', 'north'], []]);
});

test('another protocol gets refusals and version errors in its own messages', async () => {
  const { terminal, states, pending, socket, messages } = device();
  socket.open();
  terminal.socket.accept();
  messages(welcome);
  const answer = pending.add(fetch);
  messages({ type: 'refused', id: 'f1', code: 'no-cards' });
  expect(await answer).toEqual({ type: 'refused', id: 'f1', code: 'no-cards' });
  messages({ type: 'refused', id: null, code: 'wrong-protocol' });
  expect(states).toEqual(['open', 'outdated']);
});
