import { commandOfKinds } from '../../base/parseTypedCommand.ts';
import { type Refusal } from '../../base/refusal.ts';
import { type Command, commandKinds } from './commands.ts';

/** A command from outside, with all its fields and no others. */
export const commandFrom = (message: unknown): Command | Refusal =>
  commandOfKinds(message, commandKinds, 'a table', '`punto table --describe` lists them.');
