import { bankerDrew, bothDrew, cells, playerDrew } from '../odds/distribution.ts';
import { assert } from '../base/assert.ts';
import { type Key, drawsFor } from './random.ts';
import { type Tables } from './tables.ts';
import * as w from './wasm.ts';

/** Simulation kernel: plays whole shoes and counts rounds. */
export type Kernel = {
  /** Plays `shoes` shoes, starting with `fromShoe`, counts each round, and returns the number of rounds. */
  readonly play: (fromShoe: number, shoes: number) => number;
  /** Counts by cell, then by pair of hands; when a wager uses both together, by hands * cells + cell. */
  readonly counters: Uint32Array;
  /** Ring of the last rounds, one shoe long: hands * cells + cell. */
  readonly trace: Uint32Array;
};

/** More rounds than a shoe has: 650 cards, four to a round. */
const traceLength = 256;

/** A round starts while at most `last` cards are out. */
export type KernelSettings = {
  readonly key: Key;
  readonly cards: number;
  readonly last: number;
  readonly keepTrace?: true;
};

// Memory layout.
const fresh = 0;
const shoe = 1024;
const points = 2048;
const draws = 2304;
const answers = 2560;
const digit = 2688;
const hands = 4096;

/** WebAssembly has 64-bit multiplication and rotation: more than twice as fast as JavaScript. */
export function kernelFor(tables: Tables, setting: KernelSettings): Kernel {
  const { cards } = setting;
  const size = tables.joint ? tables.hands * cells : cells + tables.hands;
  const shift = Math.ceil(Math.log2(tables.cards.length));
  const handBytes = 4 << (2 * shift);
  const [playerHands, bankerHands, counters] = [hands, hands + handBytes, hands + 2 * handBytes];
  const trace = counters + 4 * size;
  const bytes = trace + 4 * traceLength;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });
  fillMemory(memory, tables, cards, shift, playerHands, bankerHands);

  const layout = { shift, playerHands, bankerHands, counters, trace };
  const body = functionBody(setting, layout, tables.joint);
  const module = new WebAssembly.Module(w.moduleOf(['i64', 'i32'], 'i32', [...wide, ...narrow], body));
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
  tables: Tables,
  cards: number,
  shift: number,
  playerHands: number,
  bankerHands: number,
): void {
  const bytes = new Uint8Array(memory.buffer);
  const size = tables.cards.length;
  for (let place = 0; place < cards; place++) bytes[fresh + place] = place % size;
  bytes.set(tables.points, points);
  bytes.set(tables.draws, draws);
  new Uint16Array(memory.buffer, answers, 10).set(tables.answers);
  for (let sum = 0; sum < 20; sum++) bytes[digit + sum] = sum % 10;
  const player = new Uint32Array(memory.buffer, playerHands, 1 << (2 * shift));
  const banker = new Uint32Array(memory.buffer, bankerHands, 1 << (2 * shift));
  for (let first = 0; first < size; first++) {
    for (let second = 0; second < size; second++) {
      player[(first << shift) | second] = tables.player[first * size + second]!;
      banker[(first << shift) | second] = tables.banker[first * size + second]!;
    }
  }
}

// Parameters and locals by number, in the order of their types below.
const [from, left, s0, s1, word, spare, half] = [0, 1, 2, 3, 4, 5, 6];
const [place, other, card, at, p, b, cell, pair, value, rounds] = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const wide: readonly w.Type[] = Array.from({ length: 5 }, () => 'i64');
const narrow: readonly w.Type[] = Array.from({ length: 10 }, () => 'i32');

const { add, and, get, i32, i64, intAt, byteAt, low, mul, or, set, shl, shr, when } = w;

/** The next word of xoroshiro128++ into a local. */
const nextWord = (into: number): w.Code => [
  ...set(into, w.add64(w.turn64(w.add64(get(s0), get(s1)), i64(17n)), get(s0))),
  ...set(s1, w.xor64(get(s1), get(s0))),
  ...set(s0, w.xor64(w.xor64(w.turn64(get(s0), i64(49n)), get(s1)), w.shl64(get(s1), i64(21n)))),
  ...set(s1, w.turn64(get(s1), i64(28n))),
];

/** splitmix64's finish: scatters every bit of a local over all others. */
const scatter = (local: number): w.Code => [
  ...set(local, w.mul64(w.xor64(get(local), w.shr64(get(local), i64(30n))), i64(0xbf58476d1ce4e5b9n))),
  ...set(local, w.mul64(w.xor64(get(local), w.shr64(get(local), i64(27n))), i64(0x94d049bb133111ebn))),
  ...set(local, w.xor64(get(local), w.shr64(get(local), i64(31n)))),
];

