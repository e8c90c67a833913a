import { tableDecider } from '../ledger/accounted.ts';
import { assert } from '../rules/assert.ts';
import { isRefused } from '../rules/refusal.ts';
import { commandOf } from '../store/asked.ts';
import { type Asked } from '../store/store.ts';
import { type Command } from '../table/declare/commands.ts';
import { type TableEvent } from '../table/declare/events.ts';
import { type TableRefusal } from '../table/declare/refusals.ts';
import { isDemo, settingOf } from '../table/declare/setting.ts';
import { type Table, own } from '../table/table.ts';
import { Away, usualLinkTime } from './away.ts';
import { type Cared, broughtToTable, standingAt } from './brings.ts';
import { dealer } from './dealer.ts';
import { Clockwork, type Driver } from './driver.ts';
import { differences, takingOver } from './differences.ts';
import { type FloorJournal } from './journal.ts';
import { type Pace, type Step, floorPost } from './pace.ts';
import { type Purse } from './purse.ts';
import { type Answered, type Brought, CannotRecord, type Denied, unknown } from './answers.ts';
import { Runner } from './runner.ts';
import { service } from './service.ts';
import { type Owner, type World } from './world.ts';

/** How a table of the floor is to be: its setting, and the pace of one without staff. */
export type Wanted = { readonly setting: TableSetting; readonly pace: Pace };
export type TableSetting = { readonly table: string; readonly [field: string]: unknown };

/** People deal or nobody does as the record has it, whatever is wanted: the service drives the table, or its dealer. [READING 49] */
const driverOf = (alone: Driver, change: (table: Table) => Step | undefined): Driver => ({
  ...alone,
  next: (table) => (table.setting.attended ? (service.next(table) ?? change(table)) : alone.next(table)),
});

/** One table of the floor: its queue, and whoever drives it. */
export class FloorTable {
  readonly id: string;
  readonly runner: Runner<Table | undefined, Command, TableEvent, TableRefusal>;
  readonly #world: World;
  readonly #wanted: Wanted;
  readonly #cared: Cared;
  readonly #driver: Driver;
  readonly #clockwork: Clockwork;
  readonly #away: Away;
  /** Why it could not record, where it has given up. */
  #gaveUp: unknown;

  constructor(
    wanted: Wanted,
    owner: Owner,
    purse: Purse,
    world: World,
    journal: Pick<FloorJournal, 'retired'>,
    cared: Cared = { careOf: () => undefined, reading: () => undefined },
  ) {
    const id = wanted.setting.table;
    const who = `table ${id}`;
    this.id = id;
    this.#world = world;
    this.#wanted = wanted;
    this.#cared = cared;
    this.runner = new Runner({
      decider: tableDecider,
      brings: (asked, table, brought) => broughtToTable(asked, table, brought, purse, cared),
      store: world.store,
      stream: `${owner.property}/table/${id}`,
      purse,
      key: world.key,
      clock: world.clock,
      publish: (entries) => {
        world.publish(this, entries);
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
    });
    this.#driver = driverOf(dealer(this, wanted, world, journal), takingOver(wanted.setting));
    this.#clockwork = new Clockwork(this, this.#driver, world);
    this.#away = new Away({
      clock: world.clock,
      after: world.after,
      time: world.linkTime ?? usualLinkTime,
      isLost: (session) => own(this.table.lost, session)?.back === false,
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

  /** No slip is decided before it is known what its patron has set; the arrival counts all the same. */
  submit(id: string, asked: Asked, arrived = this.#world.clock(), brought?: Brought): Promise<Answered> {
    const session = String(asked.who['terminal']);
    const reading = asked.type === 'SetSlip' ? this.#cared.reading(session) : undefined;
    const submit = (): Promise<Answered> => this.runner.submit(id, asked, arrived, brought);
    return reading === undefined
      ? submit()
      : reading.then(submit, (error: unknown) => {
          this.#world.trouble(`the session ${session}`, error);
          return unknown;
        });
  }

  /** Why something would be refused by what is known now; undefined where it would not be. Nothing is written. */
  refusalOf(asked: Asked, arrived: number, brought: Brought): Denied | undefined {
    const { table } = this;
    const command = tableDecider.commandFrom(commandOf({ asked, brought }, Math.max(arrived, table.at)));
    if (isRefused(command)) return { ...command, by: null };
    const decision = tableDecider.decide(command, table);
    return isRefused(decision) ? decision : undefined;
  }

  /** The first answer to a command that is in the record. */
  known(id: string, asked: Asked): Promise<Answered | undefined> {
    return this.runner.known(id, asked);
  }

  /** Asks something in the name of the floor. */
  own(asked: Asked): Promise<Answered> {
    return this.runner.submit(this.#world.id(), asked);
  }

  /** The link of a session broke: it is the table's matter where the session sat here, or has something at stake. */
  linkLost(session: string, isSeated: boolean): void {
    if (!this.#hasTerminals) return;
    if (isSeated || standingAt(this.table, session).length > 0) this.#away.lost(session);
  }

  /** A session is there again. */
  linkBack(session: string): void {
    if (this.#hasTerminals) this.#away.back(session);
  }

  get #hasTerminals(): boolean {
    return this.isOpen && this.table.setting.bets === 'terminals';
  }

  /** [READING 12] The program stood still since then: where people deal, nothing else may notice. */
  async stoodStill(since: number): Promise<void> {
    this.#away.forget();
    if (!this.isOpen || this.runner.isStopped) return;
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

  /** Where people deal two of them open the table, but for a demo. */
  get #opensByItself(): boolean {
    const { setting } = this.#wanted;
    const wanted = settingOf(setting, this.#world.clock());
    return setting['attended'] === false || (!isRefused(wanted) && isDemo(wanted));
  }

  async #begin(since: number | undefined): Promise<Denied | undefined> {
    if (!this.isOpen) {
      if (!this.#opensByItself) return undefined;
      const opened = await this.own({ type: 'OpenTable', who: floorPost, setting: this.#wanted.setting });
      if ('refused' in opened) return opened;
    } else {
      const fields = differences(this.#wanted.setting, this.table);
      if (fields.length > 0) this.#world.differs?.(this.id, fields);
      // Where the record ends too early, what happened since at the table is lost.
      const isLost = this.#world.doubt !== undefined;
      if (this.table.phase !== 'idle') await this.reportInterruption(since ?? this.table.at, isLost);
    }
    return undefined;
  }

  /** [ETG 5.9, HOUSE 6] Where nobody is there, what the clause computes is carried out at once. */
  reportInterruption(since: number, stateLost = false): Promise<Answered> {
    return this.own(this.#interruption(since, stateLost));
  }

  #interruption(since: number, stateLost = false): Asked {
    const from = Math.min(Math.max(since, this.table.at), this.#world.clock());
    return { type: 'ReportInterruption', who: floorPost, since: from, stateLost };
  }

  /**
   * Opens no further round, and deals one that has begun to its end. Bets that are still open stay in the record: when the
   * floor comes back, the round goes on after a short while and is void after a long one. [ETG 5.9, HOUSE 6]
   */
  park(): Promise<void> {
    // What cannot be recorded any more is no reason to stay.
    this.runner.isPatient = false;
    this.#away.end();
    return this.#clockwork.park();
  }
}
