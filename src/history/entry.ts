import { type Account } from '../ledger/accounts.ts';
import { type Posting } from '../ledger/tablePostings.ts';
import { assert } from '../base/assert.ts';
import { type VersionedEvent } from '../base/upcast.ts';

/** The fields of a stored entry that projections use. */
export type ProjectionEntry = {
  readonly stream: string;
  readonly sequence: number;
  readonly at: number;
  readonly event: VersionedEvent;
  readonly postings: readonly PostingWithBalances[];
};

type PostingWithBalances = Posting & {
  readonly fromBefore: number;
  readonly fromAfter: number;
  readonly fromVersion: number;
  readonly toBefore: number;
  readonly toAfter: number;
  readonly toVersion: number;
};

/**
 * Change of one balance by several postings: `before` is the balance before the first posting, `after` the balance
 * after the last, in cents. `version` counts all postings of the account so far.
 */
export type BalanceChange = { before: number; after: number; version: number };

/** Balance changes by account, in the order of the postings. */
export function balanceChanges(postings: readonly PostingWithBalances[]): ReadonlyMap<Account, BalanceChange> {
  const changes = new Map<Account, BalanceChange>();
  const addChange = (account: Account, before: number, after: number, version: number): void => {
    changes.set(account, { before: changes.get(account)?.before ?? before, after, version });
  };
  for (const { from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
    addChange(from, fromBefore, fromAfter, fromVersion);
    addChange(to, toBefore, toAfter, toVersion);
  }
  return changes;
}

/** The balance change of one account; undefined when no posting moves money of the account. */
export function balanceChangeOf(postings: readonly PostingWithBalances[], account: Account): BalanceChange | undefined {
  let change: BalanceChange | undefined;
  for (const { from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
    if (from === account) change = { before: change?.before ?? fromBefore, after: fromAfter, version: fromVersion };
    if (to === account) change = { before: change?.before ?? toBefore, after: toAfter, version: toVersion };
  }
  return change;
}

/** Throws if the entry is not the next one of the projected stream. A projection takes each entry once, in order. */
export function assertNextEntry(
  projection: { readonly stream: string; readonly sequence: number },
  entry: ProjectionEntry,
): void {
  assert(
    entry.stream === projection.stream && entry.sequence === projection.sequence + 1,
    `entry ${entry.sequence} of ${entry.stream} follows entry ${projection.sequence} of ${projection.stream}`,
  );
}

export const omitFields = <T extends object, F extends string>(value: T, fields: readonly F[]): Omit<T, F> =>
  Object.fromEntries(Object.entries(value).filter(([field]) => !(fields as readonly string[]).includes(field))) as Omit<
    T,
    F
  >;
