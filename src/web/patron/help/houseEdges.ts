import { freshShoe } from '../../../odds/composition.ts';
import { oddsOf } from '../../../odds/sheet.ts';
import { gameByVersionedId } from '../../shared/text/oddsText.ts';

/** Chance to win and house edge of a wager, both as fractions of 1. */
type WagerEdge = { readonly chance: number; readonly edge: number };
export type ChancesAndEdges = { readonly [wager: string]: WagerEdge };

/**
 * Exact chance and house edge of each wager of a game version, for a fresh shoe; empty if this page does not know the
 * game.
 */
export function computeChancesAndEdges(version: string, decks: number): ChancesAndEdges {
  const game = gameByVersionedId(version);
  if (game === undefined) return {};
  const { wagers } = oddsOf(game, freshShoe({ deck: game.deck, decks }));
  return Object.fromEntries(
    Object.entries(wagers).map(([wager, { hitRate, houseEdge }]) => [wager, { chance: hitRate, edge: houseEdge }]),
  );
}
