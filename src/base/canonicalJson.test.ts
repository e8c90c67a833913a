import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { games } from '../games/registry.ts';
import { canonicalJson, hashOf } from './canonicalJson.ts';

test('the canonical form has sorted keys and no spaces', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: '中' })).toBe('{"a":"中","b":[1,{"c":"x","d":null}]}');
});

test('the order of keys does not change the hash, any value does', () => {
  expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }));
  expect(hashOf({ a: 1, b: 2 })).not.toBe(hashOf({ a: 1, b: 3 }));
});

test('the canonical form is JSON for the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('every letter of the first planes is written as JSON has it', () => {
  const texts = Array.from({ length: 0x1_1000 }, (_, code) => `a${String.fromCodePoint(code)}b`);
  const wrong = texts.filter((text) => text.isWellFormed() && canonicalJson(text) !== JSON.stringify(text));
  expect(wrong).toEqual([]);
});

/** The numbers of RFC 8785, appendix B: the bits of a double and its text. */
const numbers = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const;

test.for(numbers)('the double %s of RFC 8785 is written %s', ([bits, text]) => {
  expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
});

test('the example of RFC 8785 gives the bytes that it prints', () => {
  const example = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  const bytes =
    '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b333333333333333333' +
    '2e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c753030' +
    '30665c6e4127425c225c5c5c5c5c222f227d';
  expect(Buffer.from(canonicalJson(JSON.parse(example)), 'utf8').toString('hex')).toBe(bytes);
});

test('keys are sorted by their UTF-16 units, as in the example of RFC 8785', () => {
  const example = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    1: 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  expect([...canonicalJson(example).matchAll(/:"([^"]+)"/g)].map(([, value]) => value)).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
  expect(canonicalJson({ 2: 'b', 10: 'a' })).toBe('{"10":"a","2":"b"}');
});

const unsayable: { readonly [what: string]: unknown } = {
  nothing: undefined,
  'NaN, the double 7fffffffffffffff of RFC 8785': Number.NaN,
  'infinity, the double 7ff0000000000000 of RFC 8785': Infinity,
  'infinity below zero': -Infinity,
  'a function': () => 1,
  'a symbol': Symbol('x'),
  'a big integer': 1n,
  'the first half of a surrogate pair': 'a\ud83d',
  'the second half of a surrogate pair': '\ude00a',
  'the halves of a surrogate pair the wrong way round': '\ude00\ud83d',
  'a map': new Map(),
  'a date': new Date(0),
};

for (const [what, value] of Object.entries(unsayable)) {
  test(`canonicalJson throws for ${what} at any depth`, () => {
    for (const around of [value, { field: value }, [value], [1, { deep: [value] }]]) {
      expect(() => canonicalJson(around)).toThrow(/^Broken: /);
    }
    if (typeof value === 'string') expect(() => canonicalJson({ [value]: 1 })).toThrow(/^Broken: /);
  });
}

test('an object without a prototype is written like any other, and a list of nothing is a defect', () => {
  expect(canonicalJson(Object.assign(Object.create(null) as object, { b: 1, a: -0 }))).toBe('{"a":0,"b":1}');
  expect(() => canonicalJson(Array.from({ length: 3 }))).toThrow(/^Broken: /);
});

test('the hash is SHA-256 of that form in UTF-8', () => {
  for (const game of games) {
    const hex = createHash('sha256').update(canonicalJson(game), 'utf8').digest('hex');
    expect(hashOf(game)).toBe(`sha256:${hex}`);
  }
  expect(new Set(games.map(hashOf)).size).toBe(10);
});
