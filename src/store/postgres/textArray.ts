const textOid = 25;

/** Encodes a PostgreSQL text[] in its binary format, which needs no quoting. */
export function encodeTextArray(values: readonly (string | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size + 4, 20));
  const isEmpty = values.length === 0;
  let offset = 0;
  const putInt32 = (number: number): void => void (offset = bytes.writeInt32BE(number, offset));
  putInt32(isEmpty ? 0 : 1);
  putInt32(values.includes(null) ? 1 : 0);
  putInt32(textOid);
  if (isEmpty) return bytes.subarray(0, offset);
  putInt32(values.length);
  putInt32(1);
  for (const [index, value] of values.entries()) {
    putInt32(value === null ? -1 : sizes[index]!);
    if (value !== null) offset += bytes.write(value, offset, 'utf8');
  }
  return bytes;
}
