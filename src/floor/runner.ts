import { hash } from 'node:crypto';
import { type Account, terminalAccount } from '../ledger/accounts.ts';
import { enter } from '../ledger/entries.ts';
import { assert } from '../rules/assert.ts';
import { canonicalOf } from '../rules/hash.ts';
import { type Refusal, isRefused, refuse } from '../rules/refusal.ts';
import {
  type Appended,
  type CommandMark,
  type KnownCommand,
  type NewEntry,
  type RecordedEvent,
  type Store,
  type StoredEntry,
} from '../store/store.ts';
import { type Command } from '../table/declare/commands.ts';
import { decide } from '../table/decide/decide.ts';
import { type TableEvent } from '../table/declare/events.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type TableRefusal, deny } from '../table/declare/refusals.ts';
import { type Table } from '../table/table.ts';
import { type Purse } from './purse.ts';

/** What the floor itself refuses. */
export const floorRefusals = ['command-reused', 'result-unknown', 'table-stopped'] as const;
export type FloorRefusal = Refusal<(typeof floorRefusals)[number]> & { readonly by: null };

/** A command before the floor has stamped it with time and credit. */
export type Asked = { readonly type: Command['type']; readonly who: Command['who']; readonly [field: string]: unknown };
export type Answered = { readonly entries: readonly StoredEntry[] } | TableRefusal | FloorRefusal;

type Waiting = {
  readonly mark: CommandMark;
  readonly asked: Asked;
  readonly at: number;
  readonly answer: (answered: Answered) => void;
  readonly answered: Promise<Answered>;
};

/** A command of a batch that was decided, with what it leads to and what it holds back. */
type Decided = {
  readonly waiting: Waiting;
  readonly entries: readonly NewEntry[];
  readonly held: readonly [Account, number] | undefined;
};

type Parts = {
  readonly store: Store;
  readonly stream: string;
  readonly purse: Purse;
  readonly clock: () => number;
  /** Called with what has been written, never before. */
  readonly publish: (entries: readonly StoredEntry[]) => void;
  /** Called when something went wrong that the table gets over. */
  readonly trouble: (error: unknown) => void;
  /** Called when the table cannot go on. */
  readonly stopped: (error: unknown) => void;
  /** Waits before something is tried again. */
  readonly wait: (time: number) => Promise<void>;
};

const reused: FloorRefusal = {
  ...refuse<'command-reused'>('command-reused', 'The id was used for another command; give this one an id of its own.'),
  by: null,
};

const stopped: FloorRefusal = {
  ...refuse<'table-stopped'>('table-stopped', 'The table has stopped; call the supervisor.'),
  by: null,
};

const unknown: FloorRefusal = {
  ...refuse<'result-unknown'>(
    'result-unknown',
    'Nobody knows yet whether this was recorded; ask again with the same id once the table is back.',
  ),
  by: null,
};

const snapshotEvery = 2000;
const mostTries = 5;
/** Before the second try, in milliseconds; each further one waits twice as long. */
const firstWait = 50;

const hashOfText = (text: string): string => `sha256:${hash('sha256', text)}`;

/** The form of a table's state. A snapshot of another form is not read. */
const form = 1;
/** Binds a state to the entry that it was worked out up to. */
export const snapshotHash = (state: string, head: string): string => hashOfText(`${form}\n${head}\n${state}`);

/**
 * One table and its queue: all that waits is taken at once, decided in order, made durable with one append, and only then
 * answered and shown. Whatever goes wrong in between, the state is taken from the record again.
 */
export class Runner {
  readonly #parts: Parts;
  #table: Table | undefined;
  #sequence = 0;
  /** The hash of the last entry. */
  #head = '';
  #snapshotAt = 0;
  /** How much of the record has been shown. */
  #shown = 0;
  #queue: Waiting[] = [];
  #running = false;
  #stopped = false;
  /** What was being written when the store failed to answer. */
  #doubtful: readonly Decided[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The state; undefined before the table was opened. While a batch is being written it is ahead of the record. */
  get table(): Table | undefined {
    return this.#table;
  }

