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
import { roundTimeline } from './roundTimeline.ts';

/** All given criteria have to match. */
export type RoundCriteria = {
  readonly table?: string;
  /** Part of the id, or the number of a round. */
  readonly text?: string;
  readonly only?: 'settled' | 'void' | 'corrected';
  readonly winner?: 'player' | 'banker' | 'tie';
  /** A clause, or a parent of clauses. */
  readonly clause?: string;
  /** Terminal or session with stakes in the round. */
  readonly terminal?: string;
  /** Number of a staff member who acted in the round. */
  readonly person?: string;
  /** Range of the end time, inclusive. */
  readonly since?: number;
  readonly until?: number;
  /** Cursor: only rounds after this one, newest first. */
  readonly before?: RoundCursor;
};

/** Limits of a page: rounds found and rounds examined. */
const maxRounds = 50;
const maxExamined = 200;
/** Rounds in the cache. */
const maxCached = 4000;

/** Facts of a round from its entries; `sequence` is that of the last entry about it. */
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

/** A round in the table state. */
type KeptRound = { readonly table: string; readonly state: Table; readonly round: RoundRecord };

/** Rounds of one table, and the index of the next. */
type TableCursor = { readonly rounds: readonly KeptRound[]; next: number; facts: RoundFacts | undefined };

/**
 * Searches the rounds in the table states: the current gaming day and the shoes in use. Older rounds are found by id
 * only.
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

  /** Merges the tables, newest first, from `before` on; returns one page and the next cursor. */
  async find(criteria: RoundCriteria): Promise<RoundPage> {
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

  /** Rounds per table that match by the table state, newest first; tables by name. */
  #matchingRounds(criteria: RoundCriteria): readonly (readonly KeptRound[])[] {
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

  /** Binary search for the first round after the cursor and not after `until`. */
  async #firstIndex(kept: readonly KeptRound[], { before, until = Infinity }: RoundCriteria): Promise<number> {
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

  /** Cached facts of a round; read again after a new entry about it. */
  async #factsOf({ table, state, round }: KeptRound): Promise<RoundFacts> {
    const { id } = round;
    const [newest] = await this.#store.findBySubject(id, { maxEntries: 1 });
    assert(newest !== undefined, 'a round in the table state is stored');
    let facts = this.#cache.get(id);
    if (facts?.sequence !== newest.sequence) {
      const timeline = await roundTimeline(this.#store, this.#floor.owner, id, this.#numberOf);
      assert(timeline?.table === table, 'the timeline of a round belongs to its table');
      facts = factsFrom(timeline, newest.sequence);
      this.#cache.delete(id);
      this.#cache.set(id, facts);
      if (this.#cache.size > maxCached) this.#cache.delete(this.#cache.keys().next().value!);
    }
    if (!isInPlay(state, id) || state.round === null) return facts;
    // During play stakes change, and entries found by round do not contain them.
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

/** A round in play counts as newest. */
const timeOf = ({ ended }: Pick<RoundFacts, 'ended'>): number => ended ?? Infinity;

/** Cursor with the newest next round; of two at the same time the first by name. */
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

/** Criteria that need only the table state. */
function matchesState({ round, state }: KeptRound, { text = '', only, winner }: RoundCriteria): boolean {
  const { id, number, ending, settlements } = round;
  const isVoid = ending !== null && 'voidBy' in ending;
  if (only === 'settled' && (ending === null || isVoid)) return false;
  if (only === 'void' && !isVoid) return false;
  if (only === 'corrected' && settlements < 2) return false;
  if (winner !== undefined && (isVoid || isInPlay(state, id) || winnerOf(round) !== winner)) return false;
  return text === '' || String(number) === text || id.toLowerCase().includes(text.toLowerCase());
}

/** Criteria that need the stored entries. */
function matchesFacts(
  { sessions, persons, clauses }: RoundFacts,
  { terminal, person, clause }: RoundCriteria,
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

/** True for the clause itself, with or without its book, and for those under it. */
const isUnder = (by: string, criteria: string): boolean =>
  [by, by.slice(by.lastIndexOf(' ') + 1)].some((one) => one === criteria || one.startsWith(`${criteria}.`));

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
