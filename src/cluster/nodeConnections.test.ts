import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { type NodeRequestResult } from './nodeConnection.ts';
import { NodeConnections } from './nodeConnections.ts';

const key = randomBytes(32);
/** Silence timeout in milliseconds, longer than a busy machine is ever silent. */
const longTimeoutMs = 4_000;
/** Silence timeout in milliseconds of tests with a silent peer. */
const silenceMs = 1_000;
/** Time for a reply, in milliseconds. No test waits for all of it. */
const replyMs = 60_000;

/** Waits until a condition holds. */
async function until(isSo: () => boolean, what: string): Promise<void> {
  const begun = performance.now();
  while (!isSo()) {
    if (performance.now() - begun > 300_000) throw new Error(`Not true within 300 s: ${what}.`);
    await setTimeout(5);
  }
}

type Ways = {
  readonly clockOffsetMs?: number;
  readonly silenceMs?: number;
  readonly key?: Buffer;
  readonly answers?: (body: unknown) => Promise<unknown>;
};

/** A node with its connections and what it received. */
async function node(
  id: string,
  {
    clockOffsetMs: later = 0,
    silenceMs: silence = longTimeoutMs,
    key: own = key,
    answers = async (body) => ({ id, body }),
  }: Ways = {},
) {
  const received: unknown[] = [];
  const ended: string[] = [];
  const warnings: string[] = [];
  const peers = await NodeConnections.open({
    id,
    host: '127.0.0.1',
    port: 0,
    key: own,
    silenceMs: silence,
    clock: () => Date.now() + later,
    onRequest: (_, body) => answers(body),
    onMessage: (from, body) => received.push([from, body]),
    onUp: () => {},
    onDown: (other) => void ended.push(other),
    onWarning: (_, error) => warnings.push((error as Error).message),
  });
  onTestFinished(() => peers.close());
  return { id, peers, received, ended, warnings, reached: { id, nodeUrl: peers.address } };
}

type Made = Awaited<ReturnType<typeof node>>;

/** Connects all nodes with each other. */
async function meet(...nodes: readonly Made[]): Promise<void> {
  for (const one of nodes) one.peers.setNodes(nodes.filter((other) => other !== one).map(({ reached }) => reached));
  await until(
    () => nodes.every((one) => nodes.every((other) => one === other || one.peers.isConnected(other.id))),
    'all nodes are connected',
  );
}

/** A proxy between two nodes that forwards, changes or drops frames. */
async function stranger(to: string, passes: (data: Buffer, isBinary: boolean, count: number) => readonly Buffer[]) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  let isDeaf = false;
  const bytesIn = (data: RawData): Buffer => data as Buffer;
  server.on('connection', (near) => {
    const far = new WebSocket(to);
    const opened = once(far, 'open');
    let count = 0;
    near.on('message', async (data, isBinary) => {
      await opened;
      if (isDeaf) return;
      for (const part of passes(bytesIn(data), isBinary, isBinary ? ++count : 0)) far.send(part, { binary: isBinary });
    });
    far.on('message', (data, isBinary) => isDeaf || near.send(bytesIn(data), { binary: isBinary }));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('close', () => other.terminate());
      one.on('error', () => {});
    }
  });
  onTestFinished(() => {
    for (const one of server.clients) one.terminate();
    server.close();
  });
  return {
    nodeUrl: `ws://127.0.0.1:${(server.address() as { port: number }).port}/`,
    deaf: (is: boolean): void => void (isDeaf = is),
  };
}

test('two nodes exchange requests and messages over one connection and measure their clock offset', async () => {
  const [one, other] = [await node('a'), await node('b', { clockOffsetMs: 5_000 })];
  await meet(one, other);
  expect(await one.peers.request('b', { x: 1 }, replyMs)).toEqual({ answer: { id: 'b', body: { x: 1 } } });
  expect(await other.peers.request('a', '中文', replyMs)).toEqual({ answer: { id: 'a', body: '中文' } });
  one.peers.broadcast({ heads: { s: 3 } });
  expect(other.peers.send('a', 'hint')).toBe(true);
  await until(() => one.received.length + other.received.length === 2, 'both have received a message');
  expect([one.received, other.received]).toEqual([[['b', 'hint']], [['a', { heads: { s: 3 } }]]]);
  // The quickest of several exchanges counts.
  await until(() => Math.abs(one.peers.offset('b') - 5_000) < 200, 'the clock of b is known to be 5 s ahead');
  await until(() => Math.abs(other.peers.offset('a') + 5_000) < 200, 'the clock of a is known to be 5 s behind');
  expect([...one.warnings, ...other.warnings]).toEqual([]);
});

test('each pair of three nodes has one connection; when one leaves, the others stay', async () => {
  const [one, two, three] = [await node('a'), await node('b'), await node('c')];
  await meet(one, two, three);
  expect([one, two, three].map(({ peers }) => peers.connectedNodes.length)).toEqual([2, 2, 2]);
  await two.peers.close();
  await until(() => !one.peers.isConnected('b') && !three.peers.isConnected('b'), 'node b is disconnected');
  one.peers.setNodes([three.reached]);
  expect(await one.peers.request('c', 0, replyMs)).toEqual({ answer: { id: 'c', body: 0 } });
  expect([await one.peers.request('b', 0, replyMs), one.peers.send('b', 0)]).toEqual(['unsent', false]);
});

