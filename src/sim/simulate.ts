import { cardsOfDeck } from '../rules/card.ts';
import { type Refusal, isRefused, quoteForMessage, refuse } from '../base/refusal.ts';
import { parseShoeDecks } from '../rules/shoe.ts';
import { type FrequencyTestResult, FrequencyTest } from './frequencyTest.ts';
import { type SimulationParameters, shoesPerBatch, kernelSimulator } from './play.ts';
import { type OutcomeSlots } from './outcomeSlots.ts';

/** Result of a simulation. Each finding is about the outcome slot with the same index. */
export type SimulationResult = FrequencyTestResult & Pick<OutcomeSlots, 'slots' | 'deals'>;

/** Minimum number of cards before the cutting card, and also behind the cutting card. */
const minCards = 6;
const maxShoes = 1e11;

/** Plays shoes on this thread and compares the frequency of each outcome with its exact odds. */
export function simulate(
  simulation: SimulationParameters,
  shoes: number,
): SimulationResult | Refusal | Refusal<'bad-simulation'> {
  const { game, decks, cut, seed } = simulation;
  const shoe = parseShoeDecks(game.deck, decks);
  if (isRefused(shoe)) return shoe;
  if (typeof seed !== 'string') {
    return refuse<'bad-simulation'>('bad-simulation', `seed is ${quoteForMessage(seed)}; give a text, such as "1".`);
  }
  const bounds = { cut: [minCards, cardsOfDeck(game.deck).length * decks - minCards], shoes: [1, maxShoes] } as const;
  for (const [name, value] of Object.entries({ cut, shoes })) {
    const [min, max] = bounds[name as keyof typeof bounds];
    if (!Number.isInteger(value) || value < min || value > max) {
      return refuse<'bad-simulation'>(
        'bad-simulation',
        `${name} is ${quoteForMessage(value)}; use a whole number from ${min} to ${max}.`,
      );
    }
  }
  const simulator = kernelSimulator(simulation);
  const frequencyTest = new FrequencyTest(simulator.slots);
  for (let from = 0; from < shoes; from += shoesPerBatch) {
    const count = Math.min(shoesPerBatch, shoes - from);
    frequencyTest.add(simulator.play(from, count), count);
  }
  return { ...frequencyTest.evaluate(), slots: simulator.slots.slots, deals: simulator.slots.deals };
}
