import * as s from '../base/schema.ts';
import { type Facts } from '../rules/facts.ts';

// A settled round in a few letters, so that a whole shoe is a few hundred bytes: B, P or T won; p and b for a pair of
// Player and of Banker, n for a natural.

const winners = { B: 'banker', P: 'player', T: 'tie' } as const;
const letters = { banker: 'B', player: 'P', tie: 'T' } as const;

/** The results of a shoe are lists of these. */
export const result = s.stringMatching('a result such as "B" or "Ppn"', /^[BPT]p?b?n?$/);

/** What roads and displays want to know of a round. */
export type RoundResult = Pick<Facts, 'winner' | 'playerPair' | 'bankerPair'> & { readonly natural: boolean };

export const resultCode = ({ winner, playerPair, bankerPair, playerNatural, bankerNatural }: Facts): string =>
  `${letters[winner]}${playerPair ? 'p' : ''}${bankerPair ? 'b' : ''}${playerNatural || bankerNatural ? 'n' : ''}`;

export const resultFrom = (code: string): RoundResult => ({
  winner: winners[code[0] as keyof typeof winners],
  playerPair: code.includes('p'),
  bankerPair: code.includes('b'),
  natural: code.includes('n'),
});
