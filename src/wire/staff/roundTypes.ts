// Types for answers to queries: about past rounds, about the timeline of a round, and about meters. Amounts are in
// minor units, times in milliseconds since 1970.

export type ListedRound = {
  readonly id: string;
  readonly table: string;
  readonly number: number;
  /** Time at which the round was first settled or void; null while the round is in play. */
  readonly at: number | null;
  readonly day: string;
  readonly shoe: string;
  readonly game: string;
  readonly cards: readonly string[];
  readonly player: number;
  readonly banker: number;
  readonly winner: 'player' | 'banker' | 'tie' | null;
  readonly slips: number;
  readonly staked: number;
  /** Amount that the last settlement returned to patrons; null while the round is in play. */
  readonly returned: number | null;
  readonly isVoid: boolean;
  /** Clause by which the round was made void or settled again; null if it was neither made void nor settled again. */
  readonly by: string | null;
  readonly corrected: boolean;
  readonly playing: boolean;
};

/**
 * Position in the list of the rounds of all tables, which begins with the newest round. The position is that of the
 * round of `table` that ended at `at`; `at` is null for the round in play.
 */
export type RoundCursor = { readonly at: number | null; readonly table: string };

export type RoundPage = {
  readonly rounds: readonly ListedRound[];
  /** Number of rounds whose entries were compared with the search criteria for this page. */
  readonly examined: number;
  /** End of the oldest round that was compared. Null if no round was compared, or if the oldest is in play. */
  readonly back: number | null;
  /** Cursor of the next page; null after the last page. */
  readonly next: RoundCursor | null;
};

/** Actor behind an event of a round: a staff member by number and role, a terminal, or the system. */
export type RoundActor =
  | { readonly number: string | null; readonly role: string; readonly acting: string | null }
  | { readonly terminal: string }
  | { readonly system: string };

/** One stored event of a round. Fields that prove cards, and fields that repeat others, are left out. */
export type RoundTimelineStep = {
  readonly sequence: number;
  readonly at: number;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
  readonly actor: RoundActor;
  readonly second: RoundActor | null;
  readonly postings: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  readonly allPostings: number;
};

type RoundTimelineRow = {
  readonly session: string;
  readonly slip: { readonly [wager: string]: number };
  readonly staked: number;
  /** Amount that the round has returned to the session; null before the first settlement. */
  readonly returned: number | null;
};

export type RoundTimeline = {
  readonly table: string;
  readonly round: string;
  readonly number: number;
  readonly day: string;
  readonly game: string;
  readonly gameHash: string;
  readonly steps: readonly RoundTimelineStep[];
  readonly slips: { readonly count: number; readonly first: number | null; readonly last: number | null };
  readonly rows: readonly RoundTimelineRow[];
  /** Sequences of the first and the last entry about the round. */
  readonly entries: readonly [number, number];
  /** Hash of the last entry about the round. */
  readonly head: string;
};

/**
 * Totals of one wager. For `squares`, the total stake of each round is squared, and the squares of all rounds are
 * added. The sum is a decimal integer as text.
 */
export type WagerTotal = {
  readonly rounds: number;
  readonly stakes: number;
  readonly staked: number;
  readonly returned: number;
  readonly squares: string;
};
type ByWager<T> = { readonly [wager: string]: T };

export type GameMeters = {
  readonly game: string;
  readonly decks: number;
  readonly tables: readonly string[];
  readonly wagers: ByWager<WagerTotal>;
  /** Totals by gaming day, oldest day first. */
  readonly days: readonly { readonly day: string; readonly wagers: ByWager<WagerTotal> }[];
  /** Meters that never decrease. An amount that is reversed is counted on another meter. */
  readonly meters: {
    readonly coinIn: number;
    readonly voided: number;
    readonly coinOut: number;
    readonly reversed: number;
    readonly commission: number;
    readonly reversedCommission: number;
  };
};

export type { EventName } from '../../table/schema/events.ts';
