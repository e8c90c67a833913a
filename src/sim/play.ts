import { freshShoe } from '../odds/composition.ts';
import { isRefused } from '../base/refusal.ts';
import { outcomeCellCount } from '../odds/distribution.ts';
import { type Card, cardsOf } from '../rules/card.ts';
import { type Deal, dealOf } from '../rules/deal.ts';
import { type Game } from '../rules/game.ts';
import { nextSlot } from '../rules/play.ts';
import { simulationKernelFor } from './kernel.ts';
import { type ShuffleKey, shuffleKeyOf, shuffledCardIndexes } from './shuffle.ts';
import { type OutcomeSlots, outcomeSlotsFor } from './outcomeSlots.ts';
import { type KernelTables, kernelTablesFor } from './kernelTables.ts';

/** Shoe i of a seed, with a cutting card `cut` cards before the end. */
export type SimulationParameters = {
  readonly game: Game;
  readonly decks: number;
  readonly cut: number;
  readonly seed: string;
};

/** Shoes are tested in batches, since rounds of one shoe are correlated. */
export const shoesPerBatch = 1000;

export type BatchCounts = { readonly rounds: number; readonly counts: Float64Array };

/** Messages of a worker: start data, one order, its result. */
export type WorkerTask = { readonly simulation: SimulationParameters; readonly through: 'kernel' | 'rules' };
export type BatchOrder = { readonly batch: number; readonly fromShoe: number; readonly shoes: number };
export type BatchResult = BatchOrder & BatchCounts;

type Player = { readonly slots: OutcomeSlots; readonly play: (fromShoe: number, shoes: number) => BatchCounts };

/** A round starts while at most this many cards are out. [READING 23] */
const maxCardsOutAtStart = ({ game, decks, cut }: SimulationParameters): number =>
  cardsOf(game.deck).length * decks - cut;

const slotsOfSimulation = ({ game, decks }: SimulationParameters): OutcomeSlots =>
  outcomeSlotsFor(game, freshShoe({ deck: game.deck, decks }));

/** Plays by the kernel and maps its counters to slots. */
export function kernelSimulator(simulation: SimulationParameters): Player {
  const tables = kernelTablesFor(simulation.game);
  const cards = tables.cards.length * simulation.decks;
  const kernel = simulationKernelFor(tables, {
    key: shuffleKeyOf(simulation.seed),
    cards,
    last: maxCardsOutAtStart(simulation),
  });
  const slots = slotsOfSimulation(simulation);
  const countSlots = slotCounter(tables, slots);
  return {
    slots,
    play: (fromShoe, shoes) => {
      kernel.counters.fill(0);
      const rounds = kernel.play(fromShoe, shoes);
      return { rounds, counts: countSlots(kernel.counters) };
    },
  };
}

/** Maps counters to slot counts; the slots of a counter are memoized. */
function slotCounter({ joint, factsOf }: KernelTables, slots: OutcomeSlots): (counters: Uint32Array) => Float64Array {
  const slotsByCounter: (readonly number[] | undefined)[] = [];
  const slotsOf = (counter: number): readonly number[] => {
    if (joint) return slots.of(factsOf(Math.trunc(counter / outcomeCellCount), counter % outcomeCellCount));
    return counter < outcomeCellCount
      ? slots.of(factsOf(0, counter), 'outcome')
      : slots.of(factsOf(counter - outcomeCellCount, 0), 'first four');
  };
  return (counters) => {
    const counts = new Float64Array(slots.slots.length);
    counters.forEach((count, counter) => {
      if (count > 0) for (const slot of (slotsByCounter[counter] ??= slotsOf(counter))) counts[slot]! += count;
    });
    return counts;
  };
}

/** Plays by the code that settles rounds: slow, but independent of the kernel. */
export function rulesSimulator(simulation: SimulationParameters): Player {
  const key = shuffleKeyOf(simulation.seed);
  const slots = slotsOfSimulation(simulation);
  return {
    slots,
    play: (fromShoe, shoes) => {
      const counts = new Float64Array(slots.slots.length);
      let rounds = 0;
      for (let shoe = fromShoe; shoe < fromShoe + shoes; shoe++) {
        for (const { facts } of dealsOfShoe(simulation, key, shoe)) {
          rounds++;
          for (const slot of slots.of(facts)) counts[slot]! += 1;
        }
      }
      return { rounds, counts };
    },
  };
}

export function* dealsOfShoe(simulation: SimulationParameters, key: ShuffleKey, shoe: number): Generator<Deal> {
  const { game, decks } = simulation;
  const deck = cardsOf(game.deck);
  const last = maxCardsOutAtStart(simulation);
  const order = shuffledCardIndexes(key, shoe, deck.length * decks, deck.length, last + 6);
  for (let out = 0; out <= last;) {
    const cards: Card[] = [];
    while (nextSlot(cards) !== undefined) cards.push(deck[order[out++]!]!);
    const deal = dealOf(cards, { deck: game.deck, decks });
    if (isRefused(deal)) throw new Error(`A shuffled shoe gave a deal that cannot be: ${deal.message}`);
    yield deal;
  }
}
