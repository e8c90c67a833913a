import { expect, test } from 'vitest';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { standingOf } from './readiness.ts';

/** A floor of tables, each able to record or not, stopped or not. */
const floorOf = (...tables: readonly { canRecord: boolean; isStopped: boolean }[]): FloorRuntime =>
  ({ tables: new Map(tables.map((one, n) => [`T${n}`, { id: `T${n}`, runner: { ...one, waiting: n } }])) }) as never;

const [up, halted, stopped] = [
  { canRecord: true, isStopped: false },
  { canRecord: false, isStopped: false },
  { canRecord: false, isStopped: true },
];
const whole = { isReady: true, isLost: false, isFailing: false, silent: 900, callers: [] };
const codeOf = (parts: Partial<Parameters<typeof standingOf>[0]>): string | undefined =>
  standingOf({ floor: floorOf(up, up), ...whole, ...parts }).unready?.code;

test('a floor is ready that is open, beats, and whose tables can record', () => {
  expect(codeOf({})).toBeUndefined();
  expect(codeOf({ isReady: false })).toBe('server-closing');
  expect(codeOf({ isLost: true, isReady: false })).toBe('record-lost');
  expect(codeOf({ floor: floorOf(up, halted) })).toBe('cannot-record');
});

test('a record that does not answer is as good as one that fails', () => {
  expect(codeOf({ silent: 5_001 })).toBe('cannot-record');
  expect(codeOf({ silent: Infinity })).toBe('cannot-record');
  expect(codeOf({ silent: 5_000 })).toBeUndefined();
});

test('one table that a defect has stopped is told of by itself, and the others are played at', () => {
  const { unready, tables } = standingOf({ floor: floorOf(up, stopped), ...whole });
  expect(unready).toBeUndefined();
  expect(tables).toEqual([
    { table: 'T0', waiting: 0, isUp: true },
    { table: 'T1', waiting: 1, isUp: false },
  ]);
});
