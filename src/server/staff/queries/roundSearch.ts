import { setImmediate } from 'node:timers/promises';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { assert } from '../../../base/assert.ts';
import { totalOf } from '../../../rules/hand.ts';
import { handsOf, nextSlot } from '../../../rules/play.ts';
import { type Store } from '../../../store/store.ts';
import { totalStake } from '../../../table/payouts.ts';
import { type RoundRecord, type Table } from '../../../table/state.ts';
import { terminalOfSession } from '../../../terminal/state.ts';
import {
  type RoundPage,
  type ListedRound,
  type RoundCursor,
  type RoundTimeline,
} from '../../../wire/staff/roundTypes.ts';
import { readRoundTimeline } from './roundTimeline.ts';

/** Criteria of a round search. A round must match all criteria that are present. */
export type RoundSearchCriteria = {
  readonly table?: string;
  /** Part of the id of a round, or its number. */
  readonly text?: string;
  readonly only?: 'settled' | 'void' | 'corrected';
  readonly winner?: 'player' | 'banker' | 'tie';
  /** A clause. A round matches if one of its events cites the clause or a sub-clause of it. */
  readonly clause?: string;
  /** Id of a terminal or credit session that had stakes in the round. */
  readonly terminal?: string;
  /** Staff number of a person who acted in the round. */
  readonly person?: string;
  /** Earliest end time of the round, in milliseconds since 1970. */
  readonly since?: number;
  /** Latest end time of the round, in milliseconds since 1970. */
  readonly until?: number;
  /** Cursor from the previous page. Only rounds that follow it in the list are found. */
  readonly before?: RoundCursor;
};

const maxRounds = 50;
/** Maximum number of rounds whose entries are compared with the criteria for one page. */
const maxExamined = 200;
const maxCached = 4000;

/** Facts about a round, read from its entries; `sequence` is the sequence of its last entry. */
type RoundFacts = {
  readonly sequence: number;
  readonly ended: number | null;
  readonly slips: number;
  readonly staked: number;
  readonly returned: number | null;
  readonly by: string | null;
  readonly sessions: readonly string[];
  readonly persons: readonly string[];
  readonly clauses: readonly string[];
};

type KeptRound = { readonly table: string; readonly state: Table; readonly round: RoundRecord };

/**
 * Cursor in the rounds of one table. `next` is the index of the next round to examine, and `facts` are the facts about
 * this round.
 */
type TableCursor = { readonly rounds: readonly KeptRound[]; next: number; facts: RoundFacts | undefined };

/**
 * Searches the rounds that are still in the table states: the rounds of the current gaming day and of the shoes in use.
 * An older round can be found only by its id, with another query.
 */
export class RoundSearch {
  readonly #store: Pick<Store, 'findBySubject' | 'read'>;
  readonly #floor: Pick<FloorRuntime, 'tables' | 'owner'>;
  readonly #numberOf: (person: string) => string | null;
  readonly #cache = new Map<string, RoundFacts>();

  constructor(
    store: Pick<Store, 'findBySubject' | 'read'>,
    floor: Pick<FloorRuntime, 'tables' | 'owner'>,
    numberOf: (person: string) => string | null,
  ) {
    this.#store = store;
    this.#floor = floor;
    this.#numberOf = numberOf;
  }

