import { type TestFile } from './vitest.ts';

/** Something that failed, and the command that shows or fixes it. */
export type Failure = { readonly what: string; readonly remedy: string };

/** What a run of checks and tests has come to so far. */
export class Results {
  readonly files: TestFile[] = [];
  readonly failures: Failure[] = [];
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

  addFiles(files: readonly TestFile[]): void {
    this.files.push(...files);
    for (const { path, error, tests } of files) {
      const remedy = `npm run vitest -- run ${path}`;
      if (error !== undefined) this.failures.push({ what: `${path} does not load`, remedy });
      for (const { name, status } of tests) {
        if (status === 'failed') this.failures.push({ what: `${path}: ${name}`, remedy });
      }
    }
  }

  get tests(): readonly (TestFile['tests'][number] & { readonly file: string })[] {
    return this.files.flatMap(({ path, tests }) => tests.map((one) => ({ ...one, file: path })));
  }

  /** The last lines of a run: what failed and how to fix it, then the counts. */
  summary(): readonly string[] {
    const skipped = this.tests.filter(({ status }) => status === 'skipped');
    const passed = this.tests.filter(({ status }) => status === 'passed').length + this.#passedChecks;
    const counts = [
      `${passed} passed`,
      `${this.failures.length} failed`,
      ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
      ...(this.retries > 0 ? [`${this.retries} repeated after an engine crash`] : []),
    ];
    return [
      ...skipped.map(({ file, name }) => `skipped: ${file}: ${name}`),
      ...this.failures.map(({ what, remedy }) => `failed: ${what}\n        ${remedy}`),
      `${this.files.length} test files, ${this.tests.length} tests, ${this.#checks} other checks`,
      counts.join(', '),
    ];
  }
}
