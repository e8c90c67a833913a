import { expect, test } from 'vitest';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { buildServerStatus } from './readiness.ts';

/** Floor with one table per argument, which says whether the table can append and whether it has stopped. */
const floorOf = (...tables: readonly { canAppend: boolean; isStopped: boolean }[]): FloorRuntime =>
  ({
    tables: new Map(tables.map((one, n) => [`T${n}`, { id: `T${n}`, processor: { ...one, pendingCount: n } }])),
  }) as never;

const [up, paused, stopped] = [
  { canAppend: true, isStopped: false },
  { canAppend: false, isStopped: false },
  { canAppend: false, isStopped: true },
];
const defaults = { isReady: true, hasFailed: false, isFailing: false, silenceMs: 900, connections: [] };
const codeOf = (options: Partial<Parameters<typeof buildServerStatus>[0]>): string | undefined =>
  buildServerStatus({ floor: floorOf(up, up), ...defaults, ...options }).notReady?.code;

test('the server is ready when it is open, has heartbeats and all tables can append', () => {
  expect(codeOf({})).toBeUndefined();
  expect(codeOf({ isReady: false })).toBe('server-closing');
  expect(codeOf({ hasFailed: true, isReady: false })).toBe('record-lost');
  expect(codeOf({ floor: floorOf(up, paused) })).toBe('cannot-record');
});

test('the server is not ready when the store is silent', () => {
  expect(codeOf({ silenceMs: 5_001 })).toBe('cannot-record');
  expect(codeOf({ silenceMs: Infinity })).toBe('cannot-record');
  expect(codeOf({ silenceMs: 5_000 })).toBeUndefined();
});

test('the server stays ready when a defect stopped one table', () => {
  const { notReady, tables } = buildServerStatus({ floor: floorOf(up, stopped), ...defaults });
  expect(notReady).toBeUndefined();
  expect(tables).toEqual([
    { table: 'T0', waiting: 0, isUp: true },
    { table: 'T1', waiting: 1, isUp: false },
  ]);
});
