import { expect, test } from 'vitest';
import { type Metrics } from '../../src/metrics/metrics.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';
import { WriteFailed } from '../../src/store/failures.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { PatronSocket, startTestServer, secretOf } from './house.ts';
import { StaffSocket, startPit, staffRequest } from './staff/made.ts';

/** A metrics sink that keeps all values. */
function keeping() {
  const said: { readonly [of in keyof Metrics]: Parameters<Metrics[of]>[] } = {
    appended: [],
    answered: [],
    refused: [],
    ended: [],
    viewed: [],
    outage: [],
    leased: [],
  };
  const gauges = Object.fromEntries(
    Object.entries(said).map(([what, kept]) => [what, (...words: unknown[]) => kept.push(words as never)]),
  ) as unknown as Metrics;
  return { said, gauges };
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
};

test('metrics measure a bet from arrival to reply, its append, and refusals by code', async () => {
  const { said, gauges } = keeping();
  const server = await startTestServer({ tables: ['tiger'], metrics: gauges });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await guest.bettingRound();
  said.appended.splice(0);
  guest.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 500 } });
  await guest.receive('accepted');
  expect(said.answered).toEqual([['slip', false, expect.any(Number)]]);
  const [, time] = said.appended.at(-1)!;
  expect(said.appended.at(-1)).toEqual([{ commands: 1, entries: 1 }, expect.any(Number), 'written']);
  expect(time).toBeGreaterThan(0);
  await guest.refusalOf({ type: 'slip', id: 'slip-0002', table: 'tiger', round: 'another', slip: { tie: 500 } });
  await guest.refusalOf('nothing that can be read');
  expect(said.refused).toEqual([
    ['patron', 'bets-closed'],
    ['patron', expect.any(String)],
  ]);
  expect(said.answered.at(-1)).toEqual(['slip', true, expect.any(Number)]);
  expect(said.viewed).toContainEqual(['table', 'whole', expect.any(Number)]);
  expect(said.viewed).toContainEqual(['lobby', 'whole', expect.any(Number)]);
  guest.terminate();
  await server.close();
});

test('metrics measure sent views in bytes, full and delta', async () => {
  const { said, gauges } = keeping();
  const server = await startTestServer({ tables: ['tiger'], metrics: gauges, times: { bettingTime: 300 } });
  const guest = await PatronSocket.connect(server);
  const sizes: number[] = [];
  guest.socket.on('message', (data: Buffer) => {
    const { type } = JSON.parse(data.toString('utf8')) as { type: string };
    if (type === 'table' || type === 'change') sizes.push(data.length);
  });
  guest.send({ type: 'hello', v: protocolVersion });
  guest.send({ type: 'watch', table: 'tiger' });
  await until(() => sizes.length >= 4);
  const told = said.viewed.filter(([whose]) => whose === 'table').map(([, , bytes]) => bytes);
  const from = told.indexOf(sizes[0]!);
  expect(told.slice(from, from + sizes.length)).toEqual(sizes.slice(0, told.length - from));
  guest.terminate();
  await server.close();
});

test('metrics measure terminal views and balances', async () => {
  const { said, gauges } = keeping();
  const server = await startTestServer({ tables: ['tiger'], metrics: gauges });
  const guest = await PatronSocket.connect(server);
  const sizes: { readonly [type: string]: number[] } = { own: [], balance: [] };
  guest.socket.on('message', (data: Buffer) => {
    sizes[(JSON.parse(data.toString('utf8')) as { type: string }).type]?.push(data.length);
  });
  guest.send({ type: 'hello', v: protocolVersion, secret: secretOf('1') });
  guest.send({ type: 'sit', table: 'tiger' });
  const round = await guest.bettingRound();
  guest.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 500 } });
  await guest.receive('accepted');
  await until(() => sizes['own']!.length >= 2 && sizes['balance']!.length >= 2);
  for (const [view, told] of Object.entries(sizes)) {
    const measured = said.viewed.filter(([whose]) => whose === view);
    expect(measured.slice(0, told.length)).toEqual(told.map((bytes) => [view, 'whole', bytes]));
  }
  guest.terminate();
  await server.close();
});

test('metrics count rounds by table and ending', async () => {
  const { said, gauges } = keeping();
  const server = await startTestServer({ tables: ['tiger'], metrics: gauges, times: { bettingTime: 0 } });
  await until(() => said.ended.length >= 3);
  expect(said.ended.every(([table, end]) => table === 'tiger' && end === 'settled')).toBe(true);
  await server.close();
});

