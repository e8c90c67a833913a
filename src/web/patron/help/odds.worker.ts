import { type HouseEdges, houseEdges } from './houseEdges.ts';

// Web worker: computes house edges without blocking the page.

type OddsRequest = MessageEvent<{ readonly game: string; readonly decks: number }>;
const reply = postMessage as (figures: HouseEdges) => void;

addEventListener('message', ({ data: { game, decks } }: OddsRequest) => reply(houseEdges(game, decks)));
