import { type Refusal, quoteForMessage, refuse } from './refusal.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };
/** JSON Schemas by name. A `$ref` refers to such a name. */
export type JsonSchemaDefinitions = { [name: string]: JsonSchema };

/**
 * The first mismatch of a value with its schema. `path` leads from the outermost field to the wrong one, `problem` says
 * what is wrong, and `remedy` says what to give instead.
 */
export type SchemaIssue = {
  readonly path: readonly (string | number)[];
  readonly problem: string;
  readonly remedy: string;
  /** True when the path names a field that the schema does not have. */
  readonly isUnknownField?: true;
};

/**
 * Schema of a value: one declaration gives a description for people, a check and a JSON Schema. The check reports the
 * first mismatch.
 */
export type Schema<T = unknown> = {
  readonly expected: string;
  readonly check: (value: unknown) => SchemaIssue | undefined;
  readonly fits: (value: unknown) => value is T;
  /** Returns the JSON Schema, and adds the named schemas that it uses to `definitions`. */
  readonly toJsonSchema: (definitions: JsonSchemaDefinitions) => JsonSchema;
};

export type Optional<T = unknown> = Schema<T> & { readonly inner: Schema<T> };

export type Infer<K> = K extends Schema<infer T> ? T : never;

export type Shape = { readonly [field: string]: Schema };

type Simplified<T> = { readonly [N in keyof T]: T[N] };

export type InferShape<F> = Simplified<
  { readonly [N in keyof F as F[N] extends Optional ? never : N]: Infer<F[N]> } & {
    readonly [N in keyof F as F[N] extends Optional ? N : never]?: Infer<F[N]>;
  }
>;

export const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isOptional = (schema: Schema): schema is Optional => 'inner' in schema;

export const mismatch = (value: unknown, expected: string): SchemaIssue => ({
  path: [],
  problem: `is ${value === undefined ? 'missing' : quoteForMessage(value)}`,
  remedy: `give ${expected}`,
});

export const prefixIssuePath = (key: string | number, issue: SchemaIssue): SchemaIssue => ({
  ...issue,
  path: [key, ...issue.path],
});

export const buildSchema = <T>(
  expected: string,
  check: Schema<T>['check'],
  toJsonSchema: (definitions: JsonSchemaDefinitions) => JsonSchema,
): Schema<T> => ({
  expected,
  check,
  fits: (value): value is T => check(value) === undefined,
  toJsonSchema,
});

export const formatPath = (path: SchemaIssue['path']): string =>
  path.map((part, n) => (typeof part === 'number' ? `[${part}]` : n === 0 ? part : `.${part}`)).join('');

/** The refusal for a mismatch. `root` names the whole value; without `root` the refusal calls it "The message". */
function issueRefusal({ path, problem, remedy, isUnknownField }: SchemaIssue, root?: string): Refusal {
  const key = formatPath(root === undefined ? path : [root, ...path]);
  const noun = key === '' ? 'The message' : `The field ${quoteForMessage(key)}`;
  return refuse(isUnknownField ? 'unknown-field' : 'bad-request', `${noun} ${problem}; ${remedy}.`);
}

/**
 * Returns the message unchanged if it matches the schema; else a refusal that names the missing, unknown or wrong
 * field.
 */
export function parse<T>(message: unknown, schema: Schema<T>, root?: string): T | Refusal {
  const issue = schema.check(message);
  return issue ? issueRefusal(issue, root) : (message as T);
}
