import { type TestFile, type TestRun, type TestStatus } from './vitest.ts';

/** Something that failed, and the command that shows or fixes it. */
export type Failure = { readonly what: string; readonly remedy: string };

/** Tests that were not run, and what this machine lacks for them. */
type Skip = { readonly count: number; readonly reason: string };

/** What a run of checks and tests has come to so far. */
export class Results {
  readonly files: TestFile[] = [];
  readonly failures: Failure[] = [];
  readonly #skips: Skip[] = [];
  /** Runs that were repeated because the engine aborted. */
  retries = 0;
  #checks = 0;
  #passedChecks = 0;

  /** Counts a check that is not a test, and returns its line. */
  check(title: string, isOk: boolean, remedy: string): string {
    this.#checks++;
    if (isOk) this.#passedChecks++;
    else this.failures.push({ what: title, remedy });
    return `${isOk ? 'ok' : 'FAILED'}: ${title}`;
  }

  /** Counts tests that are not run at all. */
  addSkipped(count: number, reason: string): void {
    this.#skips.push({ count, reason });
  }

  /** `command` runs one of these files, whose path follows it. A test that is skipped without a reason has failed. */
  addFiles(files: readonly TestFile[], command = vitestCommand): void {
    this.files.push(...files);
    for (const { path, error, tests } of files) {
      const remedy = `${command} ${path}`;
      const unexplained = tests.filter(({ status, skipReason }) => status === 'skipped' && skipReason === undefined);
      if (unexplained.length > 0) {
        this.failures.push({ what: `${path}: ${unexplained.length} skipped without a reason`, remedy });
      }
      for (const { skipReason } of tests) if (skipReason !== undefined) this.addSkipped(1, skipReason);
      if (error !== undefined) this.failures.push({ what: `${path} does not load`, remedy });
      for (const { name, status } of tests) {
        if (status === 'failed') this.failures.push({ what: `${path}: ${name}`, remedy });
      }
    }
  }

  /**
   * Adds a run of test files and returns the line of its failure, if it has one of its own: an error outside any test, a
   * gap in coverage, a crash or a run that did not start fails the run but belongs to no test.
   */
  addRun(
    title: string,
    { isOk, signal, files = [] }: TestRun,
    remedy: string,
    command = vitestCommand,
  ): readonly string[] {
    const failuresBefore = this.failures.length;
    this.addFiles(files, command);
    if (isOk || this.failures.length > failuresBefore) return [];
    return [`ended by ${signal ?? 'itself'}`, this.check(title, false, remedy)];
  }

  /**
   * Adds the failures of a run that the engine aborted and that was repeated, and returns a line for each. What failed
   * before the crash stays failed, unless it passed in the repeat.
   */
  addAborted({ files = [] }: TestRun, repeat: TestRun): readonly string[] {
    const again = new Map(repeat.files?.map((file) => [file.path, file]));
    return files.flatMap(({ path, error, tests }) => {
      const file = again.get(path);
      const failed = tests.filter(({ status }) => status === 'failed').map(({ name }) => name);
      const load = error === undefined ? [] : [this.#addRepeated(`${path} does not load`, path, loadStatus(file))];
      return [
        ...load,
        ...failed.map((name) => {
          const status = file?.tests.find((one) => one.name === name)?.status;
          return this.#addRepeated(`${path}: ${name}`, path, status);
        }),
      ];
    });
  }

  /** The repeat itself counts what failed in it. */
  #addRepeated(what: string, path: string, status: TestStatus | undefined): string {
    if (status === 'passed') return `passed in the repeat, failed before the crash: ${what}`;
    if (status !== 'failed') this.failures.push({ what, remedy: `npm run vitest -- run ${path}` });
    return `failed before the crash, ${status ?? 'not run'} in the repeat: ${what}`;
  }

  get tests(): readonly (TestFile['tests'][number] & { readonly file: string })[] {
    return this.files.flatMap(({ path, tests }) => tests.map((one) => ({ ...one, file: path })));
  }

  /** Prints the last lines of a run. Returns its exit code. */
  conclude(print: (line: string) => void): number {
    for (const line of this.summary()) print(line);
    return this.failures.length === 0 ? 0 : 1;
  }

  /** The last lines of a run: what failed and how to fix it, then the counts. */
  summary(): readonly string[] {
    const notRun = [...new Set(this.#skips.map(({ reason }) => reason))].map((reason) => ({
      reason,
      count: sumOf(this.#skips.filter((one) => one.reason === reason)),
    }));
    const run = this.tests.filter(({ status }) => status !== 'skipped').length;
    const passed = this.tests.filter(({ status }) => status === 'passed').length + this.#passedChecks;
    const reasons = notRun.map(({ count, reason }) => `${count} skipped: ${reason}`);
    const counts = [
      `${passed} passed`,
      `${this.failures.length} failed`,
      ...reasons,
      ...(this.retries > 0 ? [`${this.retries} repeated after an engine crash`] : []),
    ];
    return [
      ...this.failures.map(({ what, remedy }) => `failed: ${what}\n        ${remedy}`),
      `${new Set(this.files.map(({ path }) => path)).size} test files, ${run} tests, ${sumOf(notRun)} skipped, ${this.#checks} other checks`,
      counts.join(', '),
    ];
  }
}

const vitestCommand = 'npm run vitest -- run';

const sumOf = (skips: readonly Skip[]): number => skips.reduce((sum, { count }) => sum + count, 0);

const loadStatus = (file: TestFile | undefined): TestStatus | undefined =>
  file && (file.error === undefined ? 'passed' : 'failed');
