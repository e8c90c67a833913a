import { type WagerChances, computeWagerChances } from './houseEdges.ts';

// Web worker: computes house edges without blocking the page.

type OddsRequest = MessageEvent<{ readonly game: string; readonly decks: number }>;
const reply = postMessage as (figures: WagerChances) => void;

addEventListener('message', ({ data: { game, decks } }: OddsRequest) => reply(computeWagerChances(game, decks)));
