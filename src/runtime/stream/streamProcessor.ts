import { type DomainEvent } from '../../deciders/deciders.ts';
import { payloadHash } from '../../store/commandRecord.ts';
import { type StoredPayload, type StoredEntry } from '../../store/store.ts';
import { isFatalStoreError } from '../../store/failures.ts';
import { PendingState } from './pendingState.ts';
import {
  type CommandResult,
  type CommandContext,
  type PendingCommand,
  isSystemCommand,
  emptyContext,
  createPendingCommand,
} from './pendingCommand.ts';
import {
  type CommandRefusal,
  type UncheckedRefusal,
  notLeaderRefusal,
  tableStoppedRefusal,
  resultUnknownRefusal,
} from './refusals.ts';
import { CommandLookup, resolveStoredCommands, storedResultOrRefusal } from './commandLookup.ts';
import { DefectError } from './decideCommand.ts';
import { type ProcessorOptions } from './processorOptions.ts';
import { BatchProcessor } from './batchProcessor.ts';
import { StreamCatchUp } from './streamCatchUp.ts';
import { CommandRejector } from './commandRejector.ts';
import { RetryState } from './retryState.ts';
import { hasRoleInRequest, malformedTextRefusal, requestHashIfWellFormed, roleInRequestRefusal } from './wellFormed.ts';

