import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { systemChance } from '../src/floor/chance.ts';
import { demoCredit, demoOwner, demoSettings } from '../src/floor/demo.ts';
import { usualLimits } from '../src/server/limits.ts';
import { startServer } from '../src/server/server.ts';
import { memoryStore } from '../src/store/memory.ts';
import { type Store } from '../src/store/store.ts';
import type { Report } from './listeners.ts';
import { percentile } from './measure.ts';

const listeners = 2_000;
const cards = 40;
const now = (): number => performance.timeOrigin + performance.now();

/** From a card in the record to the last of many browsers, against a loop that does nothing but send. */
export async function* serverBench(): AsyncGenerator<string> {
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
  const screens = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  const [setting] = demoSettings;
  const server = await startServer({
    store,
    key: randomBytes(32),
    chance: systemChance,
    owner: demoOwner,
    settings: [{ ...setting!, bettingTime: 200, grace: 0, pause: 100 }],
    pace: { betweenRounds: 200, betweenCards: 500 },
    credit: demoCredit,
    limits: { ...usualLimits, connections: 10_000, connectionsPerAddress: 10_000, seatsPerMinute: 1_000_000 },
    screens,
    host: '127.0.0.1',
    names: [],
    port: 0,
    trouble: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  const bare = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const children: ChildProcess[] = [];
  try {
    await once(bare, 'listening');
    const toServer = `${server.address.replace('http', 'ws')}socket`;
    const toBare = `ws://127.0.0.1:${(bare.address() as AddressInfo).port}/socket`;
    const hearing = await listen(children, toServer, setting!.table);
    const bareHearing = await listen(children, toBare);

    const ours: number[] = [];
    const theirs: number[] = [];
    while (ours.length < cards) {
      const told = await hearing();
      // Cards only: other changes of the table are told as well.
      if (!told.text.includes('"phase"') && told.text.includes('"cards":[{')) {
        ours.push(told.at - written);
        const sent = now();
        for (const socket of bare.clients) socket.send(told.text);
        theirs.push((await bareHearing()).at - sent);
      }
    }
    const [we, they] = [percentile(ours, 0.5), percentile(theirs, 0.5)];
    yield `  the last one hears it after ${we.toFixed(1)} ms, of the bare loop after ${they.toFixed(1)} ms: ${(they / we).toFixed(2)} of its speed`;
  } finally {
    for (const child of children) child.kill('SIGKILL');
    bare.close();
    await server.close();
    rmSync(screens, { recursive: true, force: true });
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
