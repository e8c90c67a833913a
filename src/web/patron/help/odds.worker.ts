import { type Figures, figuresOf } from './houseEdges.ts';

// Counts beside the page, so that no frame of it waits.

type Asked = MessageEvent<{ readonly game: string; readonly decks: number }>;
const post = postMessage as (figures: Figures) => void;

addEventListener('message', ({ data: { game, decks } }: Asked) => post(figuresOf(game, decks)));
