/** What PostgreSQL knows a text as. */
const textType = 25;

/** A list of texts as PostgreSQL itself sends one: nothing in it has to be quoted on one side and read on the other. */
export function encodeTextArray(values: readonly (string | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size + 4, 20));
  const isNothing = values.length === 0;
  let at = 0;
  const put = (number: number): void => void (at = bytes.writeInt32BE(number, at));
  put(isNothing ? 0 : 1);
  put(values.includes(null) ? 1 : 0);
  put(textType);
  if (isNothing) return bytes.subarray(0, at);
  put(values.length);
  put(1);
  for (const [place, value] of values.entries()) {
    put(value === null ? -1 : sizes[place]!);
    if (value !== null) at += bytes.write(value, at, 'utf8');
  }
  return bytes;
}
