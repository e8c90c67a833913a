import { type Account } from '../ledger/accounts.ts';
import { type Balance, DamagedStoreError, type StoredEntry } from '../store/store.ts';

/**
 * Change of an account since a checkpoint. `first`: balance before the first posting. `last`: balance after the last
 * posting. `postings`, `sum`: number and sum of the postings.
 */
type AccountChange = { first: Balance; last: Balance; postings: number; sum: number };

type Balances = readonly (readonly [Account, Balance])[];

/** Computes the balances at a checkpoint from the present balances: undoes all later postings. */
export class BalanceRewind {
  readonly #changes = new Map<Account, AccountChange>();
  /** Accounts that have later postings, and whose present balance was not yet passed to `rewind`. */
  readonly #pending = new Set<Account>();

  add({ postings }: Pick<StoredEntry, 'postings'>): void {
    for (const { amount, from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
      this.#addPosting(
        from,
        { amount: fromBefore, version: fromVersion - 1 },
        { amount: fromAfter, version: fromVersion },
        -amount,
      );
      this.#addPosting(
        to,
        { amount: toBefore, version: toVersion - 1 },
        { amount: toAfter, version: toVersion },
        amount,
      );
    }
  }

  #addPosting(account: Account, before: Balance, after: Balance, amount: number): void {
    const change = this.#changes.get(account);
    if (change === undefined) {
      this.#changes.set(account, { first: before, last: after, postings: 1, sum: amount });
      this.#pending.add(account);
      return;
    }
    change.postings += 1;
    change.sum += amount;
    if (before.version < change.first.version) change.first = before;
    if (after.version > change.last.version) change.last = after;
  }

  /**
   * Returns the balances at the checkpoint. Pass each account once. Throws when the present balance of an account is
   * not the balance to which its later postings lead.
   */
  rewind(balances: Balances): Balances {
    if (!balances.some(([account]) => this.#changes.has(account))) return balances;
    return balances.flatMap(([account, balance]) => {
      const change = this.#changes.get(account);
      if (change === undefined) return [[account, balance] as const];
      const { first, last, postings, sum } = change;
      const isConsistent = last.version - first.version === postings && first.amount + sum === last.amount;
      if (!isConsistent || balance.amount !== last.amount || balance.version !== last.version)
        throw wrongBalance(account);
      this.#pending.delete(account);
      return first.version === 0 ? [] : [[account, first] as const];
    });
  }

  /** Throws when an account with later postings has no stored balance. */
  finish(): void {
    const [account] = this.#pending;
    if (account !== undefined) throw wrongBalance(account);
  }
}

const wrongBalance = (account: Account): DamagedStoreError =>
  new DamagedStoreError(`The account ${account} does not have the balance that its postings lead to.`);
