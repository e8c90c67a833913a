import { expect, test } from 'vitest';
import { Presence } from './presence.ts';

test('where terminals are is what their nodes told last, and nothing once a node is not heard of', () => {
  const presence = new Presence();
  expect(presence.heard('a', { T1: 'B01', T2: null })).toEqual(new Set(['B01']));
  expect(presence.heard('b', { T3: 'B01' })).toEqual(new Set(['B01']));
  expect(presence.seatedAt('B01')).toBe(2);
  expect([presence.tableOf('T1'), presence.tableOf('T2'), presence.tableOf('T4')]).toEqual(['B01', null, null]);
  expect(['T1', 'T2', 'T4'].map((terminal) => presence.isThere(terminal))).toEqual([true, true, false]);
  expect(presence.heard('a', { T1: 'S02', T2: false })).toEqual(new Set(['B01', 'S02']));
  expect([presence.seatedAt('B01'), presence.seatedAt('S02'), presence.isThere('T2')]).toEqual([1, 1, false]);
  expect(presence.forget('a')).toEqual({ T1: 'S02' });
  expect([presence.seatedAt('S02'), presence.isThere('T1'), presence.isThere('T3')]).toEqual([0, false, true]);
  expect(presence.forget('nobody')).toEqual({});
});
