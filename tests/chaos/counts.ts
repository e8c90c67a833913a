import { createHash } from 'node:crypto';
import { type StoreReader } from '../../src/store/store.ts';

/** Counts of a run. */
type Counts = {
  settled: number;
  voids: number;
  /** Kills by moment: any, during opening or parking, or inside a store operation. */
  readonly crashes: { [where: string]: number };
  /** Floors that could not open because the store failed. */
  failedStarts: number;
  parks: number;
  /** Tables that paused because the store kept failing, and those that resumed. */
  pauses: number;
  resumes: number;
  readonly faults: { [operation: string]: number };
  snapshots: number;
  snapshotStarts: number;
  seats: number;
};

export type RunResult = Counts & {
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  /** Loads, issued and redeemed tickets, and refused tickets. */
  readonly loads: number;
  readonly issued: number;
  readonly paid: number;
  readonly refusedTickets: number;
  /** Limits and breaks in force, and refused ones. */
  readonly limits: number;
  readonly refusedLimits: number;
  /** Accepted staff requests by type, refusals by code, and events by type; only with staff. */
  readonly staff?: {
    readonly accepted: { readonly [type: string]: number };
    readonly refused: { readonly [code: string]: number };
    readonly events: { readonly [type: string]: number };
  };
  /** Hash of the run; equal for equal seeds. */
  readonly hash: string;
  readonly problems: readonly string[];
};

export const emptyCounts = (): Counts => ({
  settled: 0,
  voids: 0,
  crashes: {},
  failedStarts: 0,
  parks: 0,
  pauses: 0,
  resumes: 0,
  faults: {},
  snapshots: 0,
  snapshotStarts: 0,
  seats: 0,
});

/** Hash of the counts of a run and of the event log that it left. */
export async function hashOf(store: StoreReader, result: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(result));
  for (const stream of await store.streams()) {
    // Entries of staff contain system randomness.
    if (stream.split('/')[1] === 'staff') continue;
    let last = '';
    for await (const entries of store.read(stream)) last = entries.at(-1)!.hash;
    hash.update(last);
  }
  return hash.digest('hex');
}
