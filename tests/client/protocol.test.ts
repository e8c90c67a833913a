import { expect, expectTypeOf, test } from 'vitest';
import { PendingRequests } from '../../src/client/pendingRequests.ts';
import { ReconnectingSocket, type ConnectionState } from '../../src/client/reconnectingSocket.ts';
import { Machine } from './fake.ts';

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
  const machine = new Machine();
  const states: ConnectionState[] = [];
  const pits: string[] = [];
  const answers = new PendingRequests<Device>();
  const link: ReconnectingSocket<Device> = new ReconnectingSocket<Device>(
    machine.world,
    { address: () => machine.address, firstMessages: () => [{ type: 'hello', device: 7 }, { type: 'rest' }] },
    {
      onMessage: (tell) => {
        if (tell.type !== 'welcome') return answers.resolve(tell);
        pits.push(tell.pit);
        for (const ask of answers.unanswered) link.send(ask);
      },
      onStateChange: (state) => states.push(state),
    },
  );
  const tells = (...told: readonly Device['incoming'][]): void => {
    for (const one of told) machine.socket.gets(JSON.stringify(one));
  };
  return { machine, states, pits, answers, link, tells };
}

const welcome = { type: 'welcome', pit: 'north' } as const;
const fetch = { type: 'fetch', id: 'f1', decks: 8 } as const;

test('the socket and requests work with another protocol, also after a reconnect', async () => {
  const { machine, states, pits, answers, link, tells } = device();
  link.open();
  machine.socket.opens();
  expect(machine.socket.said).toEqual([{ type: 'hello', device: 7 }, { type: 'rest' }]);
  tells(welcome);
  const answer = answers.add(fetch);
  expect(link.send(fetch)).toBe(true);
  machine.socket.ends();
  expect(link.send({ type: 'rest' })).toBe(false);
  machine.pass(250);
  machine.socket.opens();
  tells(welcome, { type: 'accepted', id: 'f1', by: 3 });
  expect(machine.socket.said.at(-1)).toEqual(fetch);
  const told = await answer;
  expect(told).toEqual({ type: 'accepted', id: 'f1', by: 3 });
  // The type of a message follows from the protocol.
  if (told.type === 'accepted') expectTypeOf(told.by).toBeNumber();
  expect([states, pits, answers.unanswered]).toEqual([['open', 'lost', 'open'], ['north', 'north'], []]);
});

test('another protocol gets refusals and version errors in its own messages', async () => {
  const { machine, states, answers, link, tells } = device();
  link.open();
  machine.socket.opens();
  tells(welcome);
  const answer = answers.add(fetch);
  tells({ type: 'refused', id: 'f1', code: 'no-cards' });
  expect(await answer).toEqual({ type: 'refused', id: 'f1', code: 'no-cards' });
  tells({ type: 'refused', id: null, code: 'wrong-protocol' });
  expect(states).toEqual(['open', 'outdated']);
});
