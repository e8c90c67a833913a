import { type Account } from '../../ledger/accounts.ts';
import { type Posting } from '../../ledger/tablePostings.ts';
import { assert } from '../../base/assert.ts';
import { type Balance, type PostingWithBalances } from '../../store/store.ts';

/**
 * Balances in memory, shared by all tables. A debit is reserved when it is decided; a credit counts only after its
 * commit. So two tables never spend the same money.
 */
export class BalanceCache {
  readonly #balances: Map<Account, Balance>;
  readonly #reserved = new Map<Account, number>();
  readonly #incoming = new Map<Account, number>();

  constructor(balances: ReadonlyMap<Account, Balance>) {
    this.#balances = new Map(balances);
  }

  /** Committed balance. */
  balance(account: Account): number {
    return this.#balances.get(account)?.amount ?? 0;
  }

  /** True if anything was ever posted to the account. */
  has(account: Account): boolean {
    return this.#balances.has(account);
  }

  /** Every account with its committed balance. */
  *entries(): Generator<readonly [Account, number]> {
    for (const [account, { amount }] of this.#balances) yield [account, amount];
  }

  /** Committed balance minus reservations. */
  available(account: Account): number {
    return this.balance(account) - (this.#reserved.get(account) ?? 0);
  }

  /** Credits that are decided and not yet committed. */
  incoming(account: Account): number {
    return this.#incoming.get(account) ?? 0;
  }

  /** Reserves decided debits and notes decided credits. */
  reserve(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      if (isPatronAccount(from)) add(this.#reserved, from, amount);
      if (isPatronAccount(to)) add(this.#incoming, to, amount);
    }
  }

  /** Ends a reservation, after the commit or when there will be none. */
  release(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      if (isPatronAccount(from)) add(this.#reserved, from, -amount);
      if (isPatronAccount(to)) add(this.#incoming, to, -amount);
    }
  }

  /** Applies committed postings. The store may reply out of order; the highest version counts. */
  apply(postings: readonly PostingWithBalances[]): void {
    for (const { from, fromAfter, fromVersion, to, toAfter, toVersion } of postings) {
      this.refresh(from, { amount: fromAfter, version: fromVersion });
      this.refresh(to, { amount: toAfter, version: toVersion });
    }
  }

  /** Sets a balance unless a newer version is cached. */
  refresh(account: Account, balance: Balance): void {
    const cached = this.#balances.get(account);
    if (cached === undefined || cached.version < balance.version) this.#balances.set(account, balance);
  }
}

/** Only accounts of patrons can be debited by two streams at once; table accounts need no reservation. */
const isPatronAccount = (account: Account): boolean => /\/(terminal|hand-pay|ticket)\//.test(account);

function add(amounts: Map<Account, number>, account: Account, by: number): void {
  const amount = (amounts.get(account) ?? 0) + by;
  assert(amount >= 0, 'no more is let go than was held');
  if (amount === 0) amounts.delete(account);
  else amounts.set(account, amount);
}
