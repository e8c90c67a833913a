import { expect, test } from 'vitest';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { Machine } from './fake.ts';

test('the socket sends hello on open and becomes open on welcome', () => {
  const machine = new Machine();
  machine.patron.open();
  expect(machine.sockets).toHaveLength(1);
  expect(machine.socket.address).toBe('ws://house.example/socket');
  expect(machine.socket.said).toEqual([]);
  machine.socket.opens();
  expect(machine.socket.said).toEqual([{ type: 'hello', v: protocolVersion, secret: 'a'.repeat(64) }]);
  expect(machine.patron.state.connection).toBe('joining');
  machine.socket.tells({ type: 'welcome', v: protocolVersion, at: 1_000_250, terminal: 'T7', demo: true });
  expect(machine.patron.state).toMatchObject({ link: 'open', terminal: 'T7', ahead: 250 });
  machine.now += 1_000;
  machine.socket.tells({ type: 'heartbeat', at: 1_001_240 });
  // The first beat tells it anew; of those after it the quickest counts, and is slowly forgotten.
  expect(machine.patron.state.clockOffsetMs).toBe(240);
  machine.socket.tells({ type: 'heartbeat', at: 1_001_200 });
  expect(machine.patron.state.clockOffsetMs).toBe(239);
  machine.socket.tells({ type: 'heartbeat', at: 1_001_250 });
  expect(machine.patron.state.clockOffsetMs).toBe(250);
});

test('the socket reconnects when the server is silent for 2.5 seconds, whatever the WebSocket reports', () => {
  const machine = new Machine();
  const frozen = machine.join();
  for (let second = 0; second < 60; second++) {
    machine.pass(1_000);
    frozen.tells(machine.beat());
  }
  expect(machine.seen.map(({ connection }) => connection)).not.toContain('lost');
  machine.pass(1_999);
  expect(machine.patron.state.connection).toBe('open');
  machine.pass(501);
  expect(machine.patron.state.connection).toBe('lost');
  expect(frozen.closed).toBe(1);
  machine.pass(250);
  expect(machine.sockets).toHaveLength(2);
  // What the browser held back comes at last, and means nothing any more.
  frozen.tells(machine.beat());
  frozen.ends();
  expect(machine.sockets).toHaveLength(2);
  expect(machine.patron.state.connection).toBe('lost');
  machine.socket.welcomes();
  expect(machine.patron.state.connection).toBe('open');
});

test.each<[string, (machine: Machine, socket: Machine['socket']) => void]>([
  ['the server is frozen, or the cable is out: nothing comes, and no close', () => {}],
  ['the server is killed', (_, socket) => socket.ends()],
  ['the line brings everything later and later', (machine, socket) => socket.tells(machine.beat(2_501))],
])('a link that is lost is shown within three seconds: %s', (_, happens) => {
  const machine = new Machine();
  const socket = machine.join();
  for (let second = 0; second < 10; second++) {
    machine.pass(1_000);
    socket.tells(machine.beat());
  }
  expect(machine.patron.state.connection).toBe('open');
  happens(machine, socket);
  machine.pass(2_999);
  expect(machine.patron.state.connection).not.toBe('open');
});

test('the socket stays open on a constantly slow line and after one late message', () => {
  const machine = new Machine();
  const socket = machine.join();
  for (const age of [4_000, 4_300, 3_900, 6_000, 4_000, 4_100]) {
    socket.tells(machine.beat(age));
    machine.pass(400);
  }
  socket.tells(machine.beat(9_000), machine.beat(4_000));
  machine.pass(1_000);
  expect(machine.patron.state.connection).toBe('open');
});

test('the socket handles received messages first when its own process stood still', () => {
  const machine = new Machine();
  const socket = machine.join();
  machine.sleep(60_000);
  socket.tells(machine.beat());
  machine.pass(2_000);
  expect(machine.patron.state.connection).toBe('open');
});

test('the socket retries when no welcome arrives within ten seconds', () => {
  const machine = new Machine();
  machine.patron.open();
  machine.pass(9_999);
  expect(machine.patron.state.connection).toBe('joining');
  machine.pass(1);
  expect(machine.patron.state.connection).toBe('lost');
  machine.pass(125);
  expect(machine.sockets).toHaveLength(2);
  // A call that is taken without a word is no better.
  machine.socket.opens();
  machine.pass(10_000);
  machine.pass(250);
  expect(machine.sockets).toHaveLength(3);
});