test('node with another key is rejected at both ends and disturbs no other node', async () => {
  const [one, other, third] = [await node('a'), await node('b', { key: randomBytes(32) }), await node('c')];
  await meet(one, third);
  one.peers.setNodes([other.reached, third.reached]);
  other.peers.setNodes([one.reached, third.reached]);
  await until(() => one.warnings.length > 0 && third.warnings.length > 0, 'a warning was reported');
  await setTimeout(300);
  expect(one.warnings).toEqual([
    'The connection to node b has ended. The peer does not have the key of this property.',
  ]);
  expect([one.peers.isConnected('b'), third.peers.isConnected('b'), other.peers.connectedNodes]).toEqual([
    false,
    false,
    [],
  ]);
  expect(await one.peers.request('c', 0, replyMs)).toEqual({ answer: { id: 'c', body: 0 } });
});

test.each([
  ['changed', (data: Buffer) => [Buffer.from(data.map((byte, n) => (n === 3 ? byte ^ 1 : byte)))]],
  ['repeated', (data: Buffer) => [data, data]],
  ['left out', () => []],
  ['cut short', (data: Buffer) => [data.subarray(0, 10)]],
] as const)('connection ends and is opened again when a frame is %s on the way', async (_, does) => {
  const [one, other] = [await node('a'), await node('b')];
  let isDone = false;
  const { nodeUrl } = await stranger(other.peers.address, (data, isBinary, count) => {
    if (!isBinary || count < 2 || isDone) return [data];
    isDone = true;
    return does(data);
  });
  one.peers.setNodes([{ id: 'b', nodeUrl }]);
  other.peers.setNodes([one.reached]);
  await until(() => other.warnings.length > 0, 'a warning was reported');
  expect(other.warnings).toEqual([
    'The connection to node a has ended. A frame was changed, lost or repeated on the way.',
  ]);
  await until(() => one.peers.isConnected('b') && other.peers.isConnected('a'), 'the nodes are connected again');
  expect(await one.peers.request('b', 1, replyMs)).toEqual({ answer: { id: 'b', body: 1 } });
});

test('replayed handshake is rejected', async () => {
  const [one, other] = [await node('a'), await node('b')];
  const sent: [Buffer, boolean][] = [];
  const { nodeUrl } = await stranger(other.peers.address, (data, isBinary) => {
    sent.push([data, isBinary]);
    return [data];
  });
  one.peers.setNodes([{ id: 'b', nodeUrl }]);
  await until(() => one.peers.isConnected('b') && sent.length > 2, 'the nodes are connected');
  const socket = new WebSocket(other.peers.address);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  for (const [data, isBinary] of sent) socket.send(data, { binary: isBinary });
  await closed;
  await until(() => other.warnings.length > 0, 'a warning was reported');
  expect(other.warnings).toEqual([
    'A connection to the port for nodes was rejected. The peer does not have the key of this property.',
  ]);
  expect(other.peers.isConnected('a')).toBe(true);
});

test('frames cannot be read on the way', async () => {
  const [one, other] = [await node('a'), await node('b')];
  const received: Buffer[] = [];
  const { nodeUrl } = await stranger(other.peers.address, (data) => {
    received.push(data);
    return [data];
  });
  one.peers.setNodes([{ id: 'b', nodeUrl }]);
  await until(() => one.peers.isConnected('b'), 'the nodes are connected');
  await one.peers.request('b', 'a secret of a terminal', replyMs);
  const all = Buffer.concat(received);
  for (const secret of ['secret', key, key.toString('hex')]) expect(all.indexOf(secret)).toBe(-1);
});

test.each([
  ['sends an unknown greeting', 'hello', 'The peer did not send the greeting of a node of this version.'],
  ['sends a greeting that is no object', '3', 'The peer did not send the greeting of a node of this version.'],
  ['sends too long a greeting', 'x'.repeat(2_000), 'The peer did not send the greeting of a node of this version.'],
  ['sends a huge frame', Buffer.alloc((1 << 23) + 1), 'The connection failed: Max payload size exceeded.'],
  [
    'expects another node',
    { version: 1, from: 'x', to: 'z', drawn: '0'.repeat(64) },
    'The peer expects another node at this address.',
  ],
  [
    'has another protocol version',
    { version: 2, from: 'x', to: 'a', drawn: '' },
    'The peer did not send the greeting of a node of this version.',
  ],
] as const)('peer that %s is disconnected with a warning', async (_, message, why) => {
  const one = await node('a');
  const socket = new WebSocket(one.peers.address);
  socket.on('error', () => {});
  await once(socket, 'open');
  const closed = once(socket, 'close');
  socket.send(typeof message === 'object' && !Buffer.isBuffer(message) ? JSON.stringify(message) : message);
  await closed;
  await until(() => one.warnings.length > 0, 'a warning was reported');
  expect(one.warnings).toEqual([`A connection to the port for nodes was rejected. ${why}`]);
});

