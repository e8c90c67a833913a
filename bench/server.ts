import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { socketUrlOf } from '../src/client/webSocketInNode.ts';
import { systemRandom } from '../src/runtime/ports/random.ts';
import { demoCredit, demoOwner, demoSettings } from '../tests/runtime/support/demo.ts';
import { type Pace } from '../src/runtime/tables/pacing.ts';
import { defaultServerLimits } from '../src/server/limits/serverLimits.ts';
import { startServer } from '../src/server/startServer.ts';
import { type ServerOptions, type Server } from '../src/server/serverOptions.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { createMemoryStore } from '../src/store/memoryStore.ts';
import { type Store } from '../src/store/store.ts';
import type { Report } from './processes/listeners.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { Child } from './support/child.ts';
import { figure, median, medianAndP99 } from './support/measure.ts';

const now = (): number => performance.timeOrigin + performance.now();

/** A server with limits that no bench reaches. */
export async function serverOn(store: Store, settings: ServerOptions['settings'], pace: Pace): Promise<Server> {
  const screensFolder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  const server = await startServer({
    store,
    key: randomBytes(32),
    random: systemRandom,
    owner: demoOwner,
    settings,
    pace,
    demoCredit,
    limits: {
      ...defaultServerLimits,
      maxConnections: 10_000,
      maxConnectionsPerAddress: 10_000,
      maxSockets: 10_000,
      maxSocketsPerAddress: 10_000,
      seatsPerMinute: 1_000_000,
      maxSeats: 1_000_000,
      maxSeatsPerAddress: 1_000_000,
      messageBurst: 1_000_000,
      messagesPerSecond: 1_000_000,
      maxSlipsPerRound: 1_000_000,
      writeBurst: 1_000_000_000,
    },
    screensFolder,
    host: '127.0.0.1',
    hostNames: [],
    port: 0,
    warn: (what, error) => {
      throw new Error(what, { cause: error });
    },
    onOutage: ({ error }) => {
      throw new Error('the record', { cause: error });
    },
    onFatal: (error) => {
      throw error;
    },
  });
  rmSync(screensFolder, { recursive: true, force: true });
  return server;
}

type Counts = {
  readonly connections: number;
  readonly cards: number;
  readonly betweenCards: number;
  readonly terminals: number;
  /** Slips of each terminal. */
  readonly slips: number;
};

const sizes: Sizes<Counts> = {
  full: { connections: 2_000, cards: 40, betweenCards: 500, terminals: 500, slips: 40 },
  short: { connections: 20, cards: 3, betweenCards: 50, terminals: 20, slips: 2 },
};

export async function* serverBench(size: BenchSize): AsyncGenerator<string> {
  yield* cardBench(sizes[size]);
  yield* slipBench(sizes[size]);
}

/** Slips through real sockets to the disk and back. */
async function* slipBench({ terminals, slips }: Counts): AsyncGenerator<string> {
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  let server: Server | undefined;
  let child: Child<never, { readonly times: readonly number[]; readonly time: number }> | undefined;
  try {
    server = await serverOn(
      await openSqliteStore(join(folder, 'data')),
      demoSettings.map((settings) => ({ ...settings, bettingTime: 600_000 })),
      { betweenRounds: 0, betweenCards: 0 },
    );
    const tables = demoSettings.map(({ table }) => table);
    child = new Child(new URL('processes/bettingTerminals.ts', import.meta.url), [
      socketUrlOf(server.address),
      String(terminals),
      String(slips),
      ...tables,
    ]);
    const { times, time } = await child.next();
    if (times.length !== terminals * slips) {
      throw new Error(`${times.length} of ${terminals * slips} slips were acknowledged.`);
    }
    const perSecond = figure((times.length / time) * 1000);
    yield `  ${terminals} sockets at ${tables.length} tables, each with its next slip once the last is acknowledged: ${perSecond} slips per second, ${medianAndP99(times)}`;
  } finally {
    await child?.kill();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the append of a card to the last of many connections, against a loop that does nothing but send. */
async function* cardBench({ connections, cards, betweenCards }: Counts): AsyncGenerator<string> {
  yield `server (a card to ${connections.toLocaleString('en')} connections; ratio to a bare send loop of ws)`;
  /** When each card was appended, by its salt: on a busy machine the next card is there before the report of the last. */
  const appendedAt = new Map<unknown, number>();
  const memory = createMemoryStore();
  const store: Store = {
    ...memory,
    append: async (batch) => {
      const result = await memory.append(batch);
      for (const { event } of batch.entries) if (event.type === 'CardDealt') appendedAt.set(event['salt'], now());
      return result;
    },
  };
  const [settings] = demoSettings;
  const times = { bettingTime: 200, grace: 0, pause: 100 };
  const server = await serverOn(store, [{ ...settings!, ...times }], { betweenRounds: 200, betweenCards });
  const baseline = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const children: Listeners[] = [];
  try {
    await once(baseline, 'listening');
    const baselineUrl = `ws://127.0.0.1:${(baseline.address() as AddressInfo).port}/socket`;
    const listeners = await listen(children, [socketUrlOf(server.address), String(connections), settings!.table]);
    const baselineListeners = await listen(children, [baselineUrl, String(connections)]);

    const ours: number[] = [];
    const theirs: number[] = [];
    while (ours.length < cards) {
      const { text, at } = await nextChange(listeners);
      const { fields, lists } = JSON.parse(text) as Change;
      const card = lists?.cards?.items.at(-1);
      // The last card of a round brings the result as well: a larger message.
      if (card === undefined || fields?.phase !== undefined) continue;
      ours.push(at - appendedAt.get(card.salt)!);
      const sent = now();
      const bytes = Buffer.from(text, 'utf8');
      for (const socket of baseline.clients) socket.send(bytes, { binary: false });
      theirs.push((await nextChange(baselineListeners)).at - sent);
    }
    const [ourMedian, baselineMedian] = [median(ours), median(theirs)];
    yield `  the last connection has it after ${figure(ourMedian)} ms, with the bare loop after ${figure(baselineMedian)} ms: ${figure(baselineMedian / ourMedian)} of its speed`;
  } finally {
    await Promise.all(children.map((child) => child.kill()));
    baseline.close();
    await server.close();
  }
}

/** What the bench reads of the message `change`. */
type Change = {
  readonly fields?: { readonly phase?: string };
  readonly lists?: { readonly cards?: { readonly items: readonly { readonly salt: string }[] } };
};

type Listeners = Child<never, Report>;

/** Starts listeners, and waits until all of them are connected. */
async function listen(children: Listeners[], args: readonly string[]): Promise<Listeners> {
  const child: Listeners = new Child(new URL('processes/listeners.ts', import.meta.url), args);
  children.push(child);
  await child.next();
  return child;
}

const nextChange = async (listeners: Listeners): Promise<Extract<Report, { version: number }>> =>
  (await listeners.next()) as Extract<Report, { version: number }>;
