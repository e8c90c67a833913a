import { bankerDrewOffset, bothDrewOffset, outcomeCellCount, playerDrewOffset } from '../odds/distribution.ts';
import { assert } from '../base/assert.ts';
import { type ShuffleKey, shuffleDrawCount } from './shuffle.ts';
import { type KernelTables } from './kernelTables.ts';
import * as w from './wasm.ts';

/** Simulation kernel in WebAssembly: plays whole shoes and counts the rounds by outcome. */
export type SimulationKernel = {
  /**
   * Plays `shoes` shoes, of which the first has number `fromShoe`. Counts every round and returns the number of rounds.
   */
  readonly play: (fromShoe: number, shoes: number) => number;
  /**
   * First the counts by outcome cell, then the counts by pair of hands. If some wager depends on both, there are other
   * counts instead: one for each combination of a pair of hands with a cell, at index pair * number of cells + cell.
   */
  readonly counters: Uint32Array;
  /**
   * Ring buffer of the last rounds, with room for at least one shoe; filled only if `keepTrace` is set. Each entry has
   * the value pair of hands * number of cells + cell.
   */
  readonly trace: Uint32Array;
};

/**
 * Length of the trace. The largest shoe has 650 cards, and a round takes at least four, so a shoe has fewer rounds
 * than this.
 */
const traceLength = 256;

/**
 * Settings of a kernel. `cards` is the size of the shoe. A new round starts only if at most `maxCardsOutAtStart` cards
 * of the shoe have been dealt. `keepTrace` records each round in the `trace` of the kernel.
 */
export type KernelSettings = {
  readonly key: ShuffleKey;
  readonly cards: number;
  readonly maxCardsOutAtStart: number;
  readonly keepTrace?: true;
};

// Memory layout: byte addresses of the tables.
const fresh = 0;
const shoe = 1024;
const points = 2048;
const draws = 2304;
const answers = 2560;
const digit = 2688;
const hands = 4096;

/**
 * Builds the kernel of a game. It is WebAssembly because the shuffle needs fast 64-bit multiplication and rotation; in
 * JavaScript only bigint has these, which is slow.
 */
export function simulationKernelFor(tables: KernelTables, setting: KernelSettings): SimulationKernel {
  const { cards } = setting;
  const size = tables.countsJointly ? tables.handPairCount * outcomeCellCount : outcomeCellCount + tables.handPairCount;
  const shift = Math.ceil(Math.log2(tables.cards.length));
  const handBytes = 4 << (2 * shift);
  const [playerHands, bankerHands, counters] = [hands, hands + handBytes, hands + 2 * handBytes];
  const trace = counters + 4 * size;
  const bytes = trace + 4 * traceLength;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });
  fillMemory(memory, tables, cards, shift, playerHands, bankerHands);

  const layout = { shift, playerHands, bankerHands, counters, trace };
  const body = functionBody(setting, layout, tables.countsJointly);
  const module = new WebAssembly.Module(w.wasmModule(['i64', 'i32'], 'i32', [...wide, ...narrow], body));
  const { run } = new WebAssembly.Instance(module, { a: { memory } }).exports as {
    run: (from: bigint, shoes: number) => number;
  };
  return {
    play: (fromShoe, shoes) => run(BigInt(fromShoe), shoes),
    counters: new Uint32Array(memory.buffer, counters, size),
    trace: new Uint32Array(memory.buffer, trace, traceLength),
  };
}

function fillMemory(
  memory: WebAssembly.Memory,
  tables: KernelTables,
  cards: number,
  shift: number,
  playerHands: number,
  bankerHands: number,
): void {
  const bytes = new Uint8Array(memory.buffer);
  const size = tables.cards.length;
  for (let place = 0; place < cards; place++) bytes[fresh + place] = place % size;
  bytes.set(tables.points, points);
  bytes.set(tables.drawsAfterFour, draws);
  new Uint16Array(memory.buffer, answers, 10).set(tables.bankerDrawsOnThird);
  for (let sum = 0; sum < 20; sum++) bytes[digit + sum] = sum % 10;
  const player = new Uint32Array(memory.buffer, playerHands, 1 << (2 * shift));
  const banker = new Uint32Array(memory.buffer, bankerHands, 1 << (2 * shift));
  for (let first = 0; first < size; first++) {
    for (let second = 0; second < size; second++) {
      player[(first << shift) | second] = tables.playerHands[first * size + second]!;
      banker[(first << shift) | second] = tables.bankerHands[first * size + second]!;
    }
  }
}

