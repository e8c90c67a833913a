import { type PreciousPairTier, type Side } from '../rules/hand.ts';
import { type PayLine, type Wager } from '../rules/wager.ts';

// Wagers that several rulebooks share, with the clauses of each.

/** A clause of a book in rulebook/: 'FAB 4.1'. */
export type RulebookClause = `${'BAC' | 'SUP' | 'ELM' | 'FAB' | 'ETG'} ${string}`;

/** Clauses of the main wagers: who wins, what a tie does, what a win pays. */
type Clauses = { readonly wins: RulebookClause; readonly tie: RulebookClause; readonly pays: RulebookClause };

const tiePushes = (by: RulebookClause): PayLine => ({ when: { winner: 'tie' }, pays: 'push', by });

export const playerWager = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Player',
  by: wins,
  lines: [tiePushes(tie), { when: { winner: 'player' }, pays: [1, 1], by: pays }],
});

/** Pays evens and keeps one in twenty of the winnings: 0.95 to 1. */
export const bankerWagerWithCommission = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Banker',
  by: wins,
  lines: [tiePushes(tie), { when: { winner: 'banker' }, pays: [1, 1], commission: [1, 20], by: pays }],
});

/** No commission, but a win with six pays half. */
export const bankerWagerHalfOnSix = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Banker',
  by: wins,
  lines: [
    tiePushes(tie),
    { when: { winner: 'banker', bankerTotal: 6 }, pays: [1, 2], by: pays },
    { when: { winner: 'banker' }, pays: [1, 1], by: pays },
  ],
});

export const tieWager = (by: RulebookClause, pays: RulebookClause): Wager => ({
  name: 'Tie',
  by,
  lines: [{ when: { winner: 'tie' }, pays: [8, 1], by: pays }],
});

export const pairWager = (side: Side, by: RulebookClause, pays: RulebookClause): Wager => ({
  name: side === 'player' ? 'Player Pair' : 'Banker Pair',
  by,
  lines: [{ when: { [`${side}Pair`]: true }, pays: [11, 1], by: pays }],
});

export const preciousPairWager = (side: Side, by: RulebookClause, pays: RulebookClause): Wager => {
  const tier = (reached: PreciousPairTier, win: number): PayLine => ({
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
export const bankerSixWager = (name: string, by: RulebookClause, pays: RulebookClause): Wager => ({
  name,
  by,
  lines: [
    { when: { winner: 'banker', bankerTotal: 6, bankerCards: 2 }, pays: [12, 1], by: pays },
    { when: { winner: 'banker', bankerTotal: 6, bankerCards: 3 }, pays: [20, 1], by: pays },
  ],
});
