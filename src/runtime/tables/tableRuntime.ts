import { tableDecider } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { isRefused } from '../../base/refusal.ts';
import { decodeCommand } from '../../store/commandRecord.ts';
import { type StoredRequest, type StoredEntry } from '../../store/store.ts';
import { type TableCommand } from '../../table/schema/commands.ts';
import { type TableEvent } from '../../table/schema/events.ts';
import { type TableRefusal } from '../../table/schema/refusals.ts';
import { isDemo, parseSettings } from '../../table/schema/settings.ts';
import { type Table } from '../../table/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { DisconnectReports, usualLinkTime } from './disconnectReports.ts';
import { CommandForwarder } from '../stream/commandForwarder.ts';
import { tableGuess } from '../money/freshReads.ts';
import { type Cared, tableContext, openStakesAt } from '../money/commandContext.ts';
import { autoDealer } from './autoDealer.ts';
import { StepScheduler, type TableAutomation } from './stepScheduler.ts';
import { changedSettings, takingOver } from './settingsDiff.ts';
import { type FloorStream } from '../floor/floorStream.ts';
import { type Pace, type DueStep, floorPost, restingPace } from './pacing.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import {
  type CommandResult,
  type Brought,
  CannotRecord,
  type Denied,
  notLeader,
  unknown,
} from '../stream/pendingCommand.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { service } from './attendedSteps.ts';
import { type AnsweredThere, type ForwardedCommand, type LinkTold } from '../ports/clusterPort.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** How a table of the floor is to be: its setting, and the pace of one without staff. */
export type TableConfig = { readonly setting: TableSetting; readonly pace: Pace };
export type TableSetting = { readonly table: string; readonly [field: string]: unknown };

/** People deal or nobody does as the record has it, whatever is wanted: the service drives the table, or its dealer. [READING 49] */
const driverOf = (alone: TableAutomation, change: (table: Table) => DueStep | undefined): TableAutomation => ({
  ...alone,
  next: (table) => (table.setting.attended ? (service.next(table) ?? change(table)) : alone.next(table)),
});

/** What a table is told of streams that its commands are decided by, where others write to them as well. */
export type FollowedStreams = {
  /** How far they have been read here. */
  readonly seen: (asked: StoredRequest) => Promise<ForwardedCommand['seen']>;
  /** Reads them up to there. */
  readonly read: (seen: ForwardedCommand['seen']) => Promise<void>;
};

/** The name that the links of this very node go by, where there are several. */
const here = '';

/** One table of the floor: its queue, and whoever drives it. Where another node does, it follows what is written there. */
export class TableRuntime {
  readonly id: string;
  readonly runner: StreamProcessor<Table | undefined, TableCommand, TableEvent, TableRefusal>;
  readonly #world: RuntimeDependencies;
  readonly #wanted: TableConfig;
  readonly #cared: Cared;
  readonly #driver: TableAutomation;
  readonly #clockwork: StepScheduler;
  readonly #away: DisconnectReports;
  readonly #others: FollowedStreams;
  readonly #journal: Pick<FloorStream, 'isDoubted'>;
  /** Whoever drives it, where several may; undefined where nobody else can. */
  readonly #elsewhere: CommandForwarder | undefined;
  #drives: boolean;
  /** Why it could not record, where it has given up. */
  #gaveUp: unknown;

