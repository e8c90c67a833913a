import { type HouseEdges, houseEdges } from './houseEdges.ts';

// Counts beside the page, so that no frame of it waits.

type Asked = MessageEvent<{ readonly game: string; readonly decks: number }>;
const post = postMessage as (figures: HouseEdges) => void;

addEventListener('message', ({ data: { game, decks } }: Asked) => post(houseEdges(game, decks)));
