import { type Happened } from '../ledger/accounted.ts';
import { assert } from '../rules/assert.ts';
import { hashOfAsked } from '../store/asked.ts';
import { type Appended, type Asked, type NewEntry, type StoredEntry } from '../store/store.ts';
import { snapshotForm, snapshotHash } from '../store/snapshot.ts';
import { RecordLost, isFinal } from '../store/trouble.ts';
import {
  type Answered,
  type Brought,
  type Denied,
  type FloorRefusal,
  type Waiting,
  cannotRecord,
  entriesOf,
  firstAnswer,
  guardedBy,
  isOwn,
  nothing,
  reused,
  stopped,
  unknown,
  waitingFor,
} from './answers.ts';
import { Defect, decidedOn } from './deciding.ts';
import { type RunnerParts as Parts } from './parts.ts';
import { workedOut } from './reading.ts';
import { asksPost, brokenText, hashOfWhole, postAsked } from './whole.ts';

/** A command of a batch that was decided, with what it leads to. */
type Decided = {
  readonly waiting: Waiting;
  readonly entries: readonly NewEntry[];
};

const snapshotEvery = 2000;
/** So many failures in a row are got over unseen; what fails oftener is an outage, or a defect. */
const mostFailures = 5;
/** Before the second try, in milliseconds; each further one waits twice as long, up to the longest. */
const firstWait = 50;
const longestWait = 3_000;

/**
 * One stream of the record and its queue: all that waits is taken at once, decided in order, made durable with one append,
 * and only then answered and shown. Whatever goes wrong in between, the state is taken from the record again.
 */
export class Runner<State, Command extends { readonly type: string }, Event extends Happened, Refused extends Denied> {
  readonly #parts: Parts<State, Command, Event, Refused>;
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
  /** So many are being decided and written. */
  #taken = 0;
  #running = false;
  #stopped = false;
  /** What is being written, until the store has answered or the record has been read; so long it is held in the purse. */
  #doubtful: readonly Decided[] = [];
  /** How often the record has failed in a row, and since when. */
  #failures = 0;
  #failedSince = 0;
  /** It cannot record for the time being. */
  #halted = false;
  /** Commands that may be in the record although nobody could find out. */
  readonly #unknown = new Set<string>();
  /** Whether it tries for as long as it takes. */
  #patient = false;
  /** What is said to whoever comes in vain. */
  #sorry: FloorRefusal = cannotRecord;

