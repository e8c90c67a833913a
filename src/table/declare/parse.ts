import { commandOfKinds } from '../../rules/command.ts';
import { type Refusal } from '../../rules/refusal.ts';
import { type Command, commandKinds } from './commands.ts';

/** A command from outside, with all its fields and no others. */
export const commandFrom = (message: unknown): Command | Refusal =>
  commandOfKinds(message, commandKinds, 'a table', '`punto table --describe` lists them.');
