import { freshShoe } from '../../../../odds/composition.ts';
import { oddsOf } from '../../../../odds/sheet.ts';
import { gameByVersionedId } from '../../../shared/text/oddsText.ts';
import { type ExpectedReturns } from './expectedReturn.ts';

// Web worker that computes expected returns, so that the page does not freeze meanwhile.

type OddsRequest = MessageEvent<{ readonly game: string; readonly decks: number }>;
const sendResult = postMessage as (theory: ExpectedReturns) => void;

addEventListener('message', ({ data: { game, decks } }: OddsRequest) => {
  const definition = gameByVersionedId(game);
  if (definition === undefined) return sendResult({});
  const { wagers } = oddsOf(definition, freshShoe({ deck: definition.deck, decks }));
  return sendResult(
    Object.fromEntries(
      Object.entries(wagers).map(([wager, { expected, variance }]) => [wager, { expected, variance }]),
    ),
  );
});
