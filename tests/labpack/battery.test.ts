import { expect, test } from 'vitest';
import {
  type RandomSource,
  uniformBelow,
  createSeededRandom,
  fairShuffle,
  systemRandom,
} from '../../src/runtime/ports/random.ts';
import { shuffleVirtualShoe } from '../../src/runtime/tables/virtualShoe.ts';
import { runShuffleBattery, hasShuffleBatteryPassed } from '../../src/labpack/battery.ts';
import { FindingCollector, type FindingsVerdict } from '../../src/labpack/findings.ts';
import { testShuffleExhaustively } from '../../src/labpack/exhaustiveTest.ts';
import { type ShoeShuffle, testShuffledShoes } from '../../src/labpack/shuffledShoeTests.ts';
import { type RandomBelow, testRandomSource } from '../../src/labpack/randomSourceTests.ts';
import { allCardsOfShoe } from '../../src/rules/shoe.ts';
import { sources } from '../architecture/sources.ts';

const shoe = { deck: 'french', decks: 8 } as const;

const ofShoes = (shuffle: ShoeShuffle, shoes: number): FindingsVerdict => {
  const findings = new FindingCollector();
  testShuffledShoes(shoe, shuffle, shoes, findings);
  return findings.judge(0.01);
};

const ofSource = (below: RandomBelow, words = 100_000): FindingsVerdict => {
  const findings = new FindingCollector();
  testRandomSource(below, words, findings);
  return findings.judge(0.01);
};

const familiesOff = ({ off }: FindingsVerdict): readonly string[] => [...new Set(off.map(({ family }) => family))];

const { below } = createSeededRandom('battery');

test('the shuffle passes with fixed seeds in shoes of both decks, with uniform p-values', () => {
  const battery = runShuffleBattery({ source: { seed: 'a' }, shoe, shoes: 16_000 }, createSeededRandom('a'));
  expect(battery.verdict.off).toEqual([]);
  expect(hasShuffleBatteryPassed(battery)).toBe(true);
  expect([...battery.verdict.leftOut]).toEqual([['from shoe to shoe', 6]]);
  const { findings } = battery.verdict;
  expect(findings.length).toBe(1367);
  // Wrong expectations would bend this, long before a single test is off.
  for (const bound of [0.1, 0.5, 0.9]) {
    const share = findings.filter(({ p }) => p < bound).length / findings.length;
    expect(Math.abs(share - bound)).toBeLessThan(0.06);
  }
  const elements = runShuffleBattery(
    { source: { seed: 'b' }, shoe: { deck: 'elements', decks: 4 }, shoes: 1_000 },
    createSeededRandom('b'),
  );
  expect(hasShuffleBatteryPassed(elements)).toBe(true);
});

test('the battery gives identical figures for the same seed', () => {
  const run = (seed: string): FindingsVerdict =>
    runShuffleBattery({ source: { seed }, shoe, shoes: 300 }, createSeededRandom(seed)).verdict;
  expect(run('a')).toEqual(run('a'));
  expect(run('a')).not.toEqual(run('b'));
});

