import { type Schema, type Infer, isObject, parse } from './schema.ts';
import { type Refusal, quoted, refuse } from './refusal.ts';

/** Parses a command by its type: all its fields and no others. `hint` says where the types are listed. */
export function parseTypedCommand<Schemas extends { readonly [name: string]: Schema }>(
  message: unknown,
  schemas: Schemas,
  owner: string,
  hint = 'give the name of one.',
): Infer<Schemas[keyof Schemas]> | Refusal {
  if (!isObject(message)) {
    return refuse('bad-request', `A command is an object with a type, and ${quoted(message)} is none; ${hint}`);
  }
  const { type } = message;
  if (type === undefined) return refuse('bad-request', `The command has no type; ${hint}`);
  if (typeof type !== 'string' || !Object.hasOwn(schemas, type)) {
    return refuse('bad-request', `${quoted(type)} is no command of ${owner}; ${hint}`);
  }
  return parse(message, schemas[type]! as Schema<Infer<Schemas[keyof Schemas]>>);
}
