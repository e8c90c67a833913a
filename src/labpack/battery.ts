import { type RandomSource, fairShuffle } from '../runtime/ports/random.ts';
import { type Shoe } from '../rules/shoe.ts';
import { FindingCollector, type Verdict } from './findings.ts';
import { type ExhaustiveResult, testExhaustively } from './generator.ts';
import { testShoes } from './shoes.ts';
import { testSource } from './source.ts';

/** What is tested: where numbers come from, and how many shoes are shuffled with them. */
export type BatteryInput = {
  /** How the source is told: its seed, or that it is the system's. */
  readonly source: { readonly seed: string } | 'system';
  readonly shoe: Shoe;
  readonly shoes: number;
};

export type Battery = BatteryInput & {
  readonly words: number;
  readonly verdict: Verdict;
  readonly reduced: ExhaustiveResult;
};

/** Words of the source that are looked at for each shoe: 10^8 bits and more with the usual number of shoes. */
const wordsPerShoe = 40;

/** How often all tests together may raise an alarm for nothing. */
const alpha = 0.01;

/** All tests, on the shuffle that deals virtual shoes and on the source that it draws from. */
export function runBattery(trial: BatteryInput, chance: RandomSource): Battery {
  const findings = new FindingCollector();
  const words = trial.shoes * wordsPerShoe;
  testSource(chance.below, words, findings);
  testShoes(trial.shoe, (cards) => fairShuffle(cards, chance), trial.shoes, findings);
  return { ...trial, words, verdict: findings.weigh(alpha), reduced: testExhaustively() };
}

export const hasPassed = ({ verdict, reduced }: Battery): boolean =>
  verdict.off.length === 0 && reduced.uneven.length === 0 && reduced.unfair.length === 0;
