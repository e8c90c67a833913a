import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSeededRandom } from '../../src/runtime/ports/random.ts';
import { defaultLeaseMs } from '../../src/cluster/nodeLeases.ts';
import { compileCache } from '../compiled.ts';
import { seed } from '../seed.ts';
import { databases, server } from '../store/postgres/databases.ts';
import { freePort } from '../freePort.ts';
import { proxyTo } from '../store/postgres/proxy.ts';
import { temporaryFolder } from '../temporary.ts';
import { reportToSoak, times } from '../times.ts';
import { Crowd } from './crowd.ts';
import { playedTables } from './playedTables.ts';
import { NodeProcess } from './nodeProcess.ts';

const root = temporaryFolder('storm');
const { createDatabase } = databases('storm');
const chance = createSeededRandom(`${seed} storm`);

/**
 * Faults between node and database: the reply of an append is lost, or the append itself; all connections are cut; the
 * connection is slow; no connection is accepted for a while.
 */
const faults = ['lose answer', 'lose question', 'cut', 'slow', 'shut'] as const;
type Fault = (typeof faults)[number];

/** How often each fault happens, and how often the node is killed meanwhile. */
const ofEach = 2;
const kills = 1;

/** A node that reaches the database only through a proxy of the test, and its clients. */
class Storm {
  readonly crowd = new Crowd(chance);
  readonly #node: NodeProcess;
  readonly #proxy: Awaited<ReturnType<typeof proxyTo>>;
  readonly #database: string;

  private constructor(database: string, proxy: Awaited<ReturnType<typeof proxyTo>>, port: number) {
    this.#database = database;
    this.#proxy = proxy;
    const screens = join(root, 'screens');
    mkdirSync(screens, { recursive: true });
    writeFileSync(join(screens, 'index.html'), '<!doctype html><title>Punto</title>');
    const address = `postgres://punto@127.0.0.1:${proxy.port}/${database}`;
    this.#node = new NodeProcess(
      { address, folder: join(root, database), screens, port, leaseMs: defaultLeaseMs, tables: playedTables },
      compileCache,
      (kill) => onTestFinished(kill),
    );
  }

  static async create(): Promise<Storm> {
    return new Storm(await createDatabase(), await proxyTo(Number(new URL(server).port)), await freePort());
  }

  get faultCounts() {
    return this.#proxy.counts;
  }

  /** Starts the node without faults and connects the clients. */
  async open(): Promise<void> {
    const node = this.#node;
    this.#proxy.set('through');
    node.start();
    await node.until(() => node.isOpen && node.ledTables.length === playedTables.length, 'leads all tables');
    for (const one of this.crowd.clients) one.connect(node.address);
  }

  async plays(more: number): Promise<void> {
    await this.crowd.waitForPlay(more, [this.#node]);
  }

  /** Causes one fault, then restores the connection. */
  async cause(fault: Fault): Promise<void> {
    const proxy = this.#proxy;
    const { replies, requests, slowed, rejected } = this.faultCounts;
    if (fault === 'cut' || fault === 'shut') proxy.cut();
    else proxy.set(fault);
    // The fault lasts until the node has met it, and a while longer.
    if (fault === 'lose answer') await this.#node.until(() => this.faultCounts.replies > replies, 'written anything');
    if (fault === 'lose question')
      await this.#node.until(() => this.faultCounts.requests > requests, 'written anything');
    if (fault === 'slow') await this.#node.until(() => this.faultCounts.slowed > slowed, 'sent anything');
    if (fault === 'shut') await this.#node.until(() => this.faultCounts.rejected > rejected, 'tried to connect');
    if (fault !== 'cut') await setTimeout(chance.below(fault === 'shut' ? 1_000 : 200));
    proxy.set('through');
  }

  /** Kills the node while slips are stored without a result for their terminals. */
  async kill(): Promise<void> {
    const enough = this.faultCounts.hushed + 3;
    this.#proxy.set('hush slips');
    await this.#node.until(() => this.faultCounts.hushed >= enough, 'written slips');
    await this.#node.signal('SIGKILL');
    await this.#disconnectClients();
    await this.open();
  }

  async #disconnectClients(): Promise<void> {
    await Promise.all(this.crowd.clients.map((one) => one.waitForDisconnect()));
    this.crowd.auditor.recordFloorStop();
  }

  /** Closes the floor in good order; returns what is wrong with the event log, and counts of events. */
  async end() {
    await this.#node.signal('SIGTERM');
    await this.#disconnectClients();
    this.crowd.leave();
    const found = await this.crowd.check(`${server}/${this.#database}`);
    await this.#proxy.close();
    return found;
  }
}

/** Every fault `ofEach` times and the kills, in random order. */
function faultOrder(): readonly (Fault | 'kill')[] {
  const left = faults.flatMap((fault) => Array.from({ length: ofEach }, () => fault));
  const each = left.length / (kills + 1);
  const order: (Fault | 'kill')[] = [];
  for (let n = 1; left.length > 0; n++) {
    order.push(...left.splice(chance.below(left.length), 1));
    if (left.length > 0 && Math.floor(n / each) > Math.floor((n - 1) / each)) order.push('kill');
  }
  return order;
}

test('node with a faulty database connection that is killed repeatedly records every acknowledged command once, accounts for all money, ends every round once and leaves an event log that verifies', async () => {
  const sum = { storms: 0, accepted: 0, moved: 0, late: 0, settled: 0 };
  for (let n = 0; n < times(1); n++) {
    const storm = await Storm.create();
    await storm.open();
    await storm.plays(10);
    for (const what of faultOrder()) {
      const next = setTimeout(100 + chance.below(400));
      if (what === 'kill') await storm.kill();
      else await storm.cause(what);
      await next;
    }
    await storm.plays(20);
    const { problems, events } = await storm.end();
    expect(problems).toEqual([]);
    expect([events.get('FloorStarted'), events.get('FloorClosed')]).toEqual([1 + kills, 1]);
    const { faultCounts, crowd } = storm;
    // No fault counts as a defect of the server.
    expect(crowd.bettors.flatMap(({ refusals }) => refusals.get('broken') ?? [])).toEqual([]);
    // The test is effective: each fault hit a connection, play continued, and results in doubt were found after a
    // resend.
    expect(faultCounts.replies).toBe(ofEach);
    expect(faultCounts.requests).toBeGreaterThanOrEqual(ofEach);
    expect(faultCounts.cut).toBeGreaterThanOrEqual(2 * ofEach);
    expect(faultCounts.slowed).toBeGreaterThanOrEqual(ofEach);
    expect(faultCounts.rejected).toBeGreaterThanOrEqual(ofEach);
    expect(faultCounts.hushed).toBeGreaterThanOrEqual(3 * kills);
    expect(crowd.accepted).toBeGreaterThanOrEqual(30);
    expect(crowd.lateResults).toBeGreaterThanOrEqual(kills);
    sum.storms += 1;
    sum.accepted += crowd.accepted;
    sum.moved += crowd.moneyOperations;
    sum.late += crowd.lateResults;
    sum.settled += events.get('RoundSettled') ?? 0;
    reportToSoak(
      `${sum.storms} runs with a faulty connection to PostgreSQL with ${ofEach} of each fault and ${kills} kills: ${sum.accepted} slips accepted, ${sum.moved} bills and tickets processed, ${sum.late} of both when they came again after a kill, ${sum.settled} rounds settled`,
    );
  }
});
