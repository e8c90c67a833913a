import { randomBytes } from 'node:crypto';
import { demoPropertyPath, readProperty } from '../../../src/cli/support/readProperty.ts';
import { type TableRuntime } from '../../../src/runtime/tables/tableRuntime.ts';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { defaultServerLimits } from '../../../src/server/limits/serverLimits.ts';
import { startServer } from '../../../src/server/startServer.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type Scheduler } from '../../../src/runtime/ports/scheduler.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { Kept } from '../../cli/support/punto.ts';
import { closeLater } from '../../closing.ts';
import { approveProposal, commandBy, prepareLiveShoe } from '../../server/support/liveTables.ts';
import { screens } from './screens.ts';

// The attended tables of the demo, controlled by a test, which acts as dealer, supervisor and shift manager.

/** How far the clock is ahead of real time, in ms. */
let clockOffset = 0;
const scheduler: Scheduler = {
  now: () => Date.now() + clockOffset,
  after: (span, run) => {
    const timer = setTimeout(run, span);
    return () => clearTimeout(timer);
  },
};

const fail = (what: string, error: unknown): never => {
  throw new Error(what, { cause: error });
};

export class Live {
  readonly server: Server;
  readonly table: TableRuntime;

  private constructor(server: Server, id: string) {
    this.server = server;
    this.table = server.floor.tables.get(id)!;
  }

  /** The three attended tables without a shoe; the test works at one of them. */
  static async at(id: string): Promise<Live> {
    const { owner, tables, demo } = readProperty(demoPropertyPath, Date.now(), new Kept());
    const live = tables.filter(({ settings }) => settings.attended);
    const server = await startServer({
      store: createMemoryStore(),
      key: randomBytes(32),
      random: createSeededRandom(id),
      owner,
      settings: live.map(({ settings }) => settings),
      pace: { betweenRounds: 0, betweenCards: 0 },
      themeOf: (table) => live.find(({ settings }) => settings.table === table)!.theme,
      demoCredit: demo!.credit,
      initialStaff: { demo: true },
      responsibleGaming: { realityCheckMs: Number.MAX_SAFE_INTEGER, help: null },
      limits: defaultServerLimits,
      screensFolder: await screens(),
      host: '127.0.0.1',
      hostNames: [],
      port: 0,
      scheduler,
      warn: fail,
      onOutage: ({ error }) => fail('The event store failed.', error),
      onFatal: (error) => fail('The event store is lost.', error),
    });
    closeLater(() => server.close());
    return new Live(server, id);
  }

  get address(): string {
    return this.server.address;
  }

  by(...[person, type, fields]: [person: 'd1' | 's1' | 'm1', type: string, fields?: object]): Promise<void> {
    return commandBy(this.table, person, type, fields);
  }

  approved(person: 's1' | 'm1'): Promise<void> {
    return approveProposal(this.table, person);
  }

  /** Moves the clock on. */
  wait(span: number): void {
    clockOffset += span;
  }

  /** Puts another shoe on the table and burns its first card, if the settings say so. */
  async shoe(id: string): Promise<void> {
    await prepareLiveShoe(this.server, this.table.id, id);
    if (this.table.table.settings.burn === 'first-card') await this.by('d1', 'BurnCards', { card: 'AS' });
  }

  async open(): Promise<void> {
    await this.by('d1', 'OpenBets');
  }

  /** Calls the close after the betting time, and closes. */
  async close(): Promise<void> {
    const { bets, grace, bettingTime } = this.table.table.settings;
    this.wait(bettingTime);
    await this.by('d1', 'CallClose');
    if (bets === 'chips') return;
    this.wait(grace);
    await this.by('d1', 'CloseBets');
  }

  async deal(cards: string): Promise<void> {
    const { slotOf } = this;
    for (const card of cards.split(' ')) await this.by('d1', 'DealCard', { slot: slotOf(), card });
  }

  readonly slotOf = (): string => {
    const { cards } = this.table.table.round!;
    const order = ['P1', 'B1', 'P2', 'B2'];
    if (cards.length < 4) return order[cards.length]!;
    const refusal = this.table.refusalOf(
      { type: 'DealCard', actor: { person: 'd1' }, slot: 'P3', card: 'AS' },
      scheduler.now(),
      { authority: { role: 'dealer' } },
    );
    return refusal !== undefined && ['wrong-slot', 'wrong-deck'].includes(refusal.refused) ? 'B3' : 'P3';
  };

  async settle(): Promise<void> {
    this.wait(this.table.table.settings.pause);
    await this.by('d1', 'Settle');
    await this.table.processor.idle();
  }

  async leave(): Promise<void> {
    await this.server.close();
  }
}
