import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ViewDelta, diffView, applyDelta } from './viewDelta.ts';

const before = {
  phase: 'betting',
  round: { id: 'r1', next: null, player: { cards: [], total: 0 } },
  shoe: null,
  cards: ['KD', '7S'],
  big: [{ column: 1, ties: 0 }],
};

test('diffView gives undefined for equal views', () => {
  expect(diffView(before, structuredClone(before))).toBeUndefined();
});

test('diffView gives changed fields, changed fields of a part with the same id, and list tails', () => {
  const after = {
    ...before,
    phase: 'dealing',
    round: { ...before.round, next: 'P1' },
    cards: ['KD', '7S', '3C'],
    big: [{ column: 1, ties: 1 }],
  };
  const change: ViewDelta = {
    fields: { phase: 'dealing' },
    parts: { round: { next: 'P1' } },
    lists: { cards: { from: 2, items: ['3C'] }, big: { from: 0, items: [{ column: 1, ties: 1 }] } },
  };
  expect(diffView(before, after)).toEqual(change);
  expect(applyDelta(before, change)).toEqual(after);
});

test('diffView replaces a part with another id and truncates lists', () => {
  expect(diffView(before, { ...before, round: { ...before.round, id: 'r2' } })).toEqual({
    fields: { round: { ...before.round, id: 'r2' } },
  });
  expect(diffView(before, { ...before, round: null })).toEqual({ fields: { round: null } });
  expect(diffView(before, { ...before, cards: ['KD'] })).toEqual({ lists: { cards: { from: 1, items: [] } } });
});

const state = fc.record({
  phase: fc.constantFrom('a', 'b'),
  shoe: fc.option(fc.record({ id: fc.constantFrom('s1', 's2'), out: fc.nat(2), by: fc.option(fc.string()) })),
  list: fc.array(fc.constantFrom<unknown>(1, 'x', null, [1], { a: 1 }, { a: 1, b: 2 }), { maxLength: 4 }),
  any: fc.jsonValue(),
});

test('applyDelta of diffView gives the second view for random views', () => {
  fc.assert(
    fc.property(state, state, (one, other) => {
      const change = diffView(one, other);
      const sent = change && (JSON.parse(JSON.stringify(change)) as ViewDelta);
      expect(JSON.parse(JSON.stringify(sent ? applyDelta(one, sent) : one))).toEqual(JSON.parse(JSON.stringify(other)));
    }),
  );
});
