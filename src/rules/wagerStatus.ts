import { type Card, type DeckId, cardsOfDeck } from './card.ts';
import { decidedWagers } from './decidedWagers.ts';
import { type FactName, type FactValue, type Facts, factValues } from './facts.ts';
import { type Game } from './game.ts';
import { possibleFactsAfterFourCards } from './possiblePayLines.ts';
import { nextSlot } from './play.ts';
import { type PayLine, type Wager, factsUsed } from './wager.ts';

/**
 * Reason for the status of a wager: a code, and in `with` the values that explain the code. `fact`: one fact decides
 * the wager. `totals`: no pair of totals that is still possible reaches a pay line. `facts`: several facts together
 * decide the wager. `open`: further cards decide the wager; `with` lists the values that facts can still have. `push`:
 * the stake is returned. `early`: fewer than three cards are dealt. `always`: the wager is decided without any card.
 */
type Why = {
  readonly code: 'fact' | 'totals' | 'facts' | 'open' | 'push' | 'early' | 'always';
  readonly with: { readonly [name: string]: string };
};

export type WagerStatus = { readonly wager: string; readonly result: 'won' | 'lost' | 'open'; readonly why: Why };

/**
 * The status of every offered wager with its reason. Any card of the deck may still come, even if the shoe has no copy
 * left. [ETG 5.9, READING 10, 11]
 */
export function wagerStatuses(game: Game, offered: readonly string[], cards: readonly Card[]): readonly WagerStatus[] {
  const { won, lost } = decidedWagers(game, offered, cards);
  const reachable = reachableFacts(game.deck, cards);
  return offered.map((wager) => {
    const result = won.includes(wager) ? 'won' : lost.includes(wager) ? 'lost' : 'open';
    return { wager, result, why: reasonOf(result, game.wagers[wager]!, reachable, cards) };
  });
}

/** The facts of every deal that begins with these cards; empty while fewer than three cards are dealt. */
function reachableFacts(deck: DeckId, cards: readonly Card[]): readonly Facts[] {
  if (cards.length < 3) return [];
  return cards.length > 3
    ? possibleFactsAfterFourCards(deck, cards)
    : cardsOfDeck(deck).flatMap((card) => possibleFactsAfterFourCards(deck, [...cards, card]));
}

function reasonOf(
  result: WagerStatus['result'],
  wager: Wager,
  reachable: readonly Facts[],
  cards: readonly Card[],
): Why {
  if (reachable.length === 0) {
    return result === 'open' ? { code: 'early', with: { cards: String(cards.length) } } : { code: 'always', with: {} };
  }
  const usedFacts = { with: possibilities(wager, reachable) };
  if (result === 'open') return { code: nextSlot(cards) === undefined ? 'push' : 'open', ...usedFacts };
  const { lines } = wager;
  const fact = [...factsUsed(wager)].find((name) => {
    const values = valuesOf(name, reachable);
    return result === 'lost'
      ? values.every((value) => isExcluded(name, value, lines))
      : values.every((value) => isWonByFact(name, value, lines));
  });
  if (fact !== undefined) {
    const needs = factValues[fact].filter((value) => lines.some(({ when }) => matches(when[fact], value)));
    return { code: 'fact', with: { fact, is: joined(valuesOf(fact, reachable)), needs: joined(needs) } };
  }
  const player = valuesOf('playerTotal', reachable);
  const banker = valuesOf('bankerTotal', reachable);
  return result === 'lost' && lines.every((line) => !isReachableByTotals(line, player, banker))
    ? { code: 'totals', with: { player: joined(player), banker: joined(banker) } }
    : { code: 'facts', ...usedFacts };
}

/** True when every pay line requires this fact to have some other value. */
const isExcluded = (name: FactName, value: FactValue, lines: readonly PayLine[]): boolean =>
  lines.every(({ when }) => Object.hasOwn(when, name) && !matches(when[name], value));

/** True when this value of the fact is enough to be sure that a winning line settles the wager. */
function isWonByFact(name: FactName, value: FactValue, lines: readonly PayLine[]): boolean {
  const open = lines.filter(({ when }) => !Object.hasOwn(when, name) || matches(when[name], value));
  const last = open.findIndex(({ when }) => Object.keys(when).every((one) => one === name));
  return last >= 0 && open.slice(0, last + 1).every(({ pays }) => pays !== 'push');
}

const matches = (expected: unknown, value: FactValue): boolean =>
  Array.isArray(expected) ? expected.includes(value) : expected === value;

/** True when some pair of these totals meets what the line requires of the totals, the winner and the margin. */
const isReachableByTotals = ({ when }: PayLine, player: readonly FactValue[], banker: readonly FactValue[]): boolean =>
  player.some((p) =>
    banker.some((b) => {
      const difference = Number(p) - Number(b);
      const facts = {
        playerTotal: p,
        bankerTotal: b,
        winner: difference === 0 ? 'tie' : difference > 0 ? 'player' : 'banker',
        margin: Math.abs(difference),
      } as const;
      return Object.entries(facts).every(
        ([name, value]) => !Object.hasOwn(when, name) || matches(when[name as FactName], value as FactValue),
      );
    }),
  );

/** The values that a fact can still have, in the order of `factValues`. */
const valuesOf = (name: FactName, reachable: readonly Facts[]): readonly FactValue[] => {
  const found = new Set<FactValue>(reachable.map((facts) => facts[name]));
  return factValues[name].filter((value) => found.has(value));
};

const joined = (values: readonly FactValue[]): string => values.join(' ');

const possibilities = (wager: Wager, reachable: readonly Facts[]): { readonly [name: string]: string } =>
  Object.fromEntries([...factsUsed(wager)].map((name) => [name, joined(valuesOf(name, reachable))]));
