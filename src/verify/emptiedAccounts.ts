import { type Account, terminalAccount } from '../ledger/accounts.ts';
import { isObject } from '../base/schema.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';
import { creditSessionId } from '../terminal/state.ts';
import { type BalanceCheck } from './balances.ts';
import {
  type AccountPosting,
  maxDecideToStoreMs,
  postingsOfAccount,
  readAccountPostings,
  debitedAmountOf,
} from './accountPostings.ts';
import { assertOfEntry } from './verifyError.ts';

// Checks that a collect, a late payment by the cage or a shortfall empties its account. Such a command takes the
// balance that is known when the command is decided. Money may remain only if other postings were in flight: stored
// shortly before or after the command, but unknown to its decision. Postings in flight are found by time and account
// version.

/** Money that an entry left in an account which it should have emptied. */
export type LeftoverBalance = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & {
  readonly account: Account;
  /** Version of the account after the first posting of the entry. */
  readonly version: number;
  /** Balance before the first posting of the entry. */
  readonly before: number;
  /** Balance after the last posting of the entry: the money left. */
  readonly after: number;
  /** Round with the shortfall; undefined for a collect or a payment by the cage. */
  readonly round: string | undefined;
};

/** Finds accounts in which the entry left money, although it should have emptied them. */
export function findLeftoverBalances(entry: StoredEntry): readonly LeftoverBalance[] {
  const { type } = entry.event;
  if (type === 'CreditCollected' || type === 'SessionPaid') {
    return entry.postings.flatMap(({ from }) => leftoverIn(entry, from, undefined));
  }
  const { shortfalls, round } = entry.event;
  if (type !== 'SettlementPosted' || !isObject(shortfalls)) return [];
  const short = entry.postings.filter(({ from }) => from.split('/')[2] === 'shortfall');
  return short.flatMap(({ to }) => leftoverIn(entry, to, String(round)));
}

function leftoverIn(entry: StoredEntry, account: Account, round: string | undefined): readonly LeftoverBalance[] {
  const postings = postingsOfAccount(entry, account);
  const { version, before } = postings[0]!;
  const { after } = postings.at(-1)!;
  const { stream, sequence, at } = entry;
  return after === 0 ? [] : [{ stream, sequence, at, account, version, before, after, round }];
}

/** Throws unless postings in flight explain every leftover balance. */
export async function verifyLeftoverBalances(store: StoreReader, leftovers: readonly LeftoverBalance[]): Promise<void> {
  if (leftovers.length === 0) return;
  const postings = await readAccountPostings(
    store,
    leftovers.map(({ account }) => account),
  );
  for (const leftover of leftovers) {
    assertOfEntry(
      leftover,
      wasInFlight(leftover, postings.get(leftover.account)!),
      () => `leaves ${leftover.after} in ${leftover.account}, but must empty this account`,
    );
  }
}

/**
 * True when money that moved while the command was decided explains the leftover: shortly before the command, the
 * balance was the amount that the command took, or exceeded it by at most what other commands took at that time.
 */
function wasInFlight(
  { stream, sequence, at, before, after, version, round }: LeftoverBalance,
  postings: readonly AccountPosting[],
): boolean {
  const takenAmount = before - after;
  const isSameEntry = ({ entry }: AccountPosting): boolean => entry.stream === stream && entry.sequence === sequence;
  let balance = before;
  let outgoing = postings
    .filter((move) => move.version > version && !isSameEntry(move) && move.entry.at <= at + maxDecideToStoreMs)
    .reduce((sum, move) => sum + debitedAmountOf(move), 0);
  for (const posting of postings.filter((candidate) => candidate.version < version).toReversed()) {
    if (isExplained(balance, takenAmount, outgoing)) return true;
    // The decision knew the postings of its own stream. For a shortfall, it knew the stakes on the round instead.
    const wasKnown = round === undefined ? posting.entry.stream === stream : isStakeOn(round, posting);
    if (wasKnown || posting.entry.at < at - maxDecideToStoreMs) return false;
    balance = posting.before;
    outgoing += debitedAmountOf(posting);
  }
  return isExplained(balance, takenAmount, outgoing);
}

const isExplained = (balance: number, takenAmount: number, outgoing: number): boolean =>
  balance === takenAmount || (balance > takenAmount && balance - takenAmount <= outgoing);

const isStakeOn = (round: string, { entry: { event } }: AccountPosting): boolean =>
  event.type === 'SlipSet' && event['round'] === round;

/** A credit session that ended without a collect, because its credit was zero. */
export type SessionEndWithoutCollect = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & { readonly session: string };

export function findSessionEndsWithoutCollect({
  stream,
  sequence,
  at,
  event,
}: StoredEntry): readonly SessionEndWithoutCollect[] {
  if (event.type !== 'SessionEnded') return [];
  const terminal = stream.slice(stream.lastIndexOf('/') + 1);
  return [{ stream, sequence, at, session: creditSessionId(terminal, Number(event['session'])) }];
}

/** Throws unless the account of each session was empty at some moment within a minute of the session's end. */
export async function verifySessionEndsWithoutCollect(
  store: StoreReader,
  sessions: readonly (readonly [
    owner: { readonly property: string; readonly currency: string },
    ended: SessionEndWithoutCollect,
  ])[],
  balances: Pick<BalanceCheck, 'of'>,
): Promise<void> {
  const withBalance = sessions
    .map(([owner, ended]) => ({ ended, account: terminalAccount(owner, ended.session) }))
    .filter(({ account }) => balances.of(account) !== 0);
  if (withBalance.length === 0) return;
  const postings = await readAccountPostings(
    store,
    withBalance.map(({ account }) => account),
  );
  for (const { ended, account } of withBalance) {
    const { at } = ended;
    const ownPostings = postings.get(account)!;
    const before = ownPostings.findLast(({ entry }) => entry.at < at - maxDecideToStoreMs);
    const near = ownPostings.filter(({ entry }) => Math.abs(entry.at - at) <= maxDecideToStoreMs);
    const wasEmpty = [before?.after ?? 0, ...near.map(({ after }) => after)].includes(0);
    assertOfEntry(ended, wasEmpty, () => `ends ${ended.session} without a collect, but ${account} was not empty`);
  }
}
