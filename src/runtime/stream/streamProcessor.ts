import { type DomainEvent } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { payloadHash } from '../../store/commandRecord.ts';
import { type AppendResult, type StoredPayload, type StoredEntry } from '../../store/store.ts';
import { StoreWriterEnded, isFatalStoreError } from '../../store/failures.ts';
import { PendingState, type DecidedCommand } from './pendingState.ts';
import {
  type CommandResult,
  type CommandContext,
  type PendingCommand,
  isSystemCommand,
  noContext,
  pendingCommand,
} from './pendingCommand.ts';
import {
  type CommandRefusal,
  type RuntimeRefusal,
  cannotRecord,
  balanceRefusal,
  notLeader,
  tableStopped,
  resultUnknown,
} from './refusals.ts';
import { findResult, findEntries, deduplicateBatch, answerDuplicates } from './idempotency.ts';
import { Defect } from './decideCommand.ts';
import { type ProcessorOptions } from './processorOptions.ts';
import { CatchUp } from './catchUp.ts';
import { RetryState } from './retryState.ts';
import { namesRole, malformedText, wellFormedHash, roleInRequest } from './wellFormed.ts';

/**
 * Stream processor: queue and loop of one stream. A batch takes the whole queue, is decided in order, appended in one
 * transaction, and only then published and answered. After any failure the state is read from the event store again.
 * Entries of other writers are read between batches.
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
  /** Ids of commands whose append has no known outcome. */
  readonly #uncertainIds = new Set<string>();
  #retriesForever = false;
  /** Refusal for commands that the processor cannot take now. */
  #unavailable: RuntimeRefusal = cannotRecord;
  /** True when another node leads the stream. The promise ends a backoff as soon as that is so. */
  #isFollower = false;
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

  /** Pending state: ahead of the committed state while a batch is being appended. */
  get state(): State {
    return this.#pending.state;
  }

  get stream(): string {
    return this.#options.stream;
  }

  get sequence(): number {
    return this.#pending.committed.sequence;
  }

  /** Commands in the queue and in the current batch. */
  get pendingCount(): number {
    return this.#queue.length + this.#inFlight;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** True unless the processor has stopped or waits for the event store. */
  get canAppend(): boolean {
    return !this.#isStopped && !this.#isPaused;
  }

  /** Whether an outage is waited for without limit, or ends the processor. */
  set retriesForever(retriesForever: boolean) {
    this.#retriesForever = retriesForever;
  }

  /** Loads the state from the event store. */
  async load(): Promise<void> {
    await this.#pending.committed.load();
    this.#pending.reset();
  }

  /** The last entries of the stream. */
  lastEntries(count: number): Promise<readonly StoredEntry[]> {
    return this.#pending.committed.lastEntries(count);
  }

  /** A copy of the committed state. */
  committed(): { readonly state: State; readonly sequence: number } {
    return { state: this.#pending.committed.copy(), sequence: this.sequence };
  }

  /** Another node leads from now on: the current batch is finished, and queued commands get `handed-on`. */
  async follow(): Promise<void> {
    this.#stopLeading();
    for (const command of this.#queue.splice(0)) command.resolve(notLeader);
    await this.idle();
  }

  #stopLeading(): void {
    this.#isFollower = true;
    this.#retriesForever = false;
    this.#leadershipLost.resolve();
  }

  /** This node leads from now on, after all entries were read. */
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

  /** Resolves when the stream was published up to a sequence of another writer, or when reading failed for too long. */
  async untilPublished(sequence: number): Promise<void> {
    if (sequence <= this.sequence || this.#isStopped) return;
    const published = this.#catchUp.announce(sequence);
    this.#wake();
    await published;
  }

  #wake(): void {
    if (!this.#isRunning && (this.#queue.length > 0 || this.#catchUp.isBehind)) void this.#run();
  }

  /** The arrival time counts, not the time of the decision. A resend with the same id gets the first result. */
  submit(
    id: string,
    request: StoredPayload,
    arrivedAt = this.#options.clock(),
    context: CommandContext = noContext,
  ): Promise<CommandResult> {
    const hash = wellFormedHash(id, request);
    if (hash === undefined) return Promise.resolve(malformedText);
    if (namesRole(request)) return Promise.resolve(roleInRequest);
    if (this.#isFollower) return Promise.resolve(notLeader);
    const command = pendingCommand(id, hash, request, arrivedAt, context);
    if (this.#isPaused && !isSystemCommand(command)) void this.#rejectAll([command]);
    else this.#queue.push(command);
    this.#wake();
    return command.result;
  }

  /** The first result of a stored command; undefined for any other. Decides nothing. */
  async findResult(id: string, request: StoredPayload): Promise<CommandResult | undefined> {
    const hash = wellFormedHash(id, request);
    if (hash === undefined) return malformedText;
    try {
      return await findResult(this.#options.store, id, hash);
    } catch (error) {
      this.#options.onWarning(error);
      return resultUnknown;
    }
  }

  /** The entries of a stored command; none if it is not stored. */
  findEntries(id: string): Promise<readonly StoredEntry[]> {
    return findEntries(this.#options.store, id);
  }

  /** Resolves when the queue is empty. */
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
      // Commands that arrive in the same turn of the event loop share one batch.
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
        // After a failure the pending state is dropped; only the event store counts.
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

  /** The next leader takes the same ids and finds out what became of the last append. */
  #rejectAsFollower(left: readonly PendingCommand[]): void {
    this.#pending.dropInDoubt();
    this.#recover();
    for (const command of left) command.resolve(notLeader);
  }

  #outageReport(): readonly PendingCommand[] {
    const { outageReport, clock } = this.#options;
    const first = outageReport(this.#retries.failingSince);
    return first ? [pendingCommand(first.id, payloadHash(first.request), first.request, clock(), noContext)] : [];
  }

  /** After a failure: returns the commands to try again, after the backoff. */
  async #afterFailure(
    error: unknown,
    left: readonly PendingCommand[],
    beganAt: number,
  ): Promise<readonly PendingCommand[]> {
    const { onRetrying, onFatal } = this.#options;
    if (isFatalStoreError(error)) {
      for (const { id } of left) this.#uncertainIds.add(id);
      await this.#crash(error, left);
      onFatal(error);
      return [];
    }
    // The new leader takes them.
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

  /** Only commands of the system wait for the end of an outage. */
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

  /** A batch was appended or refused by a rule: no append is in doubt any more. */
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

  /** Reads the stream to find out what became of an append without a reply. */
  resolveInDoubt(): Promise<void> {
    return this.#pending.resolveInDoubt();
  }

  /** After a refusal of the store: answers the commands it concerns and returns the others. */
  async #afterAppendRefusal(
    refused: Exclude<AppendResult, { entries: unknown }>,
    decided: readonly DecidedCommand[],
    commands: readonly PendingCommand[],
  ): Promise<readonly PendingCommand[]> {
    if (refused.refused !== 'balance-guard' && refused.refused !== 'balance-range') {
      if (refused.refused === 'epoch-over') {
        const { stream, onOvertaken } = this.#options;
        if (!onOvertaken)
          throw new StoreWriterEnded(`Another program has taken over ${stream}, in epoch ${refused.epoch}.`);
        this.#stopLeading();
        onOvertaken();
        return commands;
      }
      // Commands that were stored in the meantime get their first result.
      const left = await answerDuplicates(this.#options.store, commands);
      // Other writers may have appended more since.
      const moved = refused.refused === 'stream-moved' && this.sequence >= refused.at;
      assert(moved || left.length < commands.length, 'why the store refuses can be read in it');
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
    this.#unavailable = tableStopped;
    this.#options.onRecovered();
    this.#options.onCrashed(error);
    await this.#rejectAll(commands);
  }

  /** Stored commands get their first result also now. */
  async #rejectAll(commands: readonly PendingCommand[]): Promise<void> {
    try {
      for (const command of await answerDuplicates(this.#options.store, commands)) {
        command.resolve(this.#uncertainIds.has(command.id) ? resultUnknown : this.#unavailable);
      }
    } catch {
      // The store cannot be read, so neither yes nor no is certain. Earlier results stand.
      for (const command of commands) command.resolve(resultUnknown);
    }
  }
}
