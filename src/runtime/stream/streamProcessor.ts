import { type DomainEvent } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { requestHash } from '../../store/commandRecord.ts';
import { type AppendResult, type StoredRequest, type StoredEntry } from '../../store/store.ts';
import { RecordLost, isFatal } from '../../store/failures.ts';
import { PendingState, type DecidedCommand } from './pendingState.ts';
import {
  type CommandResult,
  type Brought,
  type Denied,
  type FloorRefusal,
  type PendingCommand,
  answerIn,
  cannotRecord,
  entriesIn,
  guardedBy,
  notLeader,
  isSystemCommand,
  noContext,
  deduplicateBatch,
  stopped,
  unknown,
  waitingFor,
  answerDuplicates,
} from './pendingCommand.ts';
import { Defect } from './decideCommand.ts';
import { type ProcessorOptions as Parts } from './processorOptions.ts';
import { isOutage, maxRetries, backoffMs } from './retryPolicy.ts';
import { SequenceWaiters } from './sequenceWaiters.ts';
import { asksPost, brokenText, hashOfWhole, postAsked } from './wellFormed.ts';

/**
 * One stream of the record and its queue: all that waits is taken at once, decided in order, made durable with one append,
 * and only then answered and shown. Whatever goes wrong in between, the state is taken from the record again. What others
 * write to the stream is read and shown between two batches.
 */
export class StreamProcessor<
  State,
  Command extends { readonly type: string },
  Event extends DomainEvent,
  Refused extends Denied,