  constructor(
    wanted: TableConfig,
    owner: Owner,
    purse: BalanceCache,
    world: RuntimeDependencies,
    journal: Pick<FloorStream, 'retired' | 'isDoubted'>,
    cared: Cared = { careOf: () => undefined, reading: () => undefined },
    others: FollowedStreams = { seen: async () => ({}), read: async () => {} },
  ) {
    const id = wanted.setting.table;
    const who = `table ${id}`;
    const stream = `${owner.property}/table/${id}`;
    const { shared } = world;
    const store = shared?.storeOf(stream) ?? world.store;
    this.id = id;
    this.#others = others;
    this.#journal = journal;
    this.#drives = shared === undefined;
    this.#world = world;
    this.#wanted = wanted;
    this.#cared = cared;
    this.runner = new StreamProcessor({
      decider: tableDecider,
      brings: (asked, table, brought) => tableContext(asked, table, brought, purse, cared),
      store,
      stream,
      purse,
      key: world.key,
      clock: world.clock,
      publish: (entries) => {
        world.publish(this, entries);
        this.#elsewhere?.show(entries);
        this.#clockwork.schedule();
      },
      trouble: (error) => world.trouble(`table ${id}`, error),
      stopped: (error) => world.stopped(id, error),
      failed: (error) => world.failed(who, error),
      mended: () => world.mended(who),
      gaveUp: (error) => void (this.#gaveUp = error),
      halted: (isHalted) => world.halted?.(id, isHalted),
      lost: (error) => world.lost(error),
      wait: (time) => world.pause(time),
      // [READING 12] What was not recorded for so long is an interruption, and decided before anything else.
      report: (since) => (this.isOpen ? { id: world.id(), asked: this.#interruption(since) } : undefined),
      ...(shared && {
        guess: tableGuess({ store, purse, cared }),
        moved: (sequence) => shared.moved(stream, sequence),
        overtaken: () => this.#yield(),
      }),
    });
    if (shared) {
      const { trouble } = world;
      this.#elsewhere = new CommandForwarder({
        shared,
        store,
        stream,
        seen: others.seen,
        reached: (sequence) => this.runner.reached(sequence),
        trouble: (error) => trouble(who, error),
      });
      void this.runner.follow();
    }
    const change = takingOver(world.joins === true ? undefined : wanted.setting);
    const paced = shared ? { ...wanted, pace: restingPace(wanted.pace) } : wanted;
    this.#driver = driverOf(autoDealer(this, paced, { ...world, store }, journal, change), change);
    this.#clockwork = new StepScheduler(this, this.#driver, world);
    this.#away = new DisconnectReports({
      clock: world.clock,
      after: world.after,
      time: world.linkTime ?? usualLinkTime,
      isLost: (session) => ownValue(this.table.disconnected, session)?.back === false,
      deadline: () => this.table.round?.deadline ?? null,
      report: (terminals, lost, since) =>
        this.own({ type: 'ReportTerminals', who: floorPost, terminals, lost, ...(lost && { since }) }),
    });
  }

  /** Whether it has been opened: where people deal, two of them do that. */
  get isOpen(): boolean {
    return this.runner.state !== undefined;
  }

  get table(): Table {
    assert(this.runner.state !== undefined, 'a table of the floor is open');
    return this.runner.state;
  }

  /** What it is known by in the record. */
  get stream(): string {
    return this.runner.stream;
  }

  /** Whether this node drives it. */
  get isDriven(): boolean {
    return this.#drives;
  }

  /** Whether another may drive it from now on: no round is played, or, where that takes too long, nobody waits. */
  canRest(isLate: boolean): boolean {
    if (isLate) return this.runner.waiting === 0;
    const { state } = this.runner;
    return state === undefined || (state.phase === 'idle' && state.pendingSettlements.length === 0);
  }

  /** The arrival counts at whoever drives the table. */
  submit(id: string, asked: StoredRequest, arrived = this.#world.clock(), brought?: Brought): Promise<CommandResult> {
    const there = this.#elsewhere;
    if (there === undefined) return this.#decided(id, asked, arrived, brought);
    if (!this.#drives) return there.ask(id, asked, brought);
    // What it could not decide any more is asked of the next one, under the same id.
    return this.#decided(id, asked, arrived, brought).then((answered) =>
      answered === notLeader ? there.ask(id, asked, brought) : answered,
    );
  }

  /** What another node asks of whoever drives this table; moved, where this one does not. */
  async answer({ id, asked, brought, seen }: ForwardedCommand): Promise<AnsweredThere | 'moved'> {
    const arrived = this.#world.clock();
    if (!this.#drives) return 'moved';
    try {
      await this.#others.read(seen);
    } catch (error) {
      this.#world.trouble(`table ${this.id}`, error);
      return unknown;
    }
    const answered = await this.#decided(id, asked, arrived, brought);
    if (answered === notLeader) return 'moved';
    if ('refused' in answered) return answered;
    const { sequence } = this.runner;
    const [first, last] = [answered.entries[0], answered.entries.at(-1)];
    return { from: first?.sequence ?? sequence + 1, to: last?.sequence ?? sequence };
  }

  /** No slip is decided before it is known what its patron has set; the arrival counts all the same. */
  #decided(id: string, asked: StoredRequest, arrived: number, brought?: Brought): Promise<CommandResult> {
    const session = String(asked.who['terminal']);
    const reading = asked.type === 'SetSlip' ? this.#cared.reading(session) : undefined;
    const submit = (): Promise<CommandResult> => this.runner.submit(id, asked, arrived, brought);
    return reading === undefined
      ? submit()
      : reading.then(submit, (error: unknown) => {
          this.#world.trouble(`the session ${session}`, error);
          return unknown;
        });
  }

  /** Why something would be refused by what is known now; undefined where it would not be. Nothing is written. */
  refusalOf(asked: StoredRequest, arrived: number, brought: Brought): Denied | undefined {
    const { table } = this;
    const command = tableDecider.commandFrom(decodeCommand({ asked, brought }, Math.max(arrived, table.at)));
    if (isRefused(command)) return { ...command, by: null };
    const decision = tableDecider.decide(command, table);
    return isRefused(decision) ? decision : undefined;
  }

  /** The first answer to a command that is in the record. */
  async known(id: string, asked: StoredRequest): Promise<CommandResult | undefined> {
    const answered = await this.runner.known(id, asked);
    if (answered && 'entries' in answered) await this.#shown(answered.entries);
    return answered;
  }

  /** What the record holds of a command; nothing where it is not there. */
  async recorded(id: string): Promise<readonly StoredEntry[]> {
    const entries = await this.runner.recorded(id);
    await this.#shown(entries);
    return entries;
  }

  /** What was written elsewhere is shown here before anybody is told of it. */
  async #shown(entries: readonly StoredEntry[]): Promise<void> {
    const last = entries.at(-1);
    if (this.#elsewhere && last?.stream === this.stream) await this.runner.reached(last.sequence);
  }

  /** Asks something in the name of the floor, while it drives the table. */
  own(asked: StoredRequest): Promise<CommandResult> {
    return this.runner.submit(this.#world.id(), asked);
  }

  /** The link of a session broke: it is the table's matter where the session sat here, or has something at stake. */
  linkLost(session: string, isSeated: boolean): void {
    if (!this.#hasTerminals || !(isSeated || openStakesAt(this.table, session).length > 0)) return;
    const { shared } = this.#world;
    if (this.#drives) this.#away.lost(session, shared && here);
    else shared?.link(this.stream, { session, seated: isSeated, lost: true });
  }

  /** A session is there again; whether it sits here. */
  linkBack(session: string, isSeated = false): void {
    if (!this.#hasTerminals) return;
    const { shared } = this.#world;
    if (this.#drives) {
      this.#away.back(session, shared && here);
      return;
    }
    const isMissed =
      ownValue(this.table.disconnected, session) !== undefined || openStakesAt(this.table, session).length > 0;
    if (isSeated || isMissed) shared?.link(this.stream, { session, seated: isSeated, lost: false });
  }

  /** A session at another node has lost its link, or is there again. */
  linkTold(node: string, { session, seated, lost }: LinkTold): void {
    if (!this.#drives || !this.#hasTerminals) return;
    if (!lost) this.#away.back(session, node);
    else if (seated || openStakesAt(this.table, session).length > 0) this.#away.lost(session, node);
  }

  get #hasTerminals(): boolean {
    return this.isOpen && this.table.setting.bets === 'terminals';
  }

  /** [READING 12] The program stood still since then: where people deal, nothing else may notice. */
  async stoodStill(since: number): Promise<void> {
    this.#away.forget();
    if (!this.#drives || !this.isOpen || this.runner.isStopped) return;
    const { phase, setting } = this.table;
    if (!setting.attended || phase === 'idle') return;
    if (this.#world.clock() - Math.max(since, this.table.at) > setting.interruption)
      await this.reportInterruption(since);
  }

  /** Comes back from the record, as far as it goes. Nothing is written. */
  async load(): Promise<void> {
    await this.runner.load();
    await this.#driver.load();
  }

  /** Opens for the first time, unless people are to do that, or decides what was interrupted; then goes on. */
  async start(since: number | undefined): Promise<Denied | undefined> {
    const refusal = await this.#begin(since);
    if (this.#gaveUp !== undefined) {
      throw new CannotRecord(`The table ${this.id} cannot record anything.`, { cause: this.#gaveUp });
    }
    if (refusal) return refusal;
    this.runner.isPatient = true;
    this.#clockwork.schedule();
    return undefined;
  }

  /** Drives it from now on, as nobody else can: decides what was interrupted since then, and goes on; why not, if so. */
  async drive(since: number | undefined): Promise<Denied | undefined> {
    await this.runner.drive();
    try {
      await this.#driver.load();
    } catch (error) {
      await this.runner.follow();
      throw error;
    }
    this.#drives = true;
    // It waits for as long as it takes, unless another drives the table by then.
    this.runner.isPatient = true;
    const refusal = await this.#begin(since);
    if (!this.#drives) return undefined;
    if (refusal) {
      await this.follow();
      return refusal;
    }
    this.#clockwork.schedule();
    return undefined;
  }

  /** Drives it no more: what is being written is answered, and what waits is asked of whoever drives it next. */
  async follow(): Promise<void> {
    this.#yield();
    await this.runner.follow();
  }

  #yield(): void {
    this.#drives = false;
    this.#clockwork.stop();
    this.#away.end();
  }

  /** Where people deal two of them open the table, but for a demo. */
  get #opensByItself(): boolean {
    const { setting } = this.#wanted;
    const wanted = parseSettings(setting, this.#world.clock());
    return setting['attended'] === false || (!isRefused(wanted) && isDemo(wanted));
  }

  async #begin(since: number | undefined): Promise<Denied | undefined> {
    if (!this.isOpen) {
      if (!this.#opensByItself) return undefined;
      const opened = await this.own({ type: 'OpenTable', who: floorPost, setting: this.#wanted.setting });
      if ('refused' in opened) return opened;
    } else {
      const fields = changedSettings(this.#wanted.setting, this.table);
      if (fields.length > 0) this.#world.differs?.(this.id, fields);
      // Where the record ends too early, what happened since at the table is lost.
      const isLost = this.#journal.isDoubted(this.table.at);
      if (this.table.phase !== 'idle') await this.reportInterruption(since ?? this.table.at, isLost);
    }
    return undefined;
  }

  /** [ETG 5.9, HOUSE 6] Where nobody is there, what the clause computes is carried out at once. */
  reportInterruption(since: number, stateLost = false): Promise<CommandResult> {
    return this.own(this.#interruption(since, stateLost));
  }

  #interruption(since: number, stateLost = false): StoredRequest {
    const from = Math.min(Math.max(since, this.table.at), this.#world.clock());
    return { type: 'ReportInterruption', who: floorPost, since: from, stateLost };
  }

  /**
   * Opens no further round, and deals one that has begun to its end. Bets that are still open stay in the record: when the
   * floor comes back, the round goes on after a short while and is void after a long one. [ETG 5.9, HOUSE 6]
   */
  async park(): Promise<void> {
    if (!this.#drives) return;
    // What cannot be recorded any more is no reason to stay.
    this.runner.isPatient = false;
    this.#away.end();
    await this.#clockwork.park();
  }

  /** Reads and writes nothing more, and asks nobody. */
  async end(): Promise<void> {
    await this.#elsewhere?.end();
    await this.runner.end();
  }
}
