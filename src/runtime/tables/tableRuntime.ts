import { tableDecider } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { isRefused } from '../../base/refusal.ts';
import { commandFromRecord } from '../../store/commandRecord.ts';
import { type StoredPayload, type StoredEntry } from '../../store/store.ts';
import { type TableCommand } from '../../table/schema/commands.ts';
import { type TableEvent } from '../../table/schema/events.ts';
import { type TableRefusal } from '../../table/schema/refusals.ts';
import { isDemo, parseSettings } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { TableConnectionReporter } from './tableConnectionReporter.ts';
import { CommandForwarder } from '../stream/commandForwarder.ts';
import { createTableStaleReadPolicy } from '../money/freshReads.ts';
import { type SessionLimitsSource, tableCommandContext } from '../money/tableContext.ts';
import { type TableAutomation, createTableAutomation } from './tableAutomation.ts';
import { StepScheduler } from './stepScheduler.ts';
import { changedSettingsFields } from './settingsDiff.ts';
import { type FloorStream } from '../floor/floorStream.ts';
import { type Pace } from './pacing.ts';
import { floorActor } from '../../access/actor.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type CommandResult, type CommandContext, StreamAbortedError } from '../stream/pendingCommand.ts';
import {
  type CommandRefusal,
  type UncheckedRefusal,
  notLeaderRefusal,
  resultUnknownRefusal,
} from '../stream/refusals.ts';
import { storedResultOrRefusal } from '../stream/commandLookup.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { type ForwardResult, type ForwardedCommand } from '../ports/clusterPort.ts';
import { type PropertyAndCurrency, type FloorDependencies } from '../ports/runtimeDependencies.ts';

/** Settings of a table in the property file, and the pace at which the table deals if it is unattended. */
export type TableConfig = { readonly settings: UncheckedTableSettings; readonly pace: Pace };
export type UncheckedTableSettings = { readonly table: string; readonly [field: string]: unknown };

/** Other streams that the commands of a table depend on. */
export type PrerequisiteStreamsPort = {
  /** Returns the sequence up to which this node has read each stream on which a command depends. */
  readonly readPositions: (request: StoredPayload) => Promise<ForwardedCommand['readPositions']>;
  readonly readUpTo: (positions: ForwardedCommand['readPositions']) => Promise<void>;
};

/**
 * Runtime of one table: its stream processor and its automation. If another node leads the table, this node follows the
 * stream of the table.
 */
export class TableRuntime {
  readonly id: string;
  readonly processor: StreamProcessor<Table | undefined, TableCommand, TableEvent, TableRefusal>;
  readonly connections: TableConnectionReporter;
  readonly #dependencies: FloorDependencies;
  readonly #config: TableConfig;
  readonly #sessionLimits: SessionLimitsSource;
  readonly #automation: TableAutomation;
  readonly #scheduler: StepScheduler;
  readonly #prerequisiteStreams: PrerequisiteStreamsPort;
  readonly #floorStream: Pick<FloorStream, 'isBeforeRollback'>;
  /** Forwards commands to the leader at another node; undefined without a cluster. */
  readonly #forwarder: CommandForwarder | undefined;
  #isLeader: boolean;
  /** The failure after which the stream of the table stopped retrying; undefined if it has not stopped. */
  #abortError: unknown;

