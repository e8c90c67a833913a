import { type Game } from '../../../rules/game.ts';
import { type PublicTableView } from '../../../wire/tableView.ts';

export type HelpProps = { readonly view: PublicTableView; readonly game: Game };
