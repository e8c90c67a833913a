import { expect, test } from 'vitest';
import { type Metrics } from '../../../src/metrics/metrics.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { WriteFailedError } from '../../../src/store/failures.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';
import { StaffSocket, startPit, staffRequest } from '../staff/pit.ts';

/** A metrics sink that keeps all values. */
function recordingMetrics() {
  const values: { readonly [of in keyof Metrics]: Parameters<Metrics[of]>[] } = {
    appended: [],
    requestAnswered: [],
    requestRefused: [],
    roundEnded: [],
    viewBuilt: [],
    outageBegan: [],
    leaseChanged: [],
  };
  const metrics = Object.fromEntries(
    Object.entries(values).map(([name, list]) => [name, (...args: unknown[]) => list.push(args as never)]),
  ) as unknown as Metrics;
  return { values, metrics };
}

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20));
};

test('metrics measure a bet from arrival to reply, its append, and refusals by code', async () => {
  const { values, metrics } = recordingMetrics();
  const server = await startTestServer({ tables: ['tiger'], metrics });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  values.appended.splice(0);
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 500 } });
  await patron.receive('accepted');
  expect(values.requestAnswered).toEqual([['slip', false, expect.any(Number)]]);
  const [, time] = values.appended.at(-1)!;
  expect(values.appended.at(-1)).toEqual([{ commands: 1, entries: 1 }, expect.any(Number), 'written']);
  expect(time).toBeGreaterThan(0);
  await patron.refusalOf({ type: 'slip', id: 'slip-0002', table: 'tiger', round: 'another', slip: { tie: 500 } });
  await patron.refusalOf('nothing that can be read');
  expect(values.requestRefused).toEqual([
    ['patron', 'bets-closed'],
    ['patron', expect.any(String)],
  ]);
  expect(values.requestAnswered.at(-1)).toEqual(['slip', true, expect.any(Number)]);
  expect(values.viewBuilt).toContainEqual(['table', 'whole', expect.any(Number)]);
  expect(values.viewBuilt).toContainEqual(['lobby', 'whole', expect.any(Number)]);
  patron.terminate();
  await server.close();
});

test('metrics measure sent views in bytes, full and delta', async () => {
  const { values, metrics } = recordingMetrics();
  const server = await startTestServer({ tables: ['tiger'], metrics, times: { bettingTime: 300 } });
  const patron = await PatronSocket.connect(server);
  const sizes: number[] = [];
  patron.socket.on('message', (data: Buffer) => {
    const { type } = JSON.parse(data.toString('utf8')) as { type: string };
    if (type === 'table' || type === 'change') sizes.push(data.length);
  });
  patron.send({ type: 'hello', v: protocolVersion });
  patron.send({ type: 'watch', table: 'tiger' });
  await until(() => sizes.length >= 4);
  const tableBytes = values.viewBuilt.filter(([whose]) => whose === 'table').map(([, , bytes]) => bytes);
  const from = tableBytes.indexOf(sizes[0]!);
  expect(tableBytes.slice(from, from + sizes.length)).toEqual(sizes.slice(0, tableBytes.length - from));
  patron.terminate();
  await server.close();
});

test('metrics measure terminal views and balances', async () => {
  const { values, metrics } = recordingMetrics();
  const server = await startTestServer({ tables: ['tiger'], metrics });
  const patron = await PatronSocket.connect(server);
  const sizes: { readonly [type: string]: number[] } = { own: [], balance: [] };
  patron.socket.on('message', (data: Buffer) => {
    sizes[(JSON.parse(data.toString('utf8')) as { type: string }).type]?.push(data.length);
  });
  patron.send({ type: 'hello', v: protocolVersion, secret: secretOf('1') });
  patron.send({ type: 'sit', table: 'tiger' });
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 500 } });
  await patron.receive('accepted');
  await until(() => sizes['own']!.length >= 2 && sizes['balance']!.length >= 2);
  for (const [view, expected] of Object.entries(sizes)) {
    const measured = values.viewBuilt.filter(([whose]) => whose === view);
    expect(measured.slice(0, expected.length)).toEqual(expected.map((bytes) => [view, 'whole', bytes]));
  }
  patron.terminate();
  await server.close();
});

test('metrics count rounds by table and ending', async () => {
  const { values, metrics } = recordingMetrics();
  const server = await startTestServer({ tables: ['tiger'], metrics, times: { bettingTime: 0 } });
  await until(() => values.roundEnded.length >= 3);
  expect(values.roundEnded.every(([table, end]) => table === 'tiger' && end === 'settled')).toBe(true);
  await server.close();
});

test('metrics count sockets by kind of client and refused upgrades by code', async () => {
  const { values, metrics } = recordingMetrics();
  const server = await startTestServer({ tables: ['tiger'], initialStaff: { demo: true }, metrics });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const display = await PatronSocket.connect(server);
  display.send({ type: 'hello', v: protocolVersion });
  await display.receive('welcome');
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  expect(server.status().connections).toEqual({ patron: 1, display: 1, device: 0, staff: 1 });
  await expect(PatronSocket.connect(server, { origin: 'http://elsewhere.example' })).rejects.toThrow('403');
  await expect(StaffSocket.connect(server, undefined)).rejects.toThrow('401');
  expect(values.requestRefused).toEqual([
    ['upgrade', 'foreign-origin'],
    ['upgrade', 'not-signed-in'],
  ]);
  supervisor.send({ type: 'query', id: 'ask-00001', name: 'nothing of the kind', params: {} });
  await supervisor.receive('refused');
  expect(values.requestRefused.at(-1)![0]).toBe('staff');
  expect(values.requestAnswered.at(-1)).toEqual(['staff', true, expect.any(Number)]);
  patron.terminate();
  await until(() => server.status().connections.patron === 0);
  display.terminate();
  await server.close();
});

