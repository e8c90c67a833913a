import { parseTypedCommand } from '../../base/parseTypedCommand.ts';
import { type Refusal } from '../../base/refusal.ts';
import { type TableCommand, commandKinds } from './commands.ts';

/** A command from outside, with all its fields and no others. */
export const commandFrom = (message: unknown): TableCommand | Refusal =>
  parseTypedCommand(message, commandKinds, 'a table', '`punto table --describe` lists them.');