  get stream(): string {
    return this.#parts.stream;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Comes back from the record. */
  async load(): Promise<void> {
    await this.#read();
    this.#shown = this.#sequence;
  }

  /** The last so many entries of the record. */
  async last(count: number): Promise<readonly StoredEntry[]> {
    const { store, stream } = this.#parts;
    const found: StoredEntry[] = [];
    for await (const entries of store.read(stream, Math.max(0, this.#sequence - count))) found.push(...entries);
    return found;
  }

  /** Takes the state from the record: the last snapshot and what came after it. */
  async #read(): Promise<void> {
    const { store, stream } = this.#parts;
    const snapshot = await this.#snapshot();
    let table = snapshot?.table;
    let sequence = snapshot?.sequence ?? 0;
    let head = snapshot?.head ?? '';
    for await (const entries of store.read(stream, sequence)) {
      for (const { event } of entries) table = evolve(table, event as unknown as TableEvent);
      sequence += entries.length;
      head = entries.at(-1)!.hash;
    }
    this.#table = table;
    this.#sequence = sequence;
    this.#head = head;
    this.#snapshotAt = snapshot?.sequence ?? 0;
  }

  /** The last snapshot, if it is what was saved at that entry; else everything is worked out from the first one. */
  async #snapshot(): Promise<{ table: Table; sequence: number; head: string } | undefined> {
    const { store, stream, trouble } = this.#parts;
    const saved = await store.snapshot(stream);
    if (saved === undefined) return undefined;
    for await (const [entry] of store.read(stream, saved.sequence - 1, 1)) {
      if (entry === undefined || snapshotHash(saved.state, entry.hash) !== saved.hash) break;
      return { table: JSON.parse(saved.state) as Table, sequence: saved.sequence, head: entry.hash };
    }
    trouble(new Error(`The snapshot of ${stream} is not the one that was saved; the table is worked out anew.`));
    return undefined;
  }

  /** The arrival counts, not the moment of deciding. An id that comes again gets the first answer. */
  submit(id: string, asked: Asked, arrived = this.#parts.clock()): Promise<Answered> {
    const { promise, resolve } = Promise.withResolvers<Answered>();
    this.#queue.push({
      mark: { id, hash: hashOfText(canonicalOf(asked)) },
      asked,
      at: arrived,
      answer: resolve,
      answered: promise,
    });
    if (!this.#running) void this.#run();
    return promise;
  }

  /** The first answer to a command that is in the record; undefined for any other. Nothing is decided. */
  async known(id: string, asked: Asked): Promise<Answered | undefined> {
    const found = (await this.#parts.store.commands([id])).get(id);
    return found && this.#firstAnswer({ id, hash: hashOfText(canonicalOf(asked)) }, found);
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await new Promise((resolve) => setImmediate(resolve));
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      // What arrives in one turn of the loop goes together.
      await Promise.resolve();
      while (this.#queue.length > 0) {
        const taken = this.#queue;
        this.#queue = [];
        if (this.#stopped) await this.#turnAway(taken);
        else await this.#batch(taken);
        await this.#saveSnapshot();
      }
    } finally {
      this.#running = false;
    }
  }

  async #batch(taken: readonly Waiting[]): Promise<void> {
    let left = taken;
    for (let tries = 0; left.length > 0; tries++) {
      try {
        left = await this.#attempt(this.#once(await this.#withoutKnown(left)));
      } catch (error) {
        // Broken, or the store in trouble: what was worked out is forgotten; what the record holds counts.
        if (tries >= mostTries) return this.#stop(error, left);
        await this.#parts.wait(firstWait * 2 ** tries);
        try {
          await this.#reload(this.#doubtful);
          left = await this.#withoutKnown(left);
        } catch (again) {
          return this.#stop(again, left);
        }
      }
    }
  }

  /** An id that comes twice in one batch is decided once, and both get the one answer. */
  #once(waiting: readonly Waiting[]): readonly Waiting[] {
    const firsts = new Map<string, Waiting>();
    return waiting.filter((one) => {
      const first = firsts.get(one.mark.id);
      if (first === undefined) firsts.set(one.mark.id, one);
      else if (first.mark.hash === one.mark.hash) void first.answered.then(one.answer);
      else one.answer(reused);
      return first === undefined;
    });
  }

