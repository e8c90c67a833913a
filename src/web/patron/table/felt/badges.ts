import { type FactName, type Facts } from '../../../../rules/facts.ts';
import { type Game } from '../../../../rules/game.ts';
import { winningTotalOfStripWager } from './bettingLayouts.ts';

// Short labels for facts of a round: the facts on which its game has wagers and, in every game, naturals and pairs.

export type RoundBadge = { readonly en: string; readonly zh: string };

const hands = { player: { en: 'Player', zh: '闲' }, banker: { en: 'Banker', zh: '庄' } } as const;

/** True when a wager outside of number strips pays by this value of the fact, if this hand wins. */
const dependsOn = ({ wagers }: Game, fact: FactName, value: unknown, winner: string): boolean =>
  Object.entries(wagers).some(
    ([wager, { lines }]) =>
      winningTotalOfStripWager(wager) === undefined &&
      lines.some(({ when }) => when[fact] === value && (when.winner === undefined || when.winner === winner)),
  );

function natural({ playerNatural, bankerNatural, playerTotal, bankerTotal }: Facts): readonly RoundBadge[] {
  if (!playerNatural && !bankerNatural) return [];
  const points = Math.max(playerNatural ? playerTotal : 0, bankerNatural ? bankerTotal : 0);
  return [{ en: `Natural ${points}`, zh: `例牌 ${points}` }];
}

function pairs(game: Game, facts: Facts): readonly RoundBadge[] {
  const { tigerPair } = facts;
  if (dependsOn(game, 'tigerPair', tigerPair, facts.winner) && (tigerPair === 'twin' || tigerPair === 'double')) {
    return [tigerPair === 'twin' ? { en: 'Twin pairs', zh: '同牌两对' } : { en: 'Two pairs', zh: '两家对子' }];
  }
  return (['player', 'banker'] as const)
    .filter((side) => facts[`${side}Pair`])
    .map((side) => ({ en: `${hands[side].en} pair`, zh: `${hands[side].zh}对` }));
}

/**
 * Badge for the winning total, if the game has a wager on that total. The number of cards is added if a wager also
 * depends on that number.
 */
function total(game: Game, facts: Facts): readonly RoundBadge[] {
  const { winner } = facts;
  const side = winner === 'tie' ? 'player' : winner;
  const points = facts[`${side}Total`];
  if (!dependsOn(game, `${side}Total`, points, winner)) return [];
  if (winner === 'tie') return [{ en: `Tie on ${points}`, zh: `${points} 点和` }];
  const { en, zh } = hands[winner];
  const cards = facts[`${winner}Cards`];
  if (!dependsOn(game, `${winner}Cards`, cards, winner))
    return [{ en: `${en} on ${points}`, zh: `${zh} ${points} 点` }];
  return [{ en: `${en} on ${points}, ${cards} cards`, zh: `${zh} ${points} 点 · ${cards} 张` }];
}

export const badgesOfRound = (game: Game, facts: Facts): readonly RoundBadge[] => [
  ...total(game, facts),
  ...natural(facts),
  ...pairs(game, facts),
];
