import { freshShoe } from '../odds/composition.ts';
import { isRefused } from '../base/refusal.ts';
import { cells } from '../odds/distribution.ts';
import { type Card, cardsOf } from '../rules/card.ts';
import { type Deal, dealOf } from '../rules/deal.ts';
import { type Game } from '../rules/game.ts';
import { nextSlot } from '../rules/play.ts';
import { kernelFor } from './kernel.ts';
import { type Key, keyOf, shuffled } from './random.ts';
import { type Slots, slotsFor } from './slots.ts';
import { type Tables, tablesFor } from './tables.ts';

/** Shoe i of a seed, with a cutting card `cut` cards before the end. */
export type Simulation = { readonly game: Game; readonly decks: number; readonly cut: number; readonly seed: string };

/** Shoes are tested in batches, since rounds of one shoe are correlated. */
export const batchShoes = 1000;

export type Batch = { readonly rounds: number; readonly counts: Float64Array };

/** Messages of a worker: start data, one order, its result. */
export type WorkerTask = { readonly simulation: Simulation; readonly through: 'kernel' | 'rules' };
export type BatchOrder = { readonly batch: number; readonly fromShoe: number; readonly shoes: number };
export type BatchResult = BatchOrder & Batch;

type Player = { readonly slots: Slots; readonly play: (fromShoe: number, shoes: number) => Batch };

/** A round starts while at most this many cards are out. [READING 23] */
const maxCardsOutAtStart = ({ game, decks, cut }: Simulation): number => cardsOf(game.deck).length * decks - cut;

const slotsOfSimulation = ({ game, decks }: Simulation): Slots => slotsFor(game, freshShoe({ deck: game.deck, decks }));

/** Plays by the kernel and maps its counters to slots. */
export function fastPlayer(simulation: Simulation): Player {
  const tables = tablesFor(simulation.game);
  const cards = tables.cards.length * simulation.decks;
  const kernel = kernelFor(tables, { key: keyOf(simulation.seed), cards, last: maxCardsOutAtStart(simulation) });
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
function slotCounter({ joint, factsOf }: Tables, slots: Slots): (counters: Uint32Array) => Float64Array {
  const slotsByCounter: (readonly number[] | undefined)[] = [];
  const slotsOf = (counter: number): readonly number[] => {
    if (joint) return slots.of(factsOf(Math.trunc(counter / cells), counter % cells));
    return counter < cells
      ? slots.of(factsOf(0, counter), 'outcome')
      : slots.of(factsOf(counter - cells, 0), 'first four');
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
export function rulesPlayer(simulation: Simulation): Player {
  const key = keyOf(simulation.seed);
  const slots = slotsOfSimulation(simulation);
  return {
    slots,
    play: (fromShoe, shoes) => {
      const counts = new Float64Array(slots.slots.length);
      let rounds = 0;
      for (let shoe = fromShoe; shoe < fromShoe + shoes; shoe++) {
        for (const { facts } of dealsOf(simulation, key, shoe)) {
          rounds++;
          for (const slot of slots.of(facts)) counts[slot]! += 1;
        }
      }
      return { rounds, counts };
    },
  };
}

export function* dealsOf(simulation: Simulation, key: Key, shoe: number): Generator<Deal> {
  const { game, decks } = simulation;
  const deck = cardsOf(game.deck);
  const last = maxCardsOutAtStart(simulation);
  const order = shuffled(key, shoe, deck.length * decks, deck.length, last + 6);
  for (let out = 0; out <= last;) {
    const cards: Card[] = [];
    while (nextSlot(cards) !== undefined) cards.push(deck[order[out++]!]!);
    const deal = dealOf(cards, { deck: game.deck, decks });
    if (isRefused(deal)) throw new Error(`A shuffled shoe gave a deal that cannot be: ${deal.message}`);
    yield deal;
  }
}
