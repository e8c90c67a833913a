import { setTimeout } from 'node:timers/promises';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { postgresStore } from '../../src/store/postgres/postgresStore.ts';
import { type StoreReader } from '../../src/store/store.ts';
import { Auditor } from '../chaos/auditor.ts';
import { type RunCheck, checkRun } from '../chaos/checkRun.ts';
import { demoCredit } from '../runtime/demo.ts';
import { BettingPatron } from '../server/bettor.ts';
import { CashingPatron } from '../server/casher.ts';
import { interruption } from './pace.ts';
import { playedTables } from './played.ts';
import { type NodeProcess, patience } from './process.ts';

/** Bettors wait for less than so many milliseconds before each slip: what is tested is no speed, and they leave some to the rest. */
const rest = 500;

/** Terminals that bet, load and collect at nodes, and whoever keeps books of that. */
export class Crowd {
  readonly auditor = new Auditor(() => demoCredit);
  readonly bettors: readonly BettingPatron[];
  readonly cashers: readonly CashingPatron[];

  constructor(chance: RandomSource, bettors = 20) {
    this.bettors = Array.from(
      { length: bettors },
      (_, n) => new BettingPatron(playedTables[n % playedTables.length]!, chance, this.auditor, rest),
    );
    const tickets: string[] = [];
    this.cashers = playedTables.slice(0, 4).map((table) => new CashingPatron(table, chance, this.auditor, tickets));
  }

  get visitors(): readonly (BettingPatron | CashingPatron)[] {
    return [...this.bettors, ...this.cashers];
  }

  get accepted(): number {
    return this.auditor.count().accepted;
  }

  /** So many notes, tickets and payments were answered. */
  get moved(): number {
    return this.cashers.reduce((sum, { replyCount }) => sum + replyCount, 0);
  }

  /** So many slips, notes and tickets were answered once they came again, in a later life of a node. */
  get late(): number {
    return this.visitors.reduce((sum, { lateReplies }) => sum + lateReplies, 0);
  }

  /** So many more slips are accepted, and something was loaded or collected. */
  async plays(more: number, nodes: readonly NodeProcess[]): Promise<void> {
    const [enough, { moved }] = [this.accepted + more, this];
    const begun = performance.now();
    while (this.accepted < enough || this.moved === moved) {
      if (performance.now() - begun > patience) throw new Error(`Nothing goes on: ${this.#stand(nodes)}`);
      await setTimeout(20);
    }
  }

  #stand(nodes: readonly NodeProcess[]): string {
    const tables = new Map<string, number>();
    for (const { status } of this.bettors) tables.set(status, (tables.get(status) ?? 0) + 1);
    const said = nodes.map(({ told, complaint }) => [told, complaint]);
    return JSON.stringify({ accepted: this.accepted, tables: [...tables], said });
  }

  leave(): void {
    for (const one of this.visitors) one.disconnect();
  }

  /** What is wrong with the record once nobody writes to it, by its verification and the auditor; and what happened how often. */
  async look(address: string): Promise<RunCheck> {
    const store = await postgresStore(address);
    try {
      const { problems, events } = await checkRun(store, this.auditor);
      return { problems: [...problems, ...(await unfounded(store))], events };
    } finally {
      await store.close();
    }
  }
}

/** [READING 12] Rounds that ended before their time although somebody drove the table: nothing else ends one here. */
async function unfounded(record: StoreReader): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const stream of await record.streams()) {
    let stood = 0;
    for await (const entries of record.read(stream)) {
      for (const { event } of entries) {
        if (event.type === 'Interrupted') stood = event.at - Number(event['since']);
        if (event.type === 'RoundVoided' && stood <= interruption)
          wrong.push(`${stream}: a round is void after ${stood} ms without a driver: ${JSON.stringify(event)}`);
      }
    }
  }
  return wrong;
}
