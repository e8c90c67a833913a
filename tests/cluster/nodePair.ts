import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { defaultLeaseMs } from '../../src/cluster/nodeLeases.ts';
import { openPostgresWholeStoreReader } from '../../src/store/postgres/postgresStore.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { compileCache } from '../compiled.ts';
import { type BettingPatron } from '../server/support/bettingPatron.ts';
import { type CashingPatron } from '../server/support/cashingPatron.ts';
import { freePort } from '../freePort.ts';
import { Crowd } from './crowd.ts';
import { playedTables } from './playedTables.ts';
import { NodeProcess } from './nodeProcess.ts';

type PairOptions = {
  /** Folder of the keys. */
  readonly root: string;
  readonly name: string;
  /** Database URL of each node. */
  readonly addresses: readonly [string, string];
  readonly leaseMs?: number;
  readonly bettingTime?: number;
  readonly bettors?: number;
  /** True for demo staff of every role, and a limit of hand-pays. */
  readonly staff?: boolean;
};

/** Two nodes on one database, with terminals that bet, load and collect through both of them. */
export class NodePair {
  readonly nodes: readonly [NodeProcess, NodeProcess];
  readonly #crowd: Crowd;
  readonly #options: PairOptions;
  /** The node of each client. */
  readonly #nodeOf = new Map<BettingPatron | CashingPatron, NodeProcess>();

  private constructor(chance: RandomSource, options: PairOptions, ports: readonly [number, number]) {
    this.#options = options;
    const { root, name, addresses, leaseMs = defaultLeaseMs, bettingTime, bettors, staff = false } = options;
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
          staff,
        },
        compileCache,
        // Runs also when the test fails.
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

  /** Number of bills, tickets and payments with a result. */
  get moneyOperations(): number {
    return this.#crowd.moneyOperations;
  }

  /** Number of tables that have a leader. */
  get ledTables(): number {
    return this.nodes.reduce((sum, { ledTables }) => sum + ledTables.length, 0);
  }

  otherOf(node: NodeProcess): NodeProcess {
    return this.nodes[node === this.nodes[0] ? 1 : 0];
  }

  /** Starts both nodes, waits until they share the tables, and connects the clients. */
  async open(by?: NodeProcess): Promise<void> {
    for (const node of this.nodes) node.start();
    await this.waitForShares();
    this.connectClients(by);
  }

  /** Waits until both nodes are open and each leads its share. */
  async waitForShares(): Promise<void> {
    const half = playedTables.length / 2;
    for (const node of this.nodes) {
      await node.until(() => node.isOpen && Math.abs(node.ledTables.length - half) <= 0.5, 'leads its share');
    }
  }

  /** Connects all clients, alternately to both nodes or to the given one. */
  connectClients(by?: NodeProcess): void {
    for (const [n, client] of this.#crowd.clients.entries()) this.#connect(client, by ?? this.nodes[n % 2]!);
  }

  #connect(client: BettingPatron | CashingPatron, to: NodeProcess): void {
    this.#nodeOf.set(client, to);
    client.connect(to.address);
  }

  /** Connects the clients of a dead node to the other; results that the dead node owed never come. */
  async moveClientsFrom(node: NodeProcess): Promise<void> {
    const moved = this.#crowd.clients.filter((client) => this.#nodeOf.get(client) === node);
    await Promise.all(moved.map((client) => client.waitForDisconnect()));
    this.#crowd.auditor.recordFloorStop();
    for (const client of moved) this.#connect(client, this.otherOf(node));
  }

  /** Waits until that many more slips are accepted, and something was loaded or collected. */
  waitForPlay(more: number): Promise<void> {
    return this.#crowd.waitForPlay(more, this.nodes);
  }

  /** Kills both nodes and checks the event log; returns what is wrong, and counts of events. */
  async end() {
    await Promise.all(this.nodes.filter(({ isRunning }) => isRunning).map((node) => node.signal('SIGKILL')));
    await Promise.all(this.#crowd.clients.map((client) => client.waitForDisconnect()));
    this.#crowd.auditor.recordFloorStop();
    this.leave();
    return this.#crowd.check(this.#options.addresses[0]);
  }

  /** Problem that verification finds in the event log now. */
  async verify(): Promise<string | undefined> {
    const reader = await openPostgresWholeStoreReader(this.#options.addresses[0]);
    try {
      return (await verifyStore(reader)).problem;
    } finally {
      await reader.close();
    }
  }

  /** Ids of the stored commands, each as often as it is stored. */
  async storedCommandIds(): Promise<readonly string[]> {
    const reader = await openPostgresWholeStoreReader(this.#options.addresses[0]);
    try {
      const ids: string[] = [];
      for (const stream of await reader.streams())
        for await (const entries of reader.read(stream))
          ids.push(...entries.flatMap(({ command }) => ('hash' in command ? command.id : [])));
      return ids;
    } finally {
      await reader.close();
    }
  }

  leave(): void {
    this.#crowd.leave();
  }
}
