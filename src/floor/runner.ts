import { type Accounted, type Happened, entered } from '../ledger/accounted.ts';
import { assert } from '../rules/assert.ts';
import { type Refusal, refuse } from '../rules/refusal.ts';
import { commandOf, shortAsked } from '../store/asked.ts';
import {
  type Appended,
  type Asked,
  type CommandNote,
  type KnownCommand,
  type NewEntry,
  type RecordedEvent,
  type Store,
  type StoredEntry,
} from '../store/store.ts';
import { snapshotForm, snapshotHash } from '../store/snapshot.ts';
import { type Purse } from './purse.ts';
import { workedOut } from './reading.ts';
import { asksPost, brokenText, hashOfWhole, postAsked } from './whole.ts';

/** What the floor itself refuses. */
export const floorRefusals = ['command-reused', 'result-unknown', 'table-stopped'] as const;
type FloorRefusal = Refusal<(typeof floorRefusals)[number]> & { readonly by: null };

/** Why nothing happened, whoever says so. */
export type Denied = { readonly refused: string; readonly message: string; readonly by: string | null };
export type Answered = { readonly entries: readonly StoredEntry[] } | Denied;

/** What somebody who asks brings along: the post that a person holds, slips of an earlier round. */
export type Brought = CommandNote['brought'];

const nothing: Brought = {};

type Waiting = {
  readonly id: string;
  readonly hash: string;
  readonly asked: Asked;
  readonly brought: Brought;
  readonly at: number;
  readonly answer: (answered: Answered) => void;
  readonly answered: Promise<Answered>;
};

/** A command of a batch that was decided, with what it leads to. */
type Decided = {
  readonly waiting: Waiting;
  readonly entries: readonly NewEntry[];
};

/** A decider as the floor runs it. */
type Run<State, Command, Event extends Happened, Refused extends Denied> = {
  readonly decider: Accounted<State, Command, Event, Refused>;
  /** What the floor knows and whoever asks does not, such as credit. */
  readonly brings: (asked: Asked, state: State, brought: Brought) => Brought;
};

type Parts<State, Command, Event extends Happened, Refused extends Denied> = Run<State, Command, Event, Refused> & {
  readonly store: Store;
  readonly stream: string;
  readonly purse: Purse;
  readonly clock: () => number;
  /** Called with what has been written, never before. */
  readonly publish: (entries: readonly StoredEntry[]) => void;
  /** Called when something went wrong that it gets over. */
  readonly trouble: (error: unknown) => void;
  /** Called when it cannot go on. */
  readonly stopped: (error: unknown) => void;
  /** Waits before something is tried again. */
  readonly wait: (time: number) => Promise<void>;
};

const refusal = (code: FloorRefusal['refused'], message: string): FloorRefusal => ({
  ...refuse<FloorRefusal['refused']>(code, message),
  by: null,
});

const reused = refusal('command-reused', 'The id was used for another command; give this one an id of its own.');
const stopped = refusal('table-stopped', 'The table has stopped; call the supervisor.');
const unknown = refusal(
  'result-unknown',
  'Nobody knows yet whether this was recorded; ask again with the same id once the table is back.',
);

const snapshotEvery = 2000;
const mostTries = 5;
/** Before the second try, in milliseconds; each further one waits twice as long. */
const firstWait = 50;

/**
 * One stream of the record and its queue: all that waits is taken at once, decided in order, made durable with one append,
 * and only then answered and shown. Whatever goes wrong in between, the state is taken from the record again.
 */
export class Runner<State, Command extends { readonly type: string }, Event extends Happened, Refused extends Denied> {
  readonly #parts: Parts<State, Command, Event, Refused>;
  readonly #decidedBy: string;
  #state: State;
  #sequence = 0;
  /** The time of the last event. */
  #at = 0;
  /** The hash of the last entry. */
  #head = '';
  #snapshotAt = 0;
  /** How much of the record has been shown. */
  #shown = 0;
  #queue: Waiting[] = [];
  #running = false;
  #stopped = false;
  /** What is being written, until the store has answered or the record has been read; so long it is held in the purse. */
  #doubtful: readonly Decided[] = [];

