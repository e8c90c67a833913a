import { type Account, isNonNegativeAccount } from '../ledger/accounts.ts';
import { type Posting } from '../ledger/tablePostings.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { genesisHash, hashEntryBody, subjectOfEvent } from './hashChain.ts';
import {
  type AppendRequest,
  type AppendResult,
  type Balance,
  type PostingWithBalances,
  type StreamHead,
  type NewEntry,
} from './store.ts';

export type AppendLookups = {
  readonly head: (stream: string) => StreamHead;
  readonly balance: (account: Account) => Balance;
  /** Returns the subset of `commands` that is already stored. `commands` are command ids. */
  readonly existingCommands: (commands: readonly string[]) => { readonly has: (command: string) => boolean };
};

/** An append request whose events and commands are canonical JSON, ready for `planAppend`. `id` is the command id. */
export type SerializedAppend = Omit<AppendRequest, 'entries'> & {
  readonly entries: readonly (Pick<NewEntry, 'postings'> & {
    readonly at: number;
    readonly event: string;
    readonly id: string;
    readonly command: string;
    readonly subject: string | null;
  })[];
};

export const serializeAppend = ({ entries, ...batch }: AppendRequest): SerializedAppend => ({
  ...batch,
  entries: entries.map(({ event, postings, command }) => ({
    at: event.at,
    event: canonicalJson(event),
    postings,
    id: command.id,
    command: canonicalJson(command),
    subject: subjectOfEvent(event),
  })),
});

type PlannedEntry = {
  readonly sequence: number;
  readonly body: string;
  readonly hash: string;
  readonly postings: readonly PostingWithBalances[];
  /** Id of the command in the first entry that the command wrote, null in its later entries. */
  readonly command: string | null;
  readonly subject: string | null;
};

export type AppendPlan = {
  readonly previous: string;
  readonly epoch: number;
  readonly entries: readonly PlannedEntry[];
  readonly balances: ReadonlyMap<Account, Balance>;
};

/** Plans an append, or refuses it. The plan contains the exact bodies, hashes and balances to store. Writes nothing. */
export function planAppend(
  { stream, after, epoch, entries }: SerializedAppend,
  basis: AppendLookups,
): AppendPlan | Exclude<AppendResult, { entries: unknown }> {
  const head = basis.head(stream);
  if (epoch !== undefined && epoch < head.epoch) return { refused: 'epoch-over', epoch: head.epoch };
  if (head.sequence !== after) return { refused: 'stream-moved', at: head.sequence };
  const existing = basis.existingCommands(entries.map(({ id }) => id));
  const balances = new Map<Account, Balance>();
  const planned: PlannedEntry[] = [];
  let { hash: previous } = head;
  let lastId: string | undefined;
  const newIds = new Set<string>();
  for (const [index, { at, event, postings: unbooked, id, command, subject }] of entries.entries()) {
    const isFirst = id !== lastId;
    if (isFirst && (existing.has(id) || newIds.has(id))) return { refused: 'command-known', command: id, entry: index };
    const postings = bookPostings(unbooked, basis, balances);
    if ('account' in postings) return { ...postings, entry: index };
    const sequence = after + index + 1;
    const body =
      `{"at":${at},"command":${command},"event":${event},` +
      `"postings":[${postings.booked.map(postingText).join(',')}],` +
      `"previous":${jsonString(previous)},"sequence":${sequence},"stream":${jsonString(stream)}}`;
    previous = hashEntryBody(body);
    lastId = id;
    newIds.add(id);
    planned.push({ sequence, body, hash: previous, postings: postings.booked, command: isFirst ? id : null, subject });
  }
  return { previous: head.hash, epoch: epoch ?? head.epoch, entries: planned, balances };
}

const jsonString = (value: string): string => JSON.stringify(value);

/** Canonical JSON of a posting, concatenated by hand because that is faster. */
const postingText = (posting: PostingWithBalances): string =>
  `{"amount":${posting.amount},` +
  `"from":${jsonString(posting.from)},"fromAfter":${posting.fromAfter},"fromBefore":${posting.fromBefore},"fromVersion":${posting.fromVersion},` +
  `"to":${jsonString(posting.to)},"toAfter":${posting.toAfter},"toBefore":${posting.toBefore},"toVersion":${posting.toVersion}}`;

type PostingRefusal = { readonly refused: 'balance-guard' | 'balance-range'; readonly account: Account };

function bookPostings(
  postings: readonly Posting[],
  basis: AppendLookups,
  balances: Map<Account, Balance>,
): { readonly booked: readonly PostingWithBalances[] } | PostingRefusal {
  const booked: PostingWithBalances[] = [];
  const apply = (account: Account, by: number): { before: number; after: Balance } => {
    const { amount: before, version } = balances.get(account) ?? basis.balance(account);
    const after = { amount: before + by, version: version + 1 };
    balances.set(account, after);
    return { before, after };
  };
  for (const { from, to, amount } of postings) {
    const debit = apply(from, -amount);
    if (debit.after.amount < 0 && isNonNegativeAccount(from)) return { refused: 'balance-guard', account: from };
    const credit = apply(to, amount);
    if (!Number.isSafeInteger(debit.after.amount)) return { refused: 'balance-range', account: from };
    if (!Number.isSafeInteger(credit.after.amount)) return { refused: 'balance-range', account: to };
    booked.push({
      from,
      to,
      amount,
      fromBefore: debit.before,
      fromAfter: debit.after.amount,
      fromVersion: debit.after.version,
      toBefore: credit.before,
      toAfter: credit.after.amount,
      toVersion: credit.after.version,
    });
  }
  return { booked };
}

export const emptyHead: StreamHead = { sequence: 0, hash: genesisHash, epoch: 0 };

export const emptyBalance: Balance = { amount: 0, version: 0 };
