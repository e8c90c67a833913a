import { freshShoe } from '../odds/composition.ts';
import { isRefused } from '../base/refusal.ts';
import { outcomeCellCount } from '../odds/distribution.ts';
import { type Card, cardsOfDeck } from '../rules/card.ts';
import { type Deal, parseDeal } from '../rules/deal.ts';
import { type Game } from '../rules/game.ts';
import { nextSlot } from '../rules/play.ts';
import { simulationKernelFor } from './kernel.ts';
import { type ShuffleKey, shuffleKeyOf, shuffledCardIndexes } from './shuffle.ts';
import { type OutcomeSlots, outcomeSlotsFor } from './outcomeSlots.ts';
import { type KernelTables, kernelTablesFor } from './kernelTables.ts';

/**
 * Parameters of a simulation. `seed` determines the order of every shoe. The cutting card is `cut` cards before the
 * end of the shoe.
 */
export type SimulationParameters = {
  readonly game: Game;
  readonly decks: number;
  readonly cut: number;
  readonly seed: string;
};

/** Number of shoes per batch. Shoes are tested in batches, since rounds of one shoe are correlated. */
export const shoesPerBatch = 1000;

/** Number of rounds in a batch, and how often each outcome slot occurred. */
export type BatchCounts = { readonly rounds: number; readonly counts: Float64Array };

/**
 * Start data of a worker thread. `engine` says what plays the shoes: the fast kernel, or the rules that settle rounds
 * at a table.
 */
export type WorkerTask = { readonly simulation: SimulationParameters; readonly engine: 'kernel' | 'rules' };
/** Order to a worker thread: play one batch of shoes. */
export type BatchOrder = { readonly batch: number; readonly fromShoe: number; readonly shoes: number };
/** Answer of a worker thread to an order. */
export type BatchResult = BatchOrder & BatchCounts;

type Simulator = { readonly slots: OutcomeSlots; readonly play: (fromShoe: number, shoes: number) => BatchCounts };

/** A new round starts only if at most this many cards of the shoe have been dealt. [READING 23] */
const maxCardsOutAtStart = ({ game, decks, cut }: SimulationParameters): number =>
  cardsOfDeck(game.deck).length * decks - cut;

const slotsOfSimulation = ({ game, decks }: SimulationParameters): OutcomeSlots =>
  outcomeSlotsFor(game, freshShoe({ deck: game.deck, decks }));

/** Simulator with the WebAssembly kernel. It maps the counters of the kernel to outcome slots. */
export function kernelSimulator(simulation: SimulationParameters): Simulator {
  const tables = kernelTablesFor(simulation.game);
  const cards = tables.cards.length * simulation.decks;
  const kernel = simulationKernelFor(tables, {
    key: shuffleKeyOf(simulation.seed),
    cards,
    maxCardsOutAtStart: maxCardsOutAtStart(simulation),
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

/** Returns a function that adds up kernel counters by outcome slot. The slots of each counter are cached. */
function slotCounter(
  { countsJointly, factsOf }: KernelTables,
  slots: OutcomeSlots,
): (counters: Uint32Array) => Float64Array {
  const slotsByCounter: (readonly number[] | undefined)[] = [];
  const slotsOf = (counter: number): readonly number[] => {
    if (countsJointly)
      return slots.slotIndexesOf(factsOf(Math.trunc(counter / outcomeCellCount), counter % outcomeCellCount));
    return counter < outcomeCellCount
      ? slots.slotIndexesOf(factsOf(0, counter), 'outcome')
      : slots.slotIndexesOf(factsOf(counter - outcomeCellCount, 0), 'first four');
  };
  return (counters) => {
    const counts = new Float64Array(slots.slots.length);
    counters.forEach((count, counter) => {
      if (count > 0) for (const slot of (slotsByCounter[counter] ??= slotsOf(counter))) counts[slot]! += count;
    });
    return counts;
  };
}

/** Simulator with the rules that settle rounds at a table: slow, but independent of the kernel. */
export function rulesSimulator(simulation: SimulationParameters): Simulator {
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
          for (const slot of slots.slotIndexesOf(facts)) counts[slot]! += 1;
        }
      }
      return { rounds, counts };
    },
  };
}

export function* dealsOfShoe(simulation: SimulationParameters, key: ShuffleKey, shoe: number): Generator<Deal> {
  const { game, decks } = simulation;
  const deck = cardsOfDeck(game.deck);
  const last = maxCardsOutAtStart(simulation);
  const order = shuffledCardIndexes(key, shoe, deck.length * decks, deck.length, last + 6);
  for (let out = 0; out <= last;) {
    const cards: Card[] = [];
    while (nextSlot(cards) !== undefined) cards.push(deck[order[out++]!]!);
    const deal = parseDeal(cards, { deck: game.deck, decks });
    if (isRefused(deal)) throw new Error(`A shuffled shoe gave an impossible deal: ${deal.message}`);
    yield deal;
  }
}
