import { createHash } from 'node:crypto';
import { type StoreReader } from '../../src/store/store.ts';

/** What happened in a run. */
type Counts = {
  settled: number;
  voids: number;
  /** Plugs pulled, by where: at any moment, while opening, while parking, or in the middle of a function of the store. */
  readonly crashes: { [where: string]: number };
  /** Floors that could not open since the store failed. */
  failedStarts: number;
  parks: number;
  /** Tables that had to wait since the store failed again and again, and those of them that went on. */
  halts: number;
  healed: number;
  readonly faults: { [operation: string]: number };
  snapshots: number;
  backFromSnapshot: number;
  seats: number;
};

export type Ran = Counts & {
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  /** Notes that went in, tickets that came out and went in again, and those that were refused. */
  readonly loads: number;
  readonly issued: number;
  readonly paid: number;
  readonly refusedTickets: number;
  /** Limits and breaks that hold, and those that were refused. */
  readonly set: number;
  readonly refusedWishes: number;
  /** What staff asked and got, what they were refused by which code, and all that happened, by its name; where there are any. */
  readonly staff?: {
    readonly accepted: { readonly [type: string]: number };
    readonly refused: { readonly [code: string]: number };
    readonly events: { readonly [type: string]: number };
  };
  /** What the whole run comes to; the same for the same seed. */
  readonly hash: string;
  readonly wrong: readonly string[];
};

export const noCounts = (): Counts => ({
  settled: 0,
  voids: 0,
  crashes: {},
  failedStarts: 0,
  parks: 0,
  halts: 0,
  healed: 0,
  faults: {},
  snapshots: 0,
  backFromSnapshot: 0,
  seats: 0,
});

/** A hash of what happened in a run and of the record that it has left. */
export async function hashOf(record: StoreReader, ran: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(ran));
  for (const stream of await record.streams()) {
    // What tells one secret of a person from the next is by true chance.
    if (stream.split('/')[1] === 'staff') continue;
    let last = '';
    for await (const entries of record.read(stream)) last = entries.at(-1)!.hash;
    hash.update(last);
  }
  return hash.digest('hex');
}
