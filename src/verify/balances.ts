import { countText } from '../base/countText.ts';
import { randomBytes } from 'node:crypto';
import { type Account, isGuarded } from '../ledger/accounts.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';
import { VerifyError, claim } from './verifyError.ts';

/** What the postings to an account add up to, and whether each begins where the one before it ended. */
export type Total = { amount: number; postings: number; links: number };

/** One posting as one account sees it. */
type Side = { readonly account: Account; readonly change: number; readonly before: number; readonly version: number };

/**
 * The balances of a record, worked out from its postings. An account is posted to from many streams, in an order that its
 * versions tell. So that no posting need be kept, each adds a number for what it left and takes off one for what it found:
 * what is left over is the number of the last balance, if each found what the one before it left.
 */
export class Balances {
  readonly #totals = new Map<Account, Total>();
  readonly #markOf: (version: number, amount: number) => number;

  /** Parts of one check share the seed of their numbers. */
  constructor(seed: Seed) {
    this.#markOf = marking(seed);
  }

  /** What has been added up so far, to be taken along. */
  get totals(): ReadonlyMap<Account, Total> {
    return this.#totals;
  }

  /** Takes in what another part has added up. */
  join(totals: ReadonlyMap<Account, Total>): void {
    for (const [account, { amount, postings, links }] of totals) {
      const total = this.#totalOf(account);
      total.amount += amount;
      total.postings += postings;
      // Each part has begun with the number of an untouched account.
      total.links = (total.links + links - this.#markOf(0, 0)) | 0;
    }
  }

  #totalOf(account: Account): Total {
    let total = this.#totals.get(account);
    if (total === undefined) this.#totals.set(account, (total = { amount: 0, postings: 0, links: this.#markOf(0, 0) }));
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
      claim(entry, after >= 0 || !isGuarded(account), () => `takes more from ${account} than is there`);
      const total = this.#totalOf(account);
      total.amount += change;
      total.postings += 1;
      total.links = (total.links + this.#markOf(version, after) - this.#markOf(version - 1, before)) | 0;
    }
  }

  /** Each account holds what its postings add up to, and has seen each of them once. */
  async verify(store: StoreReader): Promise<void> {
    const balances = await store.balances();
    for (const [account, { amount, postings, links }] of this.#totals) {
      if (links !== this.#markOf(postings, amount)) await findBreak(store, account);
      const balance = balances.get(account);
      if (balance?.amount !== amount || balance.version !== postings) {
        const held =
          balance === undefined ? 'nothing' : `${balance.amount} after ${countText(balance.version, 'posting')}`;
        throw new VerifyError(
          `The account ${account} holds ${held}, and its ${countText(postings, 'posting')} ${postings === 1 ? 'adds' : 'add'} up to ${amount}.`,
        );
      }
    }
    const stray = [...balances.keys()].find((account) => !this.#totals.has(account));
    if (stray !== undefined) throw new VerifyError(`The account ${stray} has a balance, and nothing was posted to it.`);
  }
}

function* sidesOf(entry: StoredEntry): Generator<Side> {
  for (const { from, to, amount, ...booked } of entry.postings) {
    const { fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion } = booked;
    const adds = fromAfter === fromBefore - amount && toAfter === toBefore + amount;
    claim(entry, adds, 'has a posting that does not add up');
    yield { account: from, change: -amount, before: fromBefore, version: fromVersion };
    yield { account: to, change: amount, before: toBefore, version: toVersion };
  }
}

/** What the numbers of a check are made from; nobody who writes a record can foresee it. */
export type Seed = readonly [number, number, number];

export function freshSeed(): Seed {
  const bytes = randomBytes(12);
  return [bytes.readInt32LE(0), bytes.readInt32LE(4), bytes.readInt32LE(8)];
}

/** A number for what an account holds after so many postings. */
function marking([first, second, third]: Seed): (version: number, amount: number) => number {
  const mix = (value: number): number => {
    const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
    return twice ^ (twice >>> 16);
  };
  return (version, amount) => mix(mix(mix(version ^ first) ^ (amount % 2 ** 32) ^ second) ^ (amount / 2 ** 32) ^ third);
}

/** Names the first posting to an account that does not begin where the one before it ended. */
async function findBreak(store: StoreReader, account: Account): Promise<never> {
  const found: (Side & Pick<StoredEntry, 'stream' | 'sequence'>)[] = [];
  for (const stream of await store.streams()) {
    for await (const entries of store.read(stream)) {
      for (const entry of entries) {
        const { sequence } = entry;
        for (const side of sidesOf(entry)) if (side.account === account) found.push({ ...side, stream, sequence });
      }
    }
  }
  let held = 0;
  for (const [place, one] of found.toSorted((a, b) => a.version - b.version).entries()) {
    const follows = one.before === held && one.version === place + 1;
    claim(one, follows, () => `finds ${one.before} in ${account}, where ${countText(place, 'posting')} left ${held}`);
    held += one.change;
  }
  throw new VerifyError(`The account ${account} is not what its postings lead to.`);
}
