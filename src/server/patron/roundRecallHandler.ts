import { setImmediate } from 'node:timers/promises';
import { balanceChangeOf } from '../../history/entry.ts';
import {
  type SessionRound,
  isFirstSlipWithStakes,
  isEmptySlip,
  projectSessionRound,
} from '../../history/sessionRound.ts';
import { terminalAccount } from '../../ledger/accounts.ts';
import { type PropertyAndCurrency } from '../../runtime/ports/runtimeDependencies.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { asFinalRefusal } from '../../runtime/stream/refusals.ts';
import { refuse } from '../../base/refusal.ts';
import { type EntryPosition, type Store, type StoredEntry } from '../../store/store.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type RecalledRound } from '../../wire/roundRecall.ts';
import { findAllEntriesBySubject, subjectPageSize } from '../../store/findAllEntriesBySubject.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { KeyedTokenBuckets } from '../limits/tokenBucket.ts';
import { Semaphore } from '../limits/semaphore.ts';

// Recall: past rounds of a credit session. Each request reads them from the store, and nothing is kept in memory. Only
// entries of the session and of its rounds are read. The stakes are read from the newest to the oldest.

const roundsPerPage = 10;
/**
 * Maximum number of stake entries (`SlipSet`) that are read for a page, to bound its cost. An entry that withdraws
 * stakes counts too.
 */
const maxStakesPerPage = 500;
/** Maximum number of recall pages that the server reads at the same time. */
const maxConcurrentPages = 4;

export type RoundRecallPage = {
  readonly rounds: readonly RecalledRound[];
  readonly next: string | null;
};

type RecallOptions = {
  readonly store: Pick<Store, 'findBySubject' | 'read'>;
  readonly owner: PropertyAndCurrency;
  /** False after the client has disconnected. Then reading stops. */
  readonly isWanted?: () => boolean;
};

type RecallsDependencies = {
  readonly store: RecallOptions['store'];
  readonly clock: () => number;
  readonly limits: ServerLimits;
};

/** Answers recall requests of patrons, with a rate limit per client address. */
export class RoundRecallHandler {
  readonly #dependencies: RecallsDependencies;
  readonly #floor: Pick<FloorRuntime, 'owner' | 'terminals'>;
  readonly #rateLimit: KeyedTokenBuckets;
  readonly #semaphore = new Semaphore(maxConcurrentPages);

  constructor(dependencies: RecallsDependencies, floor: Pick<FloorRuntime, 'owner' | 'terminals'>) {
    const { recallBurst, recallsPerSecond } = dependencies.limits;
    this.#dependencies = dependencies;
    this.#floor = floor;
    this.#rateLimit = new KeyedTokenBuckets(recallBurst, recallsPerSecond);
  }

