import { creditPostings } from '../ledger/credit.ts';
import { terminalAccount } from '../ledger/accounts.ts';
import { assert } from '../rules/assert.ts';
import { type Store, type StoredEntry } from '../store/store.ts';
import { type TableRefusal } from '../table/declare/refusals.ts';
import { type Setting, termsOf } from '../table/declare/setting.ts';
import { type Table } from '../table/table.ts';
import { type Chance } from './chance.ts';
import { type Pace, type Step, floorPost, nextStep, shufflerPost } from './pace.ts';
import { Purse } from './purse.ts';
import { type Answered, type Asked, type FloorRefusal, Runner } from './runner.ts';
import { DamagedSeal, sealShoe, tryKey, unsealShoe } from './seal.ts';
import { type HiddenShoe, hiddenShoe } from './shoe.ts';

/** What a floor needs from the world. */
export type World = {
  readonly store: Store;
  readonly clock: () => number;
  readonly chance: Chance;
  readonly key: Buffer;
  /** Calls back after so many milliseconds; gives what stops it. */
  readonly after: (time: number, run: () => void) => () => void;
  /** Waits so many milliseconds before something is tried again; not at all unless given. */
  readonly pause?: (time: number) => Promise<void>;
  /** A fresh id for a command of the floor's own. */
  readonly id: () => string;
  /** Called with what was written, table by table. */
  readonly publish: (table: FloorTable, entries: readonly StoredEntry[]) => void;
  /** Something went wrong at a table that it gets over. */
  readonly trouble: (table: string, error: unknown) => void;
  /** A table cannot go on. */
  readonly stopped: (table: string, error: unknown) => void;
};

export type Owner = Pick<Setting, 'property' | 'currency'>;

/** How long after a failure a step is tried again, in milliseconds. */
const soon = 1_000;

/** One table without staff, with its queue, its shoe and its pace. */
export class FloorTable {
  readonly id: string;
  readonly runner: Runner;
  readonly #world: World;
  readonly #pace: Pace;
  #hidden: HiddenShoe | undefined;
  #cancel: (() => void) | undefined;
  #parked = false;

  constructor(id: string, owner: Owner, pace: Pace, purse: Purse, world: World) {
    this.id = id;
    this.#world = world;
    this.#pace = pace;
    this.runner = new Runner({
      store: world.store,
      stream: `${owner.property}/table/${id}`,
      purse,
      clock: world.clock,
      publish: (entries) => {
        world.publish(this, entries);
        this.#schedule();
      },
      trouble: (error) => world.trouble(id, error),
      stopped: (error) => world.stopped(id, error),
      wait: world.pause ?? (async () => {}),
    });
  }

  get table(): Table {
    assert(this.runner.table !== undefined, 'a table of the floor is open');
    return this.runner.table;
  }

  /** What it is known by in the record. */
  get stream(): string {
    return this.runner.stream;
  }

  submit(id: string, asked: Asked, arrived?: number): Promise<Answered> {
    return this.runner.submit(id, asked, arrived);
  }

  /** The first answer to a command that is in the record. */
  known(id: string, asked: Asked): Promise<Answered | undefined> {
    return this.runner.known(id, asked);
  }

  /** Comes back from the record, as far as it goes. Nothing is written. */
  async load(): Promise<void> {
    await this.runner.load();
    const shoe = this.runner.table?.shoe ?? null;
    if (shoe === null) return;
    try {
      this.#hidden = await unsealShoe(this.#world.store, shoe.id, this.#world.key);
    } catch (error) {
      // A shoe whose order is lost is taken out of use, and its round is void. [READING 29]
      if (!(error instanceof DamagedSeal)) throw error;
      this.#world.trouble(this.id, error);
    }
  }

  /** Opens for the first time, or decides what was interrupted; then goes on. */
  async start(
    setting: { readonly [field: string]: unknown },
    since: number | undefined,
  ): Promise<TableRefusal | FloorRefusal | undefined> {
    if (this.runner.table === undefined) {
      const opened = await this.#own({ type: 'OpenTable', who: floorPost, setting });
      if ('refused' in opened) return opened;
    } else if (this.table.phase !== 'idle') await this.#reportInterruption(since ?? this.table.at);
    this.#schedule();
    return undefined;
  }

  /** [ETG 5.9, HOUSE 6] Nobody was there: what the clause computes is carried out at once. */
  #reportInterruption(since: number): Promise<Answered> {
    const from = Math.min(Math.max(since, this.table.at), this.#world.clock());
    return this.#own({ type: 'ReportInterruption', who: floorPost, since: from, stateLost: false });
  }