test.each([
  { chance: 0, pauses: [0, 0, 0, 0, 0, 0] },
  { chance: 0.5, pauses: [125, 250, 500, 1_000, 2_000, 2_000] },
  { chance: 0.999, pauses: [249.75, 499.5, 999, 1_998, 3_996, 3_996] },
])('each pause is anywhere between nothing and twice the last, up to four seconds (chance $chance)', (one) => {
  const machine = new Machine();
  machine.chance = one.chance;
  machine.join();
  for (const [n, pause] of one.pauses.entries()) {
    const before = machine.sockets.length;
    machine.socket.ends();
    if (pause > 0) machine.pass(pause - 0.25);
    expect(machine.sockets, `try ${n}`).toHaveLength(before);
    machine.pass(0.25);
    expect(machine.sockets, `try ${n}`).toHaveLength(before + 1);
  }
});

test('the backoff starts anew only after a connection was open for ten seconds', () => {
  const machine = new Machine();
  const hold = (time: number): void => {
    for (let passed = 0; passed < time; passed += 500) {
      machine.socket.tells(machine.beat());
      machine.pass(500);
    }
  };
  machine.join();
  for (let n = 0; n < 4; n++) {
    hold(9_500);
    machine.socket.ends();
    machine.pass(4_000);
    machine.socket.welcomes();
  }
  hold(9_500);
  machine.socket.ends();
  machine.pass(1_999);
  expect(machine.sockets).toHaveLength(5);
  machine.pass(1);
  expect(machine.sockets).toHaveLength(6);
  machine.socket.welcomes();
  hold(10_000);
  machine.socket.ends();
  machine.pass(125);
  expect(machine.sockets).toHaveLength(7);
});

test('the socket waits for the longest backoff after a rate-limit close, but not after a server close', () => {
  const machine = new Machine();
  machine.join();
  machine.socket.ends(1001);
  machine.pass(125);
  expect(machine.sockets).toHaveLength(2);
  machine.socket.welcomes().ends(1008);
  expect(machine.patron.state.connection).toBe('lost');
  machine.pass(1_999);
  expect(machine.sockets).toHaveLength(2);
  machine.pass(1);
  expect(machine.sockets).toHaveLength(3);
});

test('the socket stops when the server has another protocol version', () => {
  const machine = new Machine();
  machine.patron.open();
  const socket = machine.socket.opens();
  socket.tells({ type: 'refused', id: null, code: 'wrong-protocol', message: 'Load the page again.', by: null });
  socket.ends(1008);
  expect(machine.patron.state.connection).toBe('outdated');
  machine.pass(60_000);
  machine.patron.open();
  expect(machine.sockets).toHaveLength(1);
  expect(machine.timers).toBe(0);
});

test('open() ends the backoff and uses the current address', () => {
  const machine = new Machine();
  machine.join();
  for (let n = 0; n < 6; n++) {
    machine.socket.ends();
    machine.pass(4_000);
  }
  machine.socket.ends();
  machine.address = 'ws://other.example/socket';
  machine.patron.open();
  const under = machine.socket;
  expect(under.address).toBe('ws://other.example/socket');
  // So can a try that is under way.
  machine.address = 'ws://third.example/socket';
  machine.patron.open();
  expect(under.closed).toBe(1);
  under.welcomes();
  expect(machine.patron.state.connection).toBe('lost');
  const tries = machine.sockets.length;
  machine.pass(4_000);
  expect(machine.sockets).toHaveLength(tries);
  machine.socket.welcomes();
  expect(machine.socket.address).toBe('ws://third.example/socket');
  // And a link that is open is left alone.
  machine.patron.open();
  expect(machine.sockets).toHaveLength(tries);
  expect(machine.patron.state.connection).toBe('open');
});

test('a closed socket stays closed and leaves no timer', () => {
  const machine = new Machine();
  const socket = machine.join();
  machine.patron.close();
  expect(machine.patron.state.connection).toBe('closed');
  expect(socket.closed).toBe(1);
  socket.ends();
  machine.patron.open();
  machine.pass(60_000);
  expect(machine.sockets).toHaveLength(1);
  expect(machine.timers).toBe(0);
});
