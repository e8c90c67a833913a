/** The time of one call in microseconds: the median of several batches, after a warm-up. */
export function microseconds(work: () => unknown, calls: number, batches = 7): number {
  const batch = (): number => {
    const start = performance.now();
    for (let n = 0; n < calls; n++) work();
    return ((performance.now() - start) * 1000) / calls;
  };
  batch();
  return median(Array.from({ length: batches }, batch));
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The smallest of the values that `part` of them lie below. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)]!;
}

/** A measured value with three significant digits. One that is no positive number is a defect of the bench. */
export function figure(value: number): string {
  if (!(value > 0 && value < Infinity)) throw new Error(`A bench measured ${value}, which is no positive number.`);
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

export const medianAndP99 = (milliseconds: readonly number[]): string =>
  `median ${figure(median(milliseconds))} ms, p99 ${figure(percentile(milliseconds, 0.99))} ms`;
