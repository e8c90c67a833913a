import { isFatal } from '../../store/failures.ts';
import { type Table } from '../../table/state.ts';
import { type TableRuntime } from './tableRuntime.ts';
import { type RuntimeDependencies } from '../ports/runtimeDependencies.ts';
import { type DueStep } from './pacing.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';

/**
 * Whoever moves a table on when nobody asks it anything: the dealer of a table without staff, or the service that closes
 * bets and posts chunks where people deal.
 */
export type TableAutomation = {
  /** Comes back with the table, from what the store keeps; nothing is written. */
  readonly load: () => Promise<void>;
  /** What is to be done next, and when; undefined where somebody else has to act. */
  readonly next: (table: Table) => DueStep | undefined;
  /** Brings another shoe, where that is its matter. */
  readonly shuffle?: () => Promise<CommandResult>;
};

/** How long after a failure a step is tried again, in milliseconds. */
const soon = 1_000;
/** How long after a refusal it is looked at again. */
const again = 100;
/** The longest that a parked table is waited for between two steps. */
const longestStep = 5_000;

/** Takes the steps of a driver when they are due. */
export class StepScheduler {
  readonly #table: TableRuntime;
  readonly #driver: TableAutomation;
  readonly #world: RuntimeDependencies;
  #cancel: (() => void) | undefined;
  #parked = false;
  #failing = false;

  constructor(table: TableRuntime, driver: TableAutomation, world: RuntimeDependencies) {
    this.#table = table;
    this.#driver = driver;
    this.#world = world;
  }

  /** The table has moved: what is due next may be something else. */
  schedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { isDriven, isOpen, runner } = this.#table;
    if (this.#parked || !isDriven || runner.isStopped || !isOpen) return;
    const step = this.#driver.next(this.#table.table);
    if (step === undefined) return;
    this.#cancel = this.#world.after(Math.max(0, step.at - this.#world.clock()), () => {
      this.#step().then(
        () => this.#succeeded(),
        (error: unknown) => {
          this.#fail(error);
          this.#cancel = this.#world.after(soon, () => this.schedule());
        },
      );
    });
  }

  /** What a step needs besides the table, such as a sealed shoe, could not be had. */
  #fail(error: unknown): void {
    if (isFatal(error)) this.#world.lost(error);
    this.#failing = true;
    this.#world.failed(this.#who, error);
  }

  #succeeded(): void {
    if (this.#failing) this.#world.mended(this.#who);
    this.#failing = false;
  }

  get #who(): string {
    return `the dealer of table ${this.#table.id}`;
  }

  /** Takes no step any more, until it is scheduled again. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#succeeded();
  }

  /** Opens no further round, and brings one that has begun to its end, as far as the driver can. */
  async park(): Promise<void> {
    this.#parked = true;
    this.#cancel?.();
    await this.#table.runner.idle();
    if (!this.#table.isOpen) return;
    const { phase } = this.#table.table;
    if (phase === 'betting' || phase === 'closing') return;
    const done = Promise.withResolvers<void>();
    const go = (): void => {
      const { table, runner } = this.#table;
      const isOver = runner.isStopped || !this.#table.isDriven;
      const step = isOver ? undefined : this.#driver.next(table);
      if (step === undefined || (table.phase === 'idle' && table.pendingSettlements.length === 0)) done.resolve();
      else {
        const time = Math.max(0, Math.min(step.at - this.#world.clock(), longestStep));
        this.#world.after(time, () => void this.#step().then(go, done.reject));
      }
    };
    go();
    await done.promise;
  }

  async #step(): Promise<void> {
    const { table } = this.#table;
    const step = this.#driver.next(table);
    if (step === undefined) return;
    // Called for a step that has been taken meanwhile: the one after it has its own time.
    if (step.at > this.#world.clock()) {
      this.schedule();
      return;
    }
    const due = Math.max(step.at, table.at);
    // [READING 12] The program stood still for so long that the table was out of service.
    if (table.phase !== 'idle' && this.#world.clock() - due > table.setting.interruption) {
      await this.#table.reportInterruption(due);
      return;
    }
    const answered = 'shuffle' in step ? await this.#driver.shuffle!() : await this.#table.own(step.asked);
    // Refused means that the table has moved on by itself, or a moment too early: look again.
    if ('refused' in answered && answered.refused !== 'table-stopped' && !this.#parked) {
      if ('asked' in step) step.refused?.();
      this.#cancel = this.#world.after(again, () => this.schedule());
    }
  }
}
