import { type Game } from '../../../rules/game.ts';
import { type View } from '../../../wire/tableView.ts';

/** What a page of help is about. */
export type Of = { readonly shown: View; readonly game: Game };
