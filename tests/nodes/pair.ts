import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Chance } from '../../src/floor/chance.ts';
import { postgresReader, postgresStore } from '../../src/store/postgres.ts';
import { verify } from '../../src/verify/verify.ts';
import { Auditor } from '../chaos/auditor.ts';
import { unlikeTheRecord } from '../chaos/recalled.ts';
import { demoCredit, demoSettings } from '../floor/demo.ts';
import { Bettor } from '../server/bettor.ts';
import { Casher } from '../server/casher.ts';
import { freePort } from '../store/postgres.ts';
import { NodeProcess, patience } from './process.ts';
import { interruption } from './pace.ts';

/** Bettors wait for less than so many milliseconds before each slip: what is tested is no speed, and they leave some to the rest. */
const rest = 150;

type Ways = {
  /** A folder for keys and what is compiled. */
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
  readonly auditor = new Auditor(() => demoCredit);
  readonly nodes: readonly [NodeProcess, NodeProcess];
  readonly bettors: readonly Bettor[];
  readonly cashers: readonly Casher[];
  readonly #ways: Ways;
  /** By which node each of them came in. */
  readonly #at = new Map<Bettor | Casher, NodeProcess>();

  private constructor(chance: Chance, ways: Ways, ports: readonly [number, number]) {
    this.#ways = ways;
    const { root, name, addresses, lasts = 1_000, bettingTime, bettors = 20 } = ways;
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
          ...(bettingTime !== undefined && { bettingTime }),
        },
        join(root, 'compiled'),
        // Also where the test fails.
        (kill) => onTestFinished(kill),
      );
    this.nodes = [node(0), node(1)];
    this.bettors = Array.from(
      { length: bettors },
      (_, n) => new Bettor(demoSettings[n % demoSettings.length]!.table, chance, this.auditor, rest),
    );
    const tickets: string[] = [];
    this.cashers = demoSettings.slice(0, 4).map(({ table }) => new Casher(table, chance, this.auditor, tickets));
  }

  static async made(chance: Chance, ways: Ways): Promise<Pair> {
    return new Pair(chance, ways, [await freePort(), await freePort()]);
  }

  get accepted(): number {
    return this.auditor.count().accepted;
  }

  /** So many notes, tickets and payments were answered. */
  get moved(): number {
    return this.cashers.reduce((sum, { done }) => sum + done, 0);
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
    const half = demoSettings.length / 2;
    for (const node of this.nodes) {
      await node.until(() => node.isOpen && Math.abs(node.driven.length - half) <= 0.5, 'drives its share');
    }
  }

  /** Everybody comes in, every other terminal by each of the nodes unless one is named. */
  comeIn(by?: NodeProcess): void {
    for (const [n, one] of this.#visitors.entries()) this.#lead(one, by ?? this.nodes[n % 2]!);
  }

  get #visitors(): readonly (Bettor | Casher)[] {
    return [...this.bettors, ...this.cashers];
  }

  #lead(one: Bettor | Casher, to: NodeProcess): void {
    this.#at.set(one, to);
    one.connect(to.address);
  }

  /** A node is gone: whoever was there comes in by the other one, and what it has not answered it never will. */
  async gone(node: NodeProcess): Promise<void> {
    const left = this.#visitors.filter((one) => this.#at.get(one) === node);
    await Promise.all(left.map((one) => one.alone()));
    this.auditor.gone();
    for (const one of left) this.#lead(one, this.otherOf(node));
  }

  /** So many more slips are accepted, and something was loaded or collected. */
  async plays(more: number): Promise<void> {
    const [enough, { moved }] = [this.accepted + more, this];
    const begun = performance.now();
    while (this.accepted < enough || this.moved === moved) {
      if (performance.now() - begun > patience) throw new Error(`Nothing goes on: ${this.#stand()}`);
      await setTimeout(20);
    }
  }

  #stand(): string {
    const tables = new Map<string, number>();
    for (const { stand } of this.bettors) tables.set(stand, (tables.get(stand) ?? 0) + 1);
    const said = this.nodes.map(({ told, complaint }) => [told, complaint]);
    return JSON.stringify({ accepted: this.accepted, tables: [...tables], said });
  }

  /** Ends both nodes; gives what is wrong with the record then, and what happened how often. */
  async ended() {
    await Promise.all(this.nodes.filter(({ isRunning }) => isRunning).map((node) => node.signal('SIGKILL')));
    await Promise.all(this.#visitors.map((one) => one.alone()));
    this.auditor.gone();
    this.leave();
    return this.look();
  }

  /** What is wrong with the record as of this moment, by its verification. */
  async verified(): Promise<string | undefined> {
    const reader = await postgresReader(this.#ways.addresses[0]);
    try {
      return (await verify(reader)).problem;
    } finally {
      await reader.close();
    }
  }

  /** What is wrong with the record once nobody writes to it, by its verification and the auditor; and what happened how often. */
  private async look(): Promise<{ readonly wrong: readonly string[]; readonly events: ReadonlyMap<string, number> }> {
    const store = await postgresStore(this.#ways.addresses[0]);
    try {
      const { problem } = await verify(store);
      const wrong = [
        ...(problem === undefined ? [] : [problem]),
        ...(await this.auditor.audit(store)),
        ...(await unlikeTheRecord(store)).wrong,
      ];
      const events = new Map<string, number>();
      for (const stream of await store.streams()) {
        let stood = 0;
        for await (const entries of store.read(stream)) {
          for (const { event } of entries) {
            events.set(event.type, (events.get(event.type) ?? 0) + 1);
            // [READING 12] Nothing else ends a round here before its time than that nobody drove the table for long.
            if (event.type === 'Interrupted') stood = event.at - Number(event['since']);
            if (event.type === 'RoundVoided' && stood <= interruption)
              wrong.push(`${stream}: a round is void after ${stood} ms without a driver: ${JSON.stringify(event)}`);
          }
        }
      }
      return { wrong, events };
    } finally {
      await store.close();
    }
  }

  leave(): void {
    for (const one of this.#visitors) one.leave();
  }
}
