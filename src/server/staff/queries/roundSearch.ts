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
  type FoundRounds,
  type ListedRound,
  type RoundPlace,
  type RoundTimeline,
} from '../../../wire/staff/roundTypes.ts';
import { roundTimeline } from './roundTimeline.ts';

/** What is looked for: all of it fits. */
export type Sought = {
  readonly table?: string;
  /** A part of the id, or the number of a round. */
  readonly text?: string;
  readonly only?: 'settled' | 'void' | 'corrected';
  readonly winner?: 'player' | 'banker' | 'tie';
  /** A clause, or one that others stand under. */
  readonly clause?: string;
  /** A terminal or one of its sessions that had stakes in it. */
  readonly terminal?: string;
  /** The number of somebody who did something in it. */
  readonly person?: string;
  /** Ended at these times or between them. */
  readonly since?: number;
  readonly until?: number;
  /** Only those behind this one, the newest first. */
  readonly before?: RoundPlace;
};

/** So many are told at once, and so many are looked through in the record for them. */
const mostRounds = 50;
const mostLooked = 200;
/** What the record has of so many rounds is remembered. */
const mostKnown = 4000;

/** What the record has of a round, up to its last entry that speaks of it. */
type Known = {
  readonly sequence: number;
  readonly ended: number | null;
  readonly slips: number;
  readonly staked: number;
  readonly returned: number | null;
  readonly by: string | null;
  readonly sessions: readonly string[];
  readonly people: readonly string[];
  readonly clauses: readonly string[];
};

/** A round that a table keeps. */
type Kept = { readonly table: string; readonly state: Table; readonly round: RoundRecord };

/** Those of one table, and the one of them that is next. */
type Row = { readonly kept: readonly Kept[]; next: number; known: Known | undefined };

/** The rounds that tables keep, those of the gaming day and of the shoes in use; older ones are known by their id. */
export class RoundSearch {
  readonly #store: Pick<Store, 'findBySubject' | 'read'>;
  readonly #floor: Pick<FloorRuntime, 'tables' | 'owner'>;
  readonly #numberOf: (person: string) => string | null;
  readonly #known = new Map<string, Known>();

  constructor(
    store: Pick<Store, 'findBySubject' | 'read'>,
    floor: Pick<FloorRuntime, 'tables' | 'owner'>,
    numberOf: (person: string) => string | null,
  ) {
    this.#store = store;
    this.#floor = floor;
    this.#numberOf = numberOf;
  }

