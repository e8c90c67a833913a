import { type Account } from '../ledger/accounts.ts';
import { assert } from '../rules/assert.ts';
import { type Balance, type BookedPosting } from '../store/store.ts';

/**
 * Who may spend what: one owner of every account's balance, for all tables. What a table has decided to take and the
 * store has not yet written is held back, so that no second table counts on it.
 */
export class Purse {
  readonly #balances: Map<Account, Balance>;
  readonly #held = new Map<Account, number>();

  constructor(balances: ReadonlyMap<Account, Balance>) {
    this.#balances = new Map(balances);
  }

  /** What stands in the books. */
  balance(account: Account): number {
    return this.#balances.get(account)?.amount ?? 0;
  }

  /** What a table may count on. */
  available(account: Account): number {
    return this.balance(account) - (this.#held.get(account) ?? 0);
  }

  /** Hold back what is about to be taken. */
  hold(account: Account, amount: number): void {
    this.#held.set(account, (this.#held.get(account) ?? 0) + amount);
  }

  /** It is written, or will not be. */
  release(account: Account, amount: number): void {
    const left = (this.#held.get(account) ?? 0) - amount;
    assert(left >= 0, 'no more is let go than was held');
    if (left === 0) this.#held.delete(account);
    else this.#held.set(account, left);
  }

  /** What the store has booked. Answers of the store may come in any order; the newest counts. */
  book(postings: readonly BookedPosting[]): void {
    for (const { from, fromAfter, fromVersion, to, toAfter, toVersion } of postings) {
      this.know(from, { amount: fromAfter, version: fromVersion });
      this.know(to, { amount: toAfter, version: toVersion });
    }
  }

  /** What an account holds, unless something newer is known. */
  know(account: Account, balance: Balance): void {
    const known = this.#balances.get(account);
    if (known === undefined || known.version < balance.version) this.#balances.set(account, balance);
  }
}
