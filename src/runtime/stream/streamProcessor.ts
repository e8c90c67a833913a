import { type DomainEvent } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { requestHash } from '../../store/commandRecord.ts';
import { type AppendResult, type StoredRequest, type StoredEntry } from '../../store/store.ts';
import { RecordLost, isFatal } from '../../store/failures.ts';
import { PendingState, type DecidedCommand } from './pendingState.ts';
import {
  type CommandResult,
  type CommandContext,
  type PendingCommand,
  isSystemCommand,
  noContext,
  createPendingCommand,
} from './pendingCommand.ts';
import {
  type CommandRefusal,
  type RuntimeRefusal,
  cannotRecordRefusal,
  balanceRefusal,
  notLeaderRefusal,
  tableStoppedRefusal,
  resultUnknownRefusal,
} from './refusals.ts';
import { findStoredResult, findStoredEntries, deduplicateBatch, answerDuplicates } from './idempotency.ts';
import { Defect } from './decideCommand.ts';
import { type ProcessorOptions } from './processorOptions.ts';
import { CatchUp } from './catchUp.ts';
import { RetryState } from './retryState.ts';
import { hasRoleInRequest, malformedTextRefusal, requestHashIfWellFormed, roleInRequestRefusal } from './wellFormed.ts';

/**
 * Stream processor: queue and loop of one stream. All queued commands form a batch. It is decided in order and appended
 * in one transaction; only then are entries published and commands answered. After any failure the state is read from
 * the event store again. Entries of other writers are read between batches.
 */
export class StreamProcessor<
  State,
  Command extends { readonly type: string },
  Event extends DomainEvent,
  Refused extends CommandRefusal,