  /** The newest of all tables first, from `before` on: a page of them, and where the next goes on. */
  async find(sought: Sought): Promise<FoundRounds> {
    const rows: Row[] = [];
    for (const kept of this.#keptFor(sought)) {
      const row = { kept, next: await this.#firstOf(kept, sought), known: undefined };
      rows.push(row);
      await this.#lead(row);
    }
    const rounds: ListedRound[] = [];
    let [looked, last]: [number, RoundPlace | null] = [0, null];
    for (;;) {
      const row = newestOf(rows);
      const hasMore = row?.known !== undefined && timeOf(row.known) >= (sought.since ?? 0);
      if (!hasMore || rounds.length === mostRounds || looked === mostLooked) {
        return { rounds, looked, back: last?.at ?? null, next: hasMore ? last : null };
      }
      const [kept, known] = [row.kept[row.next]!, row.known!];
      if (isKnownFor(known, sought)) rounds.push(listed(kept, known));
      last = { at: known.ended, table: kept.table };
      looked += 1;
      row.next += 1;
      await this.#lead(row);
      await setImmediate();
    }
  }

  /** Looks up the one that is next of a table. */
  async #lead(row: Row): Promise<void> {
    const kept = row.kept[row.next];
    row.known = kept && (await this.#know(kept));
  }

  /** What each table keeps that fits as far as the table itself knows, the newest first; tables by their names. */
  #keptFor(sought: Sought): readonly (readonly Kept[])[] {
    const found: (readonly Kept[])[] = [];
    const tables = [...this.#floor.tables.values()].toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1));
    for (const { id: table, runner } of tables) {
      const { state } = runner;
      if (state === undefined || (sought.table !== undefined && sought.table !== table)) continue;
      const rounds = [...(state.round ? [state.round] : []), ...state.history.toReversed()];
      found.push(rounds.map((round) => ({ table, state, round })).filter((kept) => fits(kept, sought)));
    }
    return found;
  }

  /** Where those begin that are behind a round and not after a time, found by halves since the newest come first. */
  async #firstOf(kept: readonly Kept[], { before, until = Infinity }: Sought): Promise<number> {
    if (before === undefined && until === Infinity) return 0;
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = kept[middle]!;
      const at = timeOf(await this.#know(one));
      if (at <= until && isBehind(at, one.table, before)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** What the record has of a round; read again once there is another entry about it. */
  async #know({ table, state, round }: Kept): Promise<Known> {
    const { id } = round;
    const [newest] = await this.#store.findBySubject(id, { maxEntries: 1 });
    assert(newest !== undefined, 'a round that a table keeps is in the record');
    let known = this.#known.get(id);
    if (known?.sequence !== newest.sequence) {
      const story = await roundTimeline(this.#store, this.#floor.owner, id, this.#numberOf);
      assert(story?.table === table, 'a round that a table keeps is told of that table');
      known = knownOf(story, newest.sequence);
      this.#known.delete(id);
      this.#known.set(id, known);
      if (this.#known.size > mostKnown) this.#known.delete(this.#known.keys().next().value!);
    }
    if (!isPlayed(state, id) || state.round === null) return known;
    // Stakes come and go while it is played, and no entry that is found by the round tells of them.
    const slips = Object.entries(state.round.slips);
    return {
      ...known,
      ended: null,
      returned: null,
      slips: slips.length,
      staked: slips.reduce((sum, [, slip]) => sum + totalStake(slip), 0),
      sessions: slips.map(([session]) => session),
    };
  }
}

/** What is still played is newer than whatever has ended. */
const timeOf = ({ ended }: Pick<Known, 'ended'>): number => ended ?? Infinity;

/** The one whose next round is the newest; of two at the same time the first by name. */
function newestOf(rows: readonly Row[]): Row | undefined {
  let newest: Row | undefined;
  for (const row of rows) {
    if (row.known === undefined) continue;
    if (newest?.known === undefined || timeOf(row.known) > timeOf(newest.known)) newest = row;
  }
  return newest;
}

const isPlayed = ({ phase, round }: Table, id: string): boolean => phase !== 'idle' && round?.id === id;

function isBehind(at: number, table: string, before: RoundPlace | undefined): boolean {
  if (before === undefined) return true;
  const mark = before.at ?? Infinity;
  return at < mark || (at === mark && table > before.table);
}

function knownOf({ steps, rows }: RoundTimeline, sequence: number): Known {
  const ends = steps.filter(({ event: { type } }) => type === 'RoundSettled' || type === 'RoundVoided');
  const again = steps.findLast(({ event: { type } }) => type === 'RoundResettled' || type === 'RoundVoided');
  const said = (by: unknown): readonly string[] => (typeof by === 'string' ? [by] : []);
  const doers = steps.flatMap(({ who, second }) => [who, ...(second === null ? [] : [second])]);
  return {
    sequence,
    ended: ends[0]?.at ?? null,
    slips: rows.length,
    staked: rows.reduce((sum, { staked }) => sum + staked, 0),
    returned: ends.length === 0 ? null : rows.reduce((sum, { returned }) => sum + (returned ?? 0), 0),
    by: said(again?.event['by'])[0] ?? null,
    sessions: rows.map(({ session }) => session),
    people: [...new Set(doers.flatMap((doer) => ('number' in doer && doer.number !== null ? [doer.number] : [])))],
    clauses: [...new Set(steps.flatMap(({ event }) => said(event['by'])))],
  };
}

/** Whether a round fits by what its table keeps of it. */
function fits({ round, state }: Kept, { text = '', only, winner }: Sought): boolean {
  const { id, number, ending, settlements } = round;
  const isVoid = ending !== null && 'voidBy' in ending;
  if (only === 'settled' && (ending === null || isVoid)) return false;
  if (only === 'void' && !isVoid) return false;
  if (only === 'corrected' && settlements < 2) return false;
  if (winner !== undefined && (isVoid || isPlayed(state, id) || winnerOf(round) !== winner)) return false;
  return text === '' || String(number) === text || id.toLowerCase().includes(text.toLowerCase());
}

/** Whether it fits by what the record has of it. */
function isKnownFor({ sessions, people, clauses }: Known, { terminal, person, clause }: Sought): boolean {
  const isOne = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  if (
    terminal !== undefined &&
    !sessions.some((one) => isOne(one, terminal) || isOne(terminalOfSession(one), terminal))
  ) {
    return false;
  }
  if (person !== undefined && !people.some((one) => isOne(one, person))) return false;
  return clause === undefined || clauses.some((by) => isUnder(by.toLowerCase(), clause.toLowerCase()));
}

/** Whether a clause is the one that is looked for, with or without its book, or stands under it. */
const isUnder = (by: string, sought: string): boolean =>
  [by, by.slice(by.lastIndexOf(' ') + 1)].some((one) => one === sought || one.startsWith(`${sought}.`));

function winnerOf({ cards }: RoundRecord): ListedRound['winner'] {
  if (nextSlot(cards) !== undefined) return null;
  const { player, banker } = handsOf(cards);
  const [one, other] = [totalOf(player), totalOf(banker)];
  return one === other ? 'tie' : one > other ? 'player' : 'banker';
}

function listed({ table, state, round }: Kept, { ended, slips, staked, returned, by }: Known): ListedRound {
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
    playing: isPlayed(state, id),
  };
}
