import { type FactName } from './facts.ts';
import { type Line, type When, netOf } from './wager.ts';

/** What each fact tells, for `punto rules --facts`. */
export const factMeanings: { readonly [F in FactName]: string } = {
  winner: 'the hand with the higher total, or a tie',
  margin: 'points between the two totals',
  playerTotal: 'total of the Player hand',
  bankerTotal: 'total of the Banker hand',
  playerCards: 'cards in the Player hand',
  bankerCards: 'cards in the Banker hand',
  playerNatural: 'Player has 8 or 9 on two cards',
  bankerNatural: 'Banker has 8 or 9 on two cards',
  playerPair: "Player's first two cards are of one rank",
  bankerPair: "Banker's first two cards are of one rank",
  playerPreciousPair: "tier of the Player's pair, the highest it reaches",
  bankerPreciousPair: "tier of the Banker's pair, the highest it reaches",
  playerColour: "colour of the Player's first two cards; the 65-card deck has none",
  bankerColour: "colour of the Banker's first two cards; the 65-card deck has none",
  tigerPair: 'no hand paired, one, both with different ranks, both with one rank',
};

const winners = { player: 'Player wins', banker: 'Banker wins', tie: 'tie' };

const preciousPairs = {
  none: 'no pair',
  other: 'any other pair',
  diamonds: 'a diamond pair',
  fours: 'any other pair of fours',
  'diamond-fours': 'a pair of diamond fours',
};

const tigerPairs = {
  none: 'no pair in either hand',
  single: 'one hand paired',
  double: 'both hands paired, ranks different',
  twin: 'both hands paired, ranks equal',
};

/** A pattern as a person reads it: "Banker wins with 6 on 2 cards". */
export function caseOf(when: When): string {
  const parts = (Object.entries(when) as [FactName, unknown][]).map(([name, wanted]) => partOf(name, wanted, when));
  return parts.length === 0 ? 'always' : parts.join(' ');
}

function partOf(name: FactName, wanted: unknown, when: When): string {
  const hand = name.startsWith('player') ? 'Player' : 'Banker';
  const own = when.winner === hand.toLowerCase();
  const tie = when.winner === 'tie';
  const values: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const any = (words: { readonly [value: string]: string } = {}): string =>
    values.map((value) => words[String(value)] ?? String(value)).join(' or ');
  switch (name) {
    case 'winner':
      return any(winners);
    case 'margin':
      return `by ${any()}`;
    case 'playerTotal':
    case 'bankerTotal':
      return own ? `with ${any()}` : tie ? `at ${any()}` : `${hand} total ${any()}`;
    case 'playerCards':
    case 'bankerCards':
      return own ? `on ${any()} cards` : `${hand} ${any()} cards`;
    case 'playerNatural':
    case 'bankerNatural':
      return `${own || tie ? '' : `${hand} `}${any({ true: 'with a natural', false: 'without a natural' })}`;
    case 'playerPair':
    case 'bankerPair':
      return `${hand} has ${any({ true: 'a pair', false: 'no pair' })}`;
    case 'playerPreciousPair':
    case 'bankerPreciousPair':
      return `${hand} has ${any(preciousPairs)}`;
    case 'playerColour':
    case 'bankerColour':
      return `${hand}'s first two cards ${any()}`;
    case 'tigerPair':
      return any(tigerPairs);
  }
}

/** "8 to 1", "push", "19 to 20 (1 to 1 less a commission of 1 in 20)". */
export function paysOf(line: Line): string {
  if (line.pays === 'push') return 'push';
  const odds = `${line.pays[0]} to ${line.pays[1]}`;
  if (line.commission === undefined) return odds;
  const net = netOf(line);
  return `${net[0]} to ${net[1]} (${odds} less a commission of ${line.commission[0]} in ${line.commission[1]})`;
}
