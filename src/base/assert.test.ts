import { expect, test } from 'vitest';
import { assert } from './assert.ts';

test('assert throws the claim when it does not hold', () => {
  expect(() => assert(true, 'one is one')).not.toThrow();
  expect(() => assert(false, 'one is two')).toThrow('Broken: one is two');
});
