import { type Account } from '../ledger/accounts.ts';
import { type Posting } from '../ledger/tablePostings.ts';
import { assert } from '../base/assert.ts';
import { type VersionedEvent } from '../base/upcast.ts';

/** What history reads of an entry in the record. */
export type RecordedEntry = {
  readonly stream: string;
  readonly sequence: number;
  readonly at: number;
  readonly event: VersionedEvent;
  readonly postings: readonly BookedPosting[];
};

type BookedPosting = Posting & {
  readonly fromBefore: number;
  readonly fromAfter: number;
  readonly fromVersion: number;
  readonly toBefore: number;
  readonly toAfter: number;
  readonly toVersion: number;
};

/** What an account held before the first of some postings and after the last, and how many postings it had seen by then. */
export type Moved = { before: number; after: number; version: number };

/** Each account that postings touch, in the order in which they touch it. */
export function movedBy(postings: readonly BookedPosting[]): ReadonlyMap<Account, Moved> {
  const moved = new Map<Account, Moved>();
  const move = (account: Account, before: number, after: number, version: number): void => {
    moved.set(account, { before: moved.get(account)?.before ?? before, after, version });
  };
  for (const { from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
    move(from, fromBefore, fromAfter, fromVersion);
    move(to, toBefore, toAfter, toVersion);
  }
  return moved;
}

/** What postings did to one account; undefined where they did not touch it. */
export function movedAt(postings: readonly BookedPosting[], account: Account): Moved | undefined {
  let moved: Moved | undefined;
  for (const { from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
    if (from === account) moved = { before: moved?.before ?? fromBefore, after: fromAfter, version: fromVersion };
    if (to === account) moved = { before: moved?.before ?? toBefore, after: toAfter, version: toVersion };
  }
  return moved;
}

/** A projection takes the entries of one stream in order, each once. */
export function assertNext(taken: { readonly stream: string; readonly sequence: number }, entry: RecordedEntry): void {
  assert(
    entry.stream === taken.stream && entry.sequence === taken.sequence + 1,
    `entry ${entry.sequence} of ${entry.stream} follows entry ${taken.sequence} of ${taken.stream}`,
  );
}

/** A value without some of its fields. */
export const without = <T extends object, F extends string>(value: T, fields: readonly F[]): Omit<T, F> =>
  Object.fromEntries(Object.entries(value).filter(([field]) => !(fields as readonly string[]).includes(field))) as Omit<
    T,
    F
  >;
