import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { games } from '../games/registry.ts';
import { canonicalOf, hashOf } from './hash.ts';

test('the canonical form has sorted keys and no spaces', () => {
  expect(canonicalOf({ b: [1, { d: null, c: 'x' }], a: '中' })).toBe('{"a":"中","b":[1,{"c":"x","d":null}]}');
});

test('the order of keys does not change the hash, any value does', () => {
  expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }));
  expect(hashOf({ a: 1, b: 2 })).not.toBe(hashOf({ a: 1, b: 3 }));
});

test('the canonical form is JSON for the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(JSON.parse(canonicalOf(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('the hash is SHA-256 of that form in UTF-8', () => {
  for (const game of games) {
    const hex = createHash('sha256').update(canonicalOf(game), 'utf8').digest('hex');
    expect(hashOf(game)).toBe(`sha256:${hex}`);
  }
  expect(new Set(games.map(hashOf)).size).toBe(10);
});
