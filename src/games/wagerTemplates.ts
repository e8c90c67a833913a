import { type PreciousPair, type Side } from '../rules/hand.ts';
import { type Line, type Wager } from '../rules/wager.ts';

// Wagers that several rulebooks share, with the clauses of each.

/** A clause of a book in rulebook/: 'FAB 4.1'. */
export type Clause = `${'BAC' | 'SUP' | 'ELM' | 'FAB' | 'ETG'} ${string}`;

/** Clauses of the main wagers: who wins, what a tie does, what a win pays. */
type Clauses = { readonly wins: Clause; readonly tie: Clause; readonly pays: Clause };

const tiePushes = (by: Clause): Line => ({ when: { winner: 'tie' }, pays: 'push', by });

export const player = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Player',
  by: wins,
  lines: [tiePushes(tie), { when: { winner: 'player' }, pays: [1, 1], by: pays }],
});

/** Pays evens and keeps one in twenty of the winnings: 0.95 to 1. */
export const bankerLessCommission = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Banker',
  by: wins,
  lines: [tiePushes(tie), { when: { winner: 'banker' }, pays: [1, 1], commission: [1, 20], by: pays }],
});

/** No commission, but a win with six pays half. */
export const bankerHalfOnSix = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Banker',
  by: wins,
  lines: [
    tiePushes(tie),
    { when: { winner: 'banker', bankerTotal: 6 }, pays: [1, 2], by: pays },
    { when: { winner: 'banker' }, pays: [1, 1], by: pays },
  ],
});

export const tie = (by: Clause, pays: Clause): Wager => ({
  name: 'Tie',
  by,
  lines: [{ when: { winner: 'tie' }, pays: [8, 1], by: pays }],
});

export const pair = (side: Side, by: Clause, pays: Clause): Wager => ({
  name: side === 'player' ? 'Player Pair' : 'Banker Pair',
  by,
  lines: [{ when: { [`${side}Pair`]: true }, pays: [11, 1], by: pays }],
});

export const preciousPair = (side: Side, by: Clause, pays: Clause): Wager => {
  const tier = (reached: PreciousPair, win: number): Line => ({
    when: { [`${side}PreciousPair`]: reached },
    pays: [win, 1],
    by: pays,
  });
  return {
    name: side === 'player' ? 'Player Precious Pair' : 'Banker Precious Pair',
    by,
    lines: [tier('diamond-fours', 30), tier('fours', 15), tier('diamonds', 12), tier('other', 9)],
  };
};

/** A Banker win with six on two cards and on three cards. */
export const bankerSix = (name: string, by: Clause, pays: Clause): Wager => ({
  name,
  by,
  lines: [
    { when: { winner: 'banker', bankerTotal: 6, bankerCards: 2 }, pays: [12, 1], by: pays },
    { when: { winner: 'banker', bankerTotal: 6, bankerCards: 3 }, pays: [20, 1], by: pays },
  ],
});