test.each([
  ['sends nothing', ''],
  ['has another protocol', '\u0016\u0003\u0001 no words\r\n\r\n'],
  ['requests a web page', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['sends an incomplete request', 'GET /node HTTP/1.1\r\n'],
  [
    'upgrades to a WebSocket and sends nothing',
    'GET /node HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  ],
])('client that %s is disconnected in time', async (_, bytes) => {
  const one = await node('a', { silenceMs });
  const socket = connect(Number(new URL(one.peers.address).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.resume();
  if (bytes !== '') socket.write(bytes);
  const begun = performance.now();
  await closed;
  // Node.js itself closes such a connection after a minute.
  expect(performance.now() - begun).toBeLessThan(30_000);
  const other = await node('b');
  await meet(one, other);
  expect(await one.peers.request('b', 0, replyMs)).toEqual({ answer: { id: 'b', body: 0 } });
});

test('silent node is disconnected by both ends, reported once and dialled again', async () => {
  const [one, other] = [await node('a', { silenceMs }), await node('b', { silenceMs })];
  const { nodeUrl, deaf } = await stranger(other.peers.address, (data) => [data]);
  one.peers.setNodes([{ id: 'b', nodeUrl }]);
  other.peers.setNodes([one.reached]);
  await until(() => one.peers.isConnected('b') && other.peers.isConnected('a'), 'the nodes are connected');
  deaf(true);
  expect(await one.peers.request('b', 0, replyMs)).toBe('unanswered');
  await until(() => !one.peers.isConnected('b') && !other.peers.isConnected('a'), 'both ends are disconnected');
  await setTimeout(2 * silenceMs);
  // Each end closes the connection when it has waited long enough. The other end may notice the close before its own
  // wait is over.
  expect(one.warnings).toEqual([
    expect.stringMatching(/^The connection to node b has ended\. The peer (does not answer|ended the connection)\.$/),
  ]);
  deaf(false);
  await until(() => one.peers.isConnected('b') && other.peers.isConnected('a'), 'the nodes are connected again');
  // A node that has left the cluster is not dialled any more.
  one.peers.setNodes([]);
  await until(() => !one.peers.isConnected('b') && !other.peers.isConnected('a'), 'the nodes are disconnected');
  await setTimeout(200);
  expect([one.peers.isConnected('b'), other.peers.isConnected('a')]).toEqual([false, false]);
});

test('request is unanswered when the reply is late or fails, or the connection ends', async () => {
  const waits = Promise.withResolvers<unknown>();
  const other = await node('b', {
    answers: (body) => (body === 'fail' ? Promise.reject(new Error('It fails.')) : waits.promise),
  });
  const one = await node('a');
  await meet(one, other);
  expect(await one.peers.request('b', 'wait', 30)).toBe('unanswered');
  expect(await one.peers.request('b', 'fail', replyMs)).toBe('unanswered');
  expect(other.warnings).toEqual(['It fails.']);
  const request: Promise<NodeRequestResult> = one.peers.request('b', 'wait', replyMs);
  await other.peers.close();
  expect(await request).toBe('unanswered');
  waits.resolve(undefined);
});

test('connection stays when one end cannot handle a message', async () => {
  const [one, other] = [await node('a'), await node('b')];
  other.received.push = () => {
    throw new Error('The message is not understood.');
  };
  await meet(one, other);
  one.peers.broadcast(null);
  await until(() => other.warnings.length > 0, 'a warning was reported');
  expect(other.warnings).toEqual(['The message is not understood.']);
  expect(await one.peers.request('b', 1, replyMs)).toEqual({ answer: { id: 'b', body: 1 } });
});

test('frame that is too large is not sent, and reported', async () => {
  const [one, other] = [await node('a'), await node('b')];
  await meet(one, other);
  for (let n = 0; n < 2; n++) expect(await one.peers.request('b', 'x'.repeat(1 << 23), replyMs)).toBe('unsent');
  expect(one.warnings).toEqual(['A message to node b is too large for a frame.']);
  expect(await one.peers.request('b', 'x'.repeat(1 << 22), replyMs)).toMatchObject({ answer: { id: 'b' } });
});

test('invalid address is reported, and one without a node is dialled again and again', async () => {
  const one = await node('a');
  one.peers.setNodes([
    { id: 'b', nodeUrl: 'nowhere' },
    { id: 'c', nodeUrl: 'ws://127.0.0.1:1/node' },
    { id: 'd', nodeUrl: '' },
  ]);
  await until(() => one.warnings.length > 1, 'both warnings were reported');
  expect(one.warnings.toSorted()).toEqual([
    'Node b cannot be reached: "nowhere" is not a valid URL.',
    expect.stringMatching(/^The connection to node c has ended\. The connection failed: .*ECONNREFUSED.*\.$/),
  ]);
  const other = await node('c');
  one.peers.setNodes([other.reached]);
  await until(() => one.peers.isConnected('c'), 'node c is connected at its new address');
});
