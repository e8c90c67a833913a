import { type DeckId } from './card.ts';
import { lcm } from '../base/ratio.ts';
import { type Refusal, isRefused, quoteForMessage, refuse } from '../base/refusal.ts';
import { type Wager, chipStepOfWager } from './wager.ts';

/** A game as data. The same code settles, displays and checks every game. */
export type Game = {
  readonly id: string;
  /** The version number of the rulebook, or its date if it has no number. [READING 47] */
  readonly version: string;
  readonly name: string;
  readonly book: string;
  /** Date or time from which the game is in force, in property time: 2017-02-17 or 2017-03-14T08:00. */
  readonly effective: string;
  readonly deck: DeckId;
  readonly wagers: { readonly [id: string]: Wager };
};

export const versionedGameId = ({ id, version }: Game): string => `${id}@${version}`;

export const wagerIdsOf = (game: Game): readonly string[] => Object.keys(game.wagers);

export const wagerOf = (game: Game, id: string): Wager | Refusal =>
  Object.hasOwn(game.wagers, id)
    ? game.wagers[id]!
    : refuse('unknown-wager', `${game.id} has no wager ${quoteForMessage(id)}; it has ${wagerIdsOf(game).join(', ')}.`);

/**
 * Parses a list of wager ids and returns it in the order of the game. Without a list it returns all wagers. An unknown
 * or repeated id is refused.
 */
export function parseWagerIds(game: Game, ids: readonly string[] = wagerIdsOf(game)): readonly string[] | Refusal {
  for (const id of ids) {
    const wager = wagerOf(game, id);
    if (isRefused(wager)) return wager;
  }
  const once = new Set(ids);
  if (once.size < ids.length) {
    return refuse('repeated-wager', `A wager is named twice among ${quoteForMessage(ids.join(', '))}; name each once.`);
  }
  return wagerIdsOf(game).filter((id) => once.has(id));
}

/**
 * Parses the layout of a table: the offered wagers in the order of the game. Only optional wagers may be left out. [ETG
 * 4.5, 4.6, 4.9, 4.10]
 */
export function parseLayout(game: Game, offered: readonly string[]): readonly string[] | Refusal {
  const layout = parseWagerIds(game, offered);
  if (isRefused(layout)) return layout;
  const missing = wagerIdsOf(game).find((id) => !game.wagers[id]!.optional && !layout.includes(id));
  if (missing === undefined) return layout;
  return refuse('wager-not-optional', `${missing} is not optional in ${game.id}; put it back on the layout.`);
}

/**
 * The smallest chip step in cents. If a stake is a multiple of this step, its payout and commission are whole cents on
 * every wager of the game. [READING 9]
 */
export const chipStepOf = (game: Game): number => Object.values(game.wagers).map(chipStepOfWager).reduce(lcm, 1);
