import { randomBytes, randomUUID } from 'node:crypto';
import { type RandomSource, createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { demoCredit, demoOwner, demoSettings } from '../../runtime/support/demo.ts';
import { floorActor } from '../../../src/access/actor.ts';
import { isRefused } from '../../../src/base/refusal.ts';
import { defaultServerLimits } from '../../../src/server/limits/serverLimits.ts';
import { startServer } from '../../../src/server/startServer.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type Scheduler } from '../../../src/runtime/ports/scheduler.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { type TableSettings } from '../../../src/table/schema/settings.ts';
import { type Table } from '../../../src/table/state.ts';
import { closeLater } from '../../closing.ts';
import { screens } from './screens.ts';

// A table controlled by a test: bets stay open and cards and results stay until the test continues. A slow machine has
// enough time, and a fast one never waits.

/** Longer than any test, in ms. */
const longTimeMs = 600_000;

/** How far the tables of this process are ahead of real time, in ms. */
let clockOffset = 0;
const clock: Scheduler = {
  now: () => Date.now() + clockOffset,
  after: (span, run) => {
    const timer = setTimeout(run, span);
    return () => clearTimeout(timer);
  },
};

type DealerOptions = {
  readonly chance?: RandomSource;
  /** An existing store with its data key, and how much time has passed since. */
  readonly store?: Store;
  readonly key?: Buffer;
  readonly later?: number;
  readonly port?: number;
  /** Initial credit of a terminal, null for real money; and the limit above which COLLECT is paid by hand. */
  readonly credit?: number | null;
  readonly handPay?: number;
  /** Reality checks and the help text of the property. By default there are none, because days pass at once here. */
  readonly responsibleGaming?: {
    readonly realityCheckMs: number;
    readonly help: { readonly en: string; readonly zh: string } | null;
  };
  readonly settings?: { readonly limits?: unknown; readonly totalMinimum?: number };
};

/** A request to a dealer in another process. */
export type DealerRequest = { readonly act: 'deal' | 'settle' | 'open' | 'leave'; readonly cards?: number };
/** Sent after the start and after each request: the address, and how far the clock is ahead. */
export type DealerStatus = { readonly address: string; readonly clockOffset: number };

export class Dealer {
  readonly server: Server;
  readonly #allowed: { cards: number; rounds: number };
  readonly #id: string;
  #leaving: Promise<void> | undefined;

  private constructor(server: Server, id: string, allowed: { cards: number; rounds: number }) {
    this.server = server;
    this.#id = id;
    this.#allowed = allowed;
  }

  /** Opens a table of the demo floor with bets open, or resumes one from a store. */
  static async at(id: string, options: DealerOptions = {}): Promise<Dealer> {
    clockOffset += options.later ?? 0;
    const allowed = { cards: 0, rounds: 1 };
    const store = options.store ?? createMemoryStore();
    const isNew = (await store.streams()).length === 0;
    let server: Server | undefined;
    const table = (): Table | undefined => server?.floor.tables.get(id)?.table;
    server = await startServer({
      store,
      key: options.key ?? randomBytes(32),
      random: options.chance ?? createSeededRandom(id),
      owner: demoOwner,
      settings: demoSettings
        .filter((one) => one.table === id)
        .map((one) => ({ ...one, bettingTime: longTimeMs, grace: longTimeMs, pause: longTimeMs, ...options.settings })),
      pace: {
        get betweenRounds() {
          const number = table()?.round?.number ?? (isNew ? 0 : allowed.rounds);
          return number < allowed.rounds ? 0 : longTimeMs;
        },
        get betweenCards() {
          return (table()?.round?.cards.length ?? 0) < allowed.cards ? 0 : longTimeMs;
        },
      },
      demoCredit: options.credit === undefined ? demoCredit : options.credit,
      responsibleGaming: options.responsibleGaming ?? { realityCheckMs: Number.MAX_SAFE_INTEGER, help: null },
      ...(options.handPay !== undefined && { handPayLimit: options.handPay }),
      limits: defaultServerLimits,
      screensFolder: await screens(),
      host: '127.0.0.1',
      hostNames: [],
      port: options.port ?? 0,
      scheduler: clock,
      warn: (what, error) => {
        throw new Error(what, { cause: error });
      },
      onOutage: ({ error }) => {
        throw new Error('The event store failed.', { cause: error });
      },
      onFatal: (error) => {
        throw error;
      },
    });
    const dealer = new Dealer(server, id, allowed);
    closeLater(() => dealer.leave());
    await dealer.#waitUntil(({ round }) => round !== null);
    return dealer;
  }

  /** How far the clock of the table is ahead, in ms. */
  get clockOffset(): number {
    return clockOffset;
  }

  get address(): string {
    return this.server.address;
  }

  get table(): Table {
    return this.server.floor.tables.get(this.#id)!.table;
  }

  /** Announces the close: slips may still arrive. */
  async call(): Promise<void> {
    await this.#advance(longTimeMs);
    await this.#waitUntil(({ phase }) => phase === 'closing');
  }

  /** Closes the bets without dealing a card. */
  async close(): Promise<void> {
    if (this.table.phase === 'betting') await this.call();
    this.#allowed.cards = 0;
    await this.#advance(2 * longTimeMs);
    await this.#waitUntil(({ phase }) => phase === 'dealing');
  }

  /** Deals up to the given number of cards, or all cards of the round. */
  async deal(cards = 6): Promise<void> {
    if (this.table.phase !== 'dealing') await this.close();
    this.#allowed.cards = cards;
    await this.#advance(0);
    await this.#waitUntil(({ phase, round }) => phase === 'result' || round!.cards.length === cards);
  }

  /** Plays the round to its end: every stake is paid, and the result stays. */
  async settle(): Promise<void> {
    if (this.table.phase !== 'result') await this.deal();
    await this.#advance(2 * longTimeMs);
    await this.#waitUntil(({ phase, pendingSettlements: jobs }) => phase === 'idle' && jobs.length === 0);
  }

  /** Opens the next round. */
  async open(): Promise<void> {
    if (this.table.phase !== 'idle') await this.settle();
    this.#allowed.rounds = this.table.round!.number + 1;
    await this.#advance(0);
    await this.#waitUntil(({ phase }) => phase === 'betting');
  }

  /** Plays the round until it is settled, then changes the settings of the table. */
  async changeSettings(settings: TableSettings): Promise<void> {
    if (this.table.phase !== 'idle') await this.settle();
    const { processor } = this.server.floor.tables.get(this.#id)!;
    const result = await processor.submit(randomUUID(), { type: 'ChangeSettings', actor: floorActor, settings });
    if (isRefused(result)) throw new Error(result.message);
    await processor.idle();
  }

  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  async #leave(): Promise<void> {
    if (this.table.phase === 'dealing' || this.table.phase === 'result') await this.settle();
    await this.server.close();
  }

  /** Moves the clock on. An interruption of no length changes nothing, but makes the table check its clock. */
  async #advance(time: number): Promise<void> {
    clockOffset += time;
    await this.server.floor.tables
      .get(this.#id)!
      .submit(randomUUID(), { type: 'ReportInterruption', actor: floorActor, since: clock.now(), stateLost: false });
  }

  /** Waits for the pending state, then until everything is committed. */
  async #waitUntil(fits: (table: Table) => boolean): Promise<void> {
    while (!fits(this.table)) await new Promise((resolve) => setTimeout(resolve, 5));
    await this.server.floor.tables.get(this.#id)!.processor.idle();
  }
}