test('failed sign-ins are counted and reported by code only', async () => {
  const { values, metrics } = recordingMetrics();
  const failed: unknown[] = [];
  const server = await startPit({ metrics, onSignInFailures: (failures) => failed.push(failures) });
  for (let n = 0; n < 3; n++)
    await staffRequest(server, 'sign-in', { number: 'S-1', password: `no such ${n} password` });
  expect(values.requestRefused).toEqual(Array.from({ length: 3 }, () => ['staff', 'wrong-secret']));
  await server.close();
  expect(failed).toEqual([{ 'wrong-secret': 1 }, { 'wrong-secret': 2 }]);
});

test('the floor is not ready while appends fail or while it closes', async () => {
  const { values, metrics } = recordingMetrics();
  let isFull = false;
  const memory = createMemoryStore();
  const failing =
    <Args extends unknown[], Gives>(write: (...args: Args) => Promise<Gives>) =>
    (...args: Args): Promise<Gives> =>
      isFull ? Promise.reject(new WriteFailedError('The event store cannot be written: disk is full')) : write(...args);
  const store: Store = {
    ...memory,
    append: failing(memory.append),
    recordHeartbeats: failing(memory.recordHeartbeats),
  };
  const outages: string[] = [];
  const server = await startTestServer({
    tables: ['tiger'],
    metrics: metrics,
    store,
    onOutage: ({ state }) => outages.push(state),
  });
  expect(server.status()).toMatchObject({ notReady: undefined, isFailing: false });
  isFull = true;
  await until(() => server.status().notReady?.code === 'cannot-record');
  expect(server.status().isFailing).toBe(true);
  expect(values.outageBegan).toHaveLength(1);
  isFull = false;
  await until(() => server.status().notReady === undefined);
  expect(server.status().isFailing).toBe(false);
  expect(outages).toEqual(['begun', 'over']);
  const closed = server.close();
  expect(server.status().notReady?.code).toBe('server-closing');
  await closed;
});

test('a table without a leader is shown as such, others continue, and the server is not ready', async () => {
  let idle = 0;
  const server = await startTestServer({
    tables: ['tiger', 'baccarat'],
    silenceOf: (stream) => (stream.endsWith('/tiger') ? idle : 0),
  });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const other = await PatronSocket.join(server, secretOf('2'), 'baccarat');
  await Promise.all([patron.bettingRound(), other.bettingRound()]);
  idle = 5_001;
  await patron.receive('table', ({ view }) => view.stopped?.kind === 'cannot-record');
  expect(server.status().notReady?.code).toBe('cannot-record');
  const from = patron.received.length;
  idle = 0;
  await patron.receive('table', ({ view }) => view.stopped === null, from);
  expect(server.status().notReady).toBeUndefined();
  expect(other.received.some((sizes) => sizes.type === 'table' && sizes.view.stopped !== null)).toBe(false);
  for (const one of [patron, other]) one.terminate();
  await server.close();
});

test('all tables show cannot-record while the store is silent, and recover afterwards', async () => {
  let silent = 900;
  const server = await startTestServer({ tables: ['tiger'], silenceOf: () => silent });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await patron.bettingRound();
  silent = 5_001;
  expect(await patron.receive('table', ({ view }) => view.stopped !== null)).toMatchObject({
    view: { stopped: { kind: 'cannot-record', by: null } },
  });
  const from = patron.received.length;
  silent = 0;
  await patron.receive('table', ({ view }) => view.stopped === null, from);
  patron.terminate();
  await server.close();
});

test('a failed checkpoint is written with the next anchor, and the outage ends', async () => {
  let isAway = false;
  const attempts: string[] = [];
  const fail = (name: string) => async (): Promise<void> => {
    attempts.push(name);
    if (isAway) throw new WriteFailedError('The event store cannot be written: it is away');
  };
  const outages: string[] = [];
  const server = await startTestServer({
    tables: ['tiger'],
    checkpoints: { checkpoint: fail('checkpoint'), anchor: fail('anchor'), signed: null },
    onOutage: ({ state }) => outages.push(state),
  });
  expect(attempts).toEqual(['checkpoint', 'anchor']);
  isAway = true;
  await until(() => attempts.includes('checkpoint', 2));
  expect(server.status().isFailing).toBe(true);
  isAway = false;
  await until(() => !server.status().isFailing);
  expect(outages).toEqual(['begun', 'over']);
  expect(attempts.slice(-2)).toEqual(['anchor', 'checkpoint']);
  await server.close();
});

test('appends are not measured without metrics', async () => {
  const store = createMemoryStore();
  const server = await startTestServer({ tables: ['tiger'], store });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 500 } });
  await patron.receive('accepted');
  expect(server.status().tables).toEqual([{ table: 'tiger', waiting: 0, isUp: true }]);
  patron.terminate();
  await server.close();
});
