import { handColours, preciousPairTiers, tigerPairTiers } from './hand.ts';

const totals = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const counts = [2, 3] as const;
const yesOrNo = [false, true] as const;

/** All facts of a finished round, each with its possible values. */
export const factValues = {
  winner: ['player', 'banker', 'tie'],
  /** Difference of the two totals, in points. */
  margin: totals,
  playerTotal: totals,
  bankerTotal: totals,
  playerCards: counts,
  bankerCards: counts,
  /** A natural: 8 or 9 points on the first two cards. */
  playerNatural: yesOrNo,
  bankerNatural: yesOrNo,
  /** A pair: the first two cards have the same rank. */
  playerPair: yesOrNo,
  bankerPair: yesOrNo,
  /** The tier of a hand's pair, for the Precious Pair wagers. */
  playerPreciousPair: preciousPairTiers,
  bankerPreciousPair: preciousPairTiers,
  /** The colour of the first two cards of a hand. */
  playerColour: handColours,
  bankerColour: handColours,
  /** Which pairs the two hands have: none, one, two of different ranks, or two of the same rank. */
  tigerPair: tigerPairTiers,
} as const;

export type FactName = keyof typeof factValues;
export type FactValue = (typeof factValues)[FactName][number];
export type Facts = { readonly [F in FactName]: (typeof factValues)[F][number] };

export const factNames = Object.keys(factValues) as readonly FactName[];