  /** Decides and writes a batch; what is left is to be tried again. */
  async #attempt(waiting: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { store, stream, purse, publish } = this.#parts;
    const decided: Decided[] = [];
    try {
      const refused = this.#decideAll(waiting, decided);
      const entries = decided.flatMap((one) => one.entries);
      const appended =
        entries.length === 0 ? { entries: [] } : await store.append({ stream, after: this.#sequence, entries });
      if ('refused' in appended) {
        await this.#reload(decided);
        return await this.#resolved(appended, decided, waiting);
      }
      this.#sequence += entries.length;
      this.#head = appended.entries.at(-1)?.hash ?? this.#head;
      this.#shown = this.#sequence;
      for (const { postings } of appended.entries) purse.book(postings);
      if (entries.length > 0) publish(appended.entries);
      let from = 0;
      for (const one of decided) {
        one.waiting.answer({ entries: appended.entries.slice(from, from + one.entries.length) });
        from += one.entries.length;
      }
      for (const [one, refusal] of refused) one.answer(refusal);
    } catch (error) {
      this.#doubtful = decided;
      throw error;
    } finally {
      for (const { held } of decided) if (held) purse.release(...held);
    }
    return [];
  }

  /** Decides one after another, each on what the ones before it led to. */
  #decideAll(waiting: readonly Waiting[], decided: Decided[]): ReadonlyMap<Waiting, TableRefusal> {
    const { purse } = this.#parts;
    const refused = new Map<Waiting, TableRefusal>();
    for (const one of waiting) {
      const account = this.#creditOf(one.asked);
      const credit = account && { credit: Math.max(0, purse.available(account)) };
      // Where the clock is behind the record, the time of the record counts.
      const at = Math.max(one.at, this.#table?.at ?? 0);
      const command = { ...one.asked, ...credit, at } as unknown as Command;
      const decision = decide(command, this.#table);
      if (isRefused(decision)) {
        refused.set(one, decision);
        continue;
      }
      const { entries, table } = enter(decision, this.#table);
      this.#table = table;
      const taken = account ? entries.flatMap(({ postings }) => postings).filter(({ from }) => from === account) : [];
      const amount = taken.reduce((sum, posting) => sum + posting.amount, 0);
      const held = account && amount > 0 ? ([account, amount] as const) : undefined;
      if (held) purse.hold(...held);
      decided.push({
        waiting: one,
        held,
        entries: entries.map(({ event, postings }) => ({
          event: event as unknown as RecordedEvent,
          postings,
          command: one.mark,
        })),
      });
    }
    return refused;
  }

  /** The account whose credit a command may spend. */
  #creditOf({ type, who }: Asked): Account | undefined {
    return type === 'SetSlip' && 'terminal' in who && this.#table
      ? terminalAccount(this.#table.setting, who.terminal)
      : undefined;
  }

  /** Takes state and balances from the record, after its answer was lost or not what was expected. */
  async #reload(touched: readonly Decided[]): Promise<void> {
    const { store, stream, purse, publish } = this.#parts;
    await this.#read();
    for await (const entries of store.read(stream, this.#shown)) {
      for (const { postings } of entries) purse.book(postings);
      this.#shown += entries.length;
      publish(entries);
    }
    const postings = touched.flatMap(({ entries }) => entries.flatMap((entry) => entry.postings));
    for (const account of new Set(postings.flatMap(({ from, to }) => [from, to]))) {
      purse.know(account, await store.balance(account));
    }
  }

  /** After a refusal of the store: whom it concerns is answered, the others go again. */
  async #resolved(
    refusal: Exclude<Appended, { entries: unknown }>,
    decided: readonly Decided[],
    waiting: readonly Waiting[],
  ): Promise<readonly Waiting[]> {
    if (refusal.refused !== 'balance-guard') {
      // Those that are known by now are answered from the record.
      const left = await this.#withoutKnown(waiting);
      const moved = refusal.refused === 'stream-moved' && this.#sequence === refusal.at;
      assert(moved || left.length < waiting.length, 'why the store refuses can be read in it');
      return left;
    }
    let from = 0;
    const guilty = decided.find(({ entries }) => (from += entries.length) > refusal.entry)!.waiting;
    const message = 'The credit has gone elsewhere in the meantime; stake less.';
    guilty.answer(deny('not-enough-credit', null, message, { credit: this.#parts.purse.balance(refusal.account) }));
    return waiting.filter((one) => one !== guilty);
  }

  /** Those whose commands are in the record already are answered from it. */
  async #withoutKnown(waiting: readonly Waiting[]): Promise<readonly Waiting[]> {
    const commands = await this.#parts.store.commands(waiting.map(({ mark }) => mark.id));
    for (const one of waiting) {
      const known = commands.get(one.mark.id);
      if (known) one.answer(await this.#firstAnswer(one.mark, known));
    }
    return commands.size === 0 ? waiting : waiting.filter(({ mark }) => !commands.has(mark.id));
  }

  async #firstAnswer(mark: CommandMark, known: KnownCommand): Promise<Answered> {
    const { store } = this.#parts;
    const found: StoredEntry[] = [];
    for await (const entries of store.read(known.stream, known.sequence - 1, 16)) {
      const end = entries.findIndex(({ command }) => command?.id !== mark.id);
      found.push(...(end < 0 ? entries : entries.slice(0, end)));
      if (end >= 0) break;
    }
    return found[0]?.command?.hash === mark.hash ? { entries: found } : reused;
  }

  /** A start from it is quicker; without it nothing is lost. */
  async #saveSnapshot(): Promise<void> {
    if (this.#stopped || this.#sequence - this.#snapshotAt < snapshotEvery) return;
    const { store, stream, trouble } = this.#parts;
    const state = JSON.stringify(this.#table);
    this.#snapshotAt = this.#sequence;
    try {
      await store.saveSnapshot(stream, { sequence: this.#sequence, state, hash: snapshotHash(state, this.#head) });
    } catch (error) {
      trouble(error);
    }
  }

  async #stop(error: unknown, waiting: readonly Waiting[]): Promise<void> {
    this.#stopped = true;
    this.#parts.stopped(error);
    await this.#turnAway(waiting);
  }

  /** What is in the record gets its first answer, also now. */
  async #turnAway(waiting: readonly Waiting[]): Promise<void> {
    try {
      for (const one of await this.#withoutKnown(waiting)) one.answer(stopped);
    } catch {
      // The record cannot be asked: nobody is told yes or no. Whoever was answered before stays answered.
      for (const one of waiting) one.answer(unknown);
    }
  }
}
