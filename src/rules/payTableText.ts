import { type FactName } from './facts.ts';
import { type PayLine, type Wager, type FactPattern, netPerUnitOf } from './wager.ts';

/** Descriptions of the facts for `punto rules --facts`. */
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
  tigerPair: 'pairs of both hands: none, one, two of different ranks, two of one rank',
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

/** A fact pattern in words: "Banker wins with 6 on 2 cards". */
export function factPatternText(when: FactPattern): string {
  const texts = (Object.entries(when) as [FactName, unknown][]).map(([name, expected]) =>
    casePartText(name, expected, when),
  );
  return texts.length === 0 ? 'always' : texts.join(' ');
}

type CasePart = {
  /** The expected values joined by "or". `texts` gives the words for some values. */
  readonly valuesText: (texts?: { readonly [value: string]: string }) => string;
  readonly hand: string;
  /** True when the pattern requires that the hand of this fact wins. */
  readonly isOwnWin: boolean;
  readonly isTie: boolean;
};

const total = ({ valuesText, hand, isOwnWin, isTie }: CasePart): string =>
  isOwnWin ? `with ${valuesText()}` : isTie ? `at ${valuesText()}` : `${hand} total ${valuesText()}`;
const cards = ({ valuesText, hand, isOwnWin }: CasePart): string =>
  isOwnWin ? `on ${valuesText()} cards` : `${hand} ${valuesText()} cards`;
const natural = ({ valuesText, hand, isOwnWin, isTie }: CasePart): string =>
  `${isOwnWin || isTie ? '' : `${hand} `}${valuesText({ true: 'with a natural', false: 'without a natural' })}`;
const pair = ({ valuesText, hand }: CasePart): string =>
  `${hand} has ${valuesText({ true: 'a pair', false: 'no pair' })}`;
const preciousPair = ({ valuesText, hand }: CasePart): string => `${hand} has ${valuesText(preciousPairs)}`;
const colour = ({ valuesText, hand }: CasePart): string => `${hand}'s first two cards ${valuesText()}`;

const casePartTexts: { readonly [F in FactName]: (part: CasePart) => string } = {
  winner: ({ valuesText }) => valuesText(winners),
  margin: ({ valuesText }) => `by ${valuesText()}`,
  playerTotal: total,
  bankerTotal: total,
  playerCards: cards,
  bankerCards: cards,
  playerNatural: natural,
  bankerNatural: natural,
  playerPair: pair,
  bankerPair: pair,
  playerPreciousPair: preciousPair,
  bankerPreciousPair: preciousPair,
  playerColour: colour,
  bankerColour: colour,
  tigerPair: ({ valuesText }) => valuesText(tigerPairs),
};

function casePartText(name: FactName, expected: unknown, when: FactPattern): string {
  const hand = name.startsWith('player') ? 'Player' : 'Banker';
  const values: readonly unknown[] = Array.isArray(expected) ? expected : [expected];
  return casePartTexts[name]({
    valuesText: (texts = {}) => values.map((value) => texts[String(value)] ?? String(value)).join(' or '),
    hand,
    isOwnWin: when.winner === hand.toLowerCase(),
    isTie: when.winner === 'tie',
  });
}

/** What a pay line pays: "8 to 1", "push", "19 to 20 (1 to 1 less a commission of 1 in 20)". */
export function paysText(line: PayLine): string {
  if (line.pays === 'push') return 'push';
  const odds = `${line.pays[0]} to ${line.pays[1]}`;
  if (line.commission === undefined) return odds;
  const net = netPerUnitOf(line);
  return `${net[0]} to ${net[1]} (${odds} less a commission of ${line.commission[0]} in ${line.commission[1]})`;
}

/**
 * Pay table of a wager: one row per pay line, one per loss with its own clause, and a last row for every other loss. The
 * columns are case, odds and clause.
 */
export const payTableRows = ({ by, lines, losses = [] }: Wager): readonly (readonly [string, string, string])[] => [
  ...lines.map((line) => [factPatternText(line.when), paysText(line), line.by] as const),
  ...losses.map((loss) => [factPatternText(loss.when), 'loses', loss.by] as const),
  ['otherwise', 'loses', by],
];
