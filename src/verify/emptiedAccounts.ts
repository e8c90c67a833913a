import { type Account, terminalAccount } from '../ledger/accounts.ts';
import { isObject } from '../base/schema.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';
import { sessionId } from '../terminal/state.ts';
import { type Balances } from './balances.ts';
import { type Move, maxWaitMs, movesAt, movesOf, takenBy } from './accountPostings.ts';
import { claim } from './verifyError.ts';

// What takes all that is there leaves nothing: a credit that is collected or paid out, and one that falls short. It was
// decided by what was known at that moment; what was under way just then is told by its time and by the versions of the account.

/** An entry that left something in an account that it was to empty. */
export type LeftoverBalance = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & {
  readonly account: Account;
  /** The version of its first posting to the account, and what was there before it and after its last. */
  readonly version: number;
  readonly before: number;
  readonly after: number;
  /** The round that fell short. */
  readonly round: string | undefined;
};

/** What an entry left in accounts that it was to empty; nothing in all but a few. */
export function findLeftovers(entry: StoredEntry): readonly LeftoverBalance[] {
  const { type } = entry.event;
  if (type === 'CreditCollected' || type === 'SessionPaid') {
    return entry.postings.flatMap(({ from }) => leftAt(entry, from, undefined));
  }
  const { shortfalls, round } = entry.event;
  if (type !== 'SettlementPosted' || !isObject(shortfalls)) return [];
  const short = entry.postings.filter(({ from }) => from.split('/')[2] === 'shortfall');
  return short.flatMap(({ to }) => leftAt(entry, to, String(round)));
}

function leftAt(entry: StoredEntry, account: Account, round: string | undefined): readonly LeftoverBalance[] {
  const moves = movesAt(entry, account);
  const { version, before } = moves[0]!;
  const { after } = moves.at(-1)!;
  const { stream, sequence, at } = entry;
  return after === 0 ? [] : [{ stream, sequence, at, account, version, before, after, round }];
}

/** Every account that was to be emptied was, but for what was under way at that moment. */
export async function verifyLeft(store: StoreReader, all: readonly LeftoverBalance[]): Promise<void> {
  if (all.length === 0) return;
  const moves = await movesOf(
    store,
    all.map(({ account }) => account),
  );
  for (const left of all) {
    claim(
      left,
      isUnderWay(left, moves.get(left.account)!),
      () => `leaves ${left.after} in ${left.account}, which it was to empty by what it says was there`,
    );
  }
}

/**
 * Whether what is left came, or was on its way out, while it was decided: then the account held as much as was taken, beside
 * what others were about to take, at a moment shortly before.
 */
function isUnderWay(
  { stream, sequence, at, before, after, version, round }: LeftoverBalance,
  moves: readonly Move[],
): boolean {
  const taken = before - after;
  const isOwn = ({ entry }: Move): boolean => entry.stream === stream && entry.sequence === sequence;
  let held = before;
  let leaving = moves
    .filter((move) => move.version > version && !isOwn(move) && move.entry.at <= at + maxWaitMs)
    .reduce((sum, move) => sum + takenBy(move), 0);
  for (const move of moves.filter((one) => one.version < version).toReversed()) {
    if (isTaken(held, taken, leaving)) return true;
    // A terminal's own stream is in order; and whoever staked on a round had the credit that he staked.
    const isKnown = round === undefined ? move.entry.stream === stream : isStakeOn(round, move);
    if (isKnown || move.entry.at < at - maxWaitMs) return false;
    held = move.before;
    leaving += takenBy(move);
  }
  return isTaken(held, taken, leaving);
}

const isTaken = (held: number, taken: number, leaving: number): boolean =>
  held === taken || (held > taken && held - taken <= leaving);

const isStakeOn = (round: string, { entry: { event } }: Move): boolean =>
  event.type === 'SlipSet' && event['round'] === round;

/** A session that ended with nothing left to collect, by what was said to be there. */
export type EndedEmpty = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & { readonly session: string };

/** The session that an entry ends without moving anything, if it does. */
export function endedIn({ stream, sequence, at, event }: StoredEntry): readonly EndedEmpty[] {
  if (event.type !== 'SessionEnded') return [];
  const terminal = stream.slice(stream.lastIndexOf('/') + 1);
  return [{ stream, sequence, at, session: sessionId(terminal, Number(event['session'])) }];
}

/** Where a session that ended with nothing holds something by now, it came to it later, or at that very moment. */
export async function verifyEnded(
  store: StoreReader,
  all: readonly (readonly [owner: { readonly property: string; readonly currency: string }, ended: EndedEmpty])[],
  balances: Pick<Balances, 'of'>,
): Promise<void> {
  const holding = all
    .map(([owner, ended]) => ({ ended, account: terminalAccount(owner, ended.session) }))
    .filter(({ account }) => balances.of(account) !== 0);
  if (holding.length === 0) return;
  const moves = await movesOf(
    store,
    holding.map(({ account }) => account),
  );
  for (const { ended, account } of holding) {
    const { at } = ended;
    const own = moves.get(account)!;
    const before = own.findLast(({ entry }) => entry.at < at - maxWaitMs);
    const near = own.filter(({ entry }) => Math.abs(entry.at - at) <= maxWaitMs);
    const wasEmpty = [before?.after ?? 0, ...near.map(({ after }) => after)].includes(0);
    claim(ended, wasEmpty, () => `ends ${ended.session} as one with nothing left, and ${account} held something`);
  }
}
