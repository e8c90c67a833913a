// Entry point `punto/odds`: exact odds of every wager from any shoe, and PAR sheets.
export { type Composition, parseComposition, freshShoe } from '../odds/composition.ts';
export { type FactsCount, countSixCardDraws, factDistributionOf } from '../odds/distribution.ts';
export { type Fraction, fraction, fractionToNumber, formatFraction } from '../odds/fraction.ts';
export { type GameOdds, type ParSheet, type WagerOdds, oddsOf, parSheetOf } from '../odds/sheet.ts';
export { type SheetShoe, covarianceCsv, sheetCsv, sheetJson } from '../odds/sheetFormats.ts';
export { sheetFileName, sheetIndexPage, sheetPage } from '../odds/sheetPage.ts';
export { type ReturnDeviation, type WagerSums, returnDeviationOf } from '../odds/returnDeviation.ts';
