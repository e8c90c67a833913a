// Minimal WebAssembly assembler. Except for `wasmModule`, each function returns the bytes of an expression or a
// statement.

export type WasmCode = readonly number[];

/** Signed LEB128 encoding of an integer. */
function signed(value: bigint): WasmCode {
  const bytes: number[] = [];
  for (let rest = value; ;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

function unsigned(value: number): WasmCode {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

const types = { i32: 0x7f, i64: 0x7e } as const;
export type WasmType = keyof typeof types;

const binary =
  (op: number) =>
  (a: WasmCode, b: WasmCode): WasmCode => [...a, ...b, op];

export const i32 = (value: number): WasmCode => [0x41, ...signed(BigInt(value | 0))];
export const i64 = (value: bigint): WasmCode => [0x42, ...signed(BigInt.asIntN(64, value))];
export const getLocal = (local: number): WasmCode => [0x20, ...unsigned(local)];
export const setLocal = (local: number, value: WasmCode): WasmCode => [...value, 0x21, ...unsigned(local)];

export const add = binary(0x6a);
export const sub = binary(0x6b);
export const mul = binary(0x6c);
export const and = binary(0x71);
export const or = binary(0x72);
export const shl = binary(0x74);
export const shr = binary(0x76);
export const rem = binary(0x70);
export const eq = binary(0x46);
export const lessThan = binary(0x49);
export const lessOrEqual = binary(0x4d);

export const add64 = binary(0x7c);
export const mul64 = binary(0x7e);
export const xor64 = binary(0x85);
export const or64 = binary(0x84);
export const shl64 = binary(0x86);
export const shr64 = binary(0x88);
export const rotateLeft64 = binary(0x89);

export const lowHalf = (a: WasmCode): WasmCode => [...a, 0xa7];
export const widenTo64 = (a: WasmCode): WasmCode => [...a, 0xad];

/**
 * Loads one byte at an address plus a constant offset. The other load and store functions use these two parameters in
 * the same way.
 */
export const loadByte = (address: WasmCode, offset = 0): WasmCode => [...address, 0x2d, 0, ...unsigned(offset)];
export const loadShort = (address: WasmCode, offset = 0): WasmCode => [...address, 0x2f, 1, ...unsigned(offset)];
export const loadInt = (address: WasmCode, offset = 0): WasmCode => [...address, 0x28, 2, ...unsigned(offset)];
export const storeByte = (address: WasmCode, offset: number, value: WasmCode): WasmCode => [
  ...address,
  ...value,
  0x3a,
  0,
  ...unsigned(offset),
];
export const storeInt = (address: WasmCode, offset: number, value: WasmCode): WasmCode => [
  ...address,
  ...value,
  0x36,
  2,
  ...unsigned(offset),
];
export const copyMemory = (to: WasmCode, from: WasmCode, length: WasmCode): WasmCode => [
  ...to,
  ...from,
  ...length,
  0xfc,
  0x0a,
  0,
  0,
];

export const ifElse = (condition: WasmCode, then: WasmCode, otherwise?: WasmCode): WasmCode => [
  ...condition,
  0x04,
  0x40,
  ...then,
  ...(otherwise ? [0x05, ...otherwise] : []),
  0x0b,
];

/** Do-while loop: runs the body, and runs it again as long as the condition is true. */
export const doWhile = (body: WasmCode, whileTrue: WasmCode): WasmCode => [
  0x03,
  0x40,
  ...body,
  ...whileTrue,
  0x0d,
  0,
  0x0b,
];

const section = (id: number, body: WasmCode): WasmCode => [id, ...unsigned(body.length), ...body];
const text = (name: string): WasmCode => [name.length, ...name.split('').map((letter) => letter.charCodeAt(0))];

const header: WasmCode = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** A WebAssembly module that imports its memory and exports one function, `run`. */
export function wasmModule(
  params: readonly WasmType[],
  result: WasmType,
  locals: readonly WasmType[],
  body: WasmCode,
): Uint8Array<ArrayBuffer> {
  const typeList = (list: readonly WasmType[]): WasmCode => [list.length, ...list.map((type) => types[type])];
  const localList = [locals.length, ...locals.flatMap((type) => [1, types[type]])];
  const code = [...localList, ...body, 0x0b];
  return Uint8Array.from([
    ...header,
    ...section(1, [1, 0x60, ...typeList(params), ...typeList([result])]),
    ...section(2, [1, ...text('a'), ...text('memory'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('run'), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}