test('metrics count sockets by kind of client and refused upgrades by code', async () => {
  const { said, gauges } = keeping();
  const server = await startTestServer({ tables: ['tiger'], initialStaff: { demo: true }, metrics: gauges });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const display = await PatronSocket.connect(server);
  display.send({ type: 'hello', v: protocolVersion });
  await display.receive('welcome');
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  expect(server.status().connections).toEqual({ patron: 1, display: 1, device: 0, staff: 1 });
  await expect(PatronSocket.connect(server, { origin: 'http://elsewhere.example' })).rejects.toThrow('403');
  await expect(StaffSocket.connect(server, undefined)).rejects.toThrow('401');
  expect(said.refused).toEqual([
    ['door', 'foreign-origin'],
    ['door', 'not-signed-in'],
  ]);
  supervisor.send({ type: 'query', id: 'ask-00001', name: 'nothing of the kind', params: {} });
  await supervisor.receive('refused');
  expect(said.refused.at(-1)![0]).toBe('staff');
  expect(said.answered.at(-1)).toEqual(['staff', true, expect.any(Number)]);
  patron.terminate();
  await until(() => server.status().connections.patron === 0);
  display.terminate();
  await server.close();
});

test('failed sign-ins are counted and reported by code only', async () => {
  const { said, gauges } = keeping();
  const failed: unknown[] = [];
  const server = await startPit({ metrics: gauges, onSignInFailures: (failures) => failed.push(failures) });
  for (let n = 0; n < 3; n++)
    await staffRequest(server, 'sign-in', { number: 'S-1', password: `no such ${n} password` });
  expect(said.refused).toEqual(Array.from({ length: 3 }, () => ['staff', 'wrong-secret']));
  await server.close();
  expect(failed).toEqual([{ 'wrong-secret': 1 }, { 'wrong-secret': 2 }]);
});

test('the floor is not ready while appends fail or while it closes', async () => {
  const { said, gauges } = keeping();
  let isFull = false;
  const memory = memoryStore();
  const failing =
    <Args extends unknown[], Gives>(write: (...args: Args) => Promise<Gives>) =>
    (...args: Args): Promise<Gives> =>
      isFull ? Promise.reject(new WriteFailed('The record cannot be written: disk is full')) : write(...args);
  const store: Store = {
    ...memory,
    append: failing(memory.append),
    recordHeartbeats: failing(memory.recordHeartbeats),
  };
  const outages: string[] = [];
  const server = await startTestServer({
    tables: ['tiger'],
    metrics: gauges,
    store,
    onOutage: ({ state }) => outages.push(state),
  });
  expect(server.status()).toMatchObject({ notReady: undefined, isFailing: false });
  isFull = true;
  await until(() => server.status().notReady?.code === 'cannot-record');
  expect(server.status().isFailing).toBe(true);
  expect(said.outage).toHaveLength(1);
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
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const other = await PatronSocket.join(server, secretOf('2'), 'baccarat');
  await Promise.all([guest.bettingRound(), other.bettingRound()]);
  idle = 5_001;
  await guest.receive('table', ({ view }) => view.stopped?.kind === 'cannot-record');
  expect(server.status().notReady?.code).toBe('cannot-record');
  const from = guest.received.length;
  idle = 0;
  await guest.receive('table', ({ view }) => view.stopped === null, from);
  expect(server.status().notReady).toBeUndefined();
  expect(other.received.some((told) => told.type === 'table' && told.view.stopped !== null)).toBe(false);
  for (const one of [guest, other]) one.terminate();
  await server.close();
});

test('all tables show cannot-record while the store is silent, and recover afterwards', async () => {
  let silent = 900;
  const server = await startTestServer({ tables: ['tiger'], silenceOf: () => silent });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await guest.bettingRound();
  silent = 5_001;
  expect(await guest.receive('table', ({ view }) => view.stopped !== null)).toMatchObject({
    view: { stopped: { kind: 'cannot-record', by: null } },
  });
  const from = guest.received.length;
  silent = 0;
  await guest.receive('table', ({ view }) => view.stopped === null, from);
  guest.terminate();
  await server.close();
});

test('a failed checkpoint is written with the next anchor, and the outage ends', async () => {
  let isAway = false;
  const tried: string[] = [];
  const keep = (what: string) => async (): Promise<void> => {
    tried.push(what);
    if (isAway) throw new WriteFailed('The record cannot be written: it is away');
  };
  const outages: string[] = [];
  const server = await startTestServer({
    tables: ['tiger'],
    checkpoints: { checkpoint: keep('checkpoint'), anchor: keep('anchor'), signed: null },
    onOutage: ({ state }) => outages.push(state),
  });
  expect(tried).toEqual(['checkpoint', 'anchor']);
  isAway = true;
  await until(() => tried.includes('checkpoint', 2));
  expect(server.status().isFailing).toBe(true);
  isAway = false;
  await until(() => !server.status().isFailing);
  expect(outages).toEqual(['begun', 'over']);
  expect(tried.slice(-2)).toEqual(['anchor', 'checkpoint']);
  await server.close();
});

test('appends are not measured without metrics', async () => {
  const store = memoryStore();
  const server = await startTestServer({ tables: ['tiger'], store });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await guest.bettingRound();
  guest.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 500 } });
  await guest.receive('accepted');
  expect(server.status().tables).toEqual([{ table: 'tiger', waiting: 0, isUp: true }]);
  guest.terminate();
  await server.close();
});