// Indexes of the two parameters, then of the local variables: five of type i64 and ten of type i32.
const [from, left, s0, s1, word, spare, half] = [0, 1, 2, 3, 4, 5, 6];
const [place, other, card, at, p, b, cell, pair, value, rounds] = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const wide: readonly w.WasmType[] = Array.from({ length: 5 }, () => 'i64');
const narrow: readonly w.WasmType[] = Array.from({ length: 10 }, () => 'i32');

const { add, and, getLocal, i32, i64, loadInt, loadByte, lowHalf, mul, or, setLocal, shl, shr, ifElse } = w;

/** Writes the next word of xoroshiro128++ to a local variable. */
const nextWord = (into: number): w.WasmCode => [
  ...setLocal(into, w.add64(w.rotateLeft64(w.add64(getLocal(s0), getLocal(s1)), i64(17n)), getLocal(s0))),
  ...setLocal(s1, w.xor64(getLocal(s1), getLocal(s0))),
  ...setLocal(
    s0,
    w.xor64(w.xor64(w.rotateLeft64(getLocal(s0), i64(49n)), getLocal(s1)), w.shl64(getLocal(s1), i64(21n))),
  ),
  ...setLocal(s1, w.rotateLeft64(getLocal(s1), i64(28n))),
];

/** Finalizer of splitmix64 on a local variable: every bit affects all others. */
const scatter = (local: number): w.WasmCode => [
  ...setLocal(local, w.mul64(w.xor64(getLocal(local), w.shr64(getLocal(local), i64(30n))), i64(0xbf58476d1ce4e5b9n))),
  ...setLocal(local, w.mul64(w.xor64(getLocal(local), w.shr64(getLocal(local), i64(27n))), i64(0x94d049bb133111ebn))),
  ...setLocal(local, w.xor64(getLocal(local), w.shr64(getLocal(local), i64(31n)))),
];

/**
 * One draw of the shuffle. `half` holds 32 random bits. The drawn card moves to `place`, and `place` advances by one.
 */
function drawCard(cards: number): w.WasmCode {
  const remaining = w.sub(i32(cards), getLocal(place));
  return [
    ...setLocal(half, w.mul64(getLocal(half), w.widenTo64(remaining))),
    ...ifElse(w.lessThan(lowHalf(getLocal(half)), remaining), [
      ...ifElse(
        w.lessThan(lowHalf(getLocal(half)), w.rem(w.sub(i32(0), remaining), remaining)),
        w.doWhile(
          [...nextWord(spare), ...setLocal(half, w.mul64(w.shr64(getLocal(spare), i64(32n)), w.widenTo64(remaining)))],
          w.lessThan(lowHalf(getLocal(half)), w.rem(w.sub(i32(0), remaining), remaining)),
        ),
      ),
    ]),
    ...setLocal(other, add(getLocal(place), lowHalf(w.shr64(getLocal(half), i64(32n))))),
    ...setLocal(card, loadByte(getLocal(other), shoe)),
    ...w.storeByte(getLocal(other), shoe, loadByte(getLocal(place), shoe)),
    ...w.storeByte(getLocal(place), shoe, getLocal(card)),
    ...setLocal(place, add(getLocal(place), i32(1))),
  ];
}

type MemoryLayout = { readonly [P in 'shift' | 'playerHands' | 'bankerHands' | 'counters' | 'trace']: number };