/**
 * Stream processor: queue and loop of one stream. All queued commands form a batch, which is decided in order and
 * appended in one transaction. Only then are entries published and commands answered. After a failure the state is
 * read from the event store again. Entries of other writers are read between batches.
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
  /** Commands without a result, by id. A resend shares the result of the first request. */
  readonly #unanswered = new Map<string, PendingCommand>();
  #inFlight = 0;
  #isRunning = false;
  #isStopped = false;
  readonly #retries: RetryState;
  #isPaused = false;
  #retriesForever = false;
  /** True if another node leads the stream. */
  #isFollower = false;
  /** Resolves when this node stops leading the stream, and so cuts a backoff short. */
  #leadershipLost = Promise.withResolvers<void>();
  readonly #catchUp: StreamCatchUp;
  readonly #batchProcessor: BatchProcessor<State, Command, Event, Refused>;
  readonly #rejector: CommandRejector;
  readonly #lookup: CommandLookup;

  constructor(options: ProcessorOptions<State, Command, Event, Refused>) {
    this.#options = options;
    this.#retries = new RetryState(options.clock);
    const publishing: ProcessorOptions<State, Command, Event, Refused> = {
      ...options,
      publish: (entries) => {
        options.publish(entries);
        this.#catchUp.published();
      },
    };
    this.#pending = new PendingState(publishing);
    this.#batchProcessor = new BatchProcessor(publishing, this.#pending, () => this.#stopLeading());
    this.#rejector = new CommandRejector(options.store);
    this.#lookup = new CommandLookup(options.store);
    this.#catchUp = new StreamCatchUp({
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

  async load(): Promise<void> {
    await this.#pending.committed.load();
    this.#pending.reset();
  }

  lastEntries(count: number): Promise<readonly StoredEntry[]> {
    return this.#pending.committed.lastEntries(count);
  }

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

  /** Reads all entries of other writers, then becomes the leader. */
  async lead(): Promise<void> {
    await this.readToEnd();
    this.#isFollower = false;
    this.#leadershipLost = Promise.withResolvers();
  }

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

  /** Waits until this node has published the stream up to `sequence`, or until reading has failed too often. */
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
   * Queues a command; resolves to its result. The events of the command have the time `arrivedAt` or the time of the
   * last event, whichever is later. A resend with the same id gets the first result.
   */
  submit(
    id: string,
    request: StoredPayload,
    arrivedAt = this.#options.clock(),
    context: CommandContext = emptyContext,
  ): Promise<CommandResult> {
    const hash = requestHashIfWellFormed(id, request);
    if (hash === undefined) return Promise.resolve(malformedTextRefusal);
    if (hasRoleInRequest(request)) return Promise.resolve(roleInRequestRefusal);
    if (this.#isFollower) return Promise.resolve(notLeaderRefusal);
    const first = this.#unanswered.get(id);
    if (first) {
      // A different request with the same id waits for the result of the first request, and is then submitted again.
      return first.hash === hash ? first.result : first.result.then(() => this.submit(id, request, arrivedAt, context));
    }
    const command = createPendingCommand(id, hash, request, arrivedAt, context, () => {
      if (this.#unanswered.get(id) === command) this.#unanswered.delete(id);
    });
    this.#unanswered.set(id, command);
    if (this.#isPaused && !isSystemCommand(command)) void this.#rejector.reject([command]);
    else this.#queue.push(command);
    this.#wake();
    return command.result;
  }

  /**
   * Finds the result of a stored command without deciding anything; undefined if the command is not stored. If the
   * command has no result yet, waits for its result first, because its append may be running.
   */
  async findResult(id: string, request: StoredPayload): Promise<CommandResult | undefined> {
    const hash = requestHashIfWellFormed(id, request);
    if (hash === undefined) return malformedTextRefusal;
    await this.#unanswered.get(id)?.result;
    try {
      return await this.#lookup.findResult(id, hash);
    } catch (error) {
      this.#options.onWarning(error);
      return resultUnknownRefusal;
    }
  }

  /**
   * Answers a command that was refused before `submit`: with its stored result if the command is stored, else with the
   * refusal.
   */
  refuse(id: string, request: StoredPayload, refusal: UncheckedRefusal): Promise<CommandResult> {
    return storedResultOrRefusal(refusal, () => this.findResult(id, request));
  }

  /** Finds the entries of a stored command; an empty list if the command is not stored. */
  findEntries(id: string): Promise<readonly StoredEntry[]> {
    return this.#lookup.findEntries(id);
  }

  /** Resolves when the loop has ended. The loop ends when the queue is empty. */
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
      // Waits one microtask, so that commands that are submitted together share one batch.
      await Promise.resolve();
      while (this.#queue.length > 0 || this.#catchUp.isBehind) {
        if (this.#catchUp.isBehind) await this.#catchUp.run();
        const taken = this.#queue;
        this.#queue = [];
        if (taken.length === 0) continue;
        this.#inFlight = taken.length;
        if (this.#isStopped) await this.#rejector.reject(taken);
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
        // After a failure only the event store counts, so the pending state is dropped.
        if (this.#retries.isFailing) await this.resolveInDoubt();
        const report = this.#isPaused ? this.#outageReport() : [];
        left = await this.#batchProcessor.append(await resolveStoredCommands(store, [...report, ...left]));
        left = left.filter((command) => !report.includes(command));
        this.#recover();
      } catch (error) {
        left = await this.#afterFailure(error, left, beganAt);
      }
    }
  }

  /**
   * Refuses commands because another node leads the stream. The new leader accepts the same ids, and finds out whether
   * the last append of this node was stored.
   */
  #rejectAsFollower(left: readonly PendingCommand[]): void {
    this.#pending.dropInDoubt();
    this.#recover();
    for (const command of left) command.resolve(notLeaderRefusal);
  }

  #outageReport(): readonly PendingCommand[] {
    const { outageReport, clock } = this.#options;
    const first = outageReport(this.#retries.failingSince);
    return first
      ? [createPendingCommand(first.id, payloadHash(first.request), first.request, clock(), emptyContext)]
      : [];
  }

  /** Handles a failure of a batch and waits for the backoff. Returns the commands to try again. */
  async #afterFailure(
    error: unknown,
    left: readonly PendingCommand[],
    beganAt: number,
  ): Promise<readonly PendingCommand[]> {
    const { onRetrying, onFatal } = this.#options;
    if (isFatalStoreError(error)) {
      this.#rejector.markUncertain(left);
      await this.#crash(error, left);
      onFatal(error);
      return [];
    }
    // `#processBatch` refuses these commands as a follower, and their senders forward them to the new leader.
    if (this.#isFollower) return left;
    const isDefect = error instanceof DefectError;
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

  /** Exponential backoff, cut short when this node stops leading. */
  #backOff(): Promise<void> {
    return Promise.race([this.#options.sleep(this.#retries.backoffMs), this.#leadershipLost.promise]);
  }

  /**
   * Pauses the stream for an outage. Commands of the system wait for the end of the outage: they stay in the queue, or
   * are returned if they were in the batch. All other commands are refused.
   */
  async #pauseStream(left: readonly PendingCommand[]): Promise<readonly PendingCommand[]> {
    if (!this.#isPaused) {
      this.#isPaused = true;
      this.#options.onPaused(true);
    }
    const queue = this.#queue;
    this.#queue = queue.filter(isSystemCommand);
    this.#rejector.markUncertain(left);
    await this.#rejector.reject([...left, ...queue].filter((command) => !isSystemCommand(command)));
    return left.filter(isSystemCommand);
  }

  async #abort(error: unknown, left: readonly PendingCommand[]): Promise<void> {
    this.#isStopped = true;
    this.#isPaused = false;
    this.#options.onRecovered();
    this.#options.onAborted(error);
    this.#rejector.markUncertain(left);
    await this.#rejector.reject(left);
  }

  /** Ends the retries: no append is in doubt any more, and a paused stream resumes. */
  #recover(): void {
    if (!this.#retries.reset()) return;
    this.#rejector.clearUncertain();
    this.#options.onRecovered();
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.onPaused(false);
  }

  /**
   * Reads the stream to find out whether an append without a reply was stored, and releases the reservations of that
   * append.
   */
  resolveInDoubt(): Promise<void> {
    return this.#pending.resolveInDoubt();
  }

  async #crash(error: unknown, commands: readonly PendingCommand[]): Promise<void> {
    this.#isStopped = true;
    this.#isPaused = false;
    this.#rejector.refusal = tableStoppedRefusal;
    this.#options.onRecovered();
    this.#options.onCrashed(error);
    await this.#rejector.reject(commands);
  }
}
