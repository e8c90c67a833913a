import { type Schema, type Infer, isObject, parse } from './schema.ts';
import { type Refusal, quoteForMessage, refuse } from './refusal.ts';

/**
 * Parses a command by the schema of its `type`; unknown and missing fields are refused. A command without a known type
 * is refused too; `hint` ends the message of that refusal and says what to give instead.
 */
export function parseTypedCommand<Schemas extends { readonly [name: string]: Schema }>(
  message: unknown,
  schemas: Schemas,
  owner: string,
  hint = 'give the name of a command.',
): Infer<Schemas[keyof Schemas]> | Refusal {
  if (!isObject(message)) {
    return refuse(
      'bad-request',
      `A command must be an object with a type, but this is ${quoteForMessage(message)}; ${hint}`,
    );
  }
  const { type } = message;
  if (type === undefined) return refuse('bad-request', `The command has no type; ${hint}`);
  if (typeof type !== 'string' || !Object.hasOwn(schemas, type)) {
    return refuse('bad-request', `${quoteForMessage(type)} is not a command of ${owner}; ${hint}`);
  }
  return parse(message, schemas[type]! as Schema<Infer<Schemas[keyof Schemas]>>);
}
