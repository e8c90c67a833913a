import { expect, test } from 'vitest';
import { assert } from './assert.ts';

test('a claim that does not hold stops the program with its words', () => {
  expect(() => assert(true, 'one is one')).not.toThrow();
  expect(() => assert(false, 'one is two')).toThrow('Broken: one is two');
});
