import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { defaultLeaseMs } from '../../src/cluster/leases.ts';
import { postgresReader } from '../../src/store/postgres/postgresStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { compileCache } from '../compiled.ts';
import { type BettingPatron } from '../server/bettor.ts';
import { type CashingPatron } from '../server/casher.ts';
import { freePort } from '../freePort.ts';
import { Crowd } from './crowd.ts';
import { playedTables } from './played.ts';
import { NodeProcess } from './process.ts';

type Ways = {
  /** A folder for keys. */
  readonly root: string;
  readonly name: string;
  /** The database, as each of the nodes reaches it. */
  readonly addresses: readonly [string, string];
  readonly lasts?: number;
  readonly bettingTime?: number;
  readonly bettors?: number;
};

/** Two nodes on one database, with terminals that bet, load and collect through both of them. */
export class Pair {
  readonly nodes: readonly [NodeProcess, NodeProcess];
  readonly #crowd: Crowd;
  readonly #ways: Ways;
  /** By which node each of them came in. */
  readonly #at = new Map<BettingPatron | CashingPatron, NodeProcess>();

  private constructor(chance: RandomSource, ways: Ways, ports: readonly [number, number]) {
    this.#ways = ways;
    const { root, name, addresses, lasts = defaultLeaseMs, bettingTime, bettors } = ways;
    const screens = join(root, 'screens');
    mkdirSync(screens, { recursive: true });
    writeFileSync(join(screens, 'index.html'), '<!doctype html><title>Punto</title>');
    const node = (place: 0 | 1): NodeProcess =>
      new NodeProcess(
        {
          address: addresses[place],
          folder: join(root, name),
          screens,
          port: ports[place],
          lasts,
          tables: playedTables,
          ...(bettingTime !== undefined && { bettingTime }),
        },
        compileCache,
        // Also where the test fails.
        (kill) => onTestFinished(kill),
      );
    this.nodes = [node(0), node(1)];
    this.#crowd = new Crowd(chance, bettors);
  }

  static async made(chance: RandomSource, ways: Ways): Promise<Pair> {
    return new Pair(chance, ways, [await freePort(), await freePort()]);
  }

  get accepted(): number {
    return this.#crowd.accepted;
  }

  /** So many notes, tickets and payments were answered. */
  get moved(): number {
    return this.#crowd.moved;
  }

  /** Tables that a node drives, of either. */
  get driven(): number {
    return this.nodes.reduce((sum, { driven }) => sum + driven.length, 0);
  }

  otherOf(node: NodeProcess): NodeProcess {
    return this.nodes[node === this.nodes[0] ? 1 : 0];
  }

  /** Both are open and share the tables, and everybody comes in by one of them or the other. */
  async open(by?: NodeProcess): Promise<void> {
    for (const node of this.nodes) node.start();
    await this.shared();
    this.comeIn(by);
  }

  /** Both are open, and each drives its share. */
  async shared(): Promise<void> {
    const half = playedTables.length / 2;
    for (const node of this.nodes) {
      await node.until(() => node.isOpen && Math.abs(node.driven.length - half) <= 0.5, 'drives its share');
    }
  }

  /** Everybody comes in, every other terminal by each of the nodes unless one is named. */
  comeIn(by?: NodeProcess): void {
    for (const [n, one] of this.#crowd.visitors.entries()) this.#lead(one, by ?? this.nodes[n % 2]!);
  }

  #lead(one: BettingPatron | CashingPatron, to: NodeProcess): void {
    this.#at.set(one, to);
    one.connect(to.address);
  }

  /** A node is gone: whoever was there comes in by the other one, and what it has not answered it never will. */
  async gone(node: NodeProcess): Promise<void> {
    const left = this.#crowd.visitors.filter((one) => this.#at.get(one) === node);
    await Promise.all(left.map((one) => one.waitForDisconnect()));
    this.#crowd.auditor.recordFloorStop();
    for (const one of left) this.#lead(one, this.otherOf(node));
  }

  /** So many more slips are accepted, and something was loaded or collected. */
  plays(more: number): Promise<void> {
    return this.#crowd.plays(more, this.nodes);
  }

  /** Ends both nodes; gives what is wrong with the record then, and what happened how often. */
  async ended() {
    await Promise.all(this.nodes.filter(({ isRunning }) => isRunning).map((node) => node.signal('SIGKILL')));
    await Promise.all(this.#crowd.visitors.map((one) => one.waitForDisconnect()));
    this.#crowd.auditor.recordFloorStop();
    this.leave();
    return this.#crowd.look(this.#ways.addresses[0]);
  }

  /** What is wrong with the record as of this moment, by its verification. */
  async verified(): Promise<string | undefined> {
    const reader = await postgresReader(this.#ways.addresses[0]);
    try {
      return (await verifyStore(reader)).problem;
    } finally {
      await reader.close();
    }
  }

  leave(): void {
    this.#crowd.leave();
  }
}
