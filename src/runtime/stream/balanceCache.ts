import { type Account } from '../../ledger/accounts.ts';
import { type Posting } from '../../ledger/tablePostings.ts';
import { assert } from '../../base/assert.ts';
import { type Balance, type PostingWithBalances } from '../../store/store.ts';

/**
 * Balances in memory, shared by all streams of a floor. A debit is reserved when it is decided; a credit counts only
 * after its commit. So two streams never spend the same money.
 */
export class BalanceCache {
  readonly #balances: Map<Account, Balance>;
  readonly #reserved = new Map<Account, number>();
  readonly #incoming = new Map<Account, number>();

  constructor(balances: ReadonlyMap<Account, Balance>) {
    this.#balances = new Map(balances);
  }

  /** Committed balance of an account, in minor units. */
  balance(account: Account): number {
    return this.#balances.get(account)?.amount ?? 0;
  }

  /** True if anything was ever posted to the account. */
  has(account: Account): boolean {
    return this.#balances.has(account);
  }

  /** All accounts with their committed balances, in minor units. */
  *entries(): Generator<readonly [Account, number]> {
    for (const [account, { amount }] of this.#balances) yield [account, amount];
  }

  /** Committed balance of an account minus its reservations, in minor units. */
  available(account: Account): number {
    return this.balance(account) - (this.#reserved.get(account) ?? 0);
  }

  /** Sum of the credits to an account that are decided and not yet committed, in minor units. */
  incoming(account: Account): number {
    return this.#incoming.get(account) ?? 0;
  }

  /** Reserves the debits of decided postings, and adds their credits to `incoming`. */
  reserve(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      if (isPatronAccount(from)) add(this.#reserved, from, amount);
      if (isPatronAccount(to)) add(this.#incoming, to, amount);
    }
  }

  /** Ends the reservations of postings. Call after the postings were committed, or when they will not be committed. */
  release(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      if (isPatronAccount(from)) add(this.#reserved, from, -amount);
      if (isPatronAccount(to)) add(this.#incoming, to, -amount);
    }
  }

  /**
   * Stores the balances that came with committed postings. Replies of the store may arrive out of order, so the balance
   * with the highest version counts for each account.
   */
  apply(postings: readonly PostingWithBalances[]): void {
    for (const { from, fromAfter, fromVersion, to, toAfter, toVersion } of postings) {
      this.refresh(from, { amount: fromAfter, version: fromVersion });
      this.refresh(to, { amount: toAfter, version: toVersion });
    }
  }

  /** Sets the committed balance of an account, unless the cached balance has the same or a higher version. */
  refresh(account: Account, balance: Balance): void {
    const cached = this.#balances.get(account);
    if (cached === undefined || cached.version < balance.version) this.#balances.set(account, balance);
  }
}

/**
 * True when the account holds money of a patron. Any other account is debited by one stream only, so its debits are not
 * reserved.
 */
const isPatronAccount = (account: Account): boolean => /\/(terminal|hand-pay|ticket)\//.test(account);

function add(amounts: Map<Account, number>, account: Account, by: number): void {
  const amount = (amounts.get(account) ?? 0) + by;
  assert(amount >= 0, 'a balance cache releases no more than it has reserved');
  if (amount === 0) amounts.delete(account);
  else amounts.set(account, amount);
}
