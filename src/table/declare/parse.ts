import { type Refusal, quoted, refuse } from '../../rules/refusal.ts';
import { read } from '../../rules/fields.ts';
import { type Command, type CommandName, commandKinds } from './commands.ts';

const isCommandName = (type: unknown): type is CommandName =>
  typeof type === 'string' && Object.hasOwn(commandKinds, type);

/** A command from outside, with all its fields and no others. */
export function commandFrom(message: unknown): Command | Refusal {
  const type = (message as { readonly type?: unknown } | null | undefined)?.type;
  if (!isCommandName(type)) {
    return refuse('bad-request', `${quoted(type)} is no command; \`punto table --describe\` lists them.`);
  }
  return read<Command>(message, commandKinds[type]);
}
