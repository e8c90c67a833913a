import { cardsOf } from '../rules/card.ts';
import { printRatio } from '../base/ratio.ts';
import { type Source } from './forms.ts';
import { numberOf } from './fraction.ts';
import { type Sheet, type WagerOdds } from './sheet.ts';

// Formats the figures of a PAR sheet, for terminal and page alike.

export const percent = (part: number, digits = 4): string => `${(100 * part).toFixed(digits)} %`;

export const shoeText = ({ game }: Sheet, source: Source): string =>
  'decks' in source
    ? `fresh shoe of ${source.decks} decks, ${source.decks * cardsOf(game.deck).length} cards`
    : `${source.cards} cards left`;

export const figureHeads = ['house edge', 'return', 'hit', 'push', 'variance', 'sd', 'volatility 90 %', 'largest net'];

export const figuresOf = (odds: WagerOdds): readonly string[] => [
  percent(odds.houseEdge),
  percent(odds.rtp),
  percent(odds.hitRate),
  percent(odds.pushRate),
  numberOf(odds.variance).toFixed(4),
  odds.sd.toFixed(4),
  odds.volatility.toFixed(4),
  printRatio(odds.largest),
];

export const bandHeads = ({ bands }: WagerOdds): readonly string[] =>
  bands.map(({ rounds }) => rounds.toLocaleString('en'));

export const bandsOf = ({ bands }: WagerOdds): readonly string[] =>
  bands.map(({ low, high }) => `${percent(low, 2)} to ${percent(high, 2)}`);
