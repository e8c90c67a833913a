import { type Card } from './card.ts';
import { type Game } from './game.ts';
import { type Foresight, foresightOf } from './outlook.ts';
import { type Wager } from './wager.ts';

/** What stands already, whatever cards may still come. A wager won at odds still open counts as won; a push is neither. */
export type Certainty = {
  readonly established: boolean;
  readonly won: readonly string[];
  readonly lost: readonly string[];
};

/** The wagers decided by the cards so far, of those that a table offers. [ETG 5.9, READING 10, READING 11] */
export function certain(game: Game, offered: readonly string[], cards: readonly Card[]): Certainty {
  const won: string[] = [];
  const lost: string[] = [];
  for (const id of offered) {
    const { foresight, wins, none } = forecastOf(game, id);
    const outlook = foresight(cards);
    if (outlook === none) lost.push(id);
    else if ((outlook & ~wins) === 0) won.push(id);
  }
  return { established: won.length + lost.length > 0, won, lost };
}

/** How a wager looks ahead, which of its lines win, and the sign that none of them can settle it. */
type Forecast = { readonly foresight: Foresight; readonly wins: number; readonly none: number };

const forecasts = new WeakMap<Game, Map<string, Forecast>>();

function forecastOf(game: Game, id: string): Forecast {
  let ofGame = forecasts.get(game);
  if (ofGame === undefined) forecasts.set(game, (ofGame = new Map()));
  let forecast = ofGame.get(id);
  if (forecast === undefined) ofGame.set(id, (forecast = forecastFor(game, game.wagers[id]!)));
  return forecast;
}

const forecastFor = (game: Game, wager: Wager): Forecast => ({
  foresight: foresightOf(game.deck, wager),
  wins: wager.lines.reduce((bits, { pays }, index) => bits | (pays === 'push' ? 0 : 1 << index), 0),
  none: 1 << wager.lines.length,
});
