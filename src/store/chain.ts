import { createHash } from 'node:crypto';
import { type Account } from '../ledger/accounts.ts';
import { assert } from '../rules/assert.ts';
import { canonicalOf } from '../rules/hash.ts';
import {
  type Append,
  type Appended,
  type Balance,
  type BookedPosting,
  type NewEntry,
  type StoredEntry,
  DamagedEntry,
} from './store.ts';

/** What stands before the first entry of a stream. */
export const beginning = `sha256:${'0'.repeat(64)}`;

/** An entry as it is written down: the text its hash is taken of. The hash of the entry before it is part of it. */
export const bodyOf = ({ hash: _hash, ...entry }: StoredEntry): string => canonicalOf(entry);

export const hashOfBody = (body: string): string => `sha256:${createHash('sha256').update(body, 'utf8').digest('hex')}`;

/** An entry as a store keeps it. */
export type Row = { readonly stream: string; readonly sequence: number; readonly hash: string; readonly body: string };

/** An entry from its text, if the text is what was written at that place. */
export function entryFrom({ stream, sequence, hash, body }: Row): StoredEntry {
  if (hashOfBody(body) !== hash) throw new DamagedEntry(stream, sequence, 'does not give the hash it was written with');
  const entry = JSON.parse(body) as Omit<StoredEntry, 'hash'>;
  if (entry.stream !== stream || entry.sequence !== sequence) {
    throw new DamagedEntry(stream, sequence, `says that it is entry ${entry.sequence} of ${entry.stream}`);
  }
  return { ...entry, hash };
}

/** Credit and stakes are somebody's money: they never go below zero. The house, the cage and the world outside may. */
export const isGuarded = (account: Account): boolean => /^[^/]+\/[^/]+\/(terminal|stakes)\//.test(account);

/** What the record holds already, as far as an append needs to know. */
export type Books = {
  readonly head: (stream: string) => { readonly sequence: number; readonly hash: string };
  readonly balance: (account: Account) => Balance;
  readonly isKnown: (command: string) => boolean;
};

export type Booked = {
  readonly entries: readonly StoredEntry[];
  readonly bodies: readonly string[];
  readonly balances: ReadonlyMap<Account, Balance>;
};

/** An append worked out to the last byte, or why it cannot be. Nothing is written here. */
export function book(
  { stream, after, entries }: Append,
  books: Books,
): Booked | Exclude<Appended, { entries: unknown }> {
  const head = books.head(stream);
  if (head.sequence !== after) return { refused: 'stream-moved', at: head.sequence };
  const balances = new Map<Account, Balance>();
  const stored: StoredEntry[] = [];
  const bodies: string[] = [];
  let { hash: previous } = head;
  for (const [place, entry] of entries.entries()) {
    const { command } = entry;
    if (command && books.isKnown(command.id)) return { refused: 'command-known', command, entry: place };
    const postings = bookPostings(entry, books, balances);
    if ('account' in postings) return { refused: 'balance-guard', account: postings.account, entry: place };
    const { event } = entry;
    const whole = {
      stream,
      sequence: after + place + 1,
      at: event.at,
      event,
      postings: postings.booked,
      command: command ?? null,
      previous,
    };
    const body = canonicalOf(whole);
    previous = hashOfBody(body);
    stored.push({ ...whole, hash: previous });
    bodies.push(body);
  }
  return { entries: stored, bodies, balances };
}

function bookPostings(
  { postings }: NewEntry,
  books: Books,
  balances: Map<Account, Balance>,
): { readonly booked: readonly BookedPosting[] } | { readonly account: Account } {
  const booked: BookedPosting[] = [];
  const move = (account: Account, by: number): { before: number; after: Balance } => {
    const { amount: before, version } = balances.get(account) ?? books.balance(account);
    const after = { amount: before + by, version: version + 1 };
    assert(Number.isSafeInteger(after.amount), 'a balance is exact');
    balances.set(account, after);
    return { before, after };
  };
  for (const posting of postings) {
    const { from, to, amount } = posting;
    const taken = move(from, -amount);
    if (taken.after.amount < 0 && isGuarded(from)) return { account: from };
    const given = move(to, amount);
    booked.push({
      ...posting,
      fromBefore: taken.before,
      fromAfter: taken.after.amount,
      fromVersion: taken.after.version,
      toBefore: given.before,
      toAfter: given.after.amount,
      toVersion: given.after.version,
    });
  }
  return { booked };
}

/** What an account holds that nobody has ever posted to. */
export const untouched: Balance = { amount: 0, version: 0 };
