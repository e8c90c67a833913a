import { type Account, terminalAccount } from '../ledger/accounts.ts';
import { isObject } from '../base/schema.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';
import { sessionId } from '../terminal/state.ts';
import { type BalanceCheck } from './balances.ts';
import {
  type AccountPosting,
  maxDecideToStoreMs,
  postingsToAccount,
  readAccountPostings,
  debitOfPosting,
} from './accountPostings.ts';
import { assertOfEntry } from './verifyError.ts';

// Commands that empty an account must leave nothing there: a collect, a pay-out, a shortfall. They were decided by the
// balance known at that moment. Postings in flight at that moment are found by their times and account versions.

/** An entry that left money in an account that it should have emptied. */
export type LeftoverBalance = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & {
  readonly account: Account;
  /** Version of its first posting to the account; balance before that and after its last posting. */
  readonly version: number;
  readonly before: number;
  readonly after: number;
  /** Round with the shortfall. */
  readonly round: string | undefined;
};

/** Empty for most entries. */
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
  const postings = postingsToAccount(entry, account);
  const { version, before } = postings[0]!;
  const { after } = postings.at(-1)!;
  const { stream, sequence, at } = entry;
  return after === 0 ? [] : [{ stream, sequence, at, account, version, before, after, round }];
}

/** Every leftover must be explained by postings in flight. */
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
      () => `leaves ${leftover.after} in ${leftover.account}, which it was to empty by what it says was there`,
    );
  }
}

/**
 * True when the leftover arrived, or was on its way out, while the command was decided: shortly before, the account held what
 * was taken plus what other commands were about to take.
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
    .reduce((sum, move) => sum + debitOfPosting(move), 0);
  for (const posting of postings.filter((candidate) => candidate.version < version).toReversed()) {
    if (isExplained(balance, takenAmount, outgoing)) return true;
    // The terminal's own stream is in order, and a stake on the round was covered by known credit.
    const wasKnown = round === undefined ? posting.entry.stream === stream : isStakeOn(round, posting);
    if (wasKnown || posting.entry.at < at - maxDecideToStoreMs) return false;
    balance = posting.before;
    outgoing += debitOfPosting(posting);
  }
  return isExplained(balance, takenAmount, outgoing);
}

const isExplained = (balance: number, takenAmount: number, outgoing: number): boolean =>
  balance === takenAmount || (balance > takenAmount && balance - takenAmount <= outgoing);

const isStakeOn = (round: string, { entry: { event } }: AccountPosting): boolean =>
  event.type === 'SlipSet' && event['round'] === round;

/** A session that ended with nothing to collect. */
export type EmptySession = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & { readonly session: string };

export function findEmptySessions({ stream, sequence, at, event }: StoredEntry): readonly EmptySession[] {
  if (event.type !== 'SessionEnded') return [];
  const terminal = stream.slice(stream.lastIndexOf('/') + 1);
  return [{ stream, sequence, at, session: sessionId(terminal, Number(event['session'])) }];
}

/** An account of such a session may hold money only if it arrived later, or at that moment. */
export async function verifyEmptySessions(
  store: StoreReader,
  sessions: readonly (readonly [
    owner: { readonly property: string; readonly currency: string },
    ended: EmptySession,
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
    assertOfEntry(
      ended,
      wasEmpty,
      () => `ends ${ended.session} as one with nothing left, and ${account} held something`,
    );
  }
}
