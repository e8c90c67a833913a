// What is told of the past to those who look it up: rounds in a list, the story of one, and figures against theory.

/** A round in a list. */
export type ListedRound = {
  readonly id: string;
  readonly table: string;
  readonly number: number;
  /** When it ended first; null while it is played. */
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
  /** What went back by its last end; null while it is played. */
  readonly returned: number | null;
  readonly isVoid: boolean;
  /** The clause by which it is void or was settled again. */
  readonly by: string | null;
  /** Settled more than once. */
  readonly corrected: boolean;
  readonly playing: boolean;
};

/** Where a round stands among those of all tables, the newest first. */
export type RoundPlace = { readonly at: number | null; readonly table: string };

export type FoundRounds = {
  readonly rounds: readonly ListedRound[];
  /** So many were looked through for them, and the last of these ended then. */
  readonly looked: number;
  readonly back: number | null;
  /** Where the next page goes on; null where there is none. */
  readonly next: RoundPlace | null;
};

/** Who did something: a person by number and post, a terminal, or a part of the system. */
export type Doer =
  | { readonly number: string | null; readonly post: string; readonly acting: string | null }
  | { readonly terminal: string }
  | { readonly system: string };

/** One thing that happened, as the record has it but for what only proves it. */
export type StoryStep = {
  readonly sequence: number;
  readonly at: number;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
  readonly who: Doer;
  readonly second: Doer | null;
  readonly postings: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  readonly allPostings: number;
};

/** What a round came to for a session. */
type StoryRow = {
  readonly session: string;
  readonly slip: { readonly [wager: string]: number };
  readonly staked: number;
  /** By the last settlement; null while there is none. */
  readonly returned: number | null;
};

export type RoundTimeline = {
  readonly table: string;
  readonly round: string;
  readonly number: number;
  readonly day: string;
  readonly game: string;
  readonly gameHash: string;
  readonly steps: readonly StoryStep[];
  readonly slips: { readonly count: number; readonly first: number | null; readonly last: number | null };
  readonly rows: readonly StoryRow[];
  /** The first and the last entry that speak of it, and the head of the chain at the last. */
  readonly entries: readonly [number, number];
  readonly head: string;
};

/** What was staked on a wager in rounds that count, and what went back; `squares` of all stakes of a round, added up. */
export type WagerTotal = {
  readonly rounds: number;
  readonly stakes: number;
  readonly staked: number;
  readonly returned: number;
  readonly squares: string;
};
type ByWager<T> = { readonly [wager: string]: T };

/** The figures of one game with so many decks at one table or at all. */
export type Metered = {
  readonly game: string;
  readonly decks: number;
  readonly tables: readonly string[];
  readonly wagers: ByWager<WagerTotal>;
  /** Day by day, the oldest first. */
  readonly days: readonly { readonly day: string; readonly wagers: ByWager<WagerTotal> }[];
  /** What only grows. */
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
