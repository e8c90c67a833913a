import { expect, test } from 'vitest';
import { rulebooks } from '../../../../games/rulebooks.ts';
import { irregularityKinds } from '../../../../games/irregularities.ts';
import { tableRefusals } from '../../../../table/schema/refusals.ts';
import { clauseSummaries } from './clauseText.ts';
import { refusalStringsByLanguage } from './refusalStrings.ts';
import { promptStringsByLanguage } from './promptStrings.ts';
import { reportSheetGroups } from './irregularityStrings.ts';

test('refusals and prompts exist in both languages', () => {
  expect(Object.keys(refusalStringsByLanguage.zh).toSorted()).toEqual(
    Object.keys(refusalStringsByLanguage.en).toSorted(),
  );
  expect(Object.keys(promptStringsByLanguage.zh).toSorted()).toEqual(
    Object.keys(promptStringsByLanguage.en).toSorted(),
  );
});

/**
 * Codes of refusals of terminals, settings, the cage or virtual shoes. They have no text here, so the server's message
 * is shown.
 */
const otherCodes =
  /setting|game|step|stake|minimum|maximum|limit|credit|slip|shortfall|break|late-|wrong-proof|under-|over-|terminals$/;

test('every refusal that a dealer can meet has a text', () => {
  const codes = Object.keys(tableRefusals).filter((code) => !otherCodes.test(code));
  expect(codes.filter((code) => refusalStringsByLanguage.en[code] === undefined)).toEqual([]);
});

test('every irregularity is in one row of the report menu, by two digits', () => {
  const kinds = reportSheetGroups.flatMap(({ rows }) => rows.flatMap((row) => row.kinds));
  expect(kinds.toSorted()).toEqual(irregularityKinds.toSorted());
  expect(reportSheetGroups.every(({ rows }) => rows.length <= 9)).toBe(true);
});

test.each(rulebooks)('every clause of $id that screens cite has a summary', ({ clauses, draws, irregularities }) => {
  const cited = [
    ...Object.values(clauses),
    ...Object.values(draws),
    ...Object.values(irregularities).flatMap(({ rulings }) => Object.values(rulings).map(({ by }) => by)),
  ];
  for (const language of ['en', 'zh'] as const) {
    expect(cited.filter((by) => clauseSummaries(by, language).length === 0)).toEqual([]);
  }
});
