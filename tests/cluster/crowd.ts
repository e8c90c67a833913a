import { setTimeout } from 'node:timers/promises';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { type StoreReader } from '../../src/store/store.ts';
import { Auditor } from '../chaos/audit/auditor.ts';
import { type RunCheck, checkRun } from '../chaos/audit/checkRun.ts';
import { demoCredit } from '../runtime/support/demo.ts';
import { BettingPatron } from '../server/support/bettingPatron.ts';
import { CashingPatron } from '../server/support/cashingPatron.ts';
import { interruptionMs } from './pace.ts';
import { playedTables } from './playedTables.ts';
import { type NodeProcess, maxWaitMs } from './nodeProcess.ts';

/**
 * Longest pause of a bettor before a slip, in milliseconds. Speed is not tested; the pause leaves CPU time to the
 * nodes.
 */
const maxPauseMs = 500;

/** Terminals that bet, load and collect at nodes, and an auditor of their money. */
export class Crowd {
  readonly auditor = new Auditor(() => demoCredit);
  readonly bettors: readonly BettingPatron[];
  readonly cashers: readonly CashingPatron[];

  constructor(chance: RandomSource, bettors = 20) {
    this.bettors = Array.from(
      { length: bettors },
      (_, n) => new BettingPatron(playedTables[n % playedTables.length]!, chance, this.auditor, maxPauseMs),
    );
    const tickets: string[] = [];
    this.cashers = playedTables.slice(0, 4).map((table) => new CashingPatron(table, chance, this.auditor, tickets));
  }

  get clients(): readonly (BettingPatron | CashingPatron)[] {
    return [...this.bettors, ...this.cashers];
  }

  get accepted(): number {
    return this.auditor.count().accepted;
  }

  /** Number of bills, tickets and payments with a result. */
  get moneyOperations(): number {
    return this.cashers.reduce((sum, { replyCount }) => sum + replyCount, 0);
  }

  /** Number of slips, bills and tickets with a result only after a resend to a restarted node. */
  get lateResults(): number {
    return this.clients.reduce((sum, { lateReplies }) => sum + lateReplies, 0);
  }

  /** Waits until that many more slips are accepted, and something was loaded or collected. */
  async waitForPlay(more: number, nodes: readonly NodeProcess[]): Promise<void> {
    const [enough, { moneyOperations }] = [this.accepted + more, this];
    const startedAt = performance.now();
    while (this.accepted < enough || this.moneyOperations === moneyOperations) {
      if (performance.now() - startedAt > maxWaitMs) throw new Error(`Timed out, no play: ${this.#describe(nodes)}`);
      await setTimeout(20);
    }
  }

  #describe(nodes: readonly NodeProcess[]): string {
    const tables = new Map<string, number>();
    for (const { status } of this.bettors) tables.set(status, (tables.get(status) ?? 0) + 1);
    const outputs = nodes.map(({ output, errorOutput }) => [output, errorOutput]);
    return JSON.stringify({ accepted: this.accepted, tables: [...tables], outputs });
  }

  leave(): void {
    for (const one of this.clients) one.disconnect();
  }

  /** Checks the event log after all writers have stopped: verification, the auditor, and counts of events. */
  async check(address: string): Promise<RunCheck> {
    const store = await openPostgresStore(address);
    try {
      const { problems, events } = await checkRun(store, this.auditor);
      return { problems: [...problems, ...(await unfoundedVoids(store))], events };
    } finally {
      await store.close();
    }
  }
}

/** [READING 12] Voided rounds of tables that had a leader in time; no other cause voids a round here. */
async function unfoundedVoids(store: StoreReader): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const stream of await store.streams()) {
    let gapMs = 0;
    for await (const entries of store.read(stream)) {
      for (const { event } of entries) {
        if (event.type === 'Interrupted') gapMs = event.at - Number(event['since']);
        if (event.type === 'RoundVoided' && gapMs <= interruptionMs)
          wrong.push(`${stream}: a round is void after ${gapMs} ms without a leader: ${JSON.stringify(event)}`);
      }
    }
  }
  return wrong;
}
