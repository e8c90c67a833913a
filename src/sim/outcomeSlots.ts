import { type Composition } from '../odds/composition.ts';
import { type FactCategory, factCategoryOf } from '../odds/countingPlan.ts';
import { oddsOf } from '../odds/sheet.ts';
import { assert } from '../base/assert.ts';
import { type Facts } from '../rules/facts.ts';
import { type Game } from '../rules/game.ts';
import { type Ratio, formatRatio } from '../base/ratio.ts';
import { type Wager, factsUsed, payLineIndexFor, netPerUnitOf } from '../rules/wager.ts';

/** Outcome slot: one net result of a wager. `count` is the number of draws of six cards that give this result. */
type Slot = { readonly wager: string; readonly net: Ratio; readonly count: bigint };

export type OutcomeSlots = {
  readonly slots: readonly Slot[];
  /** Number of ordered draws of six cards. The `count` of a slot divided by `deals` is its exact probability. */
  readonly deals: bigint;
  /**
   * Indexes of the slots that a round with these facts adds to, one per wager. With `category`, only for wagers of that
   * category.
   */
  readonly slotIndexesOf: (facts: Facts, category?: FactCategory) => readonly number[];
};

export function outcomeSlotsFor(game: Game, shoe: Composition): OutcomeSlots {
  const { deals, wagers } = oddsOf(game, shoe);
  const slots = Object.entries(wagers).flatMap(([wager, { outcomes }]) =>
    outcomes.map(({ net, count }) => ({ wager, net, count })),
  );
  const slotIndex = new Map(slots.map(({ wager, net }, place) => [`${wager} ${formatRatio(net)}`, place]));
  /**
   * Each wager with its slot indexes: one per pay line, then one for a loss. The index is undefined for a line that
   * settles no deal of this shoe.
   */
  const lines = Object.entries(game.wagers).map(([id, wager]) => ({
    wager,
    category: factCategoryOf(factsUsed(wager)),
    places: [...wager.lines, undefined].map((line) => slotIndex.get(`${id} ${formatRatio(netPerUnitOf(line))}`)),
  }));
  const slotOf = (
    { wager, places }: { wager: Wager; places: readonly (number | undefined)[] },
    facts: Facts,
  ): number => {
    const slot = places[payLineIndexFor(wager, facts)];
    assert(slot !== undefined, 'every outcome that occurs has a probability');
    return slot;
  };
  return {
    slots,
    deals,
    slotIndexesOf: (facts, category) =>
      lines.filter((one) => category === undefined || one.category === category).map((one) => slotOf(one, facts)),
  };
}
