import * as s from '../base/schema.ts';
import { type Facts } from '../rules/facts.ts';

// A settled round in a few letters, so that a whole shoe takes a few hundred bytes: winner B, P or T; p and b for a
// pair of Player and of Banker, n for a natural.

const winners = { B: 'banker', P: 'player', T: 'tie' } as const;
const letters = { banker: 'B', player: 'P', tie: 'T' } as const;

export const resultCodeSchema = s.stringMatching('a result such as "B" or "Ppn"', /^[BPT]p?b?n?$/);

/** What roads and displays need of a round. */
export type RoundResult = Pick<Facts, 'winner' | 'playerPair' | 'bankerPair'> & { readonly natural: boolean };

export const formatResultCode = ({ winner, playerPair, bankerPair, playerNatural, bankerNatural }: Facts): string =>
  `${letters[winner]}${playerPair ? 'p' : ''}${bankerPair ? 'b' : ''}${playerNatural || bankerNatural ? 'n' : ''}`;

export const parseResultCode = (code: string): RoundResult => ({
  winner: winners[code[0] as keyof typeof winners],
  playerPair: code.includes('p'),
  bankerPair: code.includes('b'),
  natural: code.includes('n'),
});
