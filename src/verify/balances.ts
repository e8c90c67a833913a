import { countText } from '../base/countText.ts';
import { randomBytes } from 'node:crypto';
import { type Account, isNonNegativeAccount } from '../ledger/accounts.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';
import { VerifyError, assertOfEntry } from './verifyError.ts';

/**
 * Sum and number of the postings of an account. `fingerprint` shows whether each posting continues the one before it.
 */
export type AccountTotal = { amount: number; postings: number; fingerprint: number };

type Side = { readonly account: Account; readonly change: number; readonly before: number; readonly version: number };

/**
 * Balances computed again from all postings. An account has postings from many streams, ordered by the versions of the
 * account. To save memory, the postings are not sorted: each posting adds the fingerprint of the balance after it, and
 * subtracts the fingerprint of the balance before it. If every posting continues the one before it, only the
 * fingerprint of the last balance remains.
 */
export class BalanceCheck {
  readonly #totals = new Map<Account, AccountTotal>();
  readonly #fingerprintOf: (version: number, amount: number) => number;

  /** Two checks can be merged only if they have the same seed. */
  constructor(seed: FingerprintSeed) {
    this.#fingerprintOf = fingerprinter(seed);
  }

  get totals(): ReadonlyMap<Account, AccountTotal> {
    return this.#totals;
  }

  /** Adds the totals of another check, which has read other streams. */
  merge(totals: ReadonlyMap<Account, AccountTotal>): void {
    for (const [account, { amount, postings, fingerprint }] of totals) {
      const total = this.#totalOf(account);
      total.amount += amount;
      total.postings += postings;
      // Each of the two fingerprints began with the fingerprint of an empty account. The sum must contain it only once.
      total.fingerprint = (total.fingerprint + fingerprint - this.#fingerprintOf(0, 0)) | 0;
    }
  }

  #totalOf(account: Account): AccountTotal {
    let total = this.#totals.get(account);
    if (total === undefined)
      this.#totals.set(account, (total = { amount: 0, postings: 0, fingerprint: this.#fingerprintOf(0, 0) }));
    return total;
  }

  get accounts(): readonly Account[] {
    return [...this.#totals.keys()];
  }

  of(account: Account): number {
    return this.#totals.get(account)?.amount ?? 0;
  }

  add(entry: StoredEntry): void {
    for (const { account, change, before, version } of sidesOf(entry)) {
      const after = before + change;
      assertOfEntry(
        entry,
        after >= 0 || !isNonNegativeAccount(account),
        () => `takes more from ${account} than its balance`,
      );
      const total = this.#totalOf(account);
      total.amount += change;
      total.postings += 1;
      total.fingerprint =
        (total.fingerprint + this.#fingerprintOf(version, after) - this.#fingerprintOf(version - 1, before)) | 0;
    }
  }

  /** Throws unless each posting continues the one before it, and the stored balances equal the sums of the postings. */
  async verify(store: StoreReader): Promise<void> {
    const balances = await store.balances();
    for (const [account, { amount, postings, fingerprint }] of this.#totals) {
      if (fingerprint !== this.#fingerprintOf(postings, amount)) await findBreak(store, account);
      const balance = balances.get(account);
      if (balance?.amount !== amount || balance.version !== postings) {
        const stored =
          balance === undefined
            ? 'no balance'
            : `the balance ${balance.amount} after ${countText(balance.version, 'posting')}`;
        throw new VerifyError(
          `The account ${account} has ${stored}, but its ${countText(postings, 'posting')} ${postings === 1 ? 'adds' : 'add'} up to ${amount}.`,
        );
      }
    }
    const stray = [...balances.keys()].find((account) => !this.#totals.has(account));
    if (stray !== undefined) throw new VerifyError(`The account ${stray} has a balance, but no postings.`);
  }
}

function* sidesOf(entry: StoredEntry): Generator<Side> {
  for (const { from, to, amount, ...booked } of entry.postings) {
    const { fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion } = booked;
    const isConsistent = fromAfter === fromBefore - amount && toAfter === toBefore + amount;
    assertOfEntry(entry, isConsistent, 'has a posting that changes a balance by another amount than its own');
    yield { account: from, change: -amount, before: fromBefore, version: fromVersion };
    yield { account: to, change: amount, before: toBefore, version: toVersion };
  }
}

/** Random seed of the fingerprints, so that an attacker cannot construct postings whose fingerprints collide. */
export type FingerprintSeed = readonly [number, number, number];

export function randomFingerprintSeed(): FingerprintSeed {
  const bytes = randomBytes(12);
  return [bytes.readInt32LE(0), bytes.readInt32LE(4), bytes.readInt32LE(8)];
}

/** Creates the function that computes a fingerprint from the version and amount of a balance. */
function fingerprinter([first, second, third]: FingerprintSeed): (version: number, amount: number) => number {
  const mix = (value: number): number => {
    const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
    return twice ^ (twice >>> 16);
  };
  return (version, amount) => mix(mix(mix(version ^ first) ^ (amount % 2 ** 32) ^ second) ^ (amount / 2 ** 32) ^ third);
}

/** Throws for the first posting that does not begin with the balance of the account after the previous posting. */
async function findBreak(store: StoreReader, account: Account): Promise<never> {
  const sides: (Side & Pick<StoredEntry, 'stream' | 'sequence'>)[] = [];
  for (const stream of await store.streams()) {
    for await (const entries of store.read(stream)) {
      for (const entry of entries) {
        const { sequence } = entry;
        for (const side of sidesOf(entry)) if (side.account === account) sides.push({ ...side, stream, sequence });
      }
    }
  }
  let balance = 0;
  for (const [index, side] of sides.toSorted((a, b) => a.version - b.version).entries()) {
    const follows = side.before === balance && side.version === index + 1;
    assertOfEntry(
      side,
      follows,
      () =>
        `has posting ${side.version} of ${account} from the balance ${side.before}, but the next must be posting ${index + 1} from the balance ${balance}`,
    );
    balance += side.change;
  }
  throw new VerifyError(`The account ${account} does not have the balance that its postings lead to.`);
}
