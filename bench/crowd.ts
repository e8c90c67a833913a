import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { socketUrlOf } from '../src/client/webSocketInNode.ts';
import { type Pace } from '../src/runtime/tables/pacing.ts';
import { type Server } from '../src/server/serverOptions.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { demoPace, demoSettings } from '../tests/runtime/support/demo.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { Child } from './support/child.ts';
import type { Measured, Report, Request } from './processes/crowdTerminals.ts';
import { figure, medianAndP99, percentile } from './support/measure.ts';
import { StalledError, resultOf } from './support/progress.ts';
import { serverOn } from './server.ts';

export type Counts = {
  readonly tables: number;
  /** A machine that cannot serve all tables is measured with half of them, and so on down to these. */
  readonly minTables: number;
  readonly terminalsPerTable: number;
  /** Slips are measured up to this number or for this time, and echoes for a time. */
  readonly slips: number;
  readonly maxSeconds: number;
  readonly echoSeconds: number;
  /** Bets stay open for different times from table to table, so that the tables are out of step after one round. */
  readonly bettingMs: { readonly min: number; readonly max: number };
  readonly pace: Pace;
  readonly closing?: { readonly grace: number; readonly pause: number };
  /** From the start of the server until the tables are out of step. */
  readonly outOfStepMs: number;
};

const sizes: Sizes<Counts> = {
  full: {
    tables: 200,
    minTables: 25,
    terminalsPerTable: 20,
    slips: 15_000,
    maxSeconds: 60,
    echoSeconds: 10,
    bettingMs: { min: 5_000, max: 25_000 },
    pace: demoPace,
    outOfStepMs: 27_000,
  },
  short: {
    tables: 4,
    minTables: 4,
    terminalsPerTable: 5,
    slips: 20,
    maxSeconds: 60,
    echoSeconds: 0.5,
    bettingMs: { min: 1_500, max: 1_900 },
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
      const share = tables.filter((_table, index) => index % processes === n);
      return new Child(new URL('processes/crowdTerminals.ts', import.meta.url), [
        address,
        String(terminals / processes),
        ...share,
      ]);
    });
  }

  /** Waits until all terminals have their seats. */
  async seated(): Promise<void> {
    await this.#results(this.#terminals / processes, 'terminals were connected');
  }

  async slips(count: number, maxSeconds: number): Promise<readonly Measured[]> {
    const share = { slips: count / processes, maxSeconds };
    for (const child of this.#children) child.send(share);
    return this.#results(share.slips, 'slips were acknowledged');
  }

  async echoes(seconds: number, perSecond: number): Promise<readonly Measured[]> {
    const share = { messages: Math.ceil((seconds * perSecond) / processes), perSecond: perSecond / processes };
    for (const child of this.#children) child.send(share);
    return this.#results(share.messages, 'messages came back');
  }

  async leave(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.kill()));
  }

  #results(count: number, of: string): Promise<readonly Measured[]> {
    const goal = { count, of: `${of} in one of ${processes} processes` };
    return Promise.all(this.#children.map((child) => resultOf(() => child.next(), goal)));
  }
}

/** A whole floor at the pace of patrons: how soon a slip is acknowledged, against an echo of as many messages. */
export async function* crowdBench(size: BenchSize): AsyncGenerator<string> {
  yield `crowd (tables out of step, ${processes} processes of terminals, three slips in a round; ratio to a bare echo of ws)`;
  yield* largestMeasured(sizes[size], figuresOf);
}

/** The figures of as many tables as the machine can serve, with a line for each number that it could not. */
export async function* largestMeasured(
  counts: Counts,
  measure: (counts: Counts) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  for (let { tables } = counts; ; tables = Math.floor(tables / 2)) {
    try {
      yield* await measure({ ...counts, tables });
      return;
    } catch (error) {
      if (!(error instanceof StalledError) || tables / 2 < counts.minTables) throw error;
      yield `  not measured with ${tables} tables: ${error.message}`;
    }
  }
}

async function figuresOf(counts: Counts): Promise<readonly string[]> {
  const measured = await slipsOf(counts);
  const times = measured.flatMap((report) => report.times);
  const perSecond = measured.reduce((sum, report) => sum + report.times.length / report.seconds, 0);
  const total = (part: 'late' | 'lost'): string => {
    const sum = measured.reduce((all, report) => all + report[part], 0);
    return sum === 0 ? 'none' : sum.toLocaleString('en');
  };
  const echoTimes = await echoesOf(counts, perSecond);
  const ratio = (part: number): string => figure(percentile(times, part) / percentile(echoTimes, part));
  const terminals = (counts.tables * counts.terminalsPerTable).toLocaleString('en');
  return [
    `  ${terminals} terminals at ${counts.tables} tables: ${figure(perSecond)} slips per second, ${medianAndP99(times)}; slips after the close of bets: ${total('late')}; connections lost: ${total('lost')}`,
    `  echo at the same rate through as many sockets: ${medianAndP99(echoTimes)}; a slip takes ${ratio(0.5)} times as long at the median, ${ratio(0.99)} times at p99`,
  ];
}

/** Slips at tables of all ten games. */
async function slipsOf(counts: Counts): Promise<readonly Measured[]> {
  const { tables, terminalsPerTable, bettingMs, closing } = counts;
  const settings = Array.from({ length: tables }, (_, n) => {
    const demoTable = demoSettings[n % demoSettings.length]!;
    return {
      ...demoTable,
      ...closing,
      table: `${demoTable.table}-${Math.floor(n / demoSettings.length) + 1}`,
      bettingTime: bettingMs.min + Math.round(((bettingMs.max - bettingMs.min) * n) / tables),
    };
  });
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  let server: Server | undefined;
  let crowd: Crowd | undefined;
  try {
    server = await serverOn(await openSqliteStore(join(folder, 'data')), settings, counts.pace);
    const outOfStep = setTimeout(counts.outOfStepMs);
    crowd = new Crowd(
      socketUrlOf(server.address),
      tables * terminalsPerTable,
      settings.map(({ table }) => table),
    );
    await crowd.seated();
    await outOfStep;
    return await crowd.slips(counts.slips, counts.maxSeconds);
  } finally {
    await crowd?.leave();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How soon a server that does nothing else sends messages back, in milliseconds. */
async function echoesOf(
  { tables, terminalsPerTable, echoSeconds }: Counts,
  perSecond: number,
): Promise<readonly number[]> {
  const echoServer = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  echoServer.on('connection', (socket) => socket.on('message', (data) => socket.send(data, { binary: false })));
  await once(echoServer, 'listening');
  const { port } = echoServer.address() as AddressInfo;
  const crowd = new Crowd(`ws://127.0.0.1:${port}/socket`, tables * terminalsPerTable, []);
  try {
    await crowd.seated();
    return (await crowd.echoes(echoSeconds, perSecond)).flatMap(({ times }) => times);
  } finally {
    await crowd.leave();
    echoServer.close();
  }
}