> {
  readonly #options: ProcessorOptions<State, Command, Event, Refused>;
  readonly #pending: PendingState<State, Command, Event, Refused>;
  #queue: PendingCommand[] = [];
  #inFlight = 0;
  #isRunning = false;
  #isStopped = false;
  readonly #retries: RetryState;
  #isPaused = false;
  /** Ids of commands whose append may or may not have happened. */
  readonly #uncertainIds = new Set<string>();
  #retriesForever = false;
  /** Refusal that commands get while the processor is paused or stopped. */
  #unavailable: RuntimeRefusal = cannotRecordRefusal;
  /** True if another node leads the stream. */
  #isFollower = false;
  /** Resolves when another node becomes leader, which cuts a backoff short. */
  #leadershipLost = Promise.withResolvers<void>();
  readonly #catchUp: CatchUp;

  constructor(options: ProcessorOptions<State, Command, Event, Refused>) {
    this.#options = options;
    this.#retries = new RetryState(options.clock);
    this.#pending = new PendingState({
      ...options,
      publish: (entries) => {
        options.publish(entries);
        this.#catchUp.published();
      },
    });
    this.#catchUp = new CatchUp({
      sequence: () => this.sequence,
      isStopped: () => this.#isStopped,
      readNew: () => this.#pending.readNew(),
      sleep: options.sleep,
      onRetrying: options.onRetrying,
      onRecovered: options.onRecovered,
      onFatal: async (error) => {
        await this.#crash(error, []);
        options.onFatal(error);
      },
    });
  }

  /** Pending state, which is ahead of the committed state while a batch is being appended. */
  get state(): State {
    return this.#pending.state;
  }

  get stream(): string {
    return this.#options.stream;
  }

  get sequence(): number {
    return this.#pending.committed.sequence;
  }

  /** Number of commands in the queue and in the current batch. */
  get pendingCount(): number {
    return this.#queue.length + this.#inFlight;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** False if the processor has stopped or has paused because of an outage. */
  get canAppend(): boolean {
    return !this.#isStopped && !this.#isPaused;
  }

  /** If true, the processor retries until an outage is over; if false, an outage stops the processor. */
  set retriesForever(retriesForever: boolean) {
    this.#retriesForever = retriesForever;
  }

  /** Loads the state from the event store. */
  async load(): Promise<void> {
    await this.#pending.committed.load();
    this.#pending.reset();
  }

  /** Reads the last entries of the stream, at most `count`. */
  lastEntries(count: number): Promise<readonly StoredEntry[]> {
    return this.#pending.committed.lastEntries(count);
  }

  /** A copy of the committed state, and the sequence of its last entry. */
  committed(): { readonly state: State; readonly sequence: number } {
    return { state: this.#pending.committed.copy(), sequence: this.sequence };
  }

  /** Becomes a follower: the current batch is finished, and queued commands get the refusal `handed-on`. */
  async follow(): Promise<void> {
    this.#stopLeading();
    for (const command of this.#queue.splice(0)) command.resolve(notLeaderRefusal);
    await this.idle();
  }

  #stopLeading(): void {
    this.#isFollower = true;
    this.#retriesForever = false;
    this.#leadershipLost.resolve();
  }

  /** Becomes the leader, after all entries of other writers were read. */
  async lead(): Promise<void> {
    await this.readToEnd();
    this.#isFollower = false;
    this.#leadershipLost = Promise.withResolvers();
  }

  /** Reads and publishes all entries of other writers. */
  async readToEnd(): Promise<void> {
    while (this.#isRunning) await this.idle();
    this.#isRunning = true;
    try {
      await this.#pending.readNew();
    } finally {
      this.#isRunning = false;
      this.#wake();
    }
  }

  /** Resolves when entries of other writers were published up to a sequence, or when reading failed for too long. */
  async untilPublished(sequence: number): Promise<void> {
    if (sequence <= this.sequence || this.#isStopped) return;
    const published = this.#catchUp.announce(sequence);
    this.#wake();
    await published;
  }

  #wake(): void {
    if (!this.#isRunning && (this.#queue.length > 0 || this.#catchUp.isBehind)) void this.#run();
  }

  /**
   * Queues a command; resolves to its result. The time of its events is `arrivedAt`, not the time of the decision. A
   * resend with the same id gets the first result.
   */
  submit(
    id: string,
    request: StoredRequest,
    arrivedAt = this.#options.clock(),
    context: CommandContext = noContext,
  ): Promise<CommandResult> {
    const hash = requestHashIfWellFormed(id, request);
    if (hash === undefined) return Promise.resolve(malformedTextRefusal);
    if (hasRoleInRequest(request)) return Promise.resolve(roleInRequestRefusal);
    if (this.#isFollower) return Promise.resolve(notLeaderRefusal);
    const command = createPendingCommand(id, hash, request, arrivedAt, context);
    if (this.#isPaused && !isSystemCommand(command)) void this.#rejectAll([command]);
    else this.#queue.push(command);
    this.#wake();
    return command.result;
  }

  /** Finds the first result of a stored command; undefined if it is not stored. Nothing is decided. */
  async findResult(id: string, request: StoredRequest): Promise<CommandResult | undefined> {
    const hash = requestHashIfWellFormed(id, request);
    if (hash === undefined) return malformedTextRefusal;
    try {
      return await findStoredResult(this.#options.store, id, hash);
    } catch (error) {
      this.#options.onWarning(error);
      return resultUnknownRefusal;
    }
  }

  /** Finds the entries of a stored command; an empty list if it is not stored. */
  findEntries(id: string): Promise<readonly StoredEntry[]> {
    return findStoredEntries(this.#options.store, id);
  }

  /** Resolves when the loop has ended, which it does when the queue is empty. */
  async idle(): Promise<void> {
    while (this.#isRunning) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Stops reading and writing; resolves when the current batch is done. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.idle();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      // Waits one turn, so that commands that arrive together share one batch.
      await Promise.resolve();
      while (this.#queue.length > 0 || this.#catchUp.isBehind) {
        if (this.#catchUp.isBehind) await this.#catchUp.run();
        const taken = this.#queue;
        this.#queue = [];
        if (taken.length === 0) continue;
        this.#inFlight = taken.length;
        if (this.#isStopped) await this.#rejectAll(taken);
        else await this.#processBatch(taken);
        this.#inFlight = 0;
        if (!this.#isStopped && !this.#isFollower) await this.#pending.committed.saveSnapshot();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #processBatch(taken: readonly PendingCommand[]): Promise<void> {
    const { store } = this.#options;
    let left = taken;
    while (left.length > 0 || this.#isPaused) {
      if (this.#isFollower) {
        this.#rejectAsFollower(left);
        return;
      }
      const beganAt = this.#options.clock();
      try {
        // After a failure only the event store counts: the pending state is dropped.
        if (this.#retries.isFailing) await this.resolveInDoubt();
        const report = this.#isPaused ? this.#outageReport() : [];
        left = await this.#decideAndAppend(deduplicateBatch(await answerDuplicates(store, [...report, ...left])));
        left = left.filter((command) => !report.includes(command));
        this.#recover();
      } catch (error) {
        left = await this.#afterFailure(error, left, beganAt);
      }
    }
  }

  /** Refuses commands because another node leads. It accepts the same ids and reads the outcome of the last append. */
  #rejectAsFollower(left: readonly PendingCommand[]): void {
    this.#pending.dropInDoubt();
    this.#recover();
    for (const command of left) command.resolve(notLeaderRefusal);
  }

  #outageReport(): readonly PendingCommand[] {
    const { outageReport, clock } = this.#options;
    const first = outageReport(this.#retries.failingSince);
    return first ? [createPendingCommand(first.id, requestHash(first.request), first.request, clock(), noContext)] : [];
  }

  /** Handles a failure of a batch and waits for the backoff; returns the commands to try again. */
  async #afterFailure(
    error: unknown,
    left: readonly PendingCommand[],
    beganAt: number,
  ): Promise<readonly PendingCommand[]> {
    const { onRetrying, onFatal } = this.#options;
    if (isFatal(error)) {
      for (const { id } of left) this.#uncertainIds.add(id);
      await this.#crash(error, left);
      onFatal(error);
      return [];
    }
    // The caller refuses these commands; they are sent to the new leader.
    if (this.#isFollower) return left;
    const isDefect = error instanceof Defect;
    const isExhausted = this.#retries.isExhausted(isDefect);
    if (isExhausted && isDefect) {
      await this.#crash(error.cause, left);
      return [];
    }
    this.#retries.addFailure(beganAt);
    if (!isDefect) onRetrying(error);
    if (isExhausted && !this.#retriesForever) {
      await this.#abort(error, left);
      return [];
    }
    const kept = isExhausted ? await this.#pauseStream(left) : left;
    await this.#backOff();
    return kept;
  }

  /** Exponential backoff, cut short when another node becomes leader. */
  #backOff(): Promise<void> {
    return Promise.race([this.#options.sleep(this.#retries.backoffMs), this.#leadershipLost.promise]);
  }

  /** Pauses the stream for an outage. Commands of the system wait for its end and are returned; others are refused. */
  async #pauseStream(left: readonly PendingCommand[]): Promise<readonly PendingCommand[]> {
    if (!this.#isPaused) {
      this.#isPaused = true;
      this.#options.onPaused(true);
    }
    const queue = this.#queue;
    this.#queue = queue.filter(isSystemCommand);
    for (const { id } of left) this.#uncertainIds.add(id);
    await this.#rejectAll([...left, ...queue].filter((command) => !isSystemCommand(command)));
    return left.filter(isSystemCommand);
  }

  async #abort(error: unknown, left: readonly PendingCommand[]): Promise<void> {
    this.#isStopped = true;
    this.#isPaused = false;
    this.#options.onRecovered();
    this.#options.onAborted(error);
    for (const { id } of left) this.#uncertainIds.add(id);
    await this.#rejectAll(left);
  }

  /** Ends the retries after a success: no append is in doubt any more, and a paused stream resumes. */
  #recover(): void {
    if (!this.#retries.reset()) return;
    this.#uncertainIds.clear();
    this.#options.onRecovered();
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.onPaused(false);
  }

  /** Decides and appends one batch; returns the commands to try again. */
  async #decideAndAppend(commands: readonly PendingCommand[]): Promise<readonly PendingCommand[]> {
    const { store, stream, publish, onAppended } = this.#options;
    const pending = this.#pending;
    const decided: DecidedCommand[] = [];
    try {
      const isRead = await pending.refreshFor(commands[0]);
      const refused = pending.decide(commands, isRead, decided);
      const entries = decided.flatMap((command) => command.entries);
      if (entries.length > 0) pending.markInDoubt(decided);
      const appended =
        entries.length === 0 ? { entries: [] } : await store.append({ stream, after: this.sequence, entries });
      if ('refused' in appended) {
        await pending.reload(decided);
        pending.markInDoubt([]);
        return await this.#afterAppendRefusal(appended, decided, commands);
      }
      pending.commit(appended.entries);
      if (entries.length > 0) {
        publish(appended.entries);
        this.#catchUp.published();
        onAppended?.(this.sequence);
      }
      let from = 0;
      for (const command of decided) {
        command.command.resolve({ entries: appended.entries.slice(from, from + command.entries.length) });
        from += command.entries.length;
      }
      for (const [command, refusal] of refused) command.resolve(refusal);
      return commands.slice(decided.length + refused.size);
    } finally {
      if (!pending.isInDoubt(decided)) pending.release(decided);
    }
  }

  /** Reads the stream to find out whether an append without a reply has happened. */
  resolveInDoubt(): Promise<void> {
    return this.#pending.resolveInDoubt();
  }

  /** Handles a refusal of the store: answers the commands it concerns, and returns the others. */
  async #afterAppendRefusal(
    refused: Exclude<AppendResult, { entries: unknown }>,
    decided: readonly DecidedCommand[],
    commands: readonly PendingCommand[],
  ): Promise<readonly PendingCommand[]> {
    if (refused.refused !== 'balance-guard' && refused.refused !== 'balance-range') {
      if (refused.refused === 'epoch-over') {
        const { stream, onOvertaken } = this.#options;
        if (!onOvertaken) throw new RecordLost(`Another process has taken over ${stream}, in epoch ${refused.epoch}.`);
        this.#stopLeading();
        onOvertaken();
        return commands;
      }
      // Commands that were stored in the meantime get their first result.
      const left = await answerDuplicates(this.#options.store, commands);
      // Other writers may have appended more since the refusal.
      const moved = refused.refused === 'stream-moved' && this.sequence >= refused.at;
      assert(moved || left.length < commands.length, 'the store shows why it refused an append');
      return left;
    }
    const offender = this.#pending.commandOfEntry(decided, refused.entry);
    const refusal = { ...balanceRefusal(refused), credit: this.#options.balances.balance(refused.account) };
    offender.resolve(refusal);
    return commands.filter((command) => command !== offender);
  }

  async #crash(error: unknown, commands: readonly PendingCommand[]): Promise<void> {
    this.#isStopped = true;
    this.#isPaused = false;
    this.#unavailable = tableStoppedRefusal;
    this.#options.onRecovered();
    this.#options.onCrashed(error);
    await this.#rejectAll(commands);
  }

  /** Refuses commands, except those that are stored already: they get their first result. */
  async #rejectAll(commands: readonly PendingCommand[]): Promise<void> {
    try {
      for (const command of await answerDuplicates(this.#options.store, commands)) {
        command.resolve(this.#uncertainIds.has(command.id) ? resultUnknownRefusal : this.#unavailable);
      }
    } catch {
      // The store cannot be read, so it is not known which are stored. Commands that are resolved already stay so.
      for (const command of commands) command.resolve(resultUnknownRefusal);
    }
  }
}
