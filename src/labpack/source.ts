import { type FindingCollector } from './findings.ts';

/** A whole number from 0 up to but not including the limit. */
export type Below = (limit: number) => number;

const wordRange = 2 ** 32;

/** What a source of numbers gives, as words of 32 bits and as numbers of the ranges that shoes ask for. */
export function testSource(below: Below, words: number, findings: FindingCollector): void {
  const some = Uint32Array.from({ length: words }, () => below(wordRange));
  bits(some, findings);
  bytes(some, findings);
  order(some, findings);
  gaps(some, findings);
  hands(some, findings);
  coupons(some, findings);
  ranges(below, Math.floor(words / 4), findings);
}

function onesIn(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

function bits(words: Uint32Array, findings: FindingCollector): void {
  const places = new Float64Array(32);
  let [ones, changes, last] = [0, 0, words[0]! & 1];
  words.forEach((word, at) => {
    ones += onesIn(word);
    // Neighbours within the word, and its first bit beside the last of the word before.
    changes += onesIn((word ^ (word >>> 1)) & 0x7fffffff) + (at > 0 ? (word >>> 31) ^ last : 0);
    last = word & 1;
    for (let bit = 0; bit < 32; bit++) places[bit]! += (word >>> bit) & 1;
  });
  const all = words.length * 32;
  findings.normal('bits of the source', 'ones among all bits', ones, all / 2, all / 4);
  places.forEach((count, bit) =>
    findings.normal('bits of the source', `ones at bit ${bit}`, count, words.length / 2, words.length / 4),
  );
  findings.normal('runs', 'runs of equal bits', changes, (all - 1) / 2, (all - 1) / 4);
}

function bytes(words: Uint32Array, findings: FindingCollector): void {
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

/** What order words come in: runs up and down, orders of four, correlation with those before. */
function order(words: Uint32Array, findings: FindingCollector): void {
  const n = words.length;
  let runs = 1;
  for (let at = 2; at < n; at++) {
    if (words[at]! > words[at - 1]! !== words[at - 1]! > words[at - 2]!) runs++;
  }
  findings.normal('runs', 'runs up and down of words', runs, (2 * n - 1) / 3, (16 * n - 29) / 90);

  const orders = new Float64Array(24);
  for (let at = 0; at + 4 <= n; at += 4) orders[orderOf(words.subarray(at, at + 4))]!++;
  const fours = Math.floor(n / 4);
  findings.chiSquare('order', 'orders of four words', orders, () => fours / 24);

  for (let lag = 1; lag <= 5; lag++) {
    let sum = 0;
    for (let at = lag; at < n; at++) sum += (words[at]! / wordRange - 0.5) * (words[at - lag]! / wordRange - 0.5);
    findings.normal('serial correlation', `words, ${lag} apart`, sum, 0, (n - lag) / 144);
  }
}

/** Which of the orders of four numbers it is. */
function orderOf(four: Uint32Array): number {
  let index = 0;
  for (let at = 0; at < 4; at++) {
    let smaller = 0;
    for (let later = at + 1; later < 4; later++) if (four[later]! < four[at]!) smaller++;
    index = index * (4 - at) + smaller;
  }
  return index;
}

/** How long it takes until a word comes into the lowest or the highest sixteenth again. */
function gaps(words: Uint32Array, findings: FindingCollector): void {
  const [share, longest] = [1 / 16, 64];
  for (const [name, part] of [
    ['lowest', 0],
    ['highest', 15],
  ] as const) {
    const lengths = new Float64Array(longest + 1);
    let since = -1;
    let seen = 0;
    for (const word of words) {
      if (word >>> 28 === part) {
        if (since >= 0) {
          lengths[Math.min(since, longest)]!++;
          seen++;
        }
        since = 0;
      } else if (since >= 0) since++;
    }
    findings.chiSquare(
      'gap',
      `words of the ${name} sixteenth`,
      lengths,
      (length) => seen * (1 - share) ** length * (length === longest ? 1 : share),
    );
  }
}

/** In how many ways n things fall into so many groups, none of them empty. */
function groupings(n: number, groups: number): number {
  let row = [1];
  for (let things = 1; things <= n; things++) {
    row = Array.from({ length: things + 1 }, (_, k) => (row[k] ?? 0) * k + (row[k - 1] ?? 0));
  }
  return row[groups] ?? 0;
}

const falling = (n: number, times: number): number =>
  Array.from({ length: times }, (_, k) => n - k).reduce((product, factor) => product * factor, 1);

/** How many different digits the eight hexadecimal digits of a word have. */
function hands(words: Uint32Array, findings: FindingCollector): void {
  const fewest = 3;
  const counts = new Float64Array(9 - fewest);
  for (const word of words) {
    let seen = 0;
    for (let shift = 0; shift < 32; shift += 4) seen |= 1 << ((word >>> shift) & 15);
    counts[Math.max(onesIn(seen), fewest) - fewest]!++;
  }
  const chanceOf = (digits: number): number => (falling(16, digits) * groupings(8, digits)) / 16 ** 8;
  findings.chiSquare('poker', 'different digits of a word', counts, (cell) => {
    const digits = cell + fewest;
    const below = digits === fewest ? chanceOf(1) + chanceOf(2) : 0;
    return words.length * (chanceOf(digits) + below);
  });
}

/** How many words it takes until each of eight values of their lowest bits has come. */
function coupons(words: Uint32Array, findings: FindingCollector): void {
  const [kinds, longest] = [8, 40];
  const lengths = new Float64Array(longest - kinds + 1);
  let [seen, length, sets] = [0, 0, 0];
  for (const word of words) {
    seen |= 1 << (word & 7);
    length++;
    if (seen !== 255) continue;
    lengths[Math.min(length, longest) - kinds]!++;
    sets++;
    [seen, length] = [0, 0];
  }
  const chances = Array.from(
    { length: longest - kinds },
    (_, cell) => (falling(kinds, kinds) * groupings(cell + kinds - 1, kinds - 1)) / kinds ** (cell + kinds),
  );
  const rest = 1 - chances.reduce((sum, chance) => sum + chance, 0);
  findings.chiSquare('coupons', 'all values of three bits', lengths, (cell) => sets * (chances[cell] ?? rest));
}

/** Numbers of a range, as shuffles ask for them: the decks, and shoes of four, eight and ten of them. */
function ranges(below: Below, draws: number, findings: FindingCollector): void {
  for (const limit of [52, 65, 208, 416, 520, 650]) {
    const counts = new Float64Array(limit);
    for (let n = 0; n < draws; n++) counts[below(limit)]!++;
    findings.chiSquare('ranges', `numbers below ${limit}`, counts, () => draws / limit);
  }
}
