import { type Scheduler } from '../../runtime/ports/scheduler.ts';

/** Failed sign-ins since the last report, by code. Contains no person and no secret. */
export type SignInFailureCounts = { readonly [code: string]: number };

type SignInFailuresDependencies = {
  readonly after: Scheduler['after'];
  readonly report: (failures: SignInFailureCounts) => void;
};

/** Codes of a wrong secret or of a block after wrong secrets. */
const countedCodes: ReadonlySet<string> = new Set([
  'wrong-secret',
  'wrong-code',
  'sign-in-locked',
  'codes-locked',
  'too-many-attempts',
]);

/** Interval between reports, so that guessing does not fill the log. */
const reportEveryMs = 60_000;

/** Throttled report of failed sign-ins: the first at once, later ones together. */
export class SignInFailures {
  readonly #dependencies: SignInFailuresDependencies;
  #counts: { [code: string]: number } = {};
  #cancel: (() => void) | undefined;

  constructor(dependencies: SignInFailuresDependencies) {
    this.#dependencies = dependencies;
  }

  /** Other codes are ignored. */
  count(code: string): void {
    if (!countedCodes.has(code)) return;
    this.#counts[code] = (this.#counts[code] ?? 0) + 1;
    if (this.#cancel === undefined) this.#report();
  }

  /** Reports what is left. */
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
