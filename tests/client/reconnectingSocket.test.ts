import { expect, test } from 'vitest';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { TestTerminal } from './fakeSocket.ts';

test('the socket sends hello on open and becomes open on welcome', () => {
  const terminal = new TestTerminal();
  terminal.patron.open();
  expect(terminal.sockets).toHaveLength(1);
  expect(terminal.socket.address).toBe('ws://house.example/socket');
  expect(terminal.socket.sent).toEqual([]);
  terminal.socket.accept();
  expect(terminal.socket.sent).toEqual([{ type: 'hello', v: protocolVersion, secret: 'a'.repeat(64) }]);
  expect(terminal.patron.state.connection).toBe('joining');
  terminal.socket.deliver({ type: 'welcome', v: protocolVersion, at: 1_000_250, terminal: 'T7', demo: true });
  expect(terminal.patron.state).toMatchObject({ connection: 'open', terminal: 'T7', clockOffsetMs: 250 });
  terminal.now += 1_000;
  terminal.socket.deliver({ type: 'heartbeat', at: 1_001_240 });
  // The first heartbeat sets the offset anew; of later ones the fastest counts, with slow decay.
  expect(terminal.patron.state.clockOffsetMs).toBe(240);
  terminal.socket.deliver({ type: 'heartbeat', at: 1_001_200 });
  expect(terminal.patron.state.clockOffsetMs).toBe(239);
  terminal.socket.deliver({ type: 'heartbeat', at: 1_001_250 });
  expect(terminal.patron.state.clockOffsetMs).toBe(250);
});

test('the socket reconnects when the server is silent for 2.5 seconds, whatever the WebSocket reports', () => {
  const terminal = new TestTerminal();
  const frozen = terminal.join();
  for (let second = 0; second < 60; second++) {
    terminal.advance(1_000);
    frozen.deliver(terminal.heartbeat());
  }
  expect(terminal.states.map(({ connection }) => connection)).not.toContain('lost');
  terminal.advance(1_999);
  expect(terminal.patron.state.connection).toBe('open');
  terminal.advance(501);
  expect(terminal.patron.state.connection).toBe('lost');
  expect(frozen.closeCount).toBe(1);
  terminal.advance(250);
  expect(terminal.sockets).toHaveLength(2);
  // Messages that the browser held back arrive at last and are ignored.
  frozen.deliver(terminal.heartbeat());
  frozen.drop();
  expect(terminal.sockets).toHaveLength(2);
  expect(terminal.patron.state.connection).toBe('lost');
  terminal.socket.welcome();
  expect(terminal.patron.state.connection).toBe('open');
});

test.each<[string, (terminal: TestTerminal, socket: TestTerminal['socket']) => void]>([
  ['the server or the network is silent, without a close', () => {}],
  ['the server is killed', (_, socket) => socket.drop()],
  ['messages arrive with growing delay', (terminal, socket) => socket.deliver(terminal.heartbeat(2_501))],
])('a lost connection is reported within three seconds: %s', (_, happens) => {
  const terminal = new TestTerminal();
  const socket = terminal.join();
  for (let second = 0; second < 10; second++) {
    terminal.advance(1_000);
    socket.deliver(terminal.heartbeat());
  }
  expect(terminal.patron.state.connection).toBe('open');
  happens(terminal, socket);
  terminal.advance(2_999);
  expect(terminal.patron.state.connection).not.toBe('open');
});

test('the socket stays open on a constantly slow line and after one late message', () => {
  const terminal = new TestTerminal();
  const socket = terminal.join();
  for (const age of [4_000, 4_300, 3_900, 6_000, 4_000, 4_100]) {
    socket.deliver(terminal.heartbeat(age));
    terminal.advance(400);
  }
  socket.deliver(terminal.heartbeat(9_000), terminal.heartbeat(4_000));
  terminal.advance(1_000);
  expect(terminal.patron.state.connection).toBe('open');
});

test('the socket handles received messages first when its own process stood still', () => {
  const terminal = new TestTerminal();
  const socket = terminal.join();
  terminal.suspend(60_000);
  socket.deliver(terminal.heartbeat());
  terminal.advance(2_000);
  expect(terminal.patron.state.connection).toBe('open');
});

test('the socket retries when no welcome arrives within ten seconds', () => {
  const terminal = new TestTerminal();
  terminal.patron.open();
  terminal.advance(9_999);
  expect(terminal.patron.state.connection).toBe('joining');
  terminal.advance(1);
  expect(terminal.patron.state.connection).toBe('lost');
  terminal.advance(125);
  expect(terminal.sockets).toHaveLength(2);
  // An accepted connection without welcome is no better.
  terminal.socket.accept();
  terminal.advance(10_000);
  terminal.advance(250);
  expect(terminal.sockets).toHaveLength(3);
});

