import { freshShoe } from '../../../../odds/composition.ts';
import { oddsOf } from '../../../../odds/sheet.ts';
import { gameOf } from '../../../shared/text/oddsText.ts';
import { type Theory } from './expectedReturn.ts';

// Runs in a worker, so that the page keeps its frame rate.

type Asked = MessageEvent<{ readonly game: string; readonly decks: number }>;
const post = postMessage as (theory: Theory) => void;

addEventListener('message', ({ data: { game, decks } }: Asked) => {
  const known = gameOf(game);
  if (known === undefined) return post({});
  const { wagers } = oddsOf(known, freshShoe({ deck: known.deck, decks }));
  return post(
    Object.fromEntries(
      Object.entries(wagers).map(([wager, { expected, variance }]) => [wager, { expected, variance }]),
    ),
  );
});
