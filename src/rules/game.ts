import { type DeckId } from './card.ts';
import { lcm } from '../base/ratio.ts';
import { type Refusal, isRefused, quoted, refuse } from '../base/refusal.ts';
import { type Wager, wagerStepOf } from './wager.ts';

/** A game is data: one code prints, sends, settles, enumerates and checks all games. */
export type Game = {
  readonly id: string;
  /** The number of its book or, where that has none, its date. [READING 47] */
  readonly version: string;
  readonly name: string;
  readonly book: string;
  /** Start of validity in property time: 2017-02-17, or 2017-03-14T08:00. */
  readonly effective: string;
  readonly deck: DeckId;
  readonly wagers: { readonly [id: string]: Wager };
};

/** tiger@2021-10-28 */
export const versionedGameId = ({ id, version }: Game): string => `${id}@${version}`;

export const wagerIdsOf = (game: Game): readonly string[] => Object.keys(game.wagers);

export const wagerOf = (game: Game, id: string): Wager | Refusal =>
  Object.hasOwn(game.wagers, id)
    ? game.wagers[id]!
    : refuse('unknown-wager', `${game.id} has no wager ${quoted(id)}; it has ${wagerIdsOf(game).join(', ')}.`);

/** The named wagers in game order; all when none are named. Each may be named once. */
export function parseWagerIds(game: Game, ids: readonly string[] = wagerIdsOf(game)): readonly string[] | Refusal {
  for (const id of ids) {
    const wager = wagerOf(game, id);
    if (isRefused(wager)) return wager;
  }
  const once = new Set(ids);
  if (once.size < ids.length) {
    return refuse('repeated-wager', `A wager is named twice among ${quoted(ids.join(', '))}; name each once.`);
  }
  return wagerIdsOf(game).filter((id) => once.has(id));
}

/** The layout of a table: all wagers but optional ones that are left out. [ETG 4.5, 4.6, 4.9, 4.10] */
export function parseLayout(game: Game, offered: readonly string[]): readonly string[] | Refusal {
  const layout = parseWagerIds(game, offered);
  if (isRefused(layout)) return layout;
  const missing = wagerIdsOf(game).find((id) => !game.wagers[id]!.optional && !layout.includes(id));
  if (missing === undefined) return layout;
  return refuse('wager-not-optional', `${missing} is not optional in ${game.id}; put it back on the layout.`);
}

/** The smallest chip step, in cents, with which every payout and commission of the game is whole cents. [READING 9] */
export const chipStepOf = (game: Game): number => Object.values(game.wagers).map(wagerStepOf).reduce(lcm, 1);
