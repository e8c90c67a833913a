/** Reports of a long task: a count that grows, and in the end the result. */
export type Progress<Result> = { readonly count: number } | { readonly result: Result };

/** A task without progress for this time fails. Even a slow machine makes progress. */
export const stallMs = 60_000;

/** A task makes no progress; the message says how far it came. */
export class StalledError extends Error {}

/** The result of a task, however long it takes; it fails once the count has not grown for `stallMs`. */
export async function resultOf<Result>(
  next: () => Promise<Progress<Result>>,
  goal: { readonly count: number; readonly of: string },
): Promise<Result> {
  let count = 0;
  for (;;) {
    const stall = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const reached = `${count.toLocaleString('en')} of ${goal.count.toLocaleString('en')} ${goal.of}`;
      stall.reject(
        new StalledError(`${reached}, and no more for ${stallMs / 1000} s; a quieter machine may do better.`),
      );
    }, stallMs);
    const report = await Promise.race([next(), stall.promise]).finally(() => clearTimeout(timer));
    if ('result' in report) return report.result;
    count = report.count;
  }
}
