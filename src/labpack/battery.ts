import { type RandomSource, fairShuffle } from '../runtime/ports/random.ts';
import { type Shoe } from '../rules/shoe.ts';
import { FindingCollector, type Verdict } from './findings.ts';
import { type ExhaustiveResult, testExhaustively } from './generator.ts';
import { testShoes } from './shoes.ts';
import { testSource } from './source.ts';

/** Input of the battery: the random source and the number of shoes to shuffle. */
export type BatteryInput = {
  /** A seed, or the random source of the operating system. */
  readonly source: { readonly seed: string } | 'system';
  readonly shoe: Shoe;
  readonly shoes: number;
};

export type Battery = BatteryInput & {
  readonly words: number;
  readonly verdict: Verdict;
  readonly reduced: ExhaustiveResult;
};

/** 32-bit words tested per shoe: more than 10^8 bits with the default number of shoes. */
const wordsPerShoe = 40;

/** Family-wise error rate: probability of a false alarm over all tests together. */
const alpha = 0.01;

/** Runs all tests on the shuffle of virtual shoes and on its random source. */
export function runBattery(trial: BatteryInput, random: RandomSource): Battery {
  const findings = new FindingCollector();
  const words = trial.shoes * wordsPerShoe;
  testSource(random.below, words, findings);
  testShoes(trial.shoe, (cards) => fairShuffle(cards, random), trial.shoes, findings);
  return { ...trial, words, verdict: findings.judge(alpha), reduced: testExhaustively() };
}

export const hasPassed = ({ verdict, reduced }: Battery): boolean =>
  verdict.off.length === 0 && reduced.uneven.length === 0 && reduced.unfair.length === 0;