  constructor(
    config: TableConfig,
    owner: PropertyAndCurrency,
    balances: BalanceCache,
    dependencies: FloorDependencies,
    floorStream: Pick<FloorStream, 'retirementReason' | 'isBeforeRollback'>,
    sessionLimits: SessionLimitsSource = { remainingLimits: () => undefined, loading: () => undefined },
    prerequisiteStreams: PrerequisiteStreamsPort = { readPositions: async () => ({}), readUpTo: async () => {} },
  ) {
    const id = config.settings.table;
    const name = `table ${id}`;
    const stream = `${owner.property}/table/${id}`;
    const { cluster } = dependencies;
    const store = cluster?.fencedStoreOf(stream) ?? dependencies.store;
    this.id = id;
    this.#prerequisiteStreams = prerequisiteStreams;
    this.#floorStream = floorStream;
    this.#isLeader = cluster === undefined;
    this.#dependencies = dependencies;
    this.#config = config;
    this.#sessionLimits = sessionLimits;
    this.processor = new StreamProcessor({
      decider: tableDecider,
      contextOf: (request, table, context) => tableCommandContext(request, table, context, balances, sessionLimits),
      store,
      stream,
      balances,
      key: dependencies.key,
      clock: dependencies.clock,
      publish: (entries) => {
        dependencies.publish(this, entries);
        this.#forwarder?.published(entries);
        this.#scheduler.schedule();
      },
      onWarning: (error) => dependencies.onWarning(`table ${id}`, error),
      onCrashed: (error) => dependencies.onTableCrashed(id, error),
      onRetrying: (error) => dependencies.onRetrying(name, error),
      onRecovered: () => dependencies.onRecovered(name),
      onAborted: (error) => void (this.#abortError = error),
      onPaused: (isPaused) => dependencies.onTablePaused?.(id, isPaused),
      onFatal: (error) => dependencies.onFatal(error),
      sleep: (time) => dependencies.sleep(time),
      // [READING 12] An outage of the event store is an interruption. Its report is decided before any other command.
      outageReport: (since) =>
        this.isOpen ? { id: dependencies.newId(), request: this.#interruption(since) } : undefined,
      ...(cluster && {
        staleReads: createTableStaleReadPolicy({ store, balances, sessionLimits }),
        onAppended: (sequence) => cluster.publishHead(stream, sequence),
        onOvertaken: () => this.#stopLeading(),
      }),
    });
    if (cluster) {
      const { onWarning } = dependencies;
      this.#forwarder = new CommandForwarder({
        cluster,
        store,
        stream,
        readPositions: prerequisiteStreams.readPositions,
        untilPublished: (sequence) => this.processor.untilPublished(sequence),
        refuse: (command, request, refusal) => this.refuse(command, request, refusal),
        onWarning: (error) => onWarning(name, error),
      });
      void this.processor.follow();
    }
    this.#automation = createTableAutomation(this, config, { ...dependencies, store }, floorStream);
    this.#scheduler = new StepScheduler(this, this.#automation, dependencies);
    this.connections = new TableConnectionReporter(this, dependencies);
  }

  /** False until the table is opened. Except in a demo, two staff members must open an attended table. */
  get isOpen(): boolean {
    return this.processor.state !== undefined;
  }

  get table(): Table {
    assert(this.processor.state !== undefined, 'a table of the floor is open');
    return this.processor.state;
  }

