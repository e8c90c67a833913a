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
import { ownValue } from '../../base/ownValue.ts';
import { DisconnectReports, defaultDisconnectReportMs } from './disconnectReports.ts';
import { CommandForwarder } from '../stream/commandForwarder.ts';
import { tableStaleReads } from '../money/freshReads.ts';
import { type SessionLimitsSource, tableContext } from '../money/tableContext.ts';
import { openStakesAt } from '../money/terminalContext.ts';
import { autoDealer } from './autoDealer.ts';
import { StepScheduler, type TableAutomation } from './stepScheduler.ts';
import { changedSettings, demoSettingsChange } from './settingsDiff.ts';
import { type FloorStream } from '../floor/floorStream.ts';
import { type Pace, type DueStep, paceWithRest } from './pacing.ts';
import { floorActor } from '../../access/actor.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type CommandResult, type CommandContext, CannotRecord } from '../stream/pendingCommand.ts';
import { type CommandRefusal, notLeader, resultUnknown } from '../stream/refusals.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { attendedSteps } from './attendedSteps.ts';
import { type ForwardResult, type ForwardedCommand, type ConnectionReport } from '../ports/clusterPort.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** Settings of a table in the property file, and its pace if unattended. */
export type TableConfig = { readonly settings: UncheckedTableSettings; readonly pace: Pace };
export type UncheckedTableSettings = { readonly table: string; readonly [field: string]: unknown };

/** Attended or not by the event log, whatever the property file says. [READING 49] */
const automationOf = (
  unattended: TableAutomation,
  settingsChange: (table: Table) => DueStep | undefined,
): TableAutomation => ({
  ...unattended,
  next: (table) =>
    table.settings.attended ? (attendedSteps.next(table) ?? settingsChange(table)) : unattended.next(table),
});

/** Streams of other writers that commands of a table depend on. */
export type FollowedStreams = {
  /** How far they have been read here. */
  readonly readPositions: (request: StoredPayload) => Promise<ForwardedCommand['readPositions']>;
  /** Reads them at least that far. */
  readonly readUpTo: (positions: ForwardedCommand['readPositions']) => Promise<void>;
};

/** Name of this node in disconnect reports. */
const thisNode = '';

/** One table: its stream processor and automation. If another node leads the table, it follows the stream. */
export class TableRuntime {
  readonly id: string;
  readonly processor: StreamProcessor<Table | undefined, TableCommand, TableEvent, TableRefusal>;
  readonly #dependencies: RuntimeDependencies;
  readonly #config: TableConfig;
  readonly #sessionLimits: SessionLimitsSource;
  readonly #automation: TableAutomation;
  readonly #scheduler: StepScheduler;
  readonly #disconnects: DisconnectReports;
  readonly #followedStreams: FollowedStreams;
  readonly #floorStream: Pick<FloorStream, 'isBeforeRollback'>;
  /** Forwards commands to the leader; undefined without a cluster. */
  readonly #forwarder: CommandForwarder | undefined;
  #isLeader: boolean;
  /** Why the stream was aborted. */
  #abortError: unknown;

