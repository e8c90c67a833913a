import { type HouseEdges, houseEdges } from './houseEdges.ts';

// Web worker: computes house edges without blocking the page.

type Asked = MessageEvent<{ readonly game: string; readonly decks: number }>;
const post = postMessage as (figures: HouseEdges) => void;

addEventListener('message', ({ data: { game, decks } }: Asked) => post(houseEdges(game, decks)));
