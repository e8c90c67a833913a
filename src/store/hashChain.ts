import { hash as digest } from 'node:crypto';
import { type Account, isGuarded } from '../ledger/accounts.ts';
import { type Posting } from '../ledger/tablePostings.ts';
import { isObject } from '../base/schema.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { quoted } from '../base/refusal.ts';
import {
  type AppendRequest,
  type AppendResult,
  type Balance,
  type BookedPosting,
  type StreamHead,
  type NewEntry,
  type RecordedEvent,
  type StoredEntry,
  DamagedEntry,
} from './store.ts';

/** What stands before the first entry of a stream. */
export const genesisHash = `sha256:${'0'.repeat(64)}`;

/** An entry as it is written down: the text its hash is taken of. The hash of the entry before it is part of it. */
export const bodyOf = ({ hash: _hash, ...entry }: StoredEntry): string => canonicalJson(entry);

export const hashOfBody = (body: string): string => `sha256:${digest('sha256', body)}`;

/** An entry as a store keeps it. */
export type EntryRow = {
  readonly stream: string;
  readonly sequence: number;
  readonly hash: string;
  /** The text of the entry; anything else is damage. */
  readonly body: string | Uint8Array;
  /** The command that it is the first entry of. */
  readonly command: string | null;
  /** What it is found by; undefined in a record of a form that has no such thing. */
  readonly subject?: string | null;
};

/** What an entry is found by: the session whose stakes it sets, or else the round that it speaks of. */
export function subjectOf({ type, terminal, round }: RecordedEvent): string | null {
  const subject = type === 'SlipSet' ? terminal : round;
  return typeof subject === 'string' ? subject : null;
}

/** An entry from its text, if the text is what was written at that place. */
export function entryFrom({ stream, sequence, hash, body, command, subject }: EntryRow): StoredEntry {
  if (typeof body !== 'string') throw new DamagedEntry(stream, sequence, 'is not a text');
  if (hashOfBody(body) !== hash) throw new DamagedEntry(stream, sequence, 'does not give the hash it was written with');
  const entry = parsed(body) as Omit<StoredEntry, 'hash'> | undefined;
  if (entry === undefined) throw new DamagedEntry(stream, sequence, 'is not an entry as it must be');
  if (entry.stream !== stream || entry.sequence !== sequence) {
    throw new DamagedEntry(stream, sequence, `says that it is entry ${entry.sequence} of ${entry.stream}`);
  }
  if (command !== null && command !== entry.command.id) {
    throw new DamagedEntry(stream, sequence, `is kept under the command ${quoted(command)}, which is not its own`);
  }
  if (subject !== undefined && subject !== subjectOf(entry.event)) {
    throw new DamagedEntry(stream, sequence, `is kept under the subject ${quoted(subject)}, which is not its own`);
  }
  return { ...entry, hash };
}

/** An entry from its text, if it follows the entry of that hash. */
export function verifyNext(row: EntryRow, previous: string, read = entryFrom): StoredEntry {
  const entry = read(row);
  if (entry.previous !== previous) {
    throw new DamagedEntry(row.stream, row.sequence, 'does not follow the entry before it');
  }
  return entry;
}

/** What a text says, if it is an entry of a command with what happened. */
function parsed(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) && isObject(value['command']) && isObject(value['event']) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What the record holds already, as far as an append needs to know. */
export type AppendBasis = {
  readonly head: (stream: string) => StreamHead;
  readonly balance: (account: Account) => Balance;
  /** Those of the commands that are in the record. */
  readonly known: (commands: readonly string[]) => { readonly has: (command: string) => boolean };
};

/** A batch with the text of each event and command, so that whoever books it need not know what happened. */
export type Prepared = Omit<AppendRequest, 'entries'> & {
  readonly entries: readonly (Pick<NewEntry, 'postings'> & {
    readonly at: number;
    readonly event: string;
    readonly id: string;
    readonly command: string;
    readonly subject: string | null;
  })[];
};

export const prepared = ({ entries, ...batch }: AppendRequest): Prepared => ({
  ...batch,
  entries: entries.map(({ event, postings, command }) => ({
    at: event.at,
    event: canonicalJson(event),
    postings,
    id: command.id,
    command: canonicalJson(command),
    subject: subjectOf(event),
  })),
});

