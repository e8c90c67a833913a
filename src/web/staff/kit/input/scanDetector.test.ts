import { expect, test } from 'vitest';
import {
  type KeyBurst,
  type KeyOrScan,
  flushBurst,
  addKeyToBurst,
  maxScanGapMs,
  emptyBurst,
  flushDelayMs,
} from './scanDetector.ts';

/** Types keys, each after its pause in milliseconds, and returns the keys and scans that the detector reports. */
function inputsFor(keys: readonly (readonly [string, number])[], prefix = ''): readonly KeyOrScan[] {
  let burst: KeyBurst = emptyBurst;
  let at = 1_000;
  const inputs: KeyOrScan[] = [];
  for (const [key, pause] of keys) {
    at += pause;
    const step = addKeyToBurst(burst, key, at, prefix);
    burst = step.burst;
    inputs.push(...step.inputs);
  }
  return [...inputs, ...flushBurst(burst, at + 1_000, prefix).inputs];
}
const each = (text: string, pause: number): (readonly [string, number])[] =>
  text.split('').map((key) => [key === '\n' ? 'Enter' : key, pause]);

test('typing by hand is reported key by key, Enter included', () => {
  expect(inputsFor(each('8H\n', 90))).toEqual([{ key: '8' }, { key: 'H' }, { key: 'Enter' }]);
});

test('a burst that ends with Enter is a scan, and its Enter is not reported', () => {
  expect(inputsFor(each('8H\n', 5))).toEqual([{ scan: '8H' }]);
  expect(inputsFor(each('W23-8H\n', maxScanGapMs))).toEqual([{ scan: 'W23-8H' }]);
});

test('a scan does not include the key that was typed before it', () => {
  expect(inputsFor([['9', 0], ...each('KD\n', 200).slice(0, 1), ...each('D\n', 4)])).toEqual([
    { key: '9' },
    { scan: 'KD' },
  ]);
});

test('two fast keys without Enter are no scan', () => {
  expect(inputsFor([...each('8H', 12), ['Enter', 300]])).toEqual([{ key: '8' }, { key: 'H' }, { key: 'Enter' }]);
  expect(inputsFor(each('\n', 0))).toEqual([{ key: 'Enter' }]);
  expect(
    inputsFor([
      ['W', 0],
      ['Enter', 5],
    ]),
  ).toEqual([{ key: 'W' }, { key: 'Enter' }]);
});

test('a key without a character ends a burst and is reported at once', () => {
  expect(
    inputsFor([
      ['8', 0],
      ['Backspace', 4],
    ]),
  ).toEqual([{ key: '8' }, { key: 'Backspace' }]);
});

test('a slow scanner is recognised by its prefix', () => {
  expect(inputsFor(each('~QS\n', 120), '~')).toEqual([{ scan: 'QS' }]);
  expect(inputsFor(each('QS\n', 120), '~')).toEqual([{ key: 'Q' }, { key: 'S' }, { key: 'Enter' }]);
});

test('keys held back are reported after the longest pause of a scan', () => {
  expect(flushDelayMs(emptyBurst)).toBeNull();
  const { burst } = addKeyToBurst(emptyBurst, '8', 50);
  expect(flushDelayMs(burst)).toBe(maxScanGapMs + 1);
  expect(flushBurst(burst, 50 + maxScanGapMs).inputs).toEqual([]);
  expect(flushBurst(burst, 50 + maxScanGapMs + 1).inputs).toEqual([{ key: '8' }]);
});
