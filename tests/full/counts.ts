import { type Card, type DeckId, cardsOfDeck, rankOf } from '../../src/rules/card.ts';
import { parseDeal } from '../../src/rules/deal.ts';
import { type Facts, factNames } from '../../src/rules/facts.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { type Wager, payLineFor, netPerUnitOf } from '../../src/rules/wager.ts';

/** Facts of finished rounds with the number of ordered six-card draws that give them, for several shoes at once. */
export type Counts = readonly { readonly facts: Facts; readonly draws: readonly bigint[] }[];

/** Facts that ignore suits. */
const rankFacts = factNames.filter((name) => !/Colour|PreciousPair/.test(name));

/**
 * Walks every ordered deal by ranks through the real table of play and the real facts. A shoe is given by its cards per
 * rank; suits are ignored, so facts about suits are meaningless here.
 */
export function countByRanks(deck: DeckId, perRank: readonly number[]): Counts {
  const ranks = cardsOfDeck(deck).slice(0, 13);
  const found = new Map<string, { facts: Facts; draws: bigint[] }>();

  const walk = (cards: readonly Card[], draws: readonly number[]): void => {
    if (nextSlot(cards) === undefined) {
      const deal = parseDeal(cards, { deck, decks: 10 });
      if ('refused' in deal) throw new Error(deal.message);
      const key = rankFacts.map((name) => deal.facts[name]).join(' ');
      let entry = found.get(key);
      if (entry === undefined) found.set(key, (entry = { facts: deal.facts, draws: perRank.map(() => 0n) }));
      perRank.forEach((copies, shoe) => {
        let all = draws[shoe]!;
        for (let out = cards.length; out < 6; out++) all *= copies * 13 - out;
        if (!Number.isSafeInteger(all)) throw new Error('a count is no longer exact');
        entry.draws[shoe]! += BigInt(all);
      });
      return;
    }
    for (const card of ranks) {
      const used = cards.filter((other) => rankOf(other) === rankOf(card)).length;
      walk(
        [...cards, card],
        draws.map((n, shoe) => n * (perRank[shoe]! - used)),
      );
    }
  };
  walk(
    [],
    perRank.map(() => 1),
  );
  return [...found.values()];
}

/** Number of draws of one shoe that match. */
export const drawsOf = (counts: Counts, shoe: number, fits: (facts: Facts) => boolean = () => true): bigint =>
  counts.reduce((sum, { facts, draws }) => (fits(facts) ? sum + draws[shoe]! : sum), 0n);

/** The house edge of a wager in percent, exact to `decimals`, half rounded up. */
export function edgeOf(counts: Counts, shoe: number, wager: Wager, decimals: number): string {
  // Every net of these games is a whole number of twentieths.
  let net = 0n;
  for (const { facts, draws } of counts) {
    const [over, under] = netPerUnitOf(payLineFor(wager, facts));
    net += (draws[shoe]! * BigInt(20 * over)) / BigInt(under);
  }
  return percent(-net, 20n * drawsOf(counts, shoe), decimals);
}

/** over / under in percent; works for positive values. */
export function percent(over: bigint, under: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const rounded = (2n * over * 100n * scale + under) / (2n * under);
  return `${rounded / scale}.${String(rounded % scale).padStart(decimals, '0')}`;
}