type BookedEntry = {
  readonly sequence: number;
  readonly body: string;
  readonly hash: string;
  readonly postings: readonly BookedPosting[];
  /** The id of the command, in its first entry. */
  readonly command: string | null;
  readonly subject: string | null;
};

export type Booked = {
  readonly previous: string;
  readonly epoch: number;
  readonly entries: readonly BookedEntry[];
  readonly balances: ReadonlyMap<Account, Balance>;
};

/** An append worked out to the last byte, or why it cannot be. Nothing is written here. */
export function planAppend(
  { stream, after, epoch, entries }: Prepared,
  books: AppendBasis,
): Booked | Exclude<AppendResult, { entries: unknown }> {
  const head = books.head(stream);
  if (epoch !== undefined && epoch < head.epoch) return { refused: 'epoch-over', epoch: head.epoch };
  if (head.sequence !== after) return { refused: 'stream-moved', at: head.sequence };
  const known = books.known(entries.map(({ id }) => id));
  const balances = new Map<Account, Balance>();
  const booked: BookedEntry[] = [];
  let { hash: previous } = head;
  let last: string | undefined;
  const fresh = new Set<string>();
  for (const [place, { at, event, postings: wanted, id, command, subject }] of entries.entries()) {
    const isFirst = id !== last;
    if (isFirst && (known.has(id) || fresh.has(id))) return { refused: 'command-known', command: id, entry: place };
    const postings = bookPostings(wanted, books, balances);
    if ('account' in postings) return { ...postings, entry: place };
    const sequence = after + place + 1;
    const body =
      `{"at":${at},"command":${command},"event":${event},` +
      `"postings":[${postings.booked.map(postingText).join(',')}],` +
      `"previous":${text(previous)},"sequence":${sequence},"stream":${text(stream)}}`;
    previous = hashOfBody(body);
    last = id;
    fresh.add(id);
    booked.push({ sequence, body, hash: previous, postings: postings.booked, command: isFirst ? id : null, subject });
  }
  return { previous: head.hash, epoch: epoch ?? head.epoch, entries: booked, balances };
}

const text = (value: string): string => JSON.stringify(value);

/** A posting in its canonical form, which is written out here since most of a record is postings. */
const postingText = (posting: BookedPosting): string =>
  `{"amount":${posting.amount},` +
  `"from":${text(posting.from)},"fromAfter":${posting.fromAfter},"fromBefore":${posting.fromBefore},"fromVersion":${posting.fromVersion},` +
  `"to":${text(posting.to)},"toAfter":${posting.toAfter},"toBefore":${posting.toBefore},"toVersion":${posting.toVersion}}`;

/** Which account does not let a posting through, and why. */
type Unbooked = { readonly refused: 'balance-guard' | 'balance-range'; readonly account: Account };

function bookPostings(
  postings: readonly Posting[],
  books: AppendBasis,
  balances: Map<Account, Balance>,
): { readonly booked: readonly BookedPosting[] } | Unbooked {
  const booked: BookedPosting[] = [];
  const move = (account: Account, by: number): { before: number; after: Balance } => {
    const { amount: before, version } = balances.get(account) ?? books.balance(account);
    const after = { amount: before + by, version: version + 1 };
    balances.set(account, after);
    return { before, after };
  };
  for (const { from, to, amount } of postings) {
    const taken = move(from, -amount);
    if (taken.after.amount < 0 && isGuarded(from)) return { refused: 'balance-guard', account: from };
    const given = move(to, amount);
    if (!Number.isSafeInteger(taken.after.amount)) return { refused: 'balance-range', account: from };
    if (!Number.isSafeInteger(given.after.amount)) return { refused: 'balance-range', account: to };
    booked.push({
      from,
      to,
      amount,
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

/** Where a stream stands that nobody has ever written to. */
export const emptyHead: StreamHead = { sequence: 0, hash: genesisHash, epoch: 0 };

/** What an account holds that nobody has ever posted to. */
export const untouched: Balance = { amount: 0, version: 0 };
