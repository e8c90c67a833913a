// Entry point `punto/sim`: simulated shoes from a seed, tested against the exact odds.
export {
  type BatchCounts,
  type SimulationParameters,
  shoesPerBatch,
  dealsOfShoe,
  kernelSimulator,
  rulesSimulator,
} from '../sim/play.ts';
export { type FrequencyTestResult, FrequencyTest } from '../sim/frequencyTest.ts';
export { type SimulationResult, simulate } from '../sim/simulate.ts';
export { type OutcomeSlots } from '../sim/outcomeSlots.ts';
export { type ShuffleKey, shuffleKeyOf, shuffledCardIndexes } from '../sim/shuffle.ts';