  /** Sends one page of the current session. Without a session the page is empty. [READING 60] */
  async answer(connection: DeviceConnection, { id, before }: ClientMessageOf<'recall'>): Promise<void> {
    const { store, clock } = this.#dependencies;
    const { terminal, address } = connection;
    if (!this.#rateLimit.take(address, clock())) return connection.refuse(tooManyRecalls, id);
    const { terminals, owner } = this.#floor;
    if (terminal === undefined || terminals.isReserved(terminal)) {
      return connection.send({ type: 'recalled', id, rounds: [], next: null });
    }
    const session = terminals.session(terminal) ?? (await terminals.open(terminal));
    const isWanted = (): boolean => !connection.isClosed;
    const page = await this.#semaphore.run(() => readRoundRecallPage({ store, owner, isWanted }, session, before));
    return connection.send({ type: 'recalled', id, ...page });
  }
}

const tooManyRecalls = asFinalRefusal(
  refuse<'too-many-messages'>(
    'too-many-messages',
    'Too many requests for past rounds from your address. Wait a moment and try again.',
  ),
);

/**
 * Rounds of which later stake entries were read, but not yet the first. The key is the stream of the table. The value
 * contains the last stake entry of the round. If this entry did not change the credit, the last entry that changed the
 * credit follows.
 */
type UnfinishedRounds = Map<string, StoredEntry[]>;

/**
 * Reads a page of the rounds that a session played at all tables, newest first. `before` is the cursor from the
 * previous page; undefined for the first page.
 */
export async function readRoundRecallPage(
  options: RecallOptions,
  session: string,
  before?: string,
): Promise<RoundRecallPage> {
  const { store, owner, isWanted = () => true } = options;
  const moves = ({ postings }: StoredEntry): boolean =>
    balanceChangeOf(postings, terminalAccount(owner, session)) !== undefined;
  const rounds: RecalledRound[] = [];
  const unfinished = await readUnfinished(options, session, before);
  let position = before === undefined ? undefined : parsePositions(before, owner)[0];
  for (let read = 0; read < maxStakesPerPage && rounds.length < roundsPerPage && isWanted();) {
    const stakes = await store.findBySubject(session, {
      maxEntries: subjectPageSize,
      ...(position && { before: position }),
    });
    for (const stake of stakes) {
      position = stake;
      read += 1;
      const played = await roundEndedBy(options, unfinished, stake, moves);
      if (played) rounds.push(recalledRound(tableOfStream(stake.stream, owner), played));
      if (rounds.length === roundsPerPage) break;
    }
    if (stakes.length < subjectPageSize && rounds.length < roundsPerPage) return { rounds, next: null };
    await setImmediate();
  }
  const isMore =
    position !== undefined && (await store.findBySubject(session, { before: position, maxEntries: 1 })).length > 0;
  return {
    rounds,
    next: isMore ? [position!, ...[...unfinished.values()].flat()].map(formatPosition(owner)).join() : null,
  };
}

/**
 * Adds a stake entry to its round. If this entry is the first of the round, all stakes of the round are read, and the
 * round is returned. Gives undefined otherwise, and for a round whose bets were all withdrawn.
 */
async function roundEndedBy(
  { store, owner }: RecallOptions,
  unfinished: UnfinishedRounds,
  stake: StoredEntry,
  moves: (stake: StoredEntry) => boolean,
): Promise<SessionRound | undefined> {
  const earlier = unfinished.get(stake.stream) ?? [];
  const ends = earlier[0]?.event['round'] === stake.event['round'] ? earlier : [];
  if (ends.length === 0 || (moves(stake) && !ends.some(moves))) ends.push(stake);
  unfinished.set(stake.stream, ends);
  if (!isFirstSlipWithStakes(stake)) return undefined;
  unfinished.delete(stake.stream);
  if (isEmptySlip(ends[0]!)) return undefined;
  const about = await findAllEntriesBySubject(store, String(stake.event['round']));
  return projectSessionRound(about.toReversed(), [stake, ...ends.toReversed()], owner);
}

/**
 * Reads the stake entries of unfinished rounds that the cursor names. The client could change the cursor, so entries of
 * other sessions are ignored.
 */
async function readUnfinished(
  { store, owner }: RecallOptions,
  session: string,
  before: string | undefined,
): Promise<UnfinishedRounds> {
  const unfinished: UnfinishedRounds = new Map();
  const [, ...positions] = before === undefined ? [] : parsePositions(before, owner);
  for (const { stream, sequence } of positions.filter((position) => position.sequence > 0)) {
    for await (const [entry] of store.read(stream, sequence - 1, 1)) {
      const { type, terminal } = entry!.event;
      if (type === 'SlipSet' && terminal === session)
        unfinished.set(stream, [...(unfinished.get(stream) ?? []), entry!]);
      break;
    }
  }
  return unfinished;
}

const recalledRound = (table: string, played: SessionRound): RecalledRound => ({
  table,
  game: played.game,
  id: played.id,
  number: played.number,
  at: played.openedAt,
  cards: played.cards.map(({ card }) => card),
  winner: played.winner,
  slip: played.slip,
  settled: played.settled,
  voidBy: played.voidBy,
  reason: played.reason,
  creditBefore: played.creditBefore,
  creditAfter: played.creditAfter,
  corrected: played.isCorrected,
});

const tableStreamPrefix = ({ property }: PropertyAndCurrency): string => `${property}/table/`;
const tableOfStream = (stream: string, owner: PropertyAndCurrency): string =>
  stream.slice(tableStreamPrefix(owner).length);
const formatPosition =
  (owner: PropertyAndCurrency) =>
  ({ stream, sequence }: EntryPosition): string =>
    `${tableOfStream(stream, owner)}:${sequence}`;

/**
 * Parses the positions in a cursor. The page continues at the first position. The other positions are stake entries of
 * unfinished rounds.
 */
const parsePositions = (text: string, owner: PropertyAndCurrency): readonly EntryPosition[] =>
  text.split(',').map((one) => {
    const end = one.lastIndexOf(':');
    return { stream: tableStreamPrefix(owner) + one.slice(0, end), sequence: Number(one.slice(end + 1)) };
  });
