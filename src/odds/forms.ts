import { printRatio } from '../rules/ratio.ts';
import { fraction, numberOf, printFraction } from './fraction.ts';
import { type Sheet, type WagerOdds } from './sheet.ts';

/** What the sheet is of: a fresh shoe of so many decks, or what is left of one. */
export type Source = { readonly decks: number } | { readonly cards: number };

const wagerJson = (odds: WagerOdds, deals: bigint) => ({
  outcomes: odds.outcomes.map(({ net, count }) => ({
    net: printRatio(net),
    probability: printFraction(fraction(count, deals)),
    count: String(count),
  })),
  expected: printFraction(odds.expected),
  houseEdge: odds.houseEdge,
  rtp: odds.rtp,
  hitRate: odds.hitRate,
  pushRate: odds.pushRate,
  variance: numberOf(odds.variance),
  sd: odds.sd,
  volatility: odds.volatility,
  bands: odds.bands,
  largest: printRatio(odds.largest),
});

/** The sheet as plain data for JSON: fractions and counts as texts, the rest as numbers. */
export const sheetJson = ({ game, hash, deals, wagers, covariance, worst }: Sheet, source: Source) => ({
  game: game.id,
  version: game.version,
  hash,
  ...('decks' in source ? source : { decks: null, ...source }),
  deals: String(deals),
  wagers: Object.fromEntries(Object.entries(wagers).map(([id, odds]) => [id, wagerJson(odds, deals)])),
  covariance,
  worst: { net: printFraction(worst.net), wagers: worst.wagers },
});

/** A row for each outcome of each wager. */
export function sheetCsv({ game, deals, wagers }: Sheet, source: Source): readonly string[] {
  const of = 'decks' in source ? `${source.decks} decks` : `${source.cards} cards left`;
  const rows = Object.entries(wagers).flatMap(([id, odds]) =>
    odds.outcomes.map(({ net, count }) =>
      [
        game.id,
        game.version,
        of,
        id,
        printRatio(net),
        count,
        printFraction(fraction(count, deals)),
        numberOf(fraction(count, deals)),
        printFraction(odds.expected),
        odds.houseEdge,
        odds.rtp,
        odds.hitRate,
        odds.pushRate,
        numberOf(odds.variance),
        odds.sd,
      ].join(','),
    ),
  );
  return [
    'game,version,shoe,wager,net,count,probability,frequency,expected,houseEdge,rtp,hitRate,pushRate,variance,sd',
    ...rows,
  ];
}
