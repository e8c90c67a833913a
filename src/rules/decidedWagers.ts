import { assert } from '../base/assert.ts';
import { type Card } from './card.ts';
import { type Game } from './game.ts';
import {
  type PossibleLinesAfter,
  type PossibleLines,
  possibleFactsAfter,
  possibleLinesAfterFor,
  possibleLinesOf,
  memoizedPossibleFactsAfter,
} from './possibleLines.ts';

/** The wagers that no further card can change. Won at odds that are still open counts as won; a push is neither. */
export type DecidedWagers = {
  readonly established: boolean;
  readonly won: readonly string[];
  readonly lost: readonly string[];
};

/** The offered wagers that the cards so far decide. [ETG 5.9, READING 10, READING 11] */
export function decidedWagers(game: Game, offered: readonly string[], cards: readonly Card[]): DecidedWagers {
  const won: string[] = [];
  const lost: string[] = [];
  const facts = cards.length > 4 ? possibleFactsAfter(game.deck, cards) : undefined;
  const forecasts = forecastsOf(game);
  for (const id of offered) {
    const forecast = forecasts.get(id);
    assert(forecast !== undefined, `${id} is a wager of ${game.id}`);
    const { foresight: outlookAfter, wins, none } = forecast;
    const outlook = facts ? possibleLinesOf(game.wagers[id]!, facts) : outlookAfter(cards);
    if (outlook === none) lost.push(id);
    else if ((outlook & ~wins) === 0) won.push(id);
  }
  return { established: won.length + lost.length > 0, won, lost };
}

/** The outlook function of a wager, the bit set of winning lines, and the bit for a loss. */
type Forecast = { readonly foresight: PossibleLinesAfter; readonly wins: PossibleLines; readonly none: PossibleLines };

const forecastsByGame = new WeakMap<Game, ReadonlyMap<string, Forecast>>();

/** Made once per game; wagers share the deals that were played out. */
function forecastsOf(game: Game): ReadonlyMap<string, Forecast> {
  let forecasts = forecastsByGame.get(game);
  if (forecasts === undefined) {
    const after = memoizedPossibleFactsAfter();
    forecasts = new Map(
      Object.entries(game.wagers).map(([id, wager]) => [
        id,
        {
          foresight: possibleLinesAfterFor(game.deck, wager, after),
          wins: wager.lines.reduce((bits, { pays }, index) => bits | (pays === 'push' ? 0 : 1 << index), 0),
          none: 1 << wager.lines.length,
        },
      ]),
    );
    forecastsByGame.set(game, forecasts);
  }
  return forecasts;
}
