import { type Figures, figuresOf } from './figures.ts';

// Counts beside the page, so that no frame of it waits.

type Scope = {
  onmessage: ((event: { readonly data: { readonly game: string; readonly decks: number } }) => void) | null;
  readonly postMessage: (figures: Figures) => void;
};
const scope = globalThis as unknown as Scope;

scope.onmessage = ({ data: { game, decks } }) => scope.postMessage(figuresOf(game, decks));