test('the battery detects a shuffle that favours some orders', () => {
  /** Each card changes places with any other: more ways than orders. */
  const naive: ShoeShuffle = (cards) => {
    const order = [...cards];
    for (let at = 0; at < order.length; at++) {
      const other = below(order.length);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    return order;
  };
  expect(familiesOff(ofShoes(naive, 5_000))).toContain('position by place before');

  /** Only the lower half is shuffled to its end. */
  const lazy: ShoeShuffle = (cards) => {
    const order = [...cards];
    for (let at = order.length - 1; at > 207; at--) {
      const other = below(at + 1);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    return order;
  };
  expect(familiesOff(ofShoes(lazy, 1_000))).toContain('position by card');
});

test('the battery detects a fixed card, repeated shoes and a rotated order', () => {
  const stays: ShoeShuffle = (cards) => [...fairShuffle(cards.slice(1), { below, salt: () => '' }), cards[0]!];
  expect(familiesOff(ofShoes(stays, 1_000))).toContain('position by card');

  let [last, times]: [readonly number[], number] = [[], 0];
  const twice: ShoeShuffle = (cards) =>
    times++ % 2 === 0 ? (last = fairShuffle(cards, { below, salt: () => '' })) : last;
  expect(ofShoes(twice, 3_000).off.length).toBeGreaterThan(0);

  let turn = 0;
  const fixed = fairShuffle(
    allCardsOfShoe(shoe).map((_, index) => index),
    { below, salt: () => '' },
  );
  const turned: ShoeShuffle = () => {
    turn = (turn + 7) % fixed.length;
    return [...fixed.slice(turn), ...fixed.slice(0, turn)];
  };
  const off = familiesOff(ofShoes(turned, 16_000));
  expect(off).toContain('pairs of positions');
  expect(off).toContain('from round to round');
});

test('the battery detects a biased source by the matching family of tests', () => {
  const words = (make: (word: number) => number): RandomBelow => {
    const next = (): number => make(below(2 ** 32)) >>> 0;
    return (limit) => (limit === 2 ** 32 ? next() : uniformBelow(limit, 2 ** 32, next));
  };
  expect(ofSource(words((word) => word)).off).toEqual([]);
  expect(familiesOff(ofSource(words((word) => word | 64)))).toContain('bits of the source');
  expect(familiesOff(ofSource(words((word) => word & ~(below(20) === 0 ? 1 << 31 : 0))))).toContain(
    'bits of the source',
  );
  let before = 0;
  // Each word follows the one before as often as not.
  const sticky = words((word) => (before = below(20) === 0 ? before : word));
  expect(familiesOff(ofSource(sticky))).toContain('serial correlation');
  let count = 0;
  const rising = familiesOff(ofSource(() => (count += 2 ** 26) % 2 ** 32));
  for (const family of ['runs', 'order', 'gap', 'poker']) expect(rising).toContain(family);
  // A byte cannot be divided by 52: the first 48 numbers come more often.
  const modulo = familiesOff(ofSource((limit) => (limit === 2 ** 32 ? below(limit) : below(256) % limit), 200_000));
  expect(modulo).toContain('ranges');
});

test('the exhaustive tests try every word and sequence of draws and find equal counts', () => {
  expect(testShuffleExhaustively()).toEqual({
    range: 256,
    limits: 256,
    uneven: [],
    shuffles: [2, 3, 4, 5, 6, 7],
    unfair: [],
  });
  const modulo = testShuffleExhaustively((limit, _range, word) => word() % limit);
  expect(modulo.uneven).toContain(52);
  expect(modulo.uneven).toHaveLength(256 - 9);
  // Sattolo's shuffle leaves nothing in its place.
  const restless = <T>(cards: readonly T[], chance: RandomSource): readonly T[] => {
    const order = [...cards];
    for (let at = order.length - 1; at > 0; at--) {
      const other = chance.below(at);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    return order;
  };
  expect(testShuffleExhaustively(uniformBelow, restless).unfair).toEqual([2, 3, 4, 5, 6, 7]);
});

test('the shoe of a floor comes from the tested shuffle and nothing else', () => {
  const hidden = shuffleVirtualShoe('S1', shoe, createSeededRandom('same'));
  expect(hidden.cards).toEqual(fairShuffle(allCardsOfShoe(shoe), createSeededRandom('same')));
});

test('the system source gives every number of a range, and another sequence each time', () => {
  const some = Array.from({ length: 2_000 }, () => systemRandom.below(6));
  expect(new Set(some)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  const row = (): string => Array.from({ length: 20 }, () => systemRandom.below(2 ** 32)).join();
  expect(row()).not.toBe(row());
  expect(systemRandom.below(1)).toBe(0);
});

test('only `punto play` and the battery take a seed; a floor uses the system source', () => {
  const naming = (name: string): readonly string[] =>
    sources('src/**/*.ts')
      .filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text.replaceAll(/'[^'\n]*'/g, '')))
      .map(({ path }) => path);
  expect(naming('createSeededRandom')).toEqual([
    'src/cli/play/play.ts',
    'src/cli/rules/labpack.ts',
    'src/runtime/ports/random.ts',
  ]);
  expect(naming('systemRandom')).toContain('src/cli/floor/serve.ts');
});
