import { expect, test } from 'vitest';
import { type Burst, type KeyInput, passed, pressed, quickest, quiet, waitFor } from './scanDetector.ts';

/** Types keys with a pause in milliseconds before each, then waits until all are known. */
function typed(keys: readonly (readonly [string, number])[], prefix = ''): readonly KeyInput[] {
  let burst: Burst = quiet;
  let at = 1_000;
  const heard: KeyInput[] = [];
  for (const [key, pause] of keys) {
    at += pause;
    const step = pressed(burst, key, at, prefix);
    burst = step.burst;
    heard.push(...step.heard);
  }
  return [...heard, ...passed(burst, at + 1_000, prefix).heard];
}
const each = (text: string, pause: number): (readonly [string, number])[] =>
  text.split('').map((key) => [key === '\n' ? 'Enter' : key, pause]);

test('what a person types is heard key by key, Enter included', () => {
  expect(typed(each('8H\n', 90))).toEqual([{ key: '8' }, { key: 'H' }, { key: 'Enter' }]);
});

test('a burst that ends with Enter is a scan, and its Enter is eaten', () => {
  expect(typed(each('8H\n', 5))).toEqual([{ scan: '8H' }]);
  expect(typed(each('W23-8H\n', quickest))).toEqual([{ scan: 'W23-8H' }]);
});

test('a scan behind a key that was typed takes nothing from it', () => {
  expect(typed([['9', 0], ...each('KD\n', 200).slice(0, 1), ...each('D\n', 4)])).toEqual([
    { key: '9' },
    { scan: 'KD' },
  ]);
});

test('two keys that roll over one another are typed: a scan has its Enter', () => {
  expect(typed([...each('8H', 12), ['Enter', 300]])).toEqual([{ key: '8' }, { key: 'H' }, { key: 'Enter' }]);
  expect(typed(each('\n', 0))).toEqual([{ key: 'Enter' }]);
  expect(
    typed([
      ['W', 0],
      ['Enter', 5],
    ]),
  ).toEqual([{ key: 'W' }, { key: 'Enter' }]);
});

test('a key without a letter ends what waits, and waits for nothing', () => {
  expect(
    typed([
      ['8', 0],
      ['Backspace', 4],
    ]),
  ).toEqual([{ key: '8' }, { key: 'Backspace' }]);
});

test('with its prefix a slow scanner is known as well', () => {
  expect(typed(each('~QS\n', 120), '~')).toEqual([{ scan: 'QS' }]);
  expect(typed(each('QS\n', 120), '~')).toEqual([{ key: 'Q' }, { key: 'S' }, { key: 'Enter' }]);
});

test('it is known when what waits is due', () => {
  expect(waitFor(quiet)).toBeNull();
  const { burst } = pressed(quiet, '8', 50);
  expect(waitFor(burst)).toBe(quickest + 1);
  expect(passed(burst, 50 + quickest).heard).toEqual([]);
  expect(passed(burst, 50 + quickest + 1).heard).toEqual([{ key: '8' }]);
});
