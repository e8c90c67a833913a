import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

// Reference shuffle of a simulation. The kernel must give the same cards. The order of a shoe depends only on the
// seed, the number of the shoe and its size.

/** Shuffle key: 128 bits derived from a seed. */
export type ShuffleKey = readonly [bigint, bigint];

const mask = (1n << 64n) - 1n;

export function shuffleKeyOf(seed: string): ShuffleKey {
  const view = new DataView(sha256(utf8ToBytes(seed)).buffer);
  return [view.getBigUint64(0, true), view.getBigUint64(8, true)];
}

/** Finalizer of splitmix64: a bijection that mixes all bits. */
function mix64(value: bigint): bigint {
  let x = value & mask;
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & mask;
  return x ^ (x >> 31n);
}

const goldenGamma = 0x9e3779b97f4a7c15n;

function initialState([first, second]: ShuffleKey, shoe: number): { s0: bigint; s1: bigint } {
  const at = (first + BigInt(shoe) * goldenGamma) & mask;
  // Setting the lowest bit keeps the state from being all zeros.
  return { s0: mix64(at) ^ second, s1: mix64(at ^ second) | 1n };
}

const rotateLeft = (x: bigint, by: bigint): bigint => ((x << by) | (x >> (64n - by))) & mask;

/** Random generator xoroshiro128++: yields 64 bits at a time. */
function* randomWords({ s0, s1 }: { s0: bigint; s1: bigint }): Generator<bigint, never> {
  for (;;) {
    yield (rotateLeft((s0 + s1) & mask, 17n) + s0) & mask;
    s1 ^= s0;
    s0 = rotateLeft(s0, 49n) ^ s1 ^ ((s1 << 21n) & mask);
    s1 = rotateLeft(s1, 28n);
  }
}

/**
 * Number of draws needed to shuffle the first `dealt` cards. The last card of a shoe needs no draw. The number is
 * even, since a random word gives two draws.
 */
export function shuffleDrawCount(dealt: number, cards: number): number {
  const draws = Math.min(dealt, cards - 1);
  return draws + (draws % 2);
}

/**
 * Fisher-Yates shuffle without bias: the first `dealt` cards of a shoe, as indexes into the deck. A random word gives
 * two draws, the lower half first. If a draw would cause bias, it is repeated with the upper half of a new word.
 */
export function shuffledCardIndexes(
  key: ShuffleKey,
  shoe: number,
  cards: number,
  deckSize: number,
  dealt: number,
): Uint8Array {
  const order = Uint8Array.from({ length: cards }, (_, index) => index % deckSize);
  const words = randomWords(initialState(key, shoe));
  let word = 0n;
  for (let index = 0; index < shuffleDrawCount(dealt, cards); index++) {
    if (index % 2 === 0) word = words.next().value;
    const left = cards - index;
    const biasedBelow = 2 ** 32 % left;
    let product = Number(index % 2 === 0 ? word & 0xffffffffn : word >> 32n) * left;
    while (product % 2 ** 32 < biasedBelow) product = Number(words.next().value >> 32n) * left;
    const other = index + Math.floor(product / 2 ** 32);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order.subarray(0, dealt);
}
