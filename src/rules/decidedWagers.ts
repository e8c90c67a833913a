import { assert } from '../base/assert.ts';
import { type Card } from './card.ts';
import { type Game } from './game.ts';
import {
  type PossiblePayLinesAfter,
  type PossiblePayLines,
  possibleFactsAfterFourCards,
  buildPossiblePayLinesAfter,
  possiblePayLinesOf,
  possibleFactsCache,
} from './possiblePayLines.ts';

/**
 * Wagers whose result no further card can change. A wager that is certain to win is in `won`, even if its odds are
 * still open. A wager that is certain to push is in neither list. `established` is true when `won` or `lost` has a
 * wager.
 */
export type DecidedWagers = {
  readonly established: boolean;
  readonly won: readonly string[];
  readonly lost: readonly string[];
};

/** The offered wagers that are certainly won or lost after the cards dealt so far. [ETG 5.9, READING 10, READING 11] */
export function decidedWagers(game: Game, offered: readonly string[], cards: readonly Card[]): DecidedWagers {
  const won: string[] = [];
  const lost: string[] = [];
  const facts = cards.length > 4 ? possibleFactsAfterFourCards(game.deck, cards) : undefined;
  const forecasts = forecastsOf(game);
  for (const id of offered) {
    const forecast = forecasts.get(id);
    assert(forecast !== undefined, `${id} is a wager of ${game.id}`);
    const { possibleLinesAfter, winningLines, lossBit } = forecast;
    const lines = facts ? possiblePayLinesOf(game.wagers[id]!, facts) : possibleLinesAfter(cards);
    if (lines === lossBit) lost.push(id);
    else if ((lines & ~winningLines) === 0) won.push(id);
  }
  return { established: won.length + lost.length > 0, won, lost };
}

/**
 * Precomputed data that tells whether one wager is decided. `winningLines` has the bits of the pay lines that are no
 * push; `lossBit` is the bit of a loss.
 */
type Forecast = {
  readonly possibleLinesAfter: PossiblePayLinesAfter;
  readonly winningLines: PossiblePayLines;
  readonly lossBit: PossiblePayLines;
};

const forecastsByGame = new WeakMap<Game, ReadonlyMap<string, Forecast>>();

/** The forecast of each wager of a game, computed at first use. The forecasts share one cache of possible facts. */
function forecastsOf(game: Game): ReadonlyMap<string, Forecast> {
  let forecasts = forecastsByGame.get(game);
  if (forecasts === undefined) {
    const after = possibleFactsCache();
    forecasts = new Map(
      Object.entries(game.wagers).map(([id, wager]) => [
        id,
        {
          possibleLinesAfter: buildPossiblePayLinesAfter(game.deck, wager, after),
          winningLines: wager.lines.reduce((bits, { pays }, index) => bits | (pays === 'push' ? 0 : 1 << index), 0),
          lossBit: 1 << wager.lines.length,
        },
      ]),
    );
    forecastsByGame.set(game, forecasts);
  }
  return forecasts;
}