  constructor(parts: Parts<State, Command, Event, Refused>) {
    this.#parts = parts;
    this.#state = parts.decider.initial;
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

  /** How many commands wait to be recorded. */
  get waiting(): number {
    return this.#queue.length + this.#taken;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Whether it can act: it has not stopped, and is not waiting for a disk. */
  get canRecord(): boolean {
    return !this.#stopped && !this.#halted;
  }

  /** Whether it tries for as long as it takes, or gives up after a few times. */
  set isPatient(patient: boolean) {
    this.#patient = patient;
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
    // What the first reading has said is not said again with every further try.
    const trouble = this.#failures > 1 ? () => {} : this.#parts.trouble;
    const { state, sequence, at, head, snapshotAt } = await workedOut({ ...this.#parts, trouble });
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
    const one = waitingFor(id, hash, asked, arrived, brought);
    if (this.#halted && !isOwn(one)) void this.#turnAway([one]);
    else this.#queue.push(one);
    if (!this.#running) void this.#run();
    return one.answered;
  }

  /** The first answer to a command that is in the record; undefined for any other. Nothing is decided. */
  async known(id: string, asked: Asked): Promise<Answered | undefined> {
    const hash = hashOfWhole(id, asked);
    if (hash === undefined) return brokenText;
    try {
      const found = (await this.#parts.store.commands([id])).get(id);
      return found && (await firstAnswer(this.#parts.store, id, hash, found));
    } catch (error) {
      this.#parts.trouble(error);
      return unknown;
    }
  }

  /** What the record holds of a command; nothing where it is not there. */
  async recorded(id: string): Promise<readonly StoredEntry[]> {
    const found = (await this.#parts.store.commands([id])).get(id);
    return found ? entriesOf(this.#parts.store, id, found) : [];
  }

  /** Reads on to the end of the record, to which others write too; not while something is being written. */
  async fresh(): Promise<void> {
    while (this.#running) await new Promise((resolve) => setImmediate(resolve));
    this.#running = true;
    await this.#reload([]).finally(() => void this.#run());
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
        this.#taken = taken.length;
        if (this.#stopped) await this.#turnAway(taken);
        else await this.#batch(taken);
        this.#taken = 0;
        await this.#saveSnapshot();
      }
    } finally {
      this.#running = false;
    }
  }

  async #batch(taken: readonly Waiting[]): Promise<void> {
    let left = taken;
    while (left.length > 0 || this.#halted) {
      try {
        // What was worked out before a failure is forgotten; what the record holds counts.
        if (this.#failures > 0) await this.resolveDoubt();
        const report = this.#halted ? this.#report() : [];
        left = await this.#attempt(this.#once(await this.#withoutKnown([...report, ...left])));
        left = left.filter((one) => !report.includes(one));
        this.#mend();
      } catch (error) {
        left = await this.#failed(error, left);
      }
    }
  }

  #report(): readonly Waiting[] {
    const { report, clock } = this.#parts;
    const first = report(this.#failedSince);
    return first ? [waitingFor(first.id, hashOfAsked(first.asked), first.asked, clock(), nothing)] : [];
  }

  /** After a failure: what is to be tried again, once it has waited. */
  async #failed(error: unknown, left: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { clock, failed, lost, wait } = this.#parts;
    if (isFinal(error)) {
      for (const { id } of left) this.#unknown.add(id);
      await this.#stop(error, left);
      lost(error);
      return [];
    }
    const hadEnough = this.#failures >= mostFailures;
    const isBroken = error instanceof Defect;
    if (hadEnough && isBroken) {
      await this.#stop(error.cause, left);
      return [];
    }
    if (this.#failures === 0) this.#failedSince = clock();
    this.#failures += 1;
    if (!isBroken) failed(error);
    if (hadEnough && !this.#patient) {
      await this.#giveUp(error, left);
      return [];
    }
    const kept = hadEnough ? await this.#halt(left) : left;
    await wait(Math.min(firstWait * 2 ** (this.#failures - 1), longestWait));
    return kept;
  }

  /** Nobody but the floor itself waits until the record is there again. */
  async #halt(left: readonly Waiting[]): Promise<readonly Waiting[]> {
    if (!this.#halted) {
      this.#halted = true;
      this.#parts.halted(true);
    }
    const queue = this.#queue;
    this.#queue = queue.filter(isOwn);
    for (const { id } of left) this.#unknown.add(id);
    await this.#turnAway([...left, ...queue].filter((one) => !isOwn(one)));
    return left.filter(isOwn);
  }

  async #giveUp(error: unknown, left: readonly Waiting[]): Promise<void> {
    this.#stopped = true;
    this.#halted = false;
    this.#parts.mended();
    this.#parts.gaveUp(error);
    for (const { id } of left) this.#unknown.add(id);
    await this.#turnAway(left);
  }

  /** It was recorded, or refused for a reason: nothing is in doubt any more. */
  #mend(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#unknown.clear();
    this.#parts.mended();
    if (!this.#halted) return;
    this.#halted = false;
    this.#parts.halted(false);
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
      const decision = decidedOn(this.#parts, one, this.#state, this.#at);
      if ('refused' in decision) {
        refused.set(one, decision);
        continue;
      }
      const { entries, state, at } = decision;
      this.#state = state;
      if (entries.length > 0) this.#at = at;
      for (const { postings } of entries) this.#parts.purse.hold(postings);
      decided.push({ waiting: one, entries });
    }
    return refused;
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
    if (refused.refused !== 'balance-guard' && refused.refused !== 'balance-range') {
      if (refused.refused === 'epoch-over') {
        throw new RecordLost(`Another program has taken over ${this.#parts.stream}, in epoch ${refused.epoch}.`);
      }
      // Those that are known by now are answered from the record.
      const left = await this.#withoutKnown(waiting);
      // Others may have written more since.
      const moved = refused.refused === 'stream-moved' && this.#sequence >= refused.at;
      assert(moved || left.length < waiting.length, 'why the store refuses can be read in it');
      return left;
    }
    let from = 0;
    const guilty = decided.find(({ entries }) => (from += entries.length) > refused.entry)!.waiting;
    const denied = { ...guardedBy(refused), credit: this.#parts.purse.balance(refused.account) };
    guilty.answer(denied);
    return waiting.filter((one) => one !== guilty);
  }

  /** Those whose commands are in the record already are answered from it. */
  async #withoutKnown(waiting: readonly Waiting[]): Promise<readonly Waiting[]> {
    const commands = await this.#parts.store.commands(waiting.map(({ id }) => id));
    for (const one of waiting) {
      const known = commands.get(one.id);
      if (known) one.answer(await firstAnswer(this.#parts.store, one.id, one.hash, known));
    }
    return commands.size === 0 ? waiting : waiting.filter(({ id }) => !commands.has(id));
  }

  /** A start from it is quicker; without it nothing is lost. */
  async #saveSnapshot(): Promise<void> {
    if (this.#stopped || this.#sequence - this.#snapshotAt < snapshotEvery) return;
    const { store, stream, trouble, key } = this.#parts;
    const state = JSON.stringify(this.#state);
    this.#snapshotAt = this.#sequence;
    const saved = { sequence: this.#sequence, form: snapshotForm, state, hash: snapshotHash(state, this.#head, key) };
    try {
      await store.saveSnapshot(stream, saved);
    } catch (error) {
      trouble(error);
    }
  }

  async #stop(error: unknown, waiting: readonly Waiting[]): Promise<void> {
    this.#stopped = true;
    this.#halted = false;
    this.#sorry = stopped;
    this.#parts.mended();
    this.#parts.stopped(error);
    await this.#turnAway(waiting);
  }

  /** What is in the record gets its first answer, also now. */
  async #turnAway(waiting: readonly Waiting[]): Promise<void> {
    try {
      for (const one of await this.#withoutKnown(waiting)) {
        one.answer(this.#unknown.has(one.id) ? unknown : this.#sorry);
      }
    } catch {
      // The record cannot be asked: nobody is told yes or no. Whoever was answered before stays answered.
      for (const one of waiting) one.answer(unknown);
    }
  }
}
