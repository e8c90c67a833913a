import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom } from '../../src/runtime/ports/random.ts';
import { defaultLeaseMs } from '../../src/cluster/leases.ts';
import { compileCache } from '../compiled.ts';
import { seed } from '../seed.ts';
import { databases, server } from '../store/databases.ts';
import { freePort } from '../freePort.ts';
import { proxyTo } from '../store/proxy.ts';
import { temporaryFolder } from '../temporary.ts';
import { reportToSoak, times } from '../times.ts';
import { Crowd } from './crowd.ts';
import { playedTables } from './played.ts';
import { NodeProcess } from './process.ts';

const root = temporaryFolder('storm');
const { fresh } = databases('storm');
const chance = seededRandom(`${seed} storm`);

/**
 * What happens on the way to the database: the answer to an append is lost, or the append itself; all connections are cut;
 * the way is slow; nobody is let in for a while.
 */
const faults = ['lose answer', 'lose question', 'cut', 'slow', 'shut'] as const;
type Fault = (typeof faults)[number];

/** So often each of them happens, and so often the plug of the node is pulled meanwhile. */
const ofEach = 2;
const kills = 1;

/** A node whose only way to the database is in the hands of a test, and whoever plays there. */
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

  static async made(): Promise<Storm> {
    return new Storm(await fresh(), await proxyTo(Number(new URL(server).port)), await freePort());
  }

  get done() {
    return this.#proxy.done;
  }

  /** The node starts, in good weather, and everybody comes in. */
  async open(): Promise<void> {
    const node = this.#node;
    this.#proxy.set('through');
    node.start();
    await node.until(() => node.isOpen && node.ledTables.length === playedTables.length, 'drives all tables');
    for (const one of this.crowd.clients) one.connect(node.address);
  }

  async plays(more: number): Promise<void> {
    await this.crowd.waitForPlay(more, [this.#node]);
  }

  /** One of the faults, and then a way that is as it should be. */
  async does(fault: Fault): Promise<void> {
    const proxy = this.#proxy;
    const { answers, questions, slowed, turned } = this.done;
    if (fault === 'cut' || fault === 'shut') proxy.cut();
    else proxy.set(fault);
    // It lasts until the node has met it, and a while longer.
    if (fault === 'lose answer') await this.#node.until(() => this.done.answers > answers, 'written anything');
    if (fault === 'lose question') await this.#node.until(() => this.done.questions > questions, 'written anything');
    if (fault === 'slow') await this.#node.until(() => this.done.slowed > slowed, 'said anything');
    if (fault === 'shut') await this.#node.until(() => this.done.turned > turned, 'tried to connect');
    if (fault !== 'cut') await setTimeout(chance.below(fault === 'shut' ? 1_000 : 200));
    proxy.set('through');
  }

  /** Pulls the plug while slips are in the record that nobody was answered for. */
  async kill(): Promise<void> {
    const enough = this.done.hushed + 3;
    this.#proxy.set('hush slips');
    await this.#node.until(() => this.done.hushed >= enough, 'written slips');
    await this.#node.signal('SIGKILL');
    await this.#gone();
    await this.open();
  }

  async #gone(): Promise<void> {
    await Promise.all(this.crowd.clients.map((one) => one.alone()));
    this.crowd.auditor.gone();
  }

  /** The floor closes in good order; gives what is wrong with the record then, and what happened how often. */
  async ended() {
    await this.#node.signal('SIGTERM');
    await this.#gone();
    this.crowd.leave();
    const found = await this.crowd.check(`${server}/${this.#database}`);
    await this.#proxy.close();
    return found;
  }
}

/** Every fault so many times in an order by chance, and the kills among them. */
function weather(): readonly (Fault | 'kill')[] {
  const left = faults.flatMap((fault) => Array.from({ length: ofEach }, () => fault));
  const each = left.length / (kills + 1);
  const order: (Fault | 'kill')[] = [];
  for (let n = 1; left.length > 0; n++) {
    order.push(...left.splice(chance.below(left.length), 1));
    if (left.length > 0 && Math.floor(n / each) > Math.floor((n - 1) / each)) order.push('kill');
  }
  return order;
}

test('a storm on the way to the database, and the node killed in it: what was acknowledged is in the record once, all money is accounted for, every round ends once, the record verifies', async () => {
  const sum = { storms: 0, accepted: 0, moved: 0, late: 0, settled: 0 };
  for (let n = 0; n < times(1); n++) {
    const storm = await Storm.made();
    await storm.open();
    await storm.plays(10);
    for (const what of weather()) {
      const next = setTimeout(100 + chance.below(400));
      if (what === 'kill') await storm.kill();
      else await storm.does(what);
      await next;
    }
    await storm.plays(20);
    const { wrong, events } = await storm.ended();
    expect(wrong).toEqual([]);
    expect([events.get('FloorStarted'), events.get('FloorClosed')]).toEqual([1 + kills, 1]);
    const { done, crowd } = storm;
    // Nothing is taken for a defect of the server.
    expect(crowd.bettors.flatMap(({ refusals }) => refusals.get('broken') ?? [])).toEqual([]);
    // That it was a storm: each fault has met somebody, play went on, and what was in doubt was answered once it came again.
    expect(done.answers).toBe(ofEach);
    expect(done.questions).toBeGreaterThanOrEqual(ofEach);
    expect(done.cut).toBeGreaterThanOrEqual(2 * ofEach);
    expect(done.slowed).toBeGreaterThanOrEqual(ofEach);
    expect(done.turned).toBeGreaterThanOrEqual(ofEach);
    expect(done.hushed).toBeGreaterThanOrEqual(3 * kills);
    expect(crowd.accepted).toBeGreaterThanOrEqual(30);
    expect(crowd.lateResults).toBeGreaterThanOrEqual(kills);
    sum.storms += 1;
    sum.accepted += crowd.accepted;
    sum.moved += crowd.moneyOperations;
    sum.late += crowd.lateResults;
    sum.settled += events.get('RoundSettled') ?? 0;
    reportToSoak(
      `${sum.storms} storms on the way to PostgreSQL with ${ofEach} of each fault and ${kills} kills: ${sum.accepted} slips accepted, ${sum.moved} notes and tickets answered, ${sum.late} of both when they came again after a kill, ${sum.settled} rounds settled`,
    );
  }
});
