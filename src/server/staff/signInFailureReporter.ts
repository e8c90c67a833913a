import { type Scheduler } from '../../runtime/ports/scheduler.ts';

/** Number of failed sign-ins since the last report, by error code. */
export type SignInFailureCounts = { readonly [code: string]: number };

type SignInFailuresDependencies = {
  readonly after: Scheduler['after'];
  readonly report: (failures: SignInFailureCounts) => void;
};

/** Error codes that count as failed sign-ins. They mean a wrong secret or code, or a block after too many of them. */
const countedCodes: ReadonlySet<string> = new Set([
  'wrong-secret',
  'wrong-code',
  'wrong-demo-code',
  'sign-in-locked',
  'codes-locked',
  'too-many-attempts',
]);

/** Minimum interval between two reports in milliseconds, so that an attack does not fill the log. */
const reportEveryMs = 60_000;

/**
 * Throttled reporter of failed sign-ins. The first failure is reported at once, and the failures of the following
 * minute together.
 */
export class SignInFailureReporter {
  readonly #dependencies: SignInFailuresDependencies;
  #counts: { [code: string]: number } = {};
  #cancel: (() => void) | undefined;

  constructor(dependencies: SignInFailuresDependencies) {
    this.#dependencies = dependencies;
  }

  count(code: string): void {
    if (!countedCodes.has(code)) return;
    this.#counts[code] = (this.#counts[code] ?? 0) + 1;
    if (this.#cancel === undefined) this.#report();
  }

  /** Stops the timer. Failures that are not reported yet are reported now. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (Object.keys(this.#counts).length > 0) this.#dependencies.report(this.#counts);
    this.#counts = {};
  }

  #report(): void {
    this.#dependencies.report(this.#counts);
    this.#counts = {};
    this.#cancel = this.#dependencies.after(reportEveryMs, () => {
      this.#cancel = undefined;
      if (Object.keys(this.#counts).length > 0) this.#report();
    });
  }
}
