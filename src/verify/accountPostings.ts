import { type Account } from '../ledger/accounts.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';

/** Maximum time between the decision of a command and its append, in milliseconds. */
export const maxDecideToStoreMs = 60_000;

/** Effect of a posting on one of its two accounts, `before` and `after` the posting. */
export type AccountPosting = {
  readonly version: number;
  readonly before: number;
  readonly after: number;
  readonly entry: StoredEntry;
};

export const postingsOfAccount = (entry: StoredEntry, account: Account): readonly AccountPosting[] =>
  entry.postings.flatMap(({ from, fromVersion, fromBefore, fromAfter, to, toVersion, toBefore, toAfter }) =>
    from === account
      ? [{ version: fromVersion, before: fromBefore, after: fromAfter, entry }]
      : to === account
        ? [{ version: toVersion, before: toBefore, after: toAfter, entry }]
        : [],
  );

/**
 * Reads all postings from or to the given accounts. The postings of each account are in the order of the account's
 * versions.
 */
export async function readAccountPostings(
  store: StoreReader,
  accounts: Iterable<Account>,
): Promise<ReadonlyMap<Account, readonly AccountPosting[]>> {
  const postings = new Map<Account, AccountPosting[]>(Array.from(accounts, (account) => [account, []]));
  for (const stream of await store.streams()) {
    for await (const entries of store.read(stream)) {
      for (const entry of entries) {
        for (const [account, list] of postings) list.push(...postingsOfAccount(entry, account));
      }
    }
  }
  for (const list of postings.values()) list.sort((a, b) => a.version - b.version);
  return postings;
}

export const debitedAmountOf = ({ before, after }: AccountPosting): number => Math.max(0, before - after);
