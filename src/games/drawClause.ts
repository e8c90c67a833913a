import { isNatural, totalOf } from '../rules/hand.ts';
import { type Hands } from '../rules/play.ts';
import { type DrawClauses } from './rulebooks.ts';

/** The clause that decides what follows these cards: which hand gets the next card, or that the deal is complete. */
export function drawClauseOf({ player, banker }: Hands, draws: DrawClauses): string {
  const dealt = player.length + banker.length;
  if (dealt < 4) return dealt % 2 === 0 ? draws.playerCards : draws.bankerCards;
  if (isNatural(player) || isNatural(banker)) return draws.natural;
  if (player.length > 2) return draws.bankerAfterDraw;
  return totalOf(player) > 5 ? draws.bankerAfterStand : draws.playerDraws;
}
