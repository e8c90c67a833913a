import { setImmediate } from 'node:timers/promises';
import { type Played, isFirstStake, playedFrom } from '../history/played.ts';
import { type Owner } from '../floor/world.ts';
import { type Floor } from '../floor/floor.ts';
import { refuse } from '../rules/refusal.ts';
import { type Place, type Store, type StoredEntry } from '../store/store.ts';
import { type ClientMessageOf } from '../wire/messages.ts';
import { type RecalledRound } from '../wire/recalled.ts';
import { type Connection } from './connection.ts';
import { Allowances, type Limits } from './limits.ts';

// The rounds of a session, read from the record when somebody asks for them: nothing of them is kept in memory, and nothing
// is read that is not of the session or of its rounds.

/** So many rounds are told at once. */
const pageLength = 10;
/** So many stakes of a session are read at once. */
const atOnce = 40;
/** As long as a stake may have waited for the record, in milliseconds. */
const longest = 60_000;

export type Page = {
  readonly rounds: readonly RecalledRound[];
  /** Where the next page goes on; null at the end. */
  readonly next: string | null;
};

type Parts = { readonly store: Pick<Store, 'about'>; readonly owner: Owner };

type Serving = { readonly store: Parts['store']; readonly clock: () => number; readonly limits: Limits };

/** Past rounds for those who ask for them. */
export class Recalls {
  readonly #serving: Serving;
  readonly #floor: Pick<Floor, 'owner' | 'terminals'>;
  readonly #allowances: Allowances;

  constructor(serving: Serving, floor: Pick<Floor, 'owner' | 'terminals'>) {
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
    return connection.tell({ type: 'recalled', id, ...(await pageOf({ store, owner }, session, before)) });
  }
}

const tooMany = refuse<'too-many-messages'>(
  'too-many-messages',
  'Too many past rounds are asked for from your address; wait a moment and try again.',
);

/** The rounds of a session at all tables, the newest first: those after the place that the page before has told. */
export async function pageOf(parts: Parts, session: string, before?: string): Promise<Page> {
  const { store, owner } = parts;
  const rounds: RecalledRound[] = [];
  let place = before === undefined ? undefined : placeFrom(before, owner);
  for (;;) {
    const stakes = await store.about(session, { most: atOnce, ...(place && { before: place }) });
    for (const stake of stakes) {
      place = { stream: stake.stream, sequence: stake.sequence };
      const played = isFirstStake(stake) ? await roundBegunBy(parts, session, stake) : undefined;
      if (played) rounds.push(told(tableIn(stake.stream, owner), played));
      if (rounds.length < pageLength) continue;
      const isMore = (await store.about(session, { before: place, most: 1 })).length > 0;
      return { rounds, next: isMore ? placeText(place, owner) : null };
    }
    if (stakes.length < atOnce) return { rounds, next: null };
  }
}

/** The round that begins with a stake; undefined where all of it was taken back, be it to stake anew. */
async function roundBegunBy({ store, owner }: Parts, session: string, first: StoredEntry): Promise<Played | undefined> {
  // Whatever else waits comes first.
  await setImmediate();
  const about = (await allAbout(store, String(first.event['round']))).toReversed();
  const closed = about.find(({ event }) => event.type === 'BetsClosed' || event.type === 'RoundVoided');
  const stakes = await stakesFrom(store, session, first, closed?.at ?? Infinity);
  const isTakenBack = stakes.some(({ event }) => Object.keys(event['slip'] as object).length === 0);
  return isTakenBack ? undefined : playedFrom(about, stakes, owner);
}

async function allAbout(store: Parts['store'], round: string): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for (;;) {
    const last = found.at(-1);
    const entries = await store.about(round, last && { before: last });
    if (entries.length === 0) return found;
    found.push(...entries);
  }
}

/** The stakes of a session in a round, from the first on; none is set once bets are closed. */
async function stakesFrom(
  store: Parts['store'],
  session: string,
  first: StoredEntry,
  until: number,
): Promise<readonly StoredEntry[]> {
  const found = [first];
  for (let last = first; ;) {
    const stakes = await store.about(session, { after: last, most: atOnce });
    found.push(...stakes.filter(({ event }) => event['round'] === first.event['round']));
    if (stakes.length < atOnce || stakes.at(-1)!.at > until + longest) return found;
    last = stakes.at(-1)!;
  }
}

const told = (table: string, played: Played): RecalledRound => ({
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
const placeText = ({ stream, sequence }: Place, owner: Owner): string => `${tableIn(stream, owner)}:${sequence}`;

function placeFrom(text: string, owner: Owner): Place {
  const end = text.lastIndexOf(':');
  return { stream: streamsOf(owner) + text.slice(0, end), sequence: Number(text.slice(end + 1)) };
}
