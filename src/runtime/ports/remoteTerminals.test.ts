import { expect, test } from 'vitest';
import { RemoteTerminals } from './remoteTerminals.ts';

test('presence has the seats that each node reported last, and none after the node is gone', () => {
  const presence = new RemoteTerminals();
  expect(presence.update('a', { T1: 'B01', T2: null })).toEqual(new Set(['B01']));
  expect(presence.update('b', { T3: 'B01' })).toEqual(new Set(['B01']));
  expect(presence.seatedAt('B01')).toBe(2);
  expect([presence.tableOf('T1'), presence.tableOf('T2'), presence.tableOf('T4')]).toEqual(['B01', null, null]);
  expect(['T1', 'T2', 'T4'].map((terminal) => presence.isPresent(terminal))).toEqual([true, true, false]);
  expect(presence.update('a', { T1: 'S02', T2: false })).toEqual(new Set(['B01', 'S02']));
  expect([presence.seatedAt('B01'), presence.seatedAt('S02'), presence.isPresent('T2')]).toEqual([1, 1, false]);
  expect(presence.removeNode('a')).toEqual({ T1: 'S02' });
  expect([presence.seatedAt('S02'), presence.isPresent('T1'), presence.isPresent('T3')]).toEqual([0, false, true]);
  expect(presence.removeNode('nobody')).toEqual({});
});
