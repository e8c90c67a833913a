import { type TestCase } from 'vitest/node';

/** Reporter of vitest: keeps the reason of a skip with its test, since the JSON report leaves it out. */
export default class SkipReasons {
  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    if (result.state === 'skipped' && result.note !== undefined) {
      Object.assign(test.meta(), { skipReason: result.note });
    }
  }
}