  /**
   * Gives one page of the rounds that match, newest first, and the cursor of the next page. The rounds of all tables
   * are in one list.
   */
  async find(criteria: RoundSearchCriteria): Promise<RoundPage> {
    const cursors: TableCursor[] = [];
    for (const rounds of this.#matchingRounds(criteria)) {
      const cursor = { rounds, next: await this.#firstIndex(rounds, criteria), facts: undefined };
      cursors.push(cursor);
      await this.#readFacts(cursor);
    }
    const found: ListedRound[] = [];
    let [examined, last]: [number, RoundCursor | null] = [0, null];
    for (;;) {
      const cursor = newestOf(cursors);
      const hasMore = cursor?.facts !== undefined && timeOf(cursor.facts) >= (criteria.since ?? 0);
      if (!hasMore || found.length === maxRounds || examined === maxExamined) {
        return { rounds: found, examined, back: last?.at ?? null, next: hasMore ? last : null };
      }
      const [kept, facts] = [cursor.rounds[cursor.next]!, cursor.facts!];
      if (matchesFacts(facts, criteria)) found.push(listed(kept, facts));
      last = { at: facts.ended, table: kept.table };
      examined += 1;
      cursor.next += 1;
      await this.#readFacts(cursor);
      await setImmediate();
    }
  }

  async #readFacts(cursor: TableCursor): Promise<void> {
    const kept = cursor.rounds[cursor.next];
    cursor.facts = kept && (await this.#factsOf(kept));
  }

  /**
   * Gives the rounds that match by what is in the table state. There is one list for each table, with the newest round
   * first. The lists are in the order of the table names.
   */
  #matchingRounds(criteria: RoundSearchCriteria): readonly (readonly KeptRound[])[] {
    const found: (readonly KeptRound[])[] = [];
    const tables = [...this.#floor.tables.values()].toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1));
    for (const { id: table, processor } of tables) {
      const { state } = processor;
      if (state === undefined || (criteria.table !== undefined && criteria.table !== table)) continue;
      const rounds = [...(state.round ? [state.round] : []), ...state.history.toReversed()];
      found.push(rounds.map((round) => ({ table, state, round })).filter((kept) => matchesState(kept, criteria)));
    }
    return found;
  }

  /**
   * Binary search: gives the index of the first round that follows the cursor `before` and did not end after `until`.
   */
  async #firstIndex(kept: readonly KeptRound[], { before, until = Infinity }: RoundSearchCriteria): Promise<number> {
    if (before === undefined && until === Infinity) return 0;
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = kept[middle]!;
      const at = timeOf(await this.#factsOf(one));
      if (at <= until && isAfterCursor(at, one.table, before)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Gives facts about a round. They are kept in a cache and read again when the round has a new entry. */
  async #factsOf({ table, state, round }: KeptRound): Promise<RoundFacts> {
    const { id } = round;
    const [newest] = await this.#store.findBySubject(id, { maxEntries: 1 });
    assert(newest !== undefined, 'a round in the table state is stored');
    let facts = this.#cache.get(id);
    if (facts?.sequence !== newest.sequence) {
      const timeline = await readRoundTimeline(this.#store, this.#floor.owner, id, this.#numberOf);
      assert(timeline?.table === table, 'the timeline of a round belongs to its table');
      facts = factsFrom(timeline, newest.sequence);
      this.#cache.delete(id);
      this.#cache.set(id, facts);
      if (this.#cache.size > maxCached) this.#cache.delete(this.#cache.keys().next().value!);
    }
    if (!isInPlay(state, id) || state.round === null) return facts;
    // The stakes of a round in play can still change. So they are taken from the table state and not from the cache.
    const slips = Object.entries(state.round.slips);
    return {
      ...facts,
      ended: null,
      returned: null,
      slips: slips.length,
      staked: slips.reduce((sum, [, slip]) => sum + totalStake(slip), 0),
      sessions: slips.map(([session]) => session),
    };
  }
}

/** Time by which rounds are sorted: the end of the round. A round in play is sorted as the newest. */
const timeOf = ({ ended }: Pick<RoundFacts, 'ended'>): number => ended ?? Infinity;

/**
 * Gives the table cursor whose next round ended last; undefined if no table has a further round. If two rounds ended at
 * the same time, the first of their cursors is given.
 */
function newestOf(cursors: readonly TableCursor[]): TableCursor | undefined {
  let newest: TableCursor | undefined;
  for (const cursor of cursors) {
    if (cursor.facts === undefined) continue;
    if (newest?.facts === undefined || timeOf(cursor.facts) > timeOf(newest.facts)) newest = cursor;
  }
  return newest;
}

const isInPlay = ({ phase, round }: Table, id: string): boolean => phase !== 'idle' && round?.id === id;

function isAfterCursor(at: number, table: string, before: RoundCursor | undefined): boolean {
  if (before === undefined) return true;
  const mark = before.at ?? Infinity;
  return at < mark || (at === mark && table > before.table);
}

function factsFrom({ steps, rows }: RoundTimeline, sequence: number): RoundFacts {
  const ends = steps.filter(({ event: { type } }) => type === 'RoundSettled' || type === 'RoundVoided');
  const again = steps.findLast(({ event: { type } }) => type === 'RoundResettled' || type === 'RoundVoided');
  const asList = (by: unknown): readonly string[] => (typeof by === 'string' ? [by] : []);
  const actors = steps.flatMap(({ actor, second }) => [actor, ...(second === null ? [] : [second])]);
  return {
    sequence,
    ended: ends[0]?.at ?? null,
    slips: rows.length,
    staked: rows.reduce((sum, { staked }) => sum + staked, 0),
    returned: ends.length === 0 ? null : rows.reduce((sum, { returned }) => sum + (returned ?? 0), 0),
    by: asList(again?.event['by'])[0] ?? null,
    sessions: rows.map(({ session }) => session),
    persons: [
      ...new Set(actors.flatMap((actor) => ('number' in actor && actor.number !== null ? [actor.number] : []))),
    ],
    clauses: [...new Set(steps.flatMap(({ event }) => asList(event['by'])))],
  };
}

function matchesState({ round, state }: KeptRound, { text = '', only, winner }: RoundSearchCriteria): boolean {
  const { id, number, ending, settlements } = round;
  const isVoid = ending !== null && 'voidBy' in ending;
  if (only === 'settled' && (ending === null || isVoid)) return false;
  if (only === 'void' && !isVoid) return false;
  if (only === 'corrected' && settlements < 2) return false;
  if (winner !== undefined && (isVoid || isInPlay(state, id) || winnerOf(round) !== winner)) return false;
  // A patron gives a round by its number, so a text of digits is compared with the number only. Most ids contain digits
  // for date or shoe, and would match by chance.
  if (/^\d+$/.test(text)) return String(number) === text;
  return id.toLowerCase().includes(text.toLowerCase());
}

function matchesFacts(
  { sessions, persons, clauses }: RoundFacts,
  { terminal, person, clause }: RoundSearchCriteria,
): boolean {
  const isOne = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  if (
    terminal !== undefined &&
    !sessions.some((one) => isOne(one, terminal) || isOne(terminalOfSession(one), terminal))
  ) {
    return false;
  }
  if (person !== undefined && !persons.some((one) => isOne(one, person))) return false;
  return clause === undefined || clauses.some((by) => isUnder(by.toLowerCase(), clause.toLowerCase()));
}

/**
 * True if the cited clause `by` is the wanted clause or one of its sub-clauses. The wanted clause may be given without
 * the name of its rulebook.
 */
const isUnder = (by: string, wanted: string): boolean =>
  [by, by.slice(by.lastIndexOf(' ') + 1)].some((one) => one === wanted || one.startsWith(`${wanted}.`));

function winnerOf({ cards }: RoundRecord): ListedRound['winner'] {
  if (nextSlot(cards) !== undefined) return null;
  const { player, banker } = handsOf(cards);
  const [one, other] = [totalOf(player), totalOf(banker)];
  return one === other ? 'tie' : one > other ? 'player' : 'banker';
}

function listed({ table, state, round }: KeptRound, { ended, slips, staked, returned, by }: RoundFacts): ListedRound {
  const { id, number, day, shoe, game, cards, ending, settlements } = round;
  const { player, banker } = handsOf(cards);
  return {
    id,
    table,
    number,
    at: ended,
    day,
    shoe,
    game,
    cards,
    player: totalOf(player),
    banker: totalOf(banker),
    winner: winnerOf(round),
    slips,
    staked,
    returned,
    isVoid: ending !== null && 'voidBy' in ending,
    by,
    corrected: settlements > 1,
    playing: isInPlay(state, id),
  };
}
