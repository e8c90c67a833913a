import { parseTypedCommand } from '../../base/parseTypedCommand.ts';
import { type Refusal } from '../../base/refusal.ts';
import { type TableCommand, commandSchemas } from './commands.ts';

export const parseTableCommand = (message: unknown): TableCommand | Refusal =>
  parseTypedCommand(message, commandSchemas, 'a table', '`punto table --describe` lists the commands.');
