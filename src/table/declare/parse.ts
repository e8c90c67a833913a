import { type Refusal, isRefused, quoted, refuse } from '../../rules/refusal.ts';
import { readFields } from '../../rules/fields.ts';
import { type Command, type CommandName, commands } from './commands.ts';
import { kinds } from './kinds.ts';

const base = { type: 'text', at: 'time', who: 'who' } as const;

const isCommandName = (type: unknown): type is CommandName => typeof type === 'string' && Object.hasOwn(commands, type);

/** A command from outside, with all its fields and no others. */
export function commandFrom(message: { readonly [field: string]: unknown }): Command | Refusal {
  const { type } = message;
  if (!isCommandName(type)) {
    return refuse('bad-request', `${quoted(type)} is no command; \`punto table --describe\` lists them.`);
  }
  const fields = readFields(message, { ...base, ...commands[type].fields }, kinds);
  return isRefused(fields) ? fields : (message as Command);
}
