import { handColours, preciousPairTiers, tigerPairTiers } from './hand.ts';

const totals = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const counts = [2, 3] as const;
const yesOrNo = [false, true] as const;

/** Every fact of a finished round, with all its values. */
export const factValues = {
  /** The hand with the higher total. */
  winner: ['player', 'banker', 'tie'],
  /** By how many points it wins. */
  margin: totals,
  playerTotal: totals,
  bankerTotal: totals,
  playerCards: counts,
  bankerCards: counts,
  /** Eight or nine on the first two cards. */
  playerNatural: yesOrNo,
  bankerNatural: yesOrNo,
  /** The first two cards are of one rank. */
  playerPair: yesOrNo,
  bankerPair: yesOrNo,
  /** The tier of that pair. */
  playerPreciousPair: preciousPairTiers,
  bankerPreciousPair: preciousPairTiers,
  /** The colour of the first two cards. */
  playerColour: handColours,
  bankerColour: handColours,
  /** Pairs of both hands together: one, two of different ranks, two of one rank. */
  tigerPair: tigerPairTiers,
} as const;

export type FactName = keyof typeof factValues;
export type FactValue = (typeof factValues)[FactName][number];
export type Facts = { readonly [F in FactName]: (typeof factValues)[F][number] };

export const factNames = Object.keys(factValues) as readonly FactName[];
