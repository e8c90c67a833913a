import { type Game } from '../../../rules/game.ts';
import { type View } from '../../../wire/tableView.ts';

/** Properties of a help page. */
export type HelpProps = { readonly view: View; readonly game: Game };
