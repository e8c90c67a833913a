// Answers to queries about past rounds, timelines and meters.

export type ListedRound = {
  readonly id: string;
  readonly table: string;
  readonly number: number;
  /** First end; null while in play. */
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
  /** Returned to patrons by the last settlement; null while in play. */
  readonly returned: number | null;
  readonly isVoid: boolean;
  /** Clause of the void or of the resettlement. */
  readonly by: string | null;
  readonly corrected: boolean;
  readonly playing: boolean;
};

/** Position of a round in the list of all tables, newest first. */
export type RoundCursor = { readonly at: number | null; readonly table: string };

export type RoundPage = {
  readonly rounds: readonly ListedRound[];
  /** Number of rounds examined, and the end of the last one. */
  readonly examined: number;
  readonly back: number | null;
  /** Cursor of the next page; null at the end. */
  readonly next: RoundCursor | null;
};

/** Actor: staff by number and role, a terminal, or the system. */
export type RoundActor =
  | { readonly number: string | null; readonly role: string; readonly acting: string | null }
  | { readonly terminal: string }
  | { readonly system: string };

/** One stored event, without the fields that only serve proofs. */
export type RoundTimelineStep = {
  readonly sequence: number;
  readonly at: number;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
  readonly actor: RoundActor;
  readonly second: RoundActor | null;
  readonly postings: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  readonly allPostings: number;
};

/** Result of the round for one session. */
type RoundTimelineRow = {
  readonly session: string;
  readonly slip: { readonly [wager: string]: number };
  readonly staked: number;
  /** By the last settlement; null before it. */
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
  /** First and last entry about the round, and the head of the stream at the last. */
  readonly entries: readonly [number, number];
  readonly head: string;
};

/** Totals of one wager; `squares` is the sum of the squared stakes of each round. */
export type WagerTotal = {
  readonly rounds: number;
  readonly stakes: number;
  readonly staked: number;
  readonly returned: number;
  readonly squares: string;
};
type ByWager<T> = { readonly [wager: string]: T };

/** Totals of one game and number of decks. */
export type GameMeters = {
  readonly game: string;
  readonly decks: number;
  readonly tables: readonly string[];
  readonly wagers: ByWager<WagerTotal>;
  /** By gaming day, oldest first. */
  readonly days: readonly { readonly day: string; readonly wagers: ByWager<WagerTotal> }[];
  /** Counters that never decrease. */
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
