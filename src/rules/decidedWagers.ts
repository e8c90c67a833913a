import { assert } from '../base/assert.ts';
import { type Card } from './card.ts';
import { type Game } from './game.ts';
import {
  type PossibleLinesAfter,
  type PossibleLines,
  possibleFactsAfter,
  buildPossibleLinesAfter,
  possibleLinesOf,
  memoizedPossibleFactsAfter,
} from './possibleLines.ts';

/**
 * Wagers that no further card can change. A wager is `won` even if its odds are still open; a certain push is neither
 * won nor lost. `established`: at least one wager is decided.
 */
export type DecidedWagers = {
  readonly established: boolean;
  readonly won: readonly string[];
  readonly lost: readonly string[];
};

/** The offered wagers that the cards dealt so far have decided. [ETG 5.9, READING 10, READING 11] */
export function decidedWagers(game: Game, offered: readonly string[], cards: readonly Card[]): DecidedWagers {
  const won: string[] = [];
  const lost: string[] = [];
  const facts = cards.length > 4 ? possibleFactsAfter(game.deck, cards) : undefined;
  const forecasts = forecastsOf(game);
  for (const id of offered) {
    const forecast = forecasts.get(id);
    assert(forecast !== undefined, `${id} is a wager of ${game.id}`);
    const { possibleLinesAfter, winningLines, lossBit } = forecast;
    const lines = facts ? possibleLinesOf(game.wagers[id]!, facts) : possibleLinesAfter(cards);
    if (lines === lossBit) lost.push(id);
    else if ((lines & ~winningLines) === 0) won.push(id);
  }
  return { established: won.length + lost.length > 0, won, lost };
}

/**
 * How to judge one wager: the pay lines still possible after some cards, the bits of all winning lines, and the bit of
 * a loss.
 */
type Forecast = {
  readonly possibleLinesAfter: PossibleLinesAfter;
  readonly winningLines: PossibleLines;
  readonly lossBit: PossibleLines;
};

const forecastsByGame = new WeakMap<Game, ReadonlyMap<string, Forecast>>();

/** The forecasts of all wagers of a game, computed once per game. The wagers share the deals that were played out. */
function forecastsOf(game: Game): ReadonlyMap<string, Forecast> {
  let forecasts = forecastsByGame.get(game);
  if (forecasts === undefined) {
    const after = memoizedPossibleFactsAfter();
    forecasts = new Map(
      Object.entries(game.wagers).map(([id, wager]) => [
        id,
        {
          possibleLinesAfter: buildPossibleLinesAfter(game.deck, wager, after),
          winningLines: wager.lines.reduce((bits, { pays }, index) => bits | (pays === 'push' ? 0 : 1 << index), 0),
          lossBit: 1 << wager.lines.length,
        },
      ]),
    );
    forecastsByGame.set(game, forecasts);
  }
  return forecasts;
}
