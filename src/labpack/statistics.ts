// How likely a figure is by chance alone, by our own arithmetic: series and continued fractions, to about twelve digits.

/** The logarithm of the gamma function by Lanczos's sum of nine terms, for positive numbers. */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const y = x - 1;
  const sum = terms.reduce((all, term, place) => all + term / (y + place + 1), 0.9999999999998099);
  const t = y + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Below this a further term changes nothing. */
const least = 1e-16;

/** The part of the gamma integral of `a` that lies above `x`. */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; term > sum * least; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - sum * scale;
  }
  // Lentz's way through the continued fraction.
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let value = d;
  for (let n = 1, change = 2; Math.abs(change - 1) > least; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    change = d * c;
    value *= change;
  }
  return value * scale;
}

/** How often chance gives a chi-square of that size or larger. */
export const chiSquareTail = (statistic: number, freedom: number): number => upperGamma(freedom / 2, statistic / 2);

/** How often chance is off by that many standard deviations or more, to either side. */
export const normalTwoSidedTail = (z: number): number => upperGamma(0.5, (z * z) / 2);

/**
 * Whether each of many tests is off, so that all of them together raise a false alarm with probability `alpha` at most,
 * however they hang together: Holm's way, the smallest p first, each held to a bound that grows.
 */
export function failedByHolm(p: readonly number[], alpha: number): readonly boolean[] {
  const off = p.map(() => false);
  const order = p.map((_, place) => place).toSorted((a, b) => p[a]! - p[b]!);
  for (const [rank, place] of order.entries()) {
    if (p[place]! > alpha / (p.length - rank)) break;
    off[place] = true;
  }
  return off;
}