function functionBody(
  { key, cards, maxCardsOutAtStart, keepTrace }: KernelSettings,
  { shift, playerHands, bankerHands, counters, trace }: MemoryLayout,
  joint: boolean,
): w.WasmCode {
  assert(maxCardsOutAtStart + 6 <= cards, 'a round that starts can be finished');
  const dealtCard = (offset: number): w.WasmCode => loadByte(getLocal(at), shoe + offset);
  const hand = (first: number, second: number, table: number): w.WasmCode =>
    loadInt(shl(or(shl(dealtCard(first), i32(shift)), dealtCard(second)), i32(2)), table);
  /** Deals the next card and stores its points in `value`. */
  const third: w.WasmCode = [
    ...setLocal(value, loadByte(dealtCard(0), points)),
    ...setLocal(at, add(getLocal(at), i32(1))),
  ];
  const grow = (total: number): w.WasmCode => setLocal(total, loadByte(add(getLocal(total), getLocal(value)), digit));
  const jointIndex = add(mul(getLocal(pair), i32(outcomeCellCount)), getLocal(cell));
  const count = (counter: w.WasmCode, table: number): w.WasmCode => [
    ...setLocal(value, shl(counter, i32(2))),
    ...w.storeInt(getLocal(value), table, add(loadInt(getLocal(value), table), i32(1))),
  ];
  const cellAt = (more: number): w.WasmCode => setLocal(cell, add(getLocal(cell), i32(more)));

  const round: w.WasmCode = [
    ...setLocal(p, hand(0, 2, playerHands)),
    ...setLocal(b, hand(1, 3, bankerHands)),
    ...setLocal(pair, add(shr(getLocal(p), i32(4)), shr(getLocal(b), i32(4)))),
    ...setLocal(cell, i32(0)),
    ...setLocal(p, and(getLocal(p), i32(15))),
    ...setLocal(b, and(getLocal(b), i32(15))),
    ...setLocal(at, add(getLocal(at), i32(4))),
    ...setLocal(value, loadByte(or(shl(getLocal(p), i32(4)), getLocal(b)), draws)),
    ...ifElse(getLocal(value), [
      ...ifElse(
        w.eq(getLocal(value), i32(1)),
        [
          ...third,
          ...grow(p),
          ...ifElse(
            and(shr(w.loadShort(shl(getLocal(b), i32(1)), answers), getLocal(value)), i32(1)),
            [...third, ...grow(b), ...cellAt(bothDrewOffset)],
            cellAt(playerDrewOffset),
          ),
        ],
        [...third, ...grow(b), ...cellAt(bankerDrewOffset)],
      ),
    ]),
    ...setLocal(cell, add(add(getLocal(cell), mul(getLocal(p), i32(10))), getLocal(b))),
    ...(keepTrace ? w.storeInt(shl(and(getLocal(rounds), i32(traceLength - 1)), i32(2)), trace, jointIndex) : []),
    ...(joint
      ? count(jointIndex, counters)
      : [...count(getLocal(cell), counters), ...count(getLocal(pair), counters + 4 * outcomeCellCount)]),
    ...setLocal(rounds, add(getLocal(rounds), i32(1))),
  ];

  return [
    ...w.doWhile(
      [
        // Initial state of the random generator for this shoe, the same as `initialState` in shuffle.ts.
        ...setLocal(s0, w.add64(i64(key[0]), w.mul64(getLocal(from), i64(0x9e3779b97f4a7c15n)))),
        ...setLocal(s1, w.xor64(getLocal(s0), i64(key[1]))),
        ...scatter(s0),
        ...scatter(s1),
        ...setLocal(s0, w.xor64(getLocal(s0), i64(key[1]))),
        ...setLocal(s1, w.or64(getLocal(s1), i64(1n))),
        ...w.copyMemory(i32(shoe), i32(fresh), i32(cards)),
        ...setLocal(place, i32(0)),
        ...w.doWhile(
          [
            ...nextWord(word),
            ...setLocal(half, w.widenTo64(lowHalf(getLocal(word)))),
            ...drawCard(cards),
            ...setLocal(half, w.shr64(getLocal(word), i64(32n))),
            ...drawCard(cards),
          ],
          w.lessThan(getLocal(place), i32(shuffleDrawCount(maxCardsOutAtStart + 6, cards))),
        ),
        ...setLocal(at, i32(0)),
        ...w.doWhile(round, w.lessOrEqual(getLocal(at), i32(maxCardsOutAtStart))),
        ...setLocal(from, w.add64(getLocal(from), i64(1n))),
        ...setLocal(left, w.sub(getLocal(left), i32(1))),
      ],
      getLocal(left),
    ),
    ...getLocal(rounds),
  ];
}
