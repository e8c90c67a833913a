import { type Account } from '../ledger/accounts.ts';
import { type Balance, DamagedRecord, type StoredEntry } from '../store/store.ts';

/** What an account saw: what it held before the first posting and after the last, how many there were, and what they come to. */
type Move = { first: Balance; last: Balance; postings: number; sum: number };

type Balances = readonly (readonly [Account, Balance])[];

/** What entries behind a checkpoint did to accounts, so that what they held at the checkpoint is known by what they hold now. */
export class Moves {
  readonly #moves = new Map<Account, Move>();
  /** The accounts that were not told yet. */
  readonly #left = new Set<Account>();

  take({ postings }: Pick<StoredEntry, 'postings'>): void {
    for (const { amount, from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
      this.#move(
        from,
        { amount: fromBefore, version: fromVersion - 1 },
        { amount: fromAfter, version: fromVersion },
        -amount,
      );
      this.#move(to, { amount: toBefore, version: toVersion - 1 }, { amount: toAfter, version: toVersion }, amount);
    }
  }

  #move(account: Account, before: Balance, after: Balance, amount: number): void {
    const one = this.#moves.get(account);
    if (one === undefined) {
      this.#moves.set(account, { first: before, last: after, postings: 1, sum: amount });
      this.#left.add(account);
      return;
    }
    one.postings += 1;
    one.sum += amount;
    if (before.version < one.first.version) one.first = before;
    if (after.version > one.last.version) one.last = after;
  }

  /** What some accounts held at the checkpoint. Each is told once; one that holds something else than entries lead to is damage. */
  before(balances: Balances): Balances {
    if (!balances.some(([account]) => this.#moves.has(account))) return balances;
    return balances.flatMap(([account, held]) => {
      const move = this.#moves.get(account);
      if (move === undefined) return [[account, held] as const];
      const { first, last, postings, sum } = move;
      const leads = last.version - first.version === postings && first.amount + sum === last.amount;
      if (!leads || held.amount !== last.amount || held.version !== last.version) throw otherwise(account);
      this.#left.delete(account);
      return first.version === 0 ? [] : [[account, first] as const];
    });
  }

  /** Every account that was posted to was told. */
  end(): void {
    const [account] = this.#left;
    if (account !== undefined) throw otherwise(account);
  }
}

const otherwise = (account: Account): DamagedRecord =>
  new DamagedRecord(`The account ${account} does not hold what the entries of the record lead to.`);
