import { type RandomSource, fairShuffle } from '../runtime/ports/random.ts';
import { type ShoeDecks } from '../rules/shoe.ts';
import { FindingCollector, type FindingsVerdict } from './findings.ts';
import { type ExhaustiveShuffleTestResult, testShuffleExhaustively } from './exhaustiveTest.ts';
import { testShuffledShoes } from './shuffledShoeTests.ts';
import { testRandomSource } from './randomSourceTests.ts';

export type ShuffleBatteryInput = {
  /** A seed, or `system` for the random source of the operating system. */
  readonly source: { readonly seed: string } | 'system';
  readonly shoe: ShoeDecks;
  readonly shoes: number;
};

export type ShuffleBatteryResult = ShuffleBatteryInput & {
  readonly words: number;
  readonly verdict: FindingsVerdict;
  readonly reduced: ExhaustiveShuffleTestResult;
};

/** Number of 32-bit words tested per shoe. With the default number of shoes more than 10^8 bits are tested. */
const wordsPerShoe = 40;

/** Family-wise error rate: the probability that a correct shuffle fails, over all tests together. */
const alpha = 0.01;

/** Runs all tests of the shuffle of virtual shoes and of its random source. */
export function runShuffleBattery(trial: ShuffleBatteryInput, random: RandomSource): ShuffleBatteryResult {
  const findings = new FindingCollector();
  const words = trial.shoes * wordsPerShoe;
  testRandomSource(random.below, words, findings);
  testShuffledShoes(trial.shoe, (cards) => fairShuffle(cards, random), trial.shoes, findings);
  return { ...trial, words, verdict: findings.judge(alpha), reduced: testShuffleExhaustively() };
}

export const hasShuffleBatteryPassed = ({ verdict, reduced }: ShuffleBatteryResult): boolean =>
  verdict.off.length === 0 && reduced.uneven.length === 0 && reduced.unfair.length === 0;