  /**
   * Opens no further round, and deals one that has begun to its end. Bets that are still open stay in the record: when the
   * floor comes back, the round goes on after a short while and is void after a long one. [ETG 5.9, HOUSE 6]
   */
  async park(): Promise<void> {
    this.#parked = true;
    this.#cancel?.();
    await this.runner.idle();
    const { phase } = this.table;
    if (phase === 'betting' || phase === 'closing') return;
    const done = Promise.withResolvers<void>();
    const go = (): void => {
      const step = this.runner.isStopped ? undefined : this.#next();
      if (step === undefined || (this.table.phase === 'idle' && this.table.jobs.length === 0)) done.resolve();
      else
        this.#world.after(
          Math.max(0, Math.min(step.at - this.#world.clock(), 5_000)),
          () => void this.#step().then(go, done.reject),
        );
    };
    go();
    await done.promise;
  }

  #own(asked: Asked): Promise<Answered> {
    return this.runner.submit(this.#world.id(), asked);
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#parked || this.runner.isStopped) return;
    const step = this.#next();
    if (step === undefined) return;
    this.#cancel = this.#world.after(Math.max(0, step.at - this.#world.clock()), () => {
      this.#step().catch((error: unknown) => {
        this.#world.trouble(this.id, error);
        this.#cancel = this.#world.after(soon, () => this.#schedule());
      });
    });
  }

  #next(): Step | undefined {
    return nextStep(this.table, this.#pace, this.#hidden, this.#world.chance);
  }

  async #step(): Promise<void> {
    const step = this.#next();
    if (step === undefined) return;
    // Called for a step that has been taken meanwhile: the one after it has its own time.
    if (step.at > this.#world.clock()) {
      this.#schedule();
      return;
    }
    const { phase, setting, at } = this.table;
    const due = Math.max(step.at, at);
    // [READING 12] The program stood still for so long that the table was out of service.
    if (phase !== 'idle' && this.#world.clock() - due > setting.interruption) {
      await this.#reportInterruption(due);
      return;
    }
    const answered = 'shuffle' in step ? await this.#shuffle() : await this.#own(step.asked);
    // Refused means that the table has moved on by itself, or a moment too early: look again.
    if ('refused' in answered && answered.refused !== 'table-stopped' && !this.#parked) {
      this.#cancel = this.#world.after(100, () => this.#schedule());
    }
  }

  /** The order is sealed in the store before its root is recorded: a committed shoe can always be dealt. */
  async #shuffle(): Promise<Answered> {
    const { setting, shoes } = this.table;
    const { game } = termsOf(setting);
    const id = `${this.id}-${shoes.length + 1}-${this.#world.id().slice(0, 8)}`;
    const hidden = hiddenShoe(id, { deck: game.deck, decks: setting.decks }, this.#world.chance);
    await sealShoe(this.#world.store, hidden, this.#world.key);
    this.#hidden = hidden;
    return this.#own({ type: 'CommitShoe', who: shufflerPost, shoe: id, root: hidden.root });
  }
}

/** What the floor as a whole is known by when it says that it is alive. */
export const floorPulse = 'floor';

/** Many tables in one program, and the credit of its terminals. */
export class Floor {
  readonly tables = new Map<string, FloorTable>();
  readonly owner: Owner;
  readonly #world: World;
  readonly #purse: Purse;
  readonly #terminals = new Map<string, string>();
  /** Those who are being seated. */
  readonly #seating = new Map<string, Promise<string>>();
  /** Terminals of which nobody knows whether they were written, by secret. */
  readonly #doubtful = new Map<string, string>();
  /** The highest number that a terminal was ever given. */
  #numbers = 0;

  private constructor(owner: Owner, world: World, purse: Purse) {
    this.owner = owner;
    this.#world = world;
    this.#purse = purse;
  }

