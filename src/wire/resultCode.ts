import * as s from '../base/schemas.ts';
import { type Facts } from '../rules/facts.ts';

// Result code: the result of a settled round in one to four letters. It is short, because clients get the results of a
// whole shoe. The first letter is the winner: B, P or T. It is followed by p for a Player pair, b for a Banker pair,
// and n for a natural.

const winners = { B: 'banker', P: 'player', T: 'tie' } as const;
const letters = { banker: 'B', player: 'P', tie: 'T' } as const;

export const resultCodeSchema = s.stringMatching('a result such as "B" or "Ppn"', /^[BPT]p?b?n?$/);

export type RoundResult = Pick<Facts, 'winner' | 'playerPair' | 'bankerPair'> & { readonly natural: boolean };

export const formatResultCode = ({ winner, playerPair, bankerPair, playerNatural, bankerNatural }: Facts): string =>
  `${letters[winner]}${playerPair ? 'p' : ''}${bankerPair ? 'b' : ''}${playerNatural || bankerNatural ? 'n' : ''}`;

export const parseResultCode = (code: string): RoundResult => ({
  winner: winners[code[0] as keyof typeof winners],
  playerPair: code.includes('p'),
  bankerPair: code.includes('b'),
  natural: code.includes('n'),
});
