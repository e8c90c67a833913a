// Functions for p-values. They use series and continued fractions.

/** Logarithm of the gamma function for positive numbers (Lanczos approximation with nine terms). */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const y = x - 1;
  const sum = terms.reduce((partial, term, index) => partial + term / (y + index + 1), 0.9999999999998099);
  const t = y + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** A term of a series that is smaller than this share of the sum no longer changes the sum. */
const epsilon = 1e-16;

/** Regularized upper incomplete gamma function Q(a, x). */
export function upperIncompleteGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; term > sum * epsilon; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - sum * scale;
  }
  // Lentz's method for the continued fraction.
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let value = d;
  for (let n = 1, change = 2; Math.abs(change - 1) > epsilon; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    change = d * c;
    value *= change;
  }
  return value * scale;
}

export const chiSquareTail = (statistic: number, freedom: number): number =>
  upperIncompleteGamma(freedom / 2, statistic / 2);

export const normalTwoSidedTail = (z: number): number => upperIncompleteGamma(0.5, (z * z) / 2);

/**
 * Holm-Bonferroni method: returns which tests fail. The family-wise error rate is at most `alpha`, whatever the
 * dependence between the tests.
 */
export function failedByHolm(p: readonly number[], alpha: number): readonly boolean[] {
  const isFailed = p.map(() => false);
  const order = p.map((_, index) => index).toSorted((a, b) => p[a]! - p[b]!);
  for (const [rank, index] of order.entries()) {
    if (p[index]! > alpha / (p.length - rank)) break;
    isFailed[index] = true;
  }
  return isFailed;
}