  /** Every table from its record, or opened for the first time. */
  static async open(
    owner: Owner,
    settings: readonly { readonly table: string; readonly [field: string]: unknown }[],
    pace: Pace,
    world: World,
  ): Promise<Floor> {
    await tryKey(world.store, world.key);
    const floor = new Floor(owner, world, new Purse(await world.store.balances()));
    await floor.#readTerminals();
    for (const { table: id } of settings) {
      const table = new FloorTable(id, owner, pace, floor.#purse, world);
      floor.tables.set(id, table);
      await table.load();
    }
    // Nothing is written before everything has been read.
    for (const setting of settings) {
      const table = floor.tables.get(setting.table)!;
      const refusal = await table.start(setting, await world.store.lastBeat(table.stream));
      if (refusal) throw new Error(`The table ${setting.table} cannot open: ${refusal.message}`);
    }
    return floor;
  }

  /** How many terminals have ever been seated. */
  get terminals(): number {
    return this.#terminals.size;
  }

  creditOf(terminal: string): number {
    return this.#purse.balance(terminalAccount(this.owner, terminal));
  }

  /** The terminal that a secret belongs to; the secret itself is kept by its browser alone. */
  terminalOf(secretHash: string): string | undefined {
    return this.#terminals.get(secretHash);
  }

  /**
   * The terminal of a secret, known by the secret's hash: the one it has, or a new one with demo credit once that is
   * written. Nobody gets two, however often and in whatever trouble they ask.
   */
  seat(secretHash: string, credit: number): Promise<string> {
    const known = this.#terminals.get(secretHash);
    if (known !== undefined) return Promise.resolve(known);
    let seating = this.#seating.get(secretHash);
    if (seating === undefined) {
      seating = this.#seat(secretHash, credit).finally(() => this.#seating.delete(secretHash));
      this.#seating.set(secretHash, seating);
    }
    return seating;
  }

  async #seat(secretHash: string, credit: number): Promise<string> {
    const { property } = this.owner;
    const tried = this.#doubtful.get(secretHash);
    if (tried !== undefined && (await this.#adopted(secretHash, tried))) return tried;
    // A number is used once.
    this.#numbers += 1;
    const terminal = `T${this.#numbers}`;
    this.#doubtful.set(secretHash, terminal);
    const at = this.#world.clock();
    const loaded = { type: 'CreditLoaded', terminal, by: 'promotion', amount: credit } as const;
    try {
      const appended = await this.#world.store.append({
        stream: `${property}/terminal/${terminal}`,
        after: 0,
        entries: [
          { event: { type: 'TerminalSeated', v: 1, at, terminal, secretHash }, postings: [] },
          { event: { ...loaded, v: 1, at }, postings: creditPostings(loaded, this.owner) },
        ],
      });
      assert('entries' in appended, 'a new terminal has a stream of its own');
      for (const { postings } of appended.entries) this.#purse.book(postings);
    } catch (error) {
      if (!(await this.#adopted(secretHash, terminal))) throw error;
    }
    this.#doubtful.delete(secretHash);
    this.#terminals.set(secretHash, terminal);
    return terminal;
  }

  /** Whether a terminal was written after all, and for whom: the record tells. Until it does, nobody is seated anew. */
  async #adopted(secretHash: string, terminal: string): Promise<boolean> {
    const owner = await this.#secretOf(`${this.owner.property}/terminal/${terminal}`);
    if (owner === secretHash) {
      const account = terminalAccount(this.owner, terminal);
      this.#purse.know(account, await this.#world.store.balance(account));
      this.#terminals.set(secretHash, terminal);
    }
    this.#doubtful.delete(secretHash);
    return owner === secretHash;
  }

  /** Opens no further round, deals to their end those that have begun, and leaves open bets in the record. */
  async park(): Promise<void> {
    await Promise.all([...this.tables.values()].map((table) => table.park()));
    await this.beat();
  }

  /** The floor is alive, and so is each table that can act. */
  beat(): Promise<void> {
    const alive = [...this.tables.values()].filter(({ runner }) => !runner.isStopped);
    return this.#world.store.beat([floorPulse, ...alive.map(({ stream }) => stream)], this.#world.clock());
  }

  async #readTerminals(): Promise<void> {
    const prefix = `${this.owner.property}/terminal/T`;
    for (const stream of await this.#world.store.streams()) {
      if (!stream.startsWith(prefix)) continue;
      const number = Number(stream.slice(prefix.length));
      const secretHash = await this.#secretOf(stream);
      assert(secretHash !== undefined, 'a terminal has a stream from when it is seated');
      this.#numbers = Math.max(this.#numbers, number);
      this.#terminals.set(secretHash, `T${number}`);
    }
  }

  /** The hash that a terminal is known by, if it was ever seated. */
  async #secretOf(stream: string): Promise<string | undefined> {
    for await (const [first] of this.#world.store.read(stream, 0, 1))
      return first?.event['secretHash'] as string | undefined;
    return undefined;
  }
}
