/** `short` runs the same code with small counts: it shows that a bench works, and its figures mean nothing. */
export type BenchSize = 'full' | 'short';

/** The counts of a bench, such as terminals and slips, in each size. */
export type Sizes<Counts> = { readonly [size in BenchSize]: Counts };

export type Bench = {
  /** Yields a heading that begins with the name of the bench, then indented lines with figures. */
  readonly run: (size: BenchSize) => Iterable<string> | AsyncIterable<string>;
  /** The test of the short form, for a bench that tests/bench/short.test.ts cannot run. */
  readonly shortTest?: string;
};
