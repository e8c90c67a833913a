import { type Account } from '../../ledger/accounts.ts';
import { type Posting } from '../../ledger/tablePostings.ts';
import { assert } from '../../base/assert.ts';
import { type Balance, type BookedPosting } from '../../store/store.ts';

/**
 * Who may spend what: one owner of every account's balance, for all tables. What a table has decided to take and the
 * store has not yet written is held back, so that no second table counts on it; what it has decided to give is on its way.
 */
export class BalanceCache {
  readonly #balances: Map<Account, Balance>;
  readonly #held = new Map<Account, number>();
  readonly #coming = new Map<Account, number>();

  constructor(balances: ReadonlyMap<Account, Balance>) {
    this.#balances = new Map(balances);
  }

  /** What stands in the books. */
  balance(account: Account): number {
    return this.#balances.get(account)?.amount ?? 0;
  }

  /** Whether anything was ever posted to an account. */
  has(account: Account): boolean {
    return this.#balances.has(account);
  }

  /** Every account with what stands in the books. */
  *all(): Generator<readonly [Account, number]> {
    for (const [account, { amount }] of this.#balances) yield [account, amount];
  }

  /** What a table may count on. */
  available(account: Account): number {
    return this.balance(account) - (this.#held.get(account) ?? 0);
  }

  /** What was decided for an account, and is not yet written. */
  incoming(account: Account): number {
    return this.#coming.get(account) ?? 0;
  }

  /** Hold back what is about to be taken, and know of what is about to come. */
  reserve(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      if (isOwned(from)) change(this.#held, from, amount);
      if (isOwned(to)) change(this.#coming, to, amount);
    }
  }

  /** It is written, or will not be. */
  release(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      if (isOwned(from)) change(this.#held, from, -amount);
      if (isOwned(to)) change(this.#coming, to, -amount);
    }
  }

  /** What the store has booked. Answers of the store may come in any order; the newest counts. */
  apply(postings: readonly BookedPosting[]): void {
    for (const { from, fromAfter, fromVersion, to, toAfter, toVersion } of postings) {
      this.refresh(from, { amount: fromAfter, version: fromVersion });
      this.refresh(to, { amount: toAfter, version: toVersion });
    }
  }

  /** What an account holds, unless something newer is known. */
  refresh(account: Account, balance: Balance): void {
    const known = this.#balances.get(account);
    if (known === undefined || known.version < balance.version) this.#balances.set(account, balance);
  }
}

/** Whether an account is a patron's, who may be asked for it twice at once; nobody counts on those of tables. */
const isOwned = (account: Account): boolean => /\/(terminal|hand-pay|ticket)\//.test(account);

function change(amounts: Map<Account, number>, account: Account, by: number): void {
  const amount = (amounts.get(account) ?? 0) + by;
  assert(amount >= 0, 'no more is let go than was held');
  if (amount === 0) amounts.delete(account);
  else amounts.set(account, amount);
}