  get stream(): string {
    return this.processor.stream;
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /**
   * True when the table can be handed over: when it is between rounds and all its settlements are posted. If the
   * hand-over is overdue (`isLate`), it is enough that the command queue of the table is empty.
   */
  mayHandOver(isLate: boolean): boolean {
    if (isLate) return this.processor.pendingCount === 0;
    const { state } = this.processor;
    return state === undefined || (state.phase === 'idle' && state.pendingSettlements.length === 0);
  }

  /**
   * Submits a command to the processor of this node, or forwards it to the leader. A forwarded command gets its arrival
   * time at the leader, not `arrivedAt`.
   */
  submit(
    id: string,
    request: StoredPayload,
    arrivedAt = this.#dependencies.clock(),
    context?: CommandContext,
  ): Promise<CommandResult> {
    const forwarder = this.#forwarder;
    if (forwarder === undefined) return this.#decide(id, request, arrivedAt, context);
    if (!this.#isLeader) return forwarder.forward(id, request, context);
    // If this node has lost the leadership of the table, the command is forwarded to the next leader, which accepts the
    // same id.
    return this.#decide(id, request, arrivedAt, context).then((result) =>
      result === notLeaderRefusal ? forwarder.forward(id, request, context) : result,
    );
  }

  /** Executes a command that another node forwarded. Resolves to 'moved' if this node does not lead the table. */
  async execute({
    id,
    request,
    context,
    readPositions: positions,
  }: ForwardedCommand): Promise<ForwardResult | 'moved'> {
    const arrivedAt = this.#dependencies.clock();
    if (!this.#isLeader) return 'moved';
    try {
      await this.#prerequisiteStreams.readUpTo(positions);
    } catch (error) {
      this.#dependencies.onWarning(`table ${this.id}`, error);
      return resultUnknownRefusal;
    }
    const result = await this.#decide(id, request, arrivedAt, context);
    if (result === notLeaderRefusal) return 'moved';
    if ('refused' in result) return result;
    const [first, last] = [result.entries[0], result.entries.at(-1)];
    assert(first !== undefined && last !== undefined, 'an accepted command has entries');
    return { from: first.sequence, to: last.sequence };
  }

  /**
   * Submits a command to the processor. A slip waits until its session limits are loaded, but keeps its arrival time.
   */
  #decide(id: string, request: StoredPayload, arrivedAt: number, context?: CommandContext): Promise<CommandResult> {
    const session = String(request.actor['terminal']);
    const loading = request.type === 'SetSlip' ? this.#sessionLimits.loading(session) : undefined;
    const submit = (): Promise<CommandResult> => this.processor.submit(id, request, arrivedAt, context);
    return loading === undefined
      ? submit()
      : loading.then(submit, (error: unknown) => {
          this.#dependencies.onWarning(`the session ${session}`, error);
          return resultUnknownRefusal;
        });
  }

  /**
   * Decides a command without storing anything. Returns the refusal that the command would get now; undefined if it
   * would be accepted.
   */
  refusalOf(request: StoredPayload, arrivedAt: number, context: CommandContext): CommandRefusal | undefined {
    const { table } = this;
    const command = tableDecider.parseCommand(commandFromRecord({ request, context }, Math.max(arrivedAt, table.at)));
    if (isRefused(command)) return { ...command, by: null };
    const decision = tableDecider.decide(command, table);
    return isRefused(decision) ? decision : undefined;
  }

  /** Finds the first result of a stored command; undefined if the command is not stored. */
  async findResult(id: string, request: StoredPayload): Promise<CommandResult | undefined> {
    const result = await this.processor.findResult(id, request);
    if (result && 'entries' in result) await this.#untilPublished(result.entries);
    return result;
  }

  /**
   * Answers a command that was refused before `submit`: with its stored result if the command is stored, else with the
   * refusal.
   */
  refuse(id: string, request: StoredPayload, refusal: UncheckedRefusal): Promise<CommandResult> {
    return storedResultOrRefusal(refusal, () => this.findResult(id, request));
  }

  /** Finds the entries of a stored command; an empty list if the command is not stored. */
  async findEntries(id: string): Promise<readonly StoredEntry[]> {
    const entries = await this.processor.findEntries(id);
    await this.#untilPublished(entries);
    return entries;
  }

  async #untilPublished(entries: readonly StoredEntry[]): Promise<void> {
    const last = entries.at(-1);
    if (this.#forwarder && last?.stream === this.stream) await this.processor.untilPublished(last.sequence);
  }

  /** Submits a command of the system. A follower refuses it with `handed-on`. */
  submitAsFloor(request: StoredPayload): Promise<CommandResult> {
    return this.processor.submit(this.#dependencies.newId(), request);
  }

  /**
   * Call when the process has stalled from `since` until now. An attended table reports an interruption after a long
   * stall here. At an unattended table, the next due step notices the stall. [READING 12]
   */
  async processStalled(since: number): Promise<void> {
    this.connections.forget();
    if (!this.#isLeader || !this.isOpen || this.processor.isStopped) return;
    const { phase, settings } = this.table;
    if (!settings.attended || phase === 'idle') return;
    if (this.#dependencies.clock() - Math.max(since, this.table.at) > settings.interruption)
      await this.reportInterruption(since);
  }

  async load(): Promise<void> {
    await this.processor.load();
    await this.#automation.load();
  }

  /**
   * Starts the table, whose last heartbeat was at `since`. A new table is opened, unless staff must open it. A table
   * that was in a round reports an interruption. Returns a refusal if the table cannot be opened.
   */
  async start(since: number | undefined): Promise<CommandRefusal | undefined> {
    const refusal = await this.#begin(since);
    if (this.#abortError !== undefined) {
      throw new StreamAbortedError(`Table ${this.id} cannot write to the event store.`, { cause: this.#abortError });
    }
    if (refusal) return refusal;
    this.processor.retriesForever = true;
    this.#scheduler.schedule();
    return undefined;
  }

  /**
   * Becomes leader of the table, whose last heartbeat was at `since`. If a round was running, an interruption is
   * reported. Returns a refusal if the table cannot be opened.
   */
  async lead(since: number | undefined): Promise<CommandRefusal | undefined> {
    await this.processor.lead();
    try {
      await this.#automation.load();
    } catch (error) {
      await this.processor.follow();
      throw error;
    }
    this.#isLeader = true;
    // Appends are retried without limit until this node stops leading.
    this.processor.retriesForever = true;
    const refusal = await this.#begin(since);
    if (!this.#isLeader) return undefined;
    if (refusal) {
      await this.follow();
      return refusal;
    }
    this.#scheduler.schedule();
    return undefined;
  }

  /**
   * Stops leading the table. The current batch is finished, and queued commands of terminals and staff are forwarded to
   * the next leader.
   */
  async follow(): Promise<void> {
    this.#stopLeading();
    await this.processor.follow();
  }

  #stopLeading(): void {
    this.#isLeader = false;
    this.#scheduler.stop();
    this.connections.stop();
  }

  /** True for an unattended table and in a demo. Any other table must be opened by two staff members. */
  get #mayOpenItself(): boolean {
    const { settings } = this.#config;
    const config = parseSettings(settings, this.#dependencies.clock());
    return settings['attended'] === false || (!isRefused(config) && isDemo(config));
  }

  async #begin(since: number | undefined): Promise<CommandRefusal | undefined> {
    if (!this.isOpen) {
      if (!this.#mayOpenItself) return undefined;
      const opened = await this.submitAsFloor({
        type: 'OpenTable',
        actor: floorActor,
        settings: this.#config.settings,
      });
      if ('refused' in opened) return opened;
    } else {
      const fields = changedSettingsFields(this.#config.settings, this.table);
      if (fields.length > 0) this.#dependencies.onSettingsDiffer?.(this.id, fields);
      // After a rollback later entries of the table may be missing.
      const isLost = this.#floorStream.isBeforeRollback(this.table.at);
      if (this.table.phase !== 'idle') await this.reportInterruption(since ?? this.table.at, isLost);
    }
    return undefined;
  }

  /**
   * Reports an interruption. At an unattended table the automation carries out the ruling of the clause at once. [ETG
   * 5.9, HOUSE 6]
   */
  reportInterruption(since: number, stateLost = false): Promise<CommandResult> {
    return this.submitAsFloor(this.#interruption(since, stateLost));
  }

  #interruption(since: number, stateLost = false): StoredPayload {
    const from = Math.min(Math.max(since, this.table.at), this.#dependencies.clock());
    return { type: 'ReportInterruption', actor: floorActor, since: from, stateLost };
  }

  /**
   * Stops play: opens no new round. A round whose bets are closed goes on until it ends or needs staff. A round with
   * open bets stays in the event log as it is. After a short interruption that round continues; after a long
   * interruption it is void. [ETG 5.9, HOUSE 6]
   */
  async drain(): Promise<void> {
    if (!this.#isLeader) return;
    // Ends unlimited retries, so that a failing store does not delay the stop.
    this.processor.retriesForever = false;
    this.connections.stop();
    await this.#scheduler.drain();
  }

  async stop(): Promise<void> {
    await this.#forwarder?.stop();
    await this.processor.stop();
  }
}
