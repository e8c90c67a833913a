import { isFatalStoreError } from '../../store/failures.ts';
import { type Table } from '../../table/state.ts';
import { type TableRuntime } from './tableRuntime.ts';
import { type RuntimeDependencies } from '../ports/runtimeDependencies.ts';
import { type DueStep } from './pacing.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';

/**
 * Automation: issues due commands of a table. Unattended tables are dealt; at attended ones bets are closed and
 * settlements posted.
 */
export type TableAutomation = {
  /** Loads what it needs from the store; writes nothing. */
  readonly load: () => Promise<void>;
  /** Next step and its time; undefined if staff must act. */
  readonly next: (table: Table) => DueStep | undefined;
  /** Shuffles and commits a new shoe, at unattended tables. */
  readonly shuffle?: () => Promise<CommandResult>;
};

/** Delay after a failed step, in milliseconds. */
const retryMs = 1_000;
/** Delay after a refused step, in milliseconds. */
const recheckMs = 100;
/** Longest wait for one step while draining, in milliseconds. */
const maxDrainStepMs = 5_000;

/** Step scheduler: runs the steps of an automation when they are due. */
export class StepScheduler {
  readonly #table: TableRuntime;
  readonly #automation: TableAutomation;
  readonly #dependencies: RuntimeDependencies;
  #cancel: (() => void) | undefined;
  #isDraining = false;
  #isFailing = false;

  constructor(table: TableRuntime, automation: TableAutomation, dependencies: RuntimeDependencies) {
    this.#table = table;
    this.#automation = automation;
    this.#dependencies = dependencies;
  }

  /** Call when the table has changed: the next step may be another. */
  schedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { isLeader, isOpen, processor } = this.#table;
    if (this.#isDraining || !isLeader || processor.isStopped || !isOpen) return;
    const step = this.#automation.next(this.#table.table);
    if (step === undefined) return;
    this.#cancel = this.#dependencies.after(Math.max(0, step.at - this.#dependencies.clock()), () => {
      this.#step().then(
        () => this.#succeeded(),
        (error: unknown) => {
          this.#fail(error);
          this.#cancel = this.#dependencies.after(retryMs, () => this.schedule());
        },
      );
    });
  }

  /** A step needs more than the table, for example an encrypted shoe, and reading it failed. */
  #fail(error: unknown): void {
    if (isFatalStoreError(error)) this.#dependencies.onFatal(error);
    this.#isFailing = true;
    this.#dependencies.onRetrying(this.#name, error);
  }

  #succeeded(): void {
    if (this.#isFailing) this.#dependencies.onRecovered(this.#name);
    this.#isFailing = false;
  }

  get #name(): string {
    return `the dealer of table ${this.#table.id}`;
  }

  /** Cancels the next step, until `schedule` is called again. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#succeeded();
  }

  /** Opens no new round and brings a begun round to its end, as far as the automation can. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#cancel?.();
    await this.#table.processor.idle();
    if (!this.#table.isOpen) return;
    const { phase } = this.#table.table;
    if (phase === 'betting' || phase === 'closing') return;
    const done = Promise.withResolvers<void>();
    const go = (): void => {
      const { table, processor } = this.#table;
      const isOver = processor.isStopped || !this.#table.isLeader;
      const step = isOver ? undefined : this.#automation.next(table);
      if (step === undefined || (table.phase === 'idle' && table.pendingSettlements.length === 0)) done.resolve();
      else {
        const time = Math.max(0, Math.min(step.at - this.#dependencies.clock(), maxDrainStepMs));
        this.#dependencies.after(time, () => void this.#step().then(go, done.reject));
      }
    };
    go();
    await done.promise;
  }

  async #step(): Promise<void> {
    const { table } = this.#table;
    const step = this.#automation.next(table);
    if (step === undefined) return;
    // The step was taken in the meantime; the next one has its own time.
    if (step.at > this.#dependencies.clock()) {
      this.schedule();
      return;
    }
    const due = Math.max(step.at, table.at);
    // [READING 12] The process stalled for so long that the table was out of service.
    if (table.phase !== 'idle' && this.#dependencies.clock() - due > table.settings.interruption) {
      await this.#table.reportInterruption(due);
      return;
    }
    const result =
      'shuffle' in step ? await this.#automation.shuffle!() : await this.#table.submitAsFloor(step.request);
    // A refusal means that the table has changed, or that the step was a moment too early.
    if ('refused' in result && result.refused !== 'table-stopped' && !this.#isDraining) {
      if ('request' in step) step.onRefused?.();
      this.#cancel = this.#dependencies.after(recheckMs, () => this.schedule());
    }
  }
}
