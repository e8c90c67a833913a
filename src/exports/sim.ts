// Entry point `punto/sim`: simulated shoes from a seed, tested against the exact odds.
export { type Batch, type Simulation, batchShoes, dealsOf, fastPlayer, rulesPlayer } from '../sim/play.ts';
export { type Evidence, FrequencyTest } from '../sim/evidence.ts';
export { type Simulated, simulate } from '../sim/simulate.ts';
export { type Slots } from '../sim/slots.ts';
export { type Key, keyOf, shuffled } from '../sim/random.ts';
