import { type Account } from '../ledger/accounts.ts';
import { type Balance, DamagedRecord, type Reader } from '../store/store.ts';
import {
  type Checkpoint,
  type Places,
  checkpointIn,
  handoverOf,
  hashOfBalances,
  hashOfText,
  placesAfter,
} from './mark.ts';
import { isSigned } from './signer.ts';

/** The checkpoints of a record, followed from its first to its last. */
export type Followed = {
  readonly last: Checkpoint | undefined;
  /** The hash of the last one's text. */
  readonly hash: string | null;
  /** Where every stream stood at the last one. */
  readonly places: Places;
  /** Who signed, one after another. */
  readonly signers: readonly string[];
};

/**
 * Every checkpoint is signed by the signer it names, follows the one before it, and is of the same signer unless that one
 * has handed over. `told` hears of each.
 */
export async function followCheckpoints(
  store: Pick<Reader, 'checkpoints'>,
  told: (checkpoint: Checkpoint) => void = () => {},
): Promise<Followed> {
  let [last, hash, places]: [Checkpoint | undefined, string | null, Places] = [undefined, null, new Map()];
  const signers: string[] = [];
  for await (const some of store.checkpoints()) {
    for (const { number, text, signature } of some) {
      const due = (last?.number ?? 0) + 1;
      const bad = (what: string): DamagedRecord => new DamagedRecord(`Checkpoint ${due} ${what}.`);
      if (number !== due) throw bad('is missing');
      const checkpoint = checkpointIn({ text, signature });
      if (checkpoint === undefined) throw bad('is not as it was signed');
      if (checkpoint.number !== due || checkpoint.previous !== hash) throw bad('does not follow the one before it');
      const { signer, handover } = checkpoint;
      if (last && signer !== last.signer && !isSigned(handoverOf(signer, due), handover ?? '', last.signer)) {
        throw bad(`is signed by ${signer}, to whom ${last.signer} has not handed over`);
      }
      if (signer !== signers.at(-1)) signers.push(signer);
      told(checkpoint);
      [last, hash, places] = [checkpoint, hashOfText(text), placesAfter(places, checkpoint)];
    }
  }
  return { last, hash, places, signers };
}

/** Each stream has, at the place that is known of it, the very entry that is known; else the first that has not is named. */
export async function findOther(store: Reader, places: Places): Promise<string | undefined> {
  for (const [stream, { sequence, hash }] of places) {
    for await (const [entry] of store.read(stream, sequence - 1, 1)) {
      if (entry!.hash !== hash) return `Entry ${sequence} of ${stream} is another than the one that was signed.`;
      break;
    }
  }
  return undefined;
}

/** The streams that end before a place that is known of them. */
export const endingEarly = (
  heads: Places,
  places: Places,
): readonly { readonly stream: string; readonly has: number; readonly known: number }[] =>
  Array.from(places, ([stream, { sequence: known }]) => ({ stream, has: heads.get(stream)?.sequence ?? 0, known }))
    .filter(({ has, known }) => has < known)
    .toSorted((one, other) => (one.stream < other.stream ? -1 : 1));

/** What an account saw in the entries behind a checkpoint. */
type Seen = { first: Balance; last: Balance; postings: number };

/**
 * Every balance is what the last checkpoint vouches for and the entries behind it lead to. Without a checkpoint all
 * entries are read. A start trusts balances, so they are looked at first.
 */
export async function checkBalances(store: Reader, { last, places }: Pick<Followed, 'last' | 'places'>): Promise<void> {
  const seen = new Map<Account, Seen>();
  const see = (account: Account, before: Balance, after: Balance): void => {
    const one = seen.get(account);
    if (one === undefined) seen.set(account, { first: before, last: after, postings: 1 });
    else {
      one.postings += 1;
      if (before.version < one.first.version) one.first = before;
      if (after.version > one.last.version) one.last = after;
    }
  };
  for (const stream of await store.streams()) {
    for await (const entries of store.read(stream, places.get(stream)?.sequence ?? 0)) {
      for (const { postings } of entries) {
        for (const { from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
          see(from, { amount: fromBefore, version: fromVersion - 1 }, { amount: fromAfter, version: fromVersion });
          see(to, { amount: toBefore, version: toVersion - 1 }, { amount: toAfter, version: toVersion });
        }
      }
    }
  }
  const balances = new Map(await store.balances());
  for (const [account, { first, last: end, postings }] of seen) {
    const held = balances.get(account);
    if (held?.amount !== end.amount || held.version !== end.version || end.version - first.version !== postings) {
      throw new DamagedRecord(`The account ${account} does not hold what the entries of the record lead to.`);
    }
    if (first.version === 0) balances.delete(account);
    else balances.set(account, first);
  }
  const due = last?.balances ?? hashOfBalances(new Map());
  if (hashOfBalances(balances) !== due) {
    throw new DamagedRecord('The balances are not those that the entries of the record lead to.');
  }
}
