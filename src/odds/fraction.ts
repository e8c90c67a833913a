/** An exact fraction of any size in lowest terms: `over` divided by `under`. `under` is positive. */
export type Fraction = { readonly over: bigint; readonly under: bigint };

export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Makes a fraction in lowest terms. The denominator must be positive. */
export function fraction(over: bigint, under: bigint): Fraction {
  const common = gcd(over, under);
  return { over: over / common, under: under / common };
}

/** Formats a fraction exactly, such as `-43/415`. An integer has no denominator. */
export const formatFraction = ({ over, under }: Fraction): string => (under === 1n ? String(over) : `${over}/${under}`);

/** Converts a fraction to floating point. Numerator and denominator may be larger than a double can hold. */
export function fractionToNumber({ over, under }: Fraction): number {
  if (over < 0n) return -fractionToNumber({ over: -over, under });
  if (over === 0n) return 0;
  // The shift leaves at least 61 bits in the quotient, more than the 53 that a double keeps.
  const shift = Math.max(0, 64 + bits(under) - bits(over));
  return Number((over << BigInt(shift)) / under) / 2 ** shift;
}

const bits = (value: bigint): number => value.toString(16).length * 4;
