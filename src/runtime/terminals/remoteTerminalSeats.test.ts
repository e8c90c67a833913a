import { expect, test } from 'vitest';
import { RemoteTerminalSeats } from './remoteTerminalSeats.ts';

test('remote terminals have the seats that each node reported last, and none after the node has disconnected', () => {
  const remote = new RemoteTerminalSeats();
  expect(remote.update('a', { T1: 'B01', T2: null })).toEqual(new Set(['B01']));
  expect(remote.update('b', { T3: 'B01' })).toEqual(new Set(['B01']));
  expect(remote.seatedAt('B01')).toBe(2);
  expect([remote.tableOf('T1'), remote.tableOf('T2'), remote.tableOf('T4')]).toEqual(['B01', null, null]);
  expect(['T1', 'T2', 'T4'].map((terminal) => remote.isPresent(terminal))).toEqual([true, true, false]);
  expect(remote.update('a', { T1: 'S02', T2: false })).toEqual(new Set(['B01', 'S02']));
  expect([remote.seatedAt('B01'), remote.seatedAt('S02'), remote.isPresent('T2')]).toEqual([1, 1, false]);
  expect(remote.removeNode('a')).toEqual({ T1: 'S02' });
  expect([remote.seatedAt('S02'), remote.isPresent('T1'), remote.isPresent('T3')]).toEqual([0, false, true]);
  expect(remote.removeNode('c')).toEqual({});
});
