/** The time of one call in microseconds: the median of several batches, after a warm-up. */
export function microseconds(work: () => unknown, calls: number): number {
  const batch = (): number => {
    const start = performance.now();
    for (let n = 0; n < calls; n++) work();
    return ((performance.now() - start) * 1000) / calls;
  };
  batch();
  const times = Array.from({ length: 7 }, batch).toSorted((a, b) => a - b);
  return times[3]!;
}

/** The middle one of many, and the one that only so many of a hundred lie beyond. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)]!;
}
