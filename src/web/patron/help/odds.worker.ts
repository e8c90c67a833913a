import { type ChancesAndEdges, computeChancesAndEdges } from './houseEdges.ts';

// Web worker: computes house edges without blocking the page.

type OddsRequest = MessageEvent<{ readonly game: string; readonly decks: number }>;
const reply = postMessage as (figures: ChancesAndEdges) => void;

addEventListener('message', ({ data: { game, decks } }: OddsRequest) => reply(computeChancesAndEdges(game, decks)));
