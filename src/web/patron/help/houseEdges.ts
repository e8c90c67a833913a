import { freshShoe } from '../../../odds/composition.ts';
import { oddsOf } from '../../../odds/sheet.ts';
import { gameOf } from '../../shared/text/oddsText.ts';

/** How often a wager wins, and what the house keeps of it, as parts of one. */
type Figure = { readonly chance: number; readonly edge: number };
export type Figures = { readonly [wager: string]: Figure };

/** The exact figures of all wagers of a game version, for a fresh shoe of so many decks. */
export function figuresOf(version: string, decks: number): Figures {
  const game = gameOf(version);
  if (game === undefined) return {};
  const { wagers } = oddsOf(game, freshShoe({ deck: game.deck, decks }));
  return Object.fromEntries(
    Object.entries(wagers).map(([wager, { hitRate, houseEdge }]) => [wager, { chance: hitRate, edge: houseEdge }]),
  );
}
