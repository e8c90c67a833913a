import { setImmediate } from 'node:timers/promises';
import { balanceChangeOf } from '../../history/entry.ts';
import { type SessionRound, isFirstStake, isEmptySlip, projectSessionRound } from '../../history/sessionRound.ts';
import { terminalAccount } from '../../ledger/accounts.ts';
import { type Owner } from '../../runtime/ports/runtimeDependencies.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { refuse } from '../../base/refusal.ts';
import { type EntryPosition, type Store, type StoredEntry } from '../../store/store.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type RecalledRound } from '../../wire/roundRecall.ts';
import { findAllBySubject, pageSize } from '../../store/findAllBySubject.ts';
import { type Connection } from '../socket/patronConnection.ts';
import { Allowances, type ServerLimits } from '../limits/serverLimits.ts';
import { Semaphore } from '../limits/semaphore.ts';

// The rounds of a session, read from the record when somebody asks for them: nothing of them is kept in memory, and nothing
// is read that is not of the session or of its rounds. The stakes are read from the last to the first, each once.

/** A page ends after so many rounds, or so many stakes, be they of rounds or taken back: asking costs no more than that. */
const pageLength = 10;
const mostStakes = 500;
/** So many pages are read at a time, for everybody together; on one connection one after the other. */
const pagesAtOnce = 4;

export type RecallPage = {
  readonly rounds: readonly RecalledRound[];
  /** Where the next page goes on; null at the end. */
  readonly next: string | null;
};

type Parts = {
  readonly store: Pick<Store, 'findBySubject' | 'read'>;
  readonly owner: Owner;
  /** Whether anybody still waits for it. */
  readonly isWanted?: () => boolean;
};

type Serving = { readonly store: Parts['store']; readonly clock: () => number; readonly limits: ServerLimits };

/** Past rounds for those who ask for them. */
export class Recalls {
  readonly #serving: Serving;
  readonly #floor: Pick<FloorRuntime, 'owner' | 'terminals'>;
  readonly #allowances: Allowances;
  readonly #turns = new Semaphore(pagesAtOnce);

  constructor(serving: Serving, floor: Pick<FloorRuntime, 'owner' | 'terminals'>) {
    const { recalls, recallsPerSecond } = serving.limits;
    this.#serving = serving;
    this.#floor = floor;
    this.#allowances = new Allowances(recalls, recallsPerSecond);
  }

  /** A page of the rounds of the session that goes on; where none does there are none. [READING 60] */
  async answer(connection: Connection, { id, before }: ClientMessageOf<'recall'>): Promise<void> {
    const { store, clock } = this.#serving;
    const { terminal, address } = connection;
    if (!this.#allowances.spend(address, clock())) return connection.refuse(tooMany, id);
    const { terminals, owner } = this.#floor;
    if (terminal === undefined || terminals.isReserved(terminal)) {
      return connection.tell({ type: 'recalled', id, rounds: [], next: null });
    }
    const session = terminals.session(terminal) ?? (await terminals.open(terminal));
    const isWanted = (): boolean => !connection.gone;
    const page = await this.#turns.run(() => readRecallPage({ store, owner, isWanted }, session, before));
    return connection.tell({ type: 'recalled', id, ...page });
  }
}

const tooMany = refuse<'too-many-messages'>(
  'too-many-messages',
  'Too many past rounds are asked for from your address; wait a moment and try again.',
);

/**
 * Of the stakes of a round whose first is not reached yet, by the stream of its table: the last, and the last that has moved
 * the credit, where that is another.
 */
type Kept = Map<string, StoredEntry[]>;

/** The rounds of a session at all tables, the newest first: those after the place that the page before has told. */
export async function readRecallPage(parts: Parts, session: string, before?: string): Promise<RecallPage> {
  const { store, owner, isWanted = () => true } = parts;
  const moves = ({ postings }: StoredEntry): boolean =>
    balanceChangeOf(postings, terminalAccount(owner, session)) !== undefined;
  const rounds: RecalledRound[] = [];
  const kept = await keptAt(parts, session, before);
  let place = before === undefined ? undefined : placesFrom(before, owner)[0];
  for (let read = 0; read < mostStakes && rounds.length < pageLength && isWanted();) {
    const stakes = await store.findBySubject(session, { maxEntries: pageSize, ...(place && { before: place }) });
    for (const stake of stakes) {
      place = stake;
      read += 1;
      const played = await roundEndedBy(parts, kept, stake, moves);
      if (played) rounds.push(told(tableIn(stake.stream, owner), played));
      if (rounds.length === pageLength) break;
    }
    if (stakes.length < pageSize && rounds.length < pageLength) return { rounds, next: null };
    await setImmediate();
  }
  const isMore =
    place !== undefined && (await store.findBySubject(session, { before: place, maxEntries: 1 })).length > 0;
  return { rounds, next: isMore ? [place!, ...[...kept.values()].flat()].map(textOf(owner)).join() : null };
}

/** The round whose stakes end, read backwards, with this one; undefined where it goes on or was taken back in the end. */
async function roundEndedBy(
  { store, owner }: Parts,
  kept: Kept,
  stake: StoredEntry,
  moves: (stake: StoredEntry) => boolean,
): Promise<SessionRound | undefined> {
  const known = kept.get(stake.stream) ?? [];
  const ends = known[0]?.event['round'] === stake.event['round'] ? known : [];
  if (ends.length === 0 || (moves(stake) && !ends.some(moves))) ends.push(stake);
  kept.set(stake.stream, ends);
  if (!isFirstStake(stake)) return undefined;
  kept.delete(stake.stream);
  if (isEmptySlip(ends[0]!)) return undefined;
  const about = await findAllBySubject(store, String(stake.event['round']));
  return projectSessionRound(about.toReversed(), [stake, ...ends.toReversed()], owner);
}

/** What the page before has kept, by its place; what is not of the session is passed over. */
async function keptAt({ store, owner }: Parts, session: string, before: string | undefined): Promise<Kept> {
  const kept: Kept = new Map();
  const [, ...places] = before === undefined ? [] : placesFrom(before, owner);
  for (const { stream, sequence } of places.filter((place) => place.sequence > 0)) {
    for await (const [entry] of store.read(stream, sequence - 1, 1)) {
      const { type, terminal } = entry!.event;
      if (type === 'SlipSet' && terminal === session) kept.set(stream, [...(kept.get(stream) ?? []), entry!]);
      break;
    }
  }
  return kept;
}

const told = (table: string, played: SessionRound): RecalledRound => ({
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

const streamsOf = ({ property }: Owner): string => `${property}/table/`;
const tableIn = (stream: string, owner: Owner): string => stream.slice(streamsOf(owner).length);
const textOf =
  (owner: Owner) =>
  ({ stream, sequence }: EntryPosition): string =>
    `${tableIn(stream, owner)}:${sequence}`;

/** Where a page goes on, and where the stakes are that the page before has kept. */
const placesFrom = (text: string, owner: Owner): readonly EntryPosition[] =>
  text.split(',').map((one) => {
    const end = one.lastIndexOf(':');
    return { stream: streamsOf(owner) + one.slice(0, end), sequence: Number(one.slice(end + 1)) };
  });