test.each([
  { randomValue: 0, pauses: [0, 0, 0, 0, 0, 0] },
  { randomValue: 0.5, pauses: [125, 250, 500, 1_000, 2_000, 2_000] },
  { randomValue: 0.999, pauses: [249.75, 499.5, 999, 1_998, 3_996, 3_996] },
])('each backoff is random between zero and twice the last, up to four seconds (random value $randomValue)', (one) => {
  const terminal = new TestTerminal();
  terminal.randomValue = one.randomValue;
  terminal.join();
  for (const [n, pause] of one.pauses.entries()) {
    const before = terminal.sockets.length;
    terminal.socket.drop();
    if (pause > 0) terminal.advance(pause - 0.25);
    expect(terminal.sockets, `try ${n}`).toHaveLength(before);
    terminal.advance(0.25);
    expect(terminal.sockets, `try ${n}`).toHaveLength(before + 1);
  }
});

test('the backoff starts anew only after a connection was open for ten seconds', () => {
  const terminal = new TestTerminal();
  const hold = (time: number): void => {
    for (let passed = 0; passed < time; passed += 500) {
      terminal.socket.deliver(terminal.heartbeat());
      terminal.advance(500);
    }
  };
  terminal.join();
  for (let n = 0; n < 4; n++) {
    hold(9_500);
    terminal.socket.drop();
    terminal.advance(4_000);
    terminal.socket.welcome();
  }
  hold(9_500);
  terminal.socket.drop();
  terminal.advance(1_999);
  expect(terminal.sockets).toHaveLength(5);
  terminal.advance(1);
  expect(terminal.sockets).toHaveLength(6);
  terminal.socket.welcome();
  hold(10_000);
  terminal.socket.drop();
  terminal.advance(125);
  expect(terminal.sockets).toHaveLength(7);
});

test('the socket waits for the longest backoff after a rate-limit close, but not after a server close', () => {
  const terminal = new TestTerminal();
  terminal.join();
  terminal.socket.drop(1001);
  terminal.advance(125);
  expect(terminal.sockets).toHaveLength(2);
  terminal.socket.welcome().drop(1008);
  expect(terminal.patron.state.connection).toBe('lost');
  terminal.advance(1_999);
  expect(terminal.sockets).toHaveLength(2);
  terminal.advance(1);
  expect(terminal.sockets).toHaveLength(3);
});

test('the socket stops when the server has another protocol version', () => {
  const terminal = new TestTerminal();
  terminal.patron.open();
  const socket = terminal.socket.accept();
  socket.deliver({ type: 'refused', id: null, code: 'wrong-protocol', message: 'Load the page again.', by: null });
  socket.drop(1008);
  expect(terminal.patron.state.connection).toBe('outdated');
  terminal.advance(60_000);
  terminal.patron.open();
  expect(terminal.sockets).toHaveLength(1);
  expect(terminal.timerCount).toBe(0);
});

test('open() ends the backoff and uses the current address', () => {
  const terminal = new TestTerminal();
  terminal.join();
  for (let n = 0; n < 6; n++) {
    terminal.socket.drop();
    terminal.advance(4_000);
  }
  terminal.socket.drop();
  terminal.address = 'ws://other.example/socket';
  terminal.patron.open();
  const under = terminal.socket;
  expect(under.address).toBe('ws://other.example/socket');
  // An attempt in progress can be replaced, too.
  terminal.address = 'ws://third.example/socket';
  terminal.patron.open();
  expect(under.closeCount).toBe(1);
  under.welcome();
  expect(terminal.patron.state.connection).toBe('lost');
  const tries = terminal.sockets.length;
  terminal.advance(4_000);
  expect(terminal.sockets).toHaveLength(tries);
  terminal.socket.welcome();
  expect(terminal.socket.address).toBe('ws://third.example/socket');
  // An open connection is kept.
  terminal.patron.open();
  expect(terminal.sockets).toHaveLength(tries);
  expect(terminal.patron.state.connection).toBe('open');
});

test('a closed socket stays closed and leaves no timer', () => {
  const terminal = new TestTerminal();
  const socket = terminal.join();
  terminal.patron.close();
  expect(terminal.patron.state.connection).toBe('closed');
  expect(socket.closeCount).toBe(1);
  socket.drop();
  terminal.patron.open();
  terminal.advance(60_000);
  expect(terminal.sockets).toHaveLength(1);
  expect(terminal.timerCount).toBe(0);
});
