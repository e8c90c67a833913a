import { parseTypedCommand } from '../../base/parseTypedCommand.ts';
import { type Refusal } from '../../base/refusal.ts';
import { type TableCommand, commandSchemas } from './commands.ts';

/** Parses a table command; a missing or unknown field is refused. */
export const parseTableCommand = (message: unknown): TableCommand | Refusal =>
  parseTypedCommand(message, commandSchemas, 'a table', '`punto table --describe` lists them.');
