import { cardsOfDeck } from '../rules/card.ts';
import { formatRatio } from '../base/ratio.ts';
import { type SheetShoe } from './sheetFormats.ts';
import { fractionToNumber } from './fraction.ts';
import { type ParSheet, type WagerOdds } from './sheet.ts';

// Formats the figures of a PAR sheet, for the command line and the HTML page.

export const percentText = (part: number, digits = 4): string => `${(100 * part).toFixed(digits)} %`;

export const shoeText = ({ game }: ParSheet, source: SheetShoe): string =>
  'decks' in source
    ? `fresh shoe of ${source.decks} decks, ${source.decks * cardsOfDeck(game.deck).length} cards`
    : `${source.cards} cards left`;

export const wagerFigureHeadings = [
  'house edge',
  'return',
  'hit',
  'push',
  'variance',
  'sd',
  'volatility 90 %',
  'largest net',
];

export const wagerFigureTexts = (odds: WagerOdds): readonly string[] => [
  percentText(odds.houseEdge),
  percentText(odds.rtp),
  percentText(odds.hitRate),
  percentText(odds.pushRate),
  fractionToNumber(odds.variance).toFixed(4),
  odds.sd.toFixed(4),
  odds.volatility.toFixed(4),
  formatRatio(odds.largest),
];

export const returnBandHeadings = ({ bands }: WagerOdds): readonly string[] =>
  bands.map(({ rounds }) => rounds.toLocaleString('en'));

export const returnBandTexts = ({ bands }: WagerOdds): readonly string[] =>
  bands.map(({ low, high }) => `${percentText(low, 2)} to ${percentText(high, 2)}`);
