import { expect, test } from 'vitest';
import { chineseVoidReasons } from '../../../shared/text/voidReasons.ts';
import { reportSheetGroups } from './irregularityStrings.ts';

/** Kinds of irregularity on which no rulebook has a ruling that voids a round. */
const neverVoid = new Set(['cutting-card', 'cutting-card-missing', 'terminals-lost']);

test('a default reason has a Chinese text for patrons, the same as on staff screens', () => {
  const proposed = reportSheetGroups
    .flatMap(({ rows }) => rows)
    .filter(({ kinds, needs: need }) => need !== 'chips' && !kinds.some((kind) => neverVoid.has(kind)));
  expect(proposed.length).toBeGreaterThan(10);
  for (const { en, zh } of proposed) expect([en[0], chineseVoidReasons[en[0]]]).toEqual([en[0], zh[0]]);
});
