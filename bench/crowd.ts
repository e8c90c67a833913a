import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { socketOf } from '../src/client/node.ts';
import { demoPace, demoSettings } from '../tests/floor/demo.ts';
import { sqliteStore } from '../src/store/sqlite.ts';
import type { Asked, Told } from './crowded.ts';
import { percentile } from './measure.ts';
import { serverOn } from './server.ts';

const tables = 200;
const terminals = 4_000;
const processes = 2;
/** How long it is measured, and how long the bare loop, in milliseconds. */
const measured = 30_000;
const bareMeasured = 10_000;
/** A machine that needs longer than this to seat everybody or to answer has other things to do. */
const longest = 60_000;

/** Tables of all ten games. Bets stay open for 5 to 25 seconds, so that the tables are out of step after one round. */
const settings = Array.from({ length: tables }, (_, n) => {
  const setting = demoSettings[n % demoSettings.length]!;
  return {
    ...setting,
    table: `${setting.table}-${Math.floor(n / demoSettings.length) + 1}`,
    bettingTime: 5_000 + 100 * n,
  };
});
const outOfStep = 27_000;

/** Terminals in processes of their own, and what was asked of all of them at once. */
class Crowd {
  readonly #children: readonly ChildProcess[];

  constructor(address: string, names: readonly string[]) {
    this.#children = Array.from({ length: processes }, (_, n) => {
      const words = names.filter((_name, place) => place % processes === n);
      return fork(new URL('./crowded.ts', import.meta.url), [address, String(terminals / processes), ...words]);
    });
  }

  async told(): Promise<Told> {
    const heard = await Promise.all(
      this.#children.map(async (child) => {
        const signal = AbortSignal.timeout(longest);
        const [told] = (await Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })])) as [
          Told | number,
        ];
        if (typeof told !== 'object') throw new Error(`A process of terminals ended with ${String(told)}.`);
        return told;
      }),
    );
    return {
      times: heard.flatMap(({ times }) => times),
      late: heard.reduce((sum, { late }) => sum + late, 0),
      lost: heard.reduce((sum, { lost }) => sum + lost, 0),
    };
  }

  async asks(asked: Asked): Promise<Told> {
    const told = this.told();
    for (const child of this.#children) child.send(asked);
    return told;
  }

  leave(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

/** A whole floor at a patron's pace: how soon a slip is acknowledged, against an echo of as many messages. */
export async function* crowdBench(): AsyncGenerator<string> {
  yield `crowd (${tables} tables out of step, ${terminals.toLocaleString('en')} terminals in ${processes} processes, three slips a round)`;
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  const server = await serverOn(await sqliteStore(join(folder, 'data')), settings, demoPace);
  const opened = performance.now();
  const crowd = new Crowd(
    socketOf(server.address),
    settings.map(({ table }) => table),
  );
  let told: Told;
  try {
    await crowd.told();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, opened + outOfStep - performance.now())));
    told = await crowd.asks({ time: measured });
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    yield '  not measured: the terminals did not answer within a minute; run this on a quieter machine';
    return;
  } finally {
    crowd.leave();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const { times, late, lost } = told;
  const perSecond = Math.round(times.length / (measured / 1000));
  const bare = await echoes(perSecond);
  const figures = (all: readonly number[]): string =>
    `median ${percentile(all, 0.5).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms`;
  yield `  ${perSecond} slips a second were acknowledged: ${figures(times)}; ${late} came too late, ${lost} links were lost`;
  yield `  a bare echo of ws at the same rate through as many sockets: ${figures(bare)}; the slips take ${ratio(times, bare, 0.5)} times as long at the median, ${ratio(times, bare, 0.99)} times at p99`;
}

const ratio = (ours: readonly number[], theirs: readonly number[], part: number): string =>
  (percentile(ours, part) / percentile(theirs, part)).toFixed(1);

/** How soon a server that does nothing but answer gives back what it was told. */
async function echoes(perSecond: number): Promise<readonly number[]> {
  const bare = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  bare.on('connection', (socket) => socket.on('message', (data) => socket.send(data, { binary: false })));
  await once(bare, 'listening');
  const crowd = new Crowd(`ws://127.0.0.1:${(bare.address() as AddressInfo).port}/socket`, []);
  try {
    await crowd.told();
    return (await crowd.asks({ time: bareMeasured, perSecond: perSecond / processes })).times;
  } finally {
    crowd.leave();
    bare.close();
  }
}
