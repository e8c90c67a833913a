import { type FindingCollector } from './findings.ts';

/** Draws a random whole number from 0 up to, but not including, the limit. */
export type RandomBelow = (limit: number) => number;

const wordRange = 2 ** 32;

/** Tests a random source: its 32-bit words, and numbers in the ranges that shuffles use. */
export function testRandomSource(below: RandomBelow, words: number, findings: FindingCollector): void {
  const wordList = Uint32Array.from({ length: words }, () => below(wordRange));
  testBits(wordList, findings);
  testBytes(wordList, findings);
  testOrder(wordList, findings);
  testGaps(wordList, findings);
  testPoker(wordList, findings);
  testCoupons(wordList, findings);
  testRanges(below, Math.floor(words / 4), findings);
}

function countOnes(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

function testBits(words: Uint32Array, findings: FindingCollector): void {
  const onesByBit = new Float64Array(32);
  let [ones, changes, last] = [0, 0, words[0]! & 1];
  words.forEach((word, at) => {
    ones += countOnes(word);
    // Neighbouring bits that differ are counted. The first bit of a word is compared with the last bit of the word
    // before.
    changes += countOnes((word ^ (word >>> 1)) & 0x7fffffff) + (at > 0 ? (word >>> 31) ^ last : 0);
    last = word & 1;
    for (let bit = 0; bit < 32; bit++) onesByBit[bit]! += (word >>> bit) & 1;
  });
  const all = words.length * 32;
  findings.normal('bits of the source', 'ones among all bits', ones, all / 2, all / 4);
  onesByBit.forEach((count, bit) =>
    findings.normal('bits of the source', `ones at bit ${bit}`, count, words.length / 2, words.length / 4),
  );
  findings.normal('runs', 'runs of equal bits', changes, (all - 1) / 2, (all - 1) / 4);
}

function testBytes(words: Uint32Array, findings: FindingCollector): void {
  const single = new Float64Array(256);
  const pairs = new Float64Array(65536);
  for (const word of words) {
    for (let shift = 0; shift < 32; shift += 8) single[(word >>> shift) & 255]!++;
    pairs[word >>> 16]!++;
    pairs[word & 0xffff]!++;
  }
  findings.chiSquare('bits of the source', 'bytes', single, () => (words.length * 4) / 256);
  findings.chiSquare('bits of the source', 'pairs of bytes', pairs, () => (words.length * 2) / 65536);
}

/** Tests the order of words by runs up and down, orders of four words, and serial correlation. */
function testOrder(words: Uint32Array, findings: FindingCollector): void {
  const n = words.length;
  let runs = 1;
  for (let at = 2; at < n; at++) {
    if (words[at]! > words[at - 1]! !== words[at - 1]! > words[at - 2]!) runs++;
  }
  findings.normal('runs', 'runs up and down of words', runs, (2 * n - 1) / 3, (16 * n - 29) / 90);

  const orders = new Float64Array(24);
  for (let at = 0; at + 4 <= n; at += 4) orders[permutationRank(words.subarray(at, at + 4))]!++;
  const groupCount = Math.floor(n / 4);
  findings.chiSquare('order', 'orders of four words', orders, () => groupCount / 24);

  for (let lag = 1; lag <= 5; lag++) {
    let sum = 0;
    for (let at = lag; at < n; at++) sum += (words[at]! / wordRange - 0.5) * (words[at - lag]! / wordRange - 0.5);
    findings.normal('serial correlation', `words, ${lag} apart`, sum, 0, (n - lag) / 144);
  }
}

/** Rank of the permutation of four numbers (Lehmer code). */
function permutationRank(four: Uint32Array): number {
  let index = 0;
  for (let at = 0; at < 4; at++) {
    let smaller = 0;
    for (let later = at + 1; later < 4; later++) if (four[later]! < four[at]!) smaller++;
    index = index * (4 - at) + smaller;
  }
  return index;
}

/**
 * Gap test: counts how many words pass from one word in the lowest sixteenth of the range to the next such word. The
 * same is counted for the highest sixteenth.
 */
function testGaps(words: Uint32Array, findings: FindingCollector): void {
  const [share, maxLength] = [1 / 16, 64];
  for (const [name, part] of [
    ['lowest', 0],
    ['highest', 15],
  ] as const) {
    const lengths = new Float64Array(maxLength + 1);
    let since = -1;
    let seen = 0;
    for (const word of words) {
      if (word >>> 28 === part) {
        if (since >= 0) {
          lengths[Math.min(since, maxLength)]!++;
          seen++;
        }
        since = 0;
      } else if (since >= 0) since++;
    }
    findings.chiSquare(
      'gap',
      `words of the ${name} sixteenth`,
      lengths,
      (length) => seen * (1 - share) ** length * (length === maxLength ? 1 : share),
    );
  }
}

/** Stirling number of the second kind: number of ways to divide n items into `groups` non-empty groups. */
function stirling(n: number, groups: number): number {
  let row = [1];
  for (let items = 1; items <= n; items++) {
    row = Array.from({ length: items + 1 }, (_, k) => (row[k] ?? 0) * k + (row[k - 1] ?? 0));
  }
  return row[groups] ?? 0;
}

const fallingFactorial = (n: number, times: number): number =>
  Array.from({ length: times }, (_, k) => n - k).reduce((product, factor) => product * factor, 1);

/** Poker test: number of distinct digits among the eight hexadecimal digits of a word. */
function testPoker(words: Uint32Array, findings: FindingCollector): void {
  const minDigits = 3;
  const counts = new Float64Array(9 - minDigits);
  for (const word of words) {
    let seen = 0;
    for (let shift = 0; shift < 32; shift += 4) seen |= 1 << ((word >>> shift) & 15);
    counts[Math.max(countOnes(seen), minDigits) - minDigits]!++;
  }
  const probabilityOf = (digits: number): number => (fallingFactorial(16, digits) * stirling(8, digits)) / 16 ** 8;
  findings.chiSquare('poker', 'different digits of a word', counts, (cell) => {
    const digits = cell + minDigits;
    const belowMin = digits === minDigits ? probabilityOf(1) + probabilityOf(2) : 0;
    return words.length * (probabilityOf(digits) + belowMin);
  });
}

/** Coupon collector's test: number of words until each value of the lowest three bits has occurred. */
function testCoupons(words: Uint32Array, findings: FindingCollector): void {
  const [kinds, maxLength] = [8, 40];
  const lengths = new Float64Array(maxLength - kinds + 1);
  let [seen, length, sets] = [0, 0, 0];
  for (const word of words) {
    seen |= 1 << (word & 7);
    length++;
    if (seen !== 255) continue;
    lengths[Math.min(length, maxLength) - kinds]!++;
    sets++;
    [seen, length] = [0, 0];
  }
  const probabilities = Array.from(
    { length: maxLength - kinds },
    (_, cell) => (fallingFactorial(kinds, kinds) * stirling(cell + kinds - 1, kinds - 1)) / kinds ** (cell + kinds),
  );
  const rest = 1 - probabilities.reduce((sum, probability) => sum + probability, 0);
  findings.chiSquare('coupons', 'all values of three bits', lengths, (cell) => sets * (probabilities[cell] ?? rest));
}

/**
 * Tests that numbers are uniform in ranges that shuffles use: the sizes of one French deck and one Elements deck, of
 * four, eight and ten French decks, and of ten Elements decks.
 */
function testRanges(below: RandomBelow, draws: number, findings: FindingCollector): void {
  for (const limit of [52, 65, 208, 416, 520, 650]) {
    const counts = new Float64Array(limit);
    for (let n = 0; n < draws; n++) counts[below(limit)]!++;
    findings.chiSquare('ranges', `numbers below ${limit}`, counts, () => draws / limit);
  }
}