  constructor(
    config: TableConfig,
    owner: Owner,
    balances: BalanceCache,
    dependencies: RuntimeDependencies,
    floorStream: Pick<FloorStream, 'retirementReason' | 'isBeforeRollback'>,
    sessionLimits: SessionLimitsSource = { remainingLimits: () => undefined, loading: () => undefined },
    followedStreams: FollowedStreams = { readPositions: async () => ({}), readUpTo: async () => {} },
  ) {
    const id = config.settings.table;
    const name = `table ${id}`;
    const stream = `${owner.property}/table/${id}`;
    const { cluster } = dependencies;
    const store = cluster?.fencedStoreOf(stream) ?? dependencies.store;
    this.id = id;
    this.#followedStreams = followedStreams;
    this.#floorStream = floorStream;
    this.#isLeader = cluster === undefined;
    this.#dependencies = dependencies;
    this.#config = config;
    this.#sessionLimits = sessionLimits;
    this.processor = new StreamProcessor({
      decider: tableDecider,
      contextOf: (request, table, context) => tableContext(request, table, context, balances, sessionLimits),
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
      // [READING 12] An outage of the event store is an interruption, decided before anything else.
      outageReport: (since) =>
        this.isOpen ? { id: dependencies.newId(), request: this.#interruption(since) } : undefined,
      ...(cluster && {
        staleReads: tableStaleReads({ store, balances, sessionLimits }),
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
        readPositions: followedStreams.readPositions,
        untilPublished: (sequence) => this.processor.untilPublished(sequence),
        onWarning: (error) => onWarning(name, error),
      });
      void this.processor.follow();
    }
    const settingsChange = demoSettingsChange(dependencies.isJoining === true ? undefined : config.settings);
    const paced = cluster ? { ...config, pace: paceWithRest(config.pace) } : config;
    this.#automation = automationOf(
      autoDealer(this, paced, { ...dependencies, store }, floorStream, settingsChange),
      settingsChange,
    );
    this.#scheduler = new StepScheduler(this, this.#automation, dependencies);
    this.#disconnects = new DisconnectReports({
      clock: dependencies.clock,
      after: dependencies.after,
      delayMs: dependencies.disconnectReportMs ?? defaultDisconnectReportMs,
      isDisconnected: (session) => ownValue(this.table.disconnected, session)?.back === false,
      deadline: () => this.table.round?.deadline ?? null,
      report: (terminals, disconnected, since) =>
        this.submitAsFloor({
          type: 'ReportTerminals',
          actor: floorActor,
          terminals,
          disconnected,
          ...(disconnected && { since }),
        }),
    });
  }

  /** Two staff members open an attended table, so it may exist without entries. */
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

  /** True if this node leads the table. */
  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** True between rounds or, if that takes too long, when no command is waiting. */
  mayHandOver(isLate: boolean): boolean {
    if (isLate) return this.processor.pendingCount === 0;
    const { state } = this.processor;
    return state === undefined || (state.phase === 'idle' && state.pendingSettlements.length === 0);
  }

  /** The arrival time is that at the leader. */
  submit(
    id: string,
    request: StoredPayload,
    arrivedAt = this.#dependencies.clock(),
    context?: CommandContext,
  ): Promise<CommandResult> {
    const forwarder = this.#forwarder;
    if (forwarder === undefined) return this.#decide(id, request, arrivedAt, context);
    if (!this.#isLeader) return forwarder.forward(id, request, context);
    // Leadership was lost: the next leader takes the same id.
    return this.#decide(id, request, arrivedAt, context).then((result) =>
      result === notLeader ? forwarder.forward(id, request, context) : result,
    );
  }

  /** Executes a command that another node forwarded; 'moved' if this node does not lead the table. */
  async execute({
    id,
    request,
    context,
    readPositions: positions,
  }: ForwardedCommand): Promise<ForwardResult | 'moved'> {
    const arrivedAt = this.#dependencies.clock();
    if (!this.#isLeader) return 'moved';
    try {
      await this.#followedStreams.readUpTo(positions);
    } catch (error) {
      this.#dependencies.onWarning(`table ${this.id}`, error);
      return resultUnknown;
    }
    const result = await this.#decide(id, request, arrivedAt, context);
    if (result === notLeader) return 'moved';
    if ('refused' in result) return result;
    const { sequence } = this.processor;
    const [first, last] = [result.entries[0], result.entries.at(-1)];
    return { from: first?.sequence ?? sequence + 1, to: last?.sequence ?? sequence };
  }

  /** A slip waits until the session limits of its terminal are loaded; its arrival time stays. */
  #decide(id: string, request: StoredPayload, arrivedAt: number, context?: CommandContext): Promise<CommandResult> {
    const session = String(request.actor['terminal']);
    const loading = request.type === 'SetSlip' ? this.#sessionLimits.loading(session) : undefined;
    const submit = (): Promise<CommandResult> => this.processor.submit(id, request, arrivedAt, context);
    return loading === undefined
      ? submit()
      : loading.then(submit, (error: unknown) => {
          this.#dependencies.onWarning(`the session ${session}`, error);
          return resultUnknown;
        });
  }

  /** The refusal that a command would get now; undefined if none. Writes nothing. */
  refusalOf(request: StoredPayload, arrivedAt: number, context: CommandContext): CommandRefusal | undefined {
    const { table } = this;
    const command = tableDecider.parseCommand(commandFromRecord({ request, context }, Math.max(arrivedAt, table.at)));
    if (isRefused(command)) return { ...command, by: null };
    const decision = tableDecider.decide(command, table);
    return isRefused(decision) ? decision : undefined;
  }

  /** The first result of a stored command. */
  async findResult(id: string, request: StoredPayload): Promise<CommandResult | undefined> {
    const result = await this.processor.findResult(id, request);
    if (result && 'entries' in result) await this.#untilPublished(result.entries);
    return result;
  }

  /** The entries of a stored command; none if it is not stored. */
  async findEntries(id: string): Promise<readonly StoredEntry[]> {
    const entries = await this.processor.findEntries(id);
    await this.#untilPublished(entries);
    return entries;
  }

  /** Entries of another node are published here before they are returned. */
  async #untilPublished(entries: readonly StoredEntry[]): Promise<void> {
    const last = entries.at(-1);
    if (this.#forwarder && last?.stream === this.stream) await this.processor.untilPublished(last.sequence);
  }

  /** Submits a command of the system; only the leader does. */
  submitAsFloor(request: StoredPayload): Promise<CommandResult> {
    return this.processor.submit(this.#dependencies.newId(), request);
  }

  /** A session was disconnected. It concerns the table if the session had a seat or has open stakes here. */
  sessionDisconnected(session: string, isSeated: boolean): void {
    if (!this.#hasTerminals || !(isSeated || openStakesAt(this.table, session).length > 0)) return;
    const { cluster } = this.#dependencies;
    if (this.#isLeader) this.#disconnects.disconnected(session, cluster && thisNode);
    else cluster?.reportConnection(this.stream, { session, seated: isSeated, disconnected: true });
  }

  /** A session is connected again; `isSeated` if at this table. */
  sessionConnected(session: string, isSeated = false): void {
    if (!this.#hasTerminals) return;
    const { cluster } = this.#dependencies;
    if (this.#isLeader) {
      this.#disconnects.reconnected(session, cluster && thisNode);
      return;
    }
    const isMissed =
      ownValue(this.table.disconnected, session) !== undefined || openStakesAt(this.table, session).length > 0;
    if (isSeated || isMissed)
      cluster?.reportConnection(this.stream, { session, seated: isSeated, disconnected: false });
  }

  /** A session at another node was disconnected or is connected again. */
  connectionReported(node: string, { session, seated, disconnected }: ConnectionReport): void {
    if (!this.#isLeader || !this.#hasTerminals) return;
    if (!disconnected) this.#disconnects.reconnected(session, node);
    else if (seated || openStakesAt(this.table, session).length > 0) this.#disconnects.disconnected(session, node);
  }

  get #hasTerminals(): boolean {
    return this.isOpen && this.table.settings.bets === 'terminals';
  }

  /** [READING 12] The process stalled since then. At an attended table no due step would notice. */
  async processStalled(since: number): Promise<void> {
    this.#disconnects.forget();
    if (!this.#isLeader || !this.isOpen || this.processor.isStopped) return;
    const { phase, settings } = this.table;
    if (!settings.attended || phase === 'idle') return;
    if (this.#dependencies.clock() - Math.max(since, this.table.at) > settings.interruption)
      await this.reportInterruption(since);
  }

  /** Loads the table from the event store; writes nothing. */
  async load(): Promise<void> {
    await this.processor.load();
    await this.#automation.load();
  }

  /** Opens the table for the first time, unless staff must, or decides an interruption; then starts the automation. */
  async start(since: number | undefined): Promise<CommandRefusal | undefined> {
    const refusal = await this.#begin(since);
    if (this.#abortError !== undefined) {
      throw new CannotRecord(`The table ${this.id} cannot record anything.`, { cause: this.#abortError });
    }
    if (refusal) return refusal;
    this.processor.retriesForever = true;
    this.#scheduler.schedule();
    return undefined;
  }

  /**
   * Leads the table from now on; decides an interruption since then and starts the automation. Returns the refusal, if
   * any.
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
    // Retries for ever, unless another node becomes leader.
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

  /** Stops leading: the current batch is finished, and waiting commands go to the next leader. */
  async follow(): Promise<void> {
    this.#stopLeading();
    await this.processor.follow();
  }

  #stopLeading(): void {
    this.#isLeader = false;
    this.#scheduler.stop();
    this.#disconnects.stop();
  }

  /** Two staff members open an attended table, except in a demo. */
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
      const fields = changedSettings(this.#config.settings, this.table);
      if (fields.length > 0) this.#dependencies.onSettingsDiffer?.(this.id, fields);
      // After a rollback the later entries of the table are missing.
      const isLost = this.#floorStream.isBeforeRollback(this.table.at);
      if (this.table.phase !== 'idle') await this.reportInterruption(since ?? this.table.at, isLost);
    }
    return undefined;
  }

  /** [ETG 5.9, HOUSE 6] At an unattended table the ruling that the clause computes is carried out at once. */
  reportInterruption(since: number, stateLost = false): Promise<CommandResult> {
    return this.submitAsFloor(this.#interruption(since, stateLost));
  }

  #interruption(since: number, stateLost = false): StoredPayload {
    const from = Math.min(Math.max(since, this.table.at), this.#dependencies.clock());
    return { type: 'ReportInterruption', actor: floorActor, since: from, stateLost };
  }

  /**
   * Opens no new round and deals a begun round to its end. Open bets stay in the event log: after a short pause the
   * round continues, after a long one it is void. [ETG 5.9, HOUSE 6]
   */
  async drain(): Promise<void> {
    if (!this.#isLeader) return;
    // A failing store must not delay the stop.
    this.processor.retriesForever = false;
    this.#disconnects.stop();
    await this.#scheduler.drain();
  }

  async stop(): Promise<void> {
    await this.#forwarder?.stop();
    await this.processor.stop();
  }
}
