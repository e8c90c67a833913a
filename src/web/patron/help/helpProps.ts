import { type Game } from '../../../rules/game.ts';
import { type View } from '../../../wire/tableView.ts';

export type HelpProps = { readonly view: View; readonly game: Game };
