import { countText } from '../base/countText.ts';
import { groupDigitsForCsv } from '../base/groupDigitsForCsv.ts';
import { formatRatio } from '../base/ratio.ts';
import { type Fraction, fraction, fractionToNumber, formatFraction } from './fraction.ts';
import { type ParSheet, type WagerOdds } from './sheet.ts';

/** The shoe of a PAR sheet: a fresh shoe of `decks` decks, or a shoe with `cards` cards left. */
export type SheetShoe = { readonly decks: number } | { readonly cards: number };

const wagerJson = (odds: WagerOdds, deals: bigint) => ({
  outcomes: odds.outcomes.map(({ net, count }) => ({
    net: formatRatio(net),
    probability: formatFraction(fraction(count, deals)),
    count: String(count),
  })),
  expected: formatFraction(odds.expected),
  houseEdge: odds.houseEdge,
  rtp: odds.rtp,
  hitRate: odds.hitRate,
  pushRate: odds.pushRate,
  variance: fractionToNumber(odds.variance),
  sd: odds.sd,
  volatility: odds.volatility,
  bands: odds.bands,
  largest: formatRatio(odds.largest),
});

/**
 * A PAR sheet as JSON data. Exact fractions and counts are strings, since JSON numbers would round them; other figures
 * are numbers.
 */
export const sheetJson = ({ game, hash, deals, wagers, covariance, worst }: ParSheet, source: SheetShoe) => ({
  game: game.id,
  version: game.version,
  hash,
  ...('decks' in source ? source : { decks: null, ...source }),
  deals: String(deals),
  wagers: Object.fromEntries(Object.entries(wagers).map(([id, odds]) => [id, wagerJson(odds, deals)])),
  covariance,
  worst: { net: formatFraction(worst.net), wagers: worst.wagers },
});

// CSV for spreadsheets. Game id and version share a column: a spreadsheet could read a version in a column of its own
// as a date. Each exact fraction has three columns: a decimal number to compute with, the numerator and the
// denominator.

/** A CSV field; numbers have 15 significant digits, which every spreadsheet keeps. */
const csvField = (field: string | number): string =>
  typeof field === 'number' ? String(Number(field.toPrecision(15))) : field;

const csvLine = (fields: readonly (string | number)[]): string => fields.map(csvField).join(',');

const sheetHeads =
  'game,shoe,wager,net,netNumerator,netDenominator,count,deals,probability,expected,expectedNumerator,' +
  'expectedDenominator,houseEdge,rtp,hitRate,pushRate,variance,sd';

const csvShoe = (source: SheetShoe): string =>
  'decks' in source ? countText(source.decks, 'deck') : `${countText(source.cards, 'card')} left`;

/** Three CSV columns of a fraction: decimal, numerator and denominator. */
const csvFraction = (value: Fraction): readonly (string | number)[] => [
  fractionToNumber(value),
  groupDigitsForCsv(value.over),
  groupDigitsForCsv(value.under),
];

/** A PAR sheet as lines of CSV, one row for each outcome of each wager. */
export function sheetCsv({ name, deals, wagers }: ParSheet, source: SheetShoe): readonly string[] {
  const rows = Object.entries(wagers).flatMap(([id, odds]) =>
    odds.outcomes.map(({ net: [over, under], count }) => [
      name,
      csvShoe(source),
      id,
      ...csvFraction(fraction(BigInt(over), BigInt(under))),
      groupDigitsForCsv(count),
      groupDigitsForCsv(deals),
      fractionToNumber(fraction(count, deals)),
      ...csvFraction(odds.expected),
      odds.houseEdge,
      odds.rtp,
      odds.hitRate,
      odds.pushRate,
      fractionToNumber(odds.variance),
      odds.sd,
    ]),
  );
  return [sheetHeads, ...rows.map(csvLine)];
}

/**
 * The covariances of a PAR sheet as lines of CSV, one row for each ordered pair of wagers. For a wager paired with
 * itself, the value is the variance.
 */
export function covarianceCsv({ name, covariance }: ParSheet, source: SheetShoe): readonly string[] {
  const rows = Object.entries(covariance).flatMap(([id, others]) =>
    Object.entries(others).map(([other, value]) => [name, csvShoe(source), id, other, value]),
  );
  return ['game,shoe,wager,other,covariance', ...rows.map(csvLine)];
}
