import { isFatalStoreError } from '../../store/failures.ts';
import { type TableAutomation } from './tableAutomation.ts';
import { type TableRuntime } from './tableRuntime.ts';
import { type FloorDependencies } from '../ports/runtimeDependencies.ts';

/** Delay before a failed step is tried again, in milliseconds. */
const retryMs = 1_000;
/** Delay after a refused step before the next step is determined again, in milliseconds. */
const recheckMs = 100;
/** Maximum wait for one step while play is being stopped, in milliseconds. */
const maxDrainStepMs = 5_000;

/** Step scheduler: runs the steps of an automation when they are due. */
export class StepScheduler {
  readonly #table: TableRuntime;
  readonly #automation: TableAutomation;
  readonly #dependencies: FloorDependencies;
  #cancel: (() => void) | undefined;
  #isDraining = false;
  #isFailing = false;

  constructor(table: TableRuntime, automation: TableAutomation, dependencies: FloorDependencies) {
    this.#table = table;
    this.#automation = automation;
    this.#dependencies = dependencies;
  }

  /** Schedules the next step. Call after each change of the table, because the next step may have changed. */
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

  /**
   * Stops play: opens no new round. A round whose bets are closed goes on until it ends or needs staff.
   */
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
    // The table has changed, and its next step is not due yet.
    if (step.at > this.#dependencies.clock()) {
      this.schedule();
      return;
    }
    const due = Math.max(step.at, table.at);
    // [READING 12] The process stalled for so long that the stall counts as an interruption of the table.
    if (table.phase !== 'idle' && this.#dependencies.clock() - due > table.settings.interruption) {
      await this.#table.reportInterruption(due);
      return;
    }
    const result =
      'shuffle' in step ? await this.#automation.shuffle!() : await this.#table.submitAsFloor(step.request);
    // A refusal means that the table has changed, or that the step was slightly too early. So the next step is
    // determined again.
    if ('refused' in result && result.refused !== 'table-stopped' && !this.#isDraining) {
      if ('request' in step) step.onRefused?.();
      this.#cancel = this.#dependencies.after(recheckMs, () => this.schedule());
    }
  }
}