/** One draw of the shuffle: `half` holds 32 random bits; the card moves to `place`, which advances. */
function drawCard(cards: number): w.Code {
  const remaining = w.sub(i32(cards), get(place));
  return [
    ...set(half, w.mul64(get(half), w.widen(remaining))),
    ...when(w.lessThan(low(get(half)), remaining), [
      ...when(
        w.lessThan(low(get(half)), w.rem(w.sub(i32(0), remaining), remaining)),
        w.repeat(
          [...nextWord(spare), ...set(half, w.mul64(w.shr64(get(spare), i64(32n)), w.widen(remaining)))],
          w.lessThan(low(get(half)), w.rem(w.sub(i32(0), remaining), remaining)),
        ),
      ),
    ]),
    ...set(other, add(get(place), low(w.shr64(get(half), i64(32n))))),
    ...set(card, byteAt(get(other), shoe)),
    ...w.setByte(get(other), shoe, byteAt(get(place), shoe)),
    ...w.setByte(get(place), shoe, get(card)),
    ...set(place, add(get(place), i32(1))),
  ];
}

type MemoryLayout = { readonly [P in 'shift' | 'playerHands' | 'bankerHands' | 'counters' | 'trace']: number };

function functionBody(
  { key, cards, last, keepTrace }: KernelSettings,
  { shift, playerHands, bankerHands, counters, trace }: MemoryLayout,
  joint: boolean,
): w.Code {
  assert(last + 6 <= cards, 'a round that starts can be finished');
  const dealtCard = (offset: number): w.Code => byteAt(get(at), shoe + offset);
  const hand = (first: number, second: number, table: number): w.Code =>
    intAt(shl(or(shl(dealtCard(first), i32(shift)), dealtCard(second)), i32(2)), table);
  /** Draws the next card; its points go to `value`. */
  const third: w.Code = [...set(value, byteAt(dealtCard(0), points)), ...set(at, add(get(at), i32(1)))];
  const grow = (total: number): w.Code => set(total, byteAt(add(get(total), get(value)), digit));
  const jointIndex = add(mul(get(pair), i32(cells)), get(cell));
  const count = (counter: w.Code, table: number): w.Code => [
    ...set(value, shl(counter, i32(2))),
    ...w.setInt(get(value), table, add(intAt(get(value), table), i32(1))),
  ];
  const cellAt = (more: number): w.Code => set(cell, add(get(cell), i32(more)));

  const round: w.Code = [
    ...set(p, hand(0, 2, playerHands)),
    ...set(b, hand(1, 3, bankerHands)),
    ...set(pair, add(shr(get(p), i32(4)), shr(get(b), i32(4)))),
    ...set(cell, i32(0)),
    ...set(p, and(get(p), i32(15))),
    ...set(b, and(get(b), i32(15))),
    ...set(at, add(get(at), i32(4))),
    ...set(value, byteAt(or(shl(get(p), i32(4)), get(b)), draws)),
    ...when(get(value), [
      ...when(
        w.eq(get(value), i32(1)),
        [
          ...third,
          ...grow(p),
          ...when(
            and(shr(w.shortAt(shl(get(b), i32(1)), answers), get(value)), i32(1)),
            [...third, ...grow(b), ...cellAt(bothDrew)],
            cellAt(playerDrew),
          ),
        ],
        [...third, ...grow(b), ...cellAt(bankerDrew)],
      ),
    ]),
    ...set(cell, add(add(get(cell), mul(get(p), i32(10))), get(b))),
    ...(keepTrace ? w.setInt(shl(and(get(rounds), i32(traceLength - 1)), i32(2)), trace, jointIndex) : []),
    ...(joint
      ? count(jointIndex, counters)
      : [...count(get(cell), counters), ...count(get(pair), counters + 4 * cells)]),
    ...set(rounds, add(get(rounds), i32(1))),
  ];

  return [
    ...w.repeat(
      [
        // Generator state of this shoe: see initialState.
        ...set(s0, w.add64(i64(key[0]), w.mul64(get(from), i64(0x9e3779b97f4a7c15n)))),
        ...set(s1, w.xor64(get(s0), i64(key[1]))),
        ...scatter(s0),
        ...scatter(s1),
        ...set(s0, w.xor64(get(s0), i64(key[1]))),
        ...set(s1, w.or64(get(s1), i64(1n))),
        ...w.copy(i32(shoe), i32(fresh), i32(cards)),
        ...set(place, i32(0)),
        ...w.repeat(
          [
            ...nextWord(word),
            ...set(half, w.widen(low(get(word)))),
            ...drawCard(cards),
            ...set(half, w.shr64(get(word), i64(32n))),
            ...drawCard(cards),
          ],
          w.lessThan(get(place), i32(drawsFor(last + 6, cards))),
        ),
        ...set(at, i32(0)),
        ...w.repeat(round, w.lessOrEqual(get(at), i32(last))),
        ...set(from, w.add64(get(from), i64(1n))),
        ...set(left, w.sub(get(left), i32(1))),
      ],
      get(left),
    ),
    ...get(rounds),
  ];
}
