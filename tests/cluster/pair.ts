import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { defaultLeaseMs } from '../../src/cluster/leases.ts';
import { postgresReader } from '../../src/store/postgres/postgresStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { compileCache } from '../compiled.ts';
import { type Bettor } from '../server/bettor.ts';
import { type Casher } from '../server/casher.ts';
import { freePort } from '../freePort.ts';
import { Crowd } from './crowd.ts';
import { playedTables } from './played.ts';
import { NodeProcess } from './process.ts';

type PairOptions = {
  /** A folder for keys. */
  readonly root: string;
  readonly name: string;
  /** The database, as each of the nodes reaches it. */
  readonly addresses: readonly [string, string];
  readonly leaseMs?: number;
  readonly bettingTime?: number;
  readonly bettors?: number;
};

/** Two nodes on one database, with terminals that bet, load and collect through both of them. */
export class NodePair {
  readonly nodes: readonly [NodeProcess, NodeProcess];
  readonly #crowd: Crowd;
  readonly #options: PairOptions;
  /** By which node each of them came in. */
  readonly #nodeOf = new Map<Bettor | Casher, NodeProcess>();

  private constructor(chance: RandomSource, options: PairOptions, ports: readonly [number, number]) {
    this.#options = options;
    const { root, name, addresses, leaseMs = defaultLeaseMs, bettingTime, bettors } = options;
    const screens = join(root, 'screens');
    mkdirSync(screens, { recursive: true });
    writeFileSync(join(screens, 'index.html'), '<!doctype html><title>Punto</title>');
    const node = (index: 0 | 1): NodeProcess =>
      new NodeProcess(
        {
          address: addresses[index],
          folder: join(root, name),
          screens,
          port: ports[index],
          leaseMs,
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

  static async create(chance: RandomSource, options: PairOptions): Promise<NodePair> {
    return new NodePair(chance, options, [await freePort(), await freePort()]);
  }

  get accepted(): number {
    return this.#crowd.accepted;
  }

  /** So many notes, tickets and payments were answered. */
  get moneyOperations(): number {
    return this.#crowd.moneyOperations;
  }

  /** Tables that a node drives, of either. */
  get ledTables(): number {
    return this.nodes.reduce((sum, { ledTables }) => sum + ledTables.length, 0);
  }

  otherOf(node: NodeProcess): NodeProcess {
    return this.nodes[node === this.nodes[0] ? 1 : 0];
  }

  /** Both are open and share the tables, and everybody comes in by one of them or the other. */
  async open(by?: NodeProcess): Promise<void> {
    for (const node of this.nodes) node.start();
    await this.waitForShares();
    this.connectClients(by);
  }

  /** Both are open, and each drives its share. */
  async waitForShares(): Promise<void> {
    const half = playedTables.length / 2;
    for (const node of this.nodes) {
      await node.until(() => node.isOpen && Math.abs(node.ledTables.length - half) <= 0.5, 'drives its share');
    }
  }

  /** Everybody comes in, every other terminal by each of the nodes unless one is named. */
  connectClients(by?: NodeProcess): void {
    for (const [n, client] of this.#crowd.clients.entries()) this.#connect(client, by ?? this.nodes[n % 2]!);
  }

  #connect(client: Bettor | Casher, to: NodeProcess): void {
    this.#nodeOf.set(client, to);
    client.connect(to.address);
  }

  /** A node is gone: whoever was there comes in by the other one, and what it has not answered it never will. */
  async moveClientsFrom(node: NodeProcess): Promise<void> {
    const moved = this.#crowd.clients.filter((client) => this.#nodeOf.get(client) === node);
    await Promise.all(moved.map((client) => client.alone()));
    this.#crowd.auditor.gone();
    for (const client of moved) this.#connect(client, this.otherOf(node));
  }

  /** So many more slips are accepted, and something was loaded or collected. */
  waitForPlay(more: number): Promise<void> {
    return this.#crowd.waitForPlay(more, this.nodes);
  }

  /** Ends both nodes; gives what is wrong with the record then, and what happened how often. */
  async end() {
    await Promise.all(this.nodes.filter(({ isRunning }) => isRunning).map((node) => node.signal('SIGKILL')));
    await Promise.all(this.#crowd.clients.map((client) => client.alone()));
    this.#crowd.auditor.gone();
    this.leave();
    return this.#crowd.check(this.#options.addresses[0]);
  }

  /** What is wrong with the record as of this moment, by its verification. */
  async verify(): Promise<string | undefined> {
    const reader = await postgresReader(this.#options.addresses[0]);
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
