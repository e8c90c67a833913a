import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { socketOf } from '../src/client/node.ts';
import { type Pace } from '../src/floor/pace.ts';
import { type Server } from '../src/server/server.ts';
import { sqliteStore } from '../src/store/sqlite.ts';
import { demoPace, demoSettings } from '../tests/floor/demo.ts';
import { type BenchSize, type Sizes } from './bench.ts';
import { Child } from './child.ts';
import type { Measured, Report, Request } from './crowded.ts';
import { figure, medianAndP99, percentile } from './measure.ts';
import { resultOf } from './progress.ts';
import { serverOn } from './server.ts';

type Counts = {
  readonly tables: number;
  readonly terminals: number;
  /** Slips and echoes that are measured. */
  readonly slips: number;
  readonly echoes: number;
  /** Bets stay open for different times from table to table, so that the tables are out of step after one round. */
  readonly bettingMs: { readonly least: number; readonly step: number };
  readonly pace: Pace;
  readonly closing?: { readonly grace: number; readonly pause: number };
  /** From the start of the server until the tables are out of step. */
  readonly outOfStepMs: number;
};

const sizes: Sizes<Counts> = {
  full: {
    tables: 200,
    terminals: 4_000,
    slips: 15_000,
    echoes: 5_000,
    bettingMs: { least: 5_000, step: 100 },
    pace: demoPace,
    outOfStepMs: 27_000,
  },
  short: {
    tables: 4,
    terminals: 20,
    slips: 20,
    echoes: 20,
    bettingMs: { least: 1_500, step: 100 },
    pace: { betweenRounds: 0, betweenCards: 0 },
    closing: { grace: 0, pause: 0 },
    outOfStepMs: 0,
  },
};

const processes = 2;

/** Terminals in processes of their own, each with its share. */
class Crowd {
  readonly #terminals: number;
  readonly #children: readonly Child<Request, Report>[];

  constructor(address: string, terminals: number, tables: readonly string[]) {
    this.#terminals = terminals;
    this.#children = Array.from({ length: processes }, (_, n) => {
      const share = tables.filter((_table, place) => place % processes === n);
      return new Child(new URL('crowded.ts', import.meta.url), [address, String(terminals / processes), ...share]);
    });
  }

  /** Waits until all terminals have their seats. */
  async seated(): Promise<void> {
    await this.#results(this.#terminals, 'terminals were seated');
  }

  async slips(count: number): Promise<readonly Measured[]> {
    for (const child of this.#children) child.send({ slips: count / processes });
    return this.#results(count, 'slips were acknowledged');
  }

  async echoes(count: number, perSecond: number): Promise<readonly Measured[]> {
    const share = { messages: count / processes, perSecond: perSecond / processes };
    for (const child of this.#children) child.send(share);
    return this.#results(count, 'messages came back');
  }

  async leave(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.kill()));
  }

  #results(count: number, of: string): Promise<readonly Measured[]> {
    const goal = { count: count / processes, of: `${of} in one of ${processes} processes` };
    return Promise.all(this.#children.map((child) => resultOf(() => child.next(), goal)));
  }
}

/** A whole floor at the pace of patrons: how soon a slip is acknowledged, against an echo of as many messages. */
export async function* crowdBench(size: BenchSize): AsyncGenerator<string> {
  const counts = sizes[size];
  yield `crowd (${counts.tables} tables out of step, ${counts.terminals.toLocaleString('en')} terminals in ${processes} processes, three slips in a round; ratio to a bare echo of ws)`;
  const measured = await slipsOf(counts);
  const times = measured.flatMap((one) => one.times);
  const perSecond = measured.reduce((sum, one) => sum + one.times.length / one.seconds, 0);
  const total = (part: 'late' | 'lost'): string =>
    measured
      .reduce((sum, one) => sum + one[part], 0)
      .toLocaleString('en')
      .replace(/^0$/, 'none');
  yield `  ${figure(perSecond)} slips per second: ${medianAndP99(times)}; slips after the close of bets: ${total('late')}; connections lost: ${total('lost')}`;
  const bare = await echoesOf(counts, perSecond);
  const ratio = (part: number): string => figure(percentile(times, part) / percentile(bare, part));
  yield `  echo at the same rate through as many sockets: ${medianAndP99(bare)}; a slip takes ${ratio(0.5)} times as long at the median, ${ratio(0.99)} times at p99`;
}

/** Slips at tables of all ten games. */
async function slipsOf({
  tables,
  terminals,
  slips,
  bettingMs,
  pace,
  closing,
  outOfStepMs,
}: Counts): Promise<readonly Measured[]> {
  const settings = Array.from({ length: tables }, (_, n) => {
    const setting = demoSettings[n % demoSettings.length]!;
    return {
      ...setting,
      ...closing,
      table: `${setting.table}-${Math.floor(n / demoSettings.length) + 1}`,
      bettingTime: bettingMs.least + bettingMs.step * n,
    };
  });
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  let server: Server | undefined;
  let crowd: Crowd | undefined;
  try {
    server = await serverOn(await sqliteStore(join(folder, 'data')), settings, pace);
    const outOfStep = setTimeout(outOfStepMs);
    crowd = new Crowd(
      socketOf(server.address),
      terminals,
      settings.map(({ table }) => table),
    );
    await crowd.seated();
    await outOfStep;
    return await crowd.slips(slips);
  } finally {
    await crowd?.leave();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How soon a server that does nothing else sends messages back, in milliseconds. */
async function echoesOf({ terminals, echoes }: Counts, perSecond: number): Promise<readonly number[]> {
  const bare = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  bare.on('connection', (socket) => socket.on('message', (data) => socket.send(data, { binary: false })));
  await once(bare, 'listening');
  const crowd = new Crowd(`ws://127.0.0.1:${(bare.address() as AddressInfo).port}/socket`, terminals, []);
  try {
    await crowd.seated();
    return (await crowd.echoes(echoes, perSecond)).flatMap(({ times }) => times);
  } finally {
    await crowd.leave();
    bare.close();
  }
}
