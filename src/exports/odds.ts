// Entry point `punto/odds`: exact odds of every wager from any shoe, and PAR sheets.
export { type Composition, parseComposition, freshShoe } from '../odds/composition.ts';
export { type Share, allDraws, distributionOf } from '../odds/distribution.ts';
export { type Fraction, fraction, numberOf, printFraction } from '../odds/fraction.ts';
export { type Odds, type Sheet, type WagerOdds, oddsOf, sheetOf } from '../odds/sheet.ts';
export { type Source, covarianceCsv, sheetCsv, sheetJson } from '../odds/forms.ts';
export { sheetFile, sheetIndex, sheetPage } from '../odds/page.ts';
export { type Control, type WagerSums, controlOf } from '../odds/control.ts';