> {
  readonly #parts: Parts<State, Command, Event, Refused>;
  readonly #ahead: PendingState<State, Command, Event, Refused>;
  #queue: PendingCommand[] = [];
  #taken = 0;
  #running = false;
  #stopped = false;
  /** How often the record has failed in a row, and since when. */
  #failures = 0;
  #failedSince = 0;
  #halted = false;
  /** Commands that may be in the record although nobody could find out. */
  readonly #unknown = new Set<string>();
  #patient = false;
  /** What is said to whoever comes in vain. */
  #sorry: FloorRefusal = cannotRecord;
  /** Whether another writes to the stream, and what ends a wait once that is so. */
  #follows = false;
  #yielding = Promise.withResolvers<void>();
  /** Others have written up to there, as far as was told. */
  #told = 0;
  readonly #waiters = new SequenceWaiters();

  constructor(parts: Parts<State, Command, Event, Refused>) {
    this.#parts = parts;
    this.#ahead = new PendingState({
      ...parts,
      publish: (entries) => {
        parts.publish(entries);
        this.#waiters.published(this.sequence);
      },
    });
  }

  /** The state. While a batch is being written it is ahead of the record. */
  get state(): State {
    return this.#ahead.state;
  }

  get stream(): string {
    return this.#parts.stream;
  }

  get sequence(): number {
    return this.#ahead.written.sequence;
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
    await this.#ahead.written.load();
    this.#ahead.reset();
  }

  /** The last so many entries of the record. */
  last(count: number): Promise<readonly StoredEntry[]> {
    return this.#ahead.written.last(count);
  }

  /** What has been shown so far, as a state that nobody else has. */
  stand(): { readonly state: State; readonly sequence: number } {
    return { state: this.#ahead.written.copy(), sequence: this.sequence };
  }

  /** Another writes from now on: what is being written is answered, and all that waits is to be asked there. */
  async follow(): Promise<void> {
    this.#yield();
    for (const one of this.#queue.splice(0)) one.answer(notLeader);
    await this.idle();
  }

  #yield(): void {
    this.#follows = true;
    this.#patient = false;
    this.#yielding.resolve();
  }

  /** Nobody else writes from now on: once all is read, it is decided here. */
  async drive(): Promise<void> {
    await this.readAll();
    this.#follows = false;
    this.#yielding = Promise.withResolvers();
  }

  /** Reads all that others have written. */
  async readAll(): Promise<void> {
    while (this.#running) await this.idle();
    this.#running = true;
    try {
      await this.#ahead.readOn();
    } finally {
      this.#running = false;
      this.#wake();
    }
  }

  /** Others have written up to there: resolves once that has been shown here, or could not be read for a while. */
  async reached(sequence: number): Promise<void> {
    if (sequence <= this.sequence || this.#stopped) return;
    const published = this.#waiters.reach(sequence);
    this.#told = Math.max(this.#told, sequence);
    this.#wake();
    await published;
  }

  #wake(): void {
    if (!this.#running && (this.#queue.length > 0 || this.#isBehind)) void this.#run();
  }

  get #isBehind(): boolean {
    return this.#told > this.sequence;
  }

  /** The arrival counts, not the moment of deciding. An id that comes again gets the first answer. */
  submit(
    id: string,
    asked: StoredRequest,
    arrived = this.#parts.clock(),
    brought: Brought = noContext,
  ): Promise<CommandResult> {
    const hash = hashOfWhole(id, asked);
    if (hash === undefined) return Promise.resolve(brokenText);
    if (asksPost(asked)) return Promise.resolve(postAsked);
    if (this.#follows) return Promise.resolve(notLeader);
    const one = waitingFor(id, hash, asked, arrived, brought);
    if (this.#halted && !isSystemCommand(one)) void this.#turnAway([one]);
    else this.#queue.push(one);
    this.#wake();
    return one.answered;
  }

  /** The first answer to a command that is in the record; undefined for any other. Nothing is decided. */
  async known(id: string, asked: StoredRequest): Promise<CommandResult | undefined> {
    const hash = hashOfWhole(id, asked);
    if (hash === undefined) return brokenText;
    try {
      return await answerIn(this.#parts.store, id, hash);
    } catch (error) {
      this.#parts.trouble(error);
      return unknown;
    }
  }

  /** What the record holds of a command; nothing where it is not there. */
  recorded(id: string): Promise<readonly StoredEntry[]> {
    return entriesIn(this.#parts.store, id);
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Reads and writes nothing more; resolves once what is being done is done. */
  end(): Promise<void> {
    this.#stopped = true;
    return this.idle();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      // What arrives in one turn of the loop goes together.
      await Promise.resolve();
      while (this.#queue.length > 0 || this.#isBehind) {
        if (this.#isBehind) await this.#catchUp();
        const taken = this.#queue;
        this.#queue = [];
        if (taken.length === 0) continue;
        this.#taken = taken.length;
        if (this.#stopped) await this.#turnAway(taken);
        else await this.#batch(taken);
        this.#taken = 0;
        if (!this.#stopped && !this.#follows) await this.#ahead.written.saveSnapshot();
      }
    } finally {
      this.#running = false;
    }
  }

  async #batch(taken: readonly PendingCommand[]): Promise<void> {
    const { store } = this.#parts;
    let left = taken;
    while (left.length > 0 || this.#halted) {
      if (this.#follows) {
        this.#handOn(left);
        return;
      }
      const began = this.#parts.clock();
      try {
        // What was worked out before a failure is forgotten; what the record holds counts.
        if (this.#failures > 0) await this.resolveDoubt();
        const report = this.#halted ? this.#report() : [];
        left = await this.#attempt(deduplicateBatch(await answerDuplicates(store, [...report, ...left])));
        left = left.filter((one) => !report.includes(one));
        this.#mend();
      } catch (error) {
        left = await this.#failed(error, left, began);
      }
    }
  }

  /** Whoever writes now is asked under the same ids: the record tells there what became of a write that was not answered. */
  #handOn(left: readonly PendingCommand[]): void {
    this.#ahead.forgetDoubt();
    this.#mend();
    for (const one of left) one.answer(notLeader);
  }

  /** Shows what others have written. What cannot be read for a while is not waited for: it is told again. */
  async #catchUp(): Promise<void> {
    const { failed, lost, mended, wait } = this.#parts;
    let tries = 0;
    for (; this.#isBehind && !this.#stopped && tries <= maxRetries; tries++) {
      if (tries > 0) await wait(backoffMs(tries));
      try {
        await this.#ahead.readOn();
      } catch (error) {
        failed(error);
        if (!isFatal(error)) continue;
        await this.#stop(error, []);
        lost(error);
      }
    }
    if (tries > 1) mended();
    this.#told = this.sequence;
    this.#waiters.releaseAll();
  }

  #report(): readonly PendingCommand[] {
    const { report, clock } = this.#parts;
    const first = report(this.#failedSince);
    return first ? [waitingFor(first.id, requestHash(first.asked), first.asked, clock(), noContext)] : [];
  }

  /** After a failure: what is to be tried again, once it has waited. */
  async #failed(error: unknown, left: readonly PendingCommand[], began: number): Promise<readonly PendingCommand[]> {
    const { clock, failed, lost } = this.#parts;
    if (isFatal(error)) {
      for (const { id } of left) this.#unknown.add(id);
      await this.#stop(error, left);
      lost(error);
      return [];
    }
    // Whoever writes now is asked.
    if (this.#follows) return left;
    const isBroken = error instanceof Defect;
    const isOver = isOutage(this.#failures, clock() - this.#failedSince, isBroken);
    if (isOver && isBroken) {
      await this.#stop(error.cause, left);
      return [];
    }
    if (this.#failures++ === 0) this.#failedSince = began;
    if (!isBroken) failed(error);
    if (isOver && !this.#patient) {
      await this.#giveUp(error, left);
      return [];
    }
    const kept = isOver ? await this.#halt(left) : left;
    await this.#pause();
    return kept;
  }

  /** Each further one is longer, and none is waited for once another writes. */
  #pause(): Promise<void> {
    return Promise.race([this.#parts.wait(backoffMs(this.#failures)), this.#yielding.promise]);
  }

  /** Nobody but the floor itself waits until the record is there again. */
  async #halt(left: readonly PendingCommand[]): Promise<readonly PendingCommand[]> {
    if (!this.#halted) {
      this.#halted = true;
      this.#parts.halted(true);
    }
    const queue = this.#queue;
    this.#queue = queue.filter(isSystemCommand);
    for (const { id } of left) this.#unknown.add(id);
    await this.#turnAway([...left, ...queue].filter((one) => !isSystemCommand(one)));
    return left.filter(isSystemCommand);
  }

  async #giveUp(error: unknown, left: readonly PendingCommand[]): Promise<void> {
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

  /** Decides and writes a batch; what is left is to be tried again. */
  async #attempt(waiting: readonly PendingCommand[]): Promise<readonly PendingCommand[]> {
    const { store, stream, publish, moved } = this.#parts;
    const ahead = this.#ahead;
    const decided: DecidedCommand[] = [];
    try {
      const isRead = await ahead.readGuess(waiting[0]);
      const refused = ahead.decide(waiting, isRead, decided);
      const entries = decided.flatMap((one) => one.entries);
      if (entries.length > 0) ahead.doubt(decided);
      const appended =
        entries.length === 0 ? { entries: [] } : await store.append({ stream, after: this.sequence, entries });
      if ('refused' in appended) {
        await ahead.reload(decided);
        ahead.doubt([]);
        return await this.#resolved(appended, decided, waiting);
      }
      ahead.wrote(appended.entries);
      if (entries.length > 0) {
        publish(appended.entries);
        this.#waiters.published(this.sequence);
        moved?.(this.sequence);
      }
      let from = 0;
      for (const one of decided) {
        one.waiting.answer({ entries: appended.entries.slice(from, from + one.entries.length) });
        from += one.entries.length;
      }
      for (const [one, denied] of refused) one.answer(denied);
      return waiting.slice(decided.length + refused.size);
    } finally {
      if (!ahead.isDoubtful(decided)) ahead.release(decided);
    }
  }

  /** Reads what the record holds of a write that was not answered. */
  resolveDoubt(): Promise<void> {
    return this.#ahead.resolveDoubt();
  }

  /** After a refusal of the store: whom it concerns is answered, the others go again. */
  async #resolved(
    refused: Exclude<AppendResult, { entries: unknown }>,
    decided: readonly DecidedCommand[],
    waiting: readonly PendingCommand[],
  ): Promise<readonly PendingCommand[]> {
    if (refused.refused !== 'balance-guard' && refused.refused !== 'balance-range') {
      if (refused.refused === 'epoch-over') {
        const { stream, overtaken } = this.#parts;
        if (!overtaken) throw new RecordLost(`Another program has taken over ${stream}, in epoch ${refused.epoch}.`);
        this.#yield();
        overtaken();
        return waiting;
      }
      // Those that are known by now are answered from the record.
      const left = await answerDuplicates(this.#parts.store, waiting);
      // Others may have written more since.
      const moved = refused.refused === 'stream-moved' && this.sequence >= refused.at;
      assert(moved || left.length < waiting.length, 'why the store refuses can be read in it');
      return left;
    }
    const guilty = this.#ahead.guilty(decided, refused.entry);
    const denied = { ...guardedBy(refused), credit: this.#parts.purse.balance(refused.account) };
    guilty.answer(denied);
    return waiting.filter((one) => one !== guilty);
  }

  async #stop(error: unknown, waiting: readonly PendingCommand[]): Promise<void> {
    this.#stopped = true;
    this.#halted = false;
    this.#sorry = stopped;
    this.#parts.mended();
    this.#parts.stopped(error);
    await this.#turnAway(waiting);
  }

  /** What is in the record gets its first answer, also now. */
  async #turnAway(waiting: readonly PendingCommand[]): Promise<void> {
    try {
      for (const one of await answerDuplicates(this.#parts.store, waiting)) {
        one.answer(this.#unknown.has(one.id) ? unknown : this.#sorry);
      }
    } catch {
      // The record cannot be asked: nobody is told yes or no. Whoever was answered before stays answered.
      for (const one of waiting) one.answer(unknown);
    }
  }
}
