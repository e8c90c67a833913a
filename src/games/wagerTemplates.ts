import { type PreciousPairTier, type Side } from '../rules/hand.ts';
import { type PayLine, type Wager } from '../rules/wager.ts';

// Wagers that several rulebooks share. Each rulebook passes its own clauses.

/** A clause of a rulebook: 'FAB 4.1'. */
export type RulebookClauseId = `${'BAC' | 'SUP' | 'ELM' | 'FAB' | 'ETG'} ${string}`;

/** Clauses of a main wager. `wins`: when the wager wins. `tie`: what a tie does. `pays`: what a win pays. */
type Clauses = { readonly wins: RulebookClauseId; readonly tie: RulebookClauseId; readonly pays: RulebookClauseId };

const tiePushes = (by: RulebookClauseId): PayLine => ({ when: { winner: 'tie' }, pays: 'push', by });

export const playerWager = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Player',
  by: wins,
  lines: [tiePushes(tie), { when: { winner: 'player' }, pays: [1, 1], by: pays }],
});

/** The Banker wager with commission. A win pays 1 to 1 less a commission of one in twenty: 0.95 to 1. */
export const bankerWagerWithCommission = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Banker',
  by: wins,
  lines: [tiePushes(tie), { when: { winner: 'banker' }, pays: [1, 1], commission: [1, 20], by: pays }],
});

/** The Banker wager without commission. A win with a total of six pays 1 to 2. */
export const bankerWagerHalfOnSix = ({ wins, tie, pays }: Clauses): Wager => ({
  name: 'Banker',
  by: wins,
  lines: [
    tiePushes(tie),
    { when: { winner: 'banker', bankerTotal: 6 }, pays: [1, 2], by: pays },
    { when: { winner: 'banker' }, pays: [1, 1], by: pays },
  ],
});

export const tieWager = (by: RulebookClauseId, pays: RulebookClauseId): Wager => ({
  name: 'Tie',
  by,
  lines: [{ when: { winner: 'tie' }, pays: [8, 1], by: pays }],
});

export const pairWager = (side: Side, by: RulebookClauseId, pays: RulebookClauseId): Wager => ({
  name: side === 'player' ? 'Player Pair' : 'Banker Pair',
  by,
  lines: [{ when: { [`${side}Pair`]: true }, pays: [11, 1], by: pays }],
});

export const preciousPairWager = (side: Side, by: RulebookClauseId, pays: RulebookClauseId): Wager => {
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

/** A wager on a Banker win with a total of six; it pays more on three cards than on two. */
export const bankerSixWager = (name: string, by: RulebookClauseId, pays: RulebookClauseId): Wager => ({
  name,
  by,
  lines: [
    { when: { winner: 'banker', bankerTotal: 6, bankerCards: 2 }, pays: [12, 1], by: pays },
    { when: { winner: 'banker', bankerTotal: 6, bankerCards: 3 }, pays: [20, 1], by: pays },
  ],
});
