import { cardsOf } from '../rules/card.ts';
import { type Refusal, isRefused, quoted, refuse } from '../base/refusal.ts';
import { shoeOf } from '../rules/shoe.ts';
import { type Evidence, FrequencyTest } from './evidence.ts';
import { type Simulation, batchShoes, fastPlayer } from './play.ts';
import { type Slots } from './slots.ts';

/** What was counted, with what each finding is about: the slots stand in the same order. */
export type Simulated = Evidence & Pick<Slots, 'slots' | 'deals'>;

/** A round needs as many cards before the cutting card, and behind it. */
const leastCards = 6;
const mostShoes = 1e11;

/** Plays so many shoes on this thread, and weighs how often each wager paid what against its exact odds. */
export function simulate(simulation: Simulation, shoes: number): Simulated | Refusal | Refusal<'bad-simulation'> {
  const { game, decks, cut, seed } = simulation;
  const shoe = shoeOf(game.deck, decks);
  if (isRefused(shoe)) return shoe;
  if (typeof seed !== 'string') {
    return refuse<'bad-simulation'>('bad-simulation', `seed is ${quoted(seed)}; give a text, such as "1".`);
  }
  const bounds = { cut: [leastCards, cardsOf(game.deck).length * decks - leastCards], shoes: [1, mostShoes] } as const;
  for (const [name, value] of Object.entries({ cut, shoes })) {
    const [least, most] = bounds[name as keyof typeof bounds];
    if (!Number.isInteger(value) || value < least || value > most) {
      return refuse<'bad-simulation'>(
        'bad-simulation',
        `${name} is ${quoted(value)}; use a whole number from ${least} to ${most}.`,
      );
    }
  }
  const player = fastPlayer(simulation);
  const scale = new FrequencyTest(player.slots);
  for (let from = 0; from < shoes; from += batchShoes) {
    const count = Math.min(batchShoes, shoes - from);
    scale.add(player.play(from, count), count);
  }
  return { ...scale.weigh(), slots: player.slots.slots, deals: player.slots.deals };
}