  constructor(parts: Parts<State, Command, Event, Refused>) {
    this.#parts = parts;
    this.#state = parts.decider.initial;
    this.#decidedBy = `${parts.decider.name}@${parts.decider.version}`;
  }

  /** The state. While a batch is being written it is ahead of the record. */
  get state(): State {
    return this.#state;
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

  /** What the record holds so far, as a state that nobody else has. */
  async stand(): Promise<{ readonly state: State; readonly sequence: number }> {
    const { state, sequence } = await workedOut(this.#parts);
    return { state, sequence };
  }

  /** Takes the state from the record. */
  async #read(): Promise<void> {
    const { state, sequence, at, head, snapshotAt } = await workedOut(this.#parts);
    this.#state = state;
    this.#sequence = sequence;
    this.#at = at;
    this.#head = head;
    this.#snapshotAt = snapshotAt;
  }

  /** The arrival counts, not the moment of deciding. An id that comes again gets the first answer. */
  submit(id: string, asked: Asked, arrived = this.#parts.clock(), brought: Brought = nothing): Promise<Answered> {
    const hash = hashOfWhole(id, asked);
    if (hash === undefined) return Promise.resolve(brokenText);
    if (asksPost(asked)) return Promise.resolve(postAsked);
    const { promise, resolve } = Promise.withResolvers<Answered>();
    this.#queue.push({
      id,
      hash,
      asked,
      brought,
      at: arrived,
      answer: resolve,
      answered: promise,
    });
    if (!this.#running) void this.#run();
    return promise;
  }

  /** The first answer to a command that is in the record; undefined for any other. Nothing is decided. */
  async known(id: string, asked: Asked): Promise<Answered | undefined> {
    const hash = hashOfWhole(id, asked);
    if (hash === undefined) return brokenText;
    const found = (await this.#parts.store.commands([id])).get(id);
    return found && this.#firstAnswer(id, hash, found);
  }

  /** What the record holds of a command; nothing where it is not there. */
  async recorded(id: string): Promise<readonly StoredEntry[]> {
    const found = (await this.#parts.store.commands([id])).get(id);
    return found ? this.#entriesOf(id, found) : [];
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
          await this.resolveDoubt();
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
      const first = firsts.get(one.id);
      if (first === undefined) firsts.set(one.id, one);
      else if (first.hash === one.hash) void first.answered.then(one.answer);
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
      if (entries.length > 0) this.#doubtful = decided;
      const appended =
        entries.length === 0 ? { entries: [] } : await store.append({ stream, after: this.#sequence, entries });
      if ('refused' in appended) {
        await this.#reload(decided);
        this.#doubtful = [];
        return await this.#resolved(appended, decided, waiting);
      }
      this.#sequence += entries.length;
      this.#head = appended.entries.at(-1)?.hash ?? this.#head;
      this.#shown = this.#sequence;
      for (const { postings } of appended.entries) purse.book(postings);
      this.#doubtful = [];
      if (entries.length > 0) publish(appended.entries);
      let from = 0;
      for (const one of decided) {
        one.waiting.answer({ entries: appended.entries.slice(from, from + one.entries.length) });
        from += one.entries.length;
      }
      for (const [one, denied] of refused) one.answer(denied);
    } finally {
      if (this.#doubtful !== decided) this.#release(decided);
    }
    return [];
  }

  #release(decided: readonly Decided[]): void {
    for (const { entries } of decided) for (const { postings } of entries) this.#parts.purse.release(postings);
  }

  /** Decides one after another, each on what the ones before it led to. */
  #decideAll(waiting: readonly Waiting[], decided: Decided[]): ReadonlyMap<Waiting, Denied> {
    const refused = new Map<Waiting, Denied>();
    for (const one of waiting) {
      const decision = this.#decide(one);
      if ('refused' in decision) refused.set(one, decision);
      else {
        for (const { postings } of decision.entries) this.#parts.purse.hold(postings);
        decided.push(decision);
      }
    }
    return refused;
  }

  #decide(one: Waiting): Decided | Denied {
    const { decider, brings } = this.#parts;
    const { id, hash, asked } = one;
    // Where the clock is behind the record, the time of the record counts.
    const at = Math.max(one.at, this.#at);
    const known = brings(asked, this.#state, one.brought);
    const brought = one.brought === nothing ? known : { ...one.brought, ...known };
    const command = decider.commandFrom(commandOf({ asked, brought }, at));
    if ('refused' in command) return { ...command, by: null };
    const decision = decider.decide(command, this.#state);
    if ('refused' in decision) return decision;
    const { entries, state } = entered(decider, decision, this.#state);
    this.#state = state;
    if (entries.length > 0) this.#at = at;
    return {
      waiting: one,
      entries: entries.map(({ event, postings }, place) => {
        const recorded = event as unknown as RecordedEvent;
        if (place > 0) return { event: recorded, postings, command: { id } };
        const book = decider.bookAt(state);
        // In the order of the canonical form, which is quicker to write.
        const note: CommandNote = {
          asked: shortAsked(asked, recorded),
          ...(book !== undefined && { book }),
          brought,
          decider: this.#decidedBy,
          hash,
          id,
        };
        return { event: recorded, postings, command: note };
      }),
    };
  }

  /** Reads what the record holds; whatever became of a write that was not answered, nothing is held for it any more. */
  async resolveDoubt(): Promise<void> {
    await this.#reload(this.#doubtful);
    this.#release(this.#doubtful);
    this.#doubtful = [];
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
    refused: Exclude<Appended, { entries: unknown }>,
    decided: readonly Decided[],
    waiting: readonly Waiting[],
  ): Promise<readonly Waiting[]> {
    if (refused.refused !== 'balance-guard') {
      assert(refused.refused !== 'epoch-over', 'nobody else runs this stream');
      // Those that are known by now are answered from the record.
      const left = await this.#withoutKnown(waiting);
      const moved = refused.refused === 'stream-moved' && this.#sequence === refused.at;
      assert(moved || left.length < waiting.length, 'why the store refuses can be read in it');
      return left;
    }
    let from = 0;
    const guilty = decided.find(({ entries }) => (from += entries.length) > refused.entry)!.waiting;
    const credit = this.#parts.purse.balance(refused.account);
    const message = 'The credit has gone elsewhere in the meantime; stake less.';
    const denied = { refused: 'not-enough-credit', message, by: null, credit };
    guilty.answer(denied);
    return waiting.filter((one) => one !== guilty);
  }

  /** Those whose commands are in the record already are answered from it. */
  async #withoutKnown(waiting: readonly Waiting[]): Promise<readonly Waiting[]> {
    const commands = await this.#parts.store.commands(waiting.map(({ id }) => id));
    for (const one of waiting) {
      const known = commands.get(one.id);
      if (known) one.answer(await this.#firstAnswer(one.id, one.hash, known));
    }
    return commands.size === 0 ? waiting : waiting.filter(({ id }) => !commands.has(id));
  }

  async #firstAnswer(id: string, asked: string, known: KnownCommand): Promise<Answered> {
    const entries = await this.#entriesOf(id, known);
    const [first] = entries;
    return first !== undefined && 'hash' in first.command && first.command.hash === asked ? { entries } : reused;
  }

  async #entriesOf(id: string, known: KnownCommand): Promise<readonly StoredEntry[]> {
    const { store } = this.#parts;
    const found: StoredEntry[] = [];
    for await (const entries of store.read(known.stream, known.sequence - 1, 16)) {
      const end = entries.findIndex(({ command }) => command.id !== id);
      found.push(...(end < 0 ? entries : entries.slice(0, end)));
      if (end >= 0) break;
    }
    return found;
  }

  /** A start from it is quicker; without it nothing is lost. */
  async #saveSnapshot(): Promise<void> {
    if (this.#stopped || this.#sequence - this.#snapshotAt < snapshotEvery) return;
    const { store, stream, trouble } = this.#parts;
    const state = JSON.stringify(this.#state);
    this.#snapshotAt = this.#sequence;
    const saved = { sequence: this.#sequence, form: snapshotForm, state, hash: snapshotHash(state, this.#head) };
    try {
      await store.saveSnapshot(stream, saved);
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
