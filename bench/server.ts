import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { socketOf } from '../src/client/node.ts';
import { systemChance } from '../src/floor/chance.ts';
import { demoCredit, demoOwner, demoSettings } from '../tests/floor/demo.ts';
import { type Pace } from '../src/floor/pace.ts';
import { usualLimits } from '../src/server/limits.ts';
import { type Running, type Server, startServer } from '../src/server/server.ts';
import { sqliteStore } from '../src/store/sqlite.ts';
import { memoryStore } from '../src/store/memory.ts';
import { type Store } from '../src/store/store.ts';
import type { Report } from './listeners.ts';
import { percentile } from './measure.ts';

const listeners = 2_000;
const cards = 40;
const now = (): number => performance.timeOrigin + performance.now();

/** A server for measuring: nobody is turned away. */
export async function serverOn(store: Store, settings: Running['settings'], pace: Pace): Promise<Server> {
  const screens = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  const server = await startServer({
    store,
    key: randomBytes(32),
    chance: systemChance,
    owner: demoOwner,
    settings,
    pace,
    credit: demoCredit,
    limits: {
      ...usualLimits,
      lines: 10_000,
      linesPerAddress: 10_000,
      connections: 10_000,
      connectionsPerAddress: 10_000,
      seatsPerMinute: 1_000_000,
      burst: 1_000_000,
      perSecond: 1_000_000,
      slipsPerRound: 1_000_000,
      writes: 1_000_000_000,
    },
    screens,
    host: '127.0.0.1',
    names: [],
    port: 0,
    trouble: (what, error) => {
      throw new Error(what, { cause: error });
    },
    outage: ({ error }) => {
      throw new Error('the record', { cause: error });
    },
    lost: (error) => {
      throw error;
    },
  });
  rmSync(screens, { recursive: true, force: true });
  return server;
}

export async function* serverBench(): AsyncGenerator<string> {
  yield* cardBench();
  yield* slipBench();
}

/** From a tap to the disk and back through a real socket. */
async function* slipBench(): AsyncGenerator<string> {
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  const server = await serverOn(
    await sqliteStore(join(folder, 'data')),
    demoSettings.map((setting) => ({ ...setting, bettingTime: 600_000 })),
    { betweenRounds: 0, betweenCards: 0 },
  );
  const words = [socketOf(server.address), '500', '40', ...demoSettings.map(({ table }) => table)];
  const child = fork(new URL('./bettors.ts', import.meta.url), words);
  try {
    const [{ times, time }] = (await once(child, 'message')) as [{ times: number[]; time: number }];
    const perSecond = Math.round((times.length / time) * 1000).toLocaleString('en');
    const [median, late] = [percentile(times, 0.5), percentile(times, 0.99)].map((one) => one.toFixed(1));
    yield `  500 sockets at ten tables, each with its next slip once the last is acknowledged: ${perSecond} slips a second, median ${median} ms, p99 ${late} ms`;
  } finally {
    child.kill('SIGKILL');
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From a card in the record to the last of many browsers, against a loop that does nothing but send. */
async function* cardBench(): AsyncGenerator<string> {
  yield `server (a card to ${listeners.toLocaleString('en')} connections; ratio to a bare loop of ws)`;
  let written = 0;
  const memory = memoryStore();
  const store: Store = {
    ...memory,
    append: async (batch) => {
      const appended = await memory.append(batch);
      if (batch.entries.some(({ event }) => event.type === 'CardDealt')) written = now();
      return appended;
    },
  };
  const [setting] = demoSettings;
  const times = { bettingTime: 200, grace: 0, pause: 100 };
  const server = await serverOn(store, [{ ...setting!, ...times }], { betweenRounds: 200, betweenCards: 500 });
  const bare = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const children: ChildProcess[] = [];
  try {
    await once(bare, 'listening');
    const toBare = `ws://127.0.0.1:${(bare.address() as AddressInfo).port}/socket`;
    const hearing = await listen(children, socketOf(server.address), setting!.table);
    const bareHearing = await listen(children, toBare);

    const ours: number[] = [];
    const theirs: number[] = [];
    while (ours.length < cards) {
      const told = await hearing();
      // Cards only: other changes of the table are told as well.
      if (!told.text.includes('"phase"') && told.text.includes('"cards":{"from"')) {
        ours.push(told.at - written);
        const sent = now();
        const bytes = Buffer.from(told.text, 'utf8');
        for (const socket of bare.clients) socket.send(bytes, { binary: false });
        theirs.push((await bareHearing()).at - sent);
      }
    }
    const [we, they] = [percentile(ours, 0.5), percentile(theirs, 0.5)];
    yield `  the last one hears it after ${we.toFixed(1)} ms, of the bare loop after ${they.toFixed(1)} ms: ${(they / we).toFixed(2)} of its speed`;
  } finally {
    for (const child of children) child.kill('SIGKILL');
    bare.close();
    await server.close();
  }
}

/** Starts listeners, and gives what waits for their next report. */
async function listen(
  children: ChildProcess[],
  address: string,
  table?: string,
): Promise<() => Promise<Extract<Report, { version: number }>>> {
  const words = [address, String(listeners), ...(table === undefined ? [] : [table])];
  const child = fork(new URL('./listeners.ts', import.meta.url), words);
  children.push(child);
  const reports: Report[] = [];
  let wake = Promise.withResolvers<void>();
  child.on('message', (report: Report) => {
    reports.push(report);
    wake.resolve();
  });
  const next = async (): Promise<Report> => {
    while (reports.length === 0) {
      wake = Promise.withResolvers();
      await wake.promise;
    }
    return reports.shift()!;
  };
  await next();
  return async () => (await next()) as Extract<Report, { version: number }>;
}
