import { type Account } from '../ledger/accounts.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';

/** As long as somebody may have waited for the record, in milliseconds. */
export const maxWaitMs = 60_000;

/** One posting as an account sees it. */
export type Move = {
  readonly version: number;
  readonly before: number;
  readonly after: number;
  readonly entry: StoredEntry;
};

export const movesAt = (entry: StoredEntry, account: Account): readonly Move[] =>
  entry.postings.flatMap(({ from, fromVersion, fromBefore, fromAfter, to, toVersion, toBefore, toAfter }) =>
    from === account
      ? [{ version: fromVersion, before: fromBefore, after: fromAfter, entry }]
      : to === account
        ? [{ version: toVersion, before: toBefore, after: toAfter, entry }]
        : [],
  );

/** All that was posted to some accounts, each in its order. */
export async function movesOf(
  store: StoreReader,
  accounts: Iterable<Account>,
): Promise<ReadonlyMap<Account, readonly Move[]>> {
  const moves = new Map<Account, Move[]>(Array.from(accounts, (account) => [account, []]));
  for (const stream of await store.streams()) {
    for await (const entries of store.read(stream)) {
      for (const entry of entries) {
        for (const [account, found] of moves) found.push(...movesAt(entry, account));
      }
    }
  }
  for (const found of moves.values()) found.sort((one, other) => one.version - other.version);
  return moves;
}

export const takenBy = ({ before, after }: Move): number => Math.max(0, before - after);
