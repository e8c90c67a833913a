import { quoteForMessage } from './refusal.ts';
import {
  type Infer,
  type InferShape,
  type JsonSchema,
  type Optional,
  type Schema,
  type SchemaIssue,
  type Shape,
  isObject,
  isOptional,
  prefixIssuePath,
  mismatch,
  buildSchema,
} from './schema.ts';

// Primitive schemas, and combinators that build schemas from smaller ones.

/** Makes a schema that contains no other schema. */
const primitive = <T>(expected: string, schema: JsonSchema, fits: (value: unknown) => boolean): Schema<T> => ({
  expected,
  check: (value) => (fits(value) ? undefined : mismatch(value, expected)),
  fits: (value): value is T => fits(value),
  toJsonSchema: () => schema,
});

/** True for a string without lone surrogates. JSON cannot represent lone surrogates. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

export const string: Schema<string> = primitive('a text', { type: 'string' }, isText);
export const number: Schema<number> = primitive('a number', { type: 'number' }, (value) => Number.isFinite(value));
export const boolean: Schema<boolean> = primitive(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
);

/** Schema of a string that matches a pattern; the JSON Schema has the same pattern. */
export const stringMatching = (expected: string, pattern?: RegExp): Schema<string> =>
  primitive(
    expected,
    { type: 'string', ...(pattern && { pattern: pattern.source }) },
    (value) => isText(value) && (pattern === undefined || pattern.test(value)),
  );

/** Schema of a safe integer between two limits, inclusive. */
export const integer = (expected: string, minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Schema<number> =>
  primitive(
    expected,
    { type: 'integer', minimum, maximum },
    (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
  );
export const nonNegativeInteger = integer('a whole number', 0);

export const literals = <const T extends string | number>(values: readonly T[]): Schema<T> =>
  primitive(
    values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(', ')}`,
    { enum: values },
    (value) => (values as readonly unknown[]).includes(value),
  );

export function array<T>(
  element: Schema<T>,
  expected: string,
  { min = 0, max = Infinity }: { readonly min?: number; readonly max?: number } = {},
): Schema<readonly T[]> {
  return buildSchema(
    expected,
    (value) => {
      if (!Array.isArray(value) || value.length < min || value.length > max) return mismatch(value, expected);
      for (let key = 0; key < value.length; key++) {
        const issue = element.check(value[key]);
        if (issue) return prefixIssuePath(key, issue);
      }
      return undefined;
    },
    (definitions) => ({
      type: 'array',
      items: element.toJsonSchema(definitions),
      ...(min > 0 && { minItems: min }),
      ...(max < Infinity && { maxItems: max }),
    }),
  );
}

export const strings = array(string, 'a list of texts');

/** Schema of an object with any fields. */
export const anyObject: Schema<{ readonly [field: string]: unknown }> = primitive(
  'an object',
  { type: 'object' },
  isObject,
);

export function tuple<const K extends readonly Schema[]>(
  expected: string,
  ...schemas: K
): Schema<{ readonly [N in keyof K]: Infer<K[N]> }> {
  return buildSchema(
    expected,
    (value) => {
      if (!Array.isArray(value) || value.length !== schemas.length) return mismatch(value, expected);
      for (const [key, schema] of schemas.entries()) {
        const issue = schema.check(value[key]);
        if (issue) return prefixIssuePath(key, issue);
      }
      return undefined;
    },
    (definitions) => ({
      type: 'array',
      prefixItems: schemas.map((schema) => schema.toJsonSchema(definitions)),
      minItems: schemas.length,
      maxItems: schemas.length,
    }),
  );
}

export function record<T>(
  name: Schema<string>,
  element: Schema<T>,
  expected: string,
  max = Infinity,
): Schema<{ readonly [name: string]: T }> {
  const anyName = name === string;
  return buildSchema(
    expected,
    (value) => {
      if (!isObject(value)) return mismatch(value, expected);
      const names = Object.keys(value);
      if (names.length > max)
        return { path: [], problem: `has ${names.length} entries`, remedy: `give at most ${max}` };
      for (const each of names) {
        if (!name.fits(each))
          return {
            path: [],
            problem: `has an entry ${quoteForMessage(each)}`,
            remedy: `use ${name.expected} as its name`,
          };
        const issue = element.check(value[each]);
        if (issue) return prefixIssuePath(each, issue);
      }
      return undefined;
    },
    (definitions) => ({
      type: 'object',
      ...(!anyName && { propertyNames: name.toJsonSchema(definitions) }),
      additionalProperties: element.toJsonSchema(definitions),
      ...(max < Infinity && { maxProperties: max }),
    }),
  );
}

export const optional = <T>(schema: Schema<T>): Optional<T> => ({
  ...schema,
  inner: schema,
  check: (value) => {
    const issue = value === undefined ? undefined : schema.check(value);
    return issue && issue.path.length === 0 && !issue.isUnknownField
      ? { ...issue, remedy: `${issue.remedy}, or leave it out` }
      : issue;
  },
  fits: (value): value is T => value === undefined || schema.fits(value),
});

/** The first mismatch among the fields of an object: an unknown field, else a missing or wrong one. */
function fieldIssue(value: { readonly [field: string]: unknown }, shape: Shape): SchemaIssue | undefined {
  const unknownField = Object.keys(value).find((field) => !Object.hasOwn(shape, field));
  if (unknownField !== undefined) {
    const fields = Object.keys(shape).join(', ') || 'no field';
    return { path: [unknownField], problem: 'is not known here', remedy: `use ${fields}`, isUnknownField: true };
  }
  for (const [field, schema] of Object.entries(shape)) {
    const issue = schema.check(Object.hasOwn(value, field) ? value[field] : undefined);
    if (issue) return prefixIssuePath(field, issue);
  }
  return undefined;
}

/** Schema of an object with the fields of the shape and no others. Only optional fields may be missing. */
export function object<const F extends Shape>(expected: string, shape: F): Schema<InferShape<F>> {
  const names = Object.keys(shape);
  const schemas = Object.values(shape);
  return buildSchema(
    expected,
    (value) => {
      if (!isObject(value)) return mismatch(value, expected);
      // Fast path for a valid object: each field is checked and counted. `fieldIssue` searches for the mismatch to
      // report only if the object is invalid.
      let unmatched = Object.keys(value).length;
      for (let n = 0; n < names.length; n++) {
        const field = value[names[n]!];
        if (schemas[n]!.check(field)) return fieldIssue(value, shape);
        if (field !== undefined) unmatched--;
      }
      return unmatched === 0 ? undefined : fieldIssue(value, shape);
    },
    (definitions) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, shape[name]!.toJsonSchema(definitions)])),
      required: names.filter((name) => !isOptional(shape[name]!)),
      additionalProperties: false,
    }),
  );
}

export const partial = <F extends Shape>(shape: F): { readonly [N in keyof F]: Optional<Infer<F[N]>> } =>
  Object.fromEntries(
    Object.entries(shape).map(([field, schema]) => [field, isOptional(schema) ? schema : optional(schema)]),
  ) as {
    readonly [N in keyof F]: Optional<Infer<F[N]>>;
  };

export const required = <F extends Shape>(shape: F): { readonly [N in keyof F]: Schema<Infer<F[N]>> } =>
  Object.fromEntries(
    Object.entries(shape).map(([field, schema]) => [field, isOptional(schema) ? schema.inner : schema]),
  ) as {
    readonly [N in keyof F]: Schema<Infer<F[N]>>;
  };

export const nullable = <T>(schema: Schema<T>): Schema<T | null> =>
  buildSchema(
    `${schema.expected}, or null`,
    (value) => (value === null ? undefined : schema.check(value)),
    (definitions) => ({ anyOf: [schema.toJsonSchema(definitions), { type: 'null' }] }),
  );

/**
 * Reports an unknown field if the value without its unknown fields matches exactly one of the schemas; else undefined.
 */
function unknownFieldIssue(value: unknown, schemas: readonly Schema[]): SchemaIssue | undefined {
  if (!isObject(value)) return undefined;
  const candidates = schemas.flatMap((schema) => {
    const rest = { ...value };
    const first = schema.check(rest);
    let issue = first;
    while (issue?.isUnknownField && issue.path.length === 1) {
      delete rest[issue.path[0]!];
      issue = schema.check(rest);
    }
    return first !== undefined && issue === undefined ? [first] : [];
  });
  return candidates.length === 1 ? candidates[0] : undefined;
}

/**
 * Schema of a value that matches one of several schemas. If no schema matches, the check reports the mismatch of one
 * field if possible, else of the whole value.
 */
export function union<const K extends readonly Schema[]>(expected: string, ...schemas: K): Schema<Infer<K[number]>> {
  return buildSchema(
    expected,
    (value) => {
      const nearIssues: SchemaIssue[] = [];
      for (const schema of schemas) {
        const issue = schema.check(value);
        if (issue === undefined) return undefined;
        if (issue.path.length > 0 && !issue.isUnknownField) nearIssues.push(issue);
      }
      const best = nearIssues.find(({ problem }) => !problem.endsWith('missing')) ?? unknownFieldIssue(value, schemas);
      return best ?? (nearIssues.length === 1 ? nearIssues[0]! : mismatch(value, expected));
    },
    (definitions) => ({ anyOf: schemas.map((schema) => schema.toJsonSchema(definitions)) }),
  );
}

type Tagged<T extends string, D extends { readonly [name: string]: { readonly fields: Shape } }, S extends Shape> = {
  readonly [N in keyof D & string]: Schema<InferShape<{ readonly [F in T]: Schema<N> } & S & D[N]['fields']>>;
};

/**
 * Makes one object schema per declaration. Each schema has the tag field with the name of the declaration, the shared
 * fields, and the fields of the declaration.
 */
export const variantSchemas = <
  T extends string,
  D extends { readonly [name: string]: { readonly fields: Shape } },
  S extends Shape,
>(
  tag: T,
  noun: string,
  declarations: D,
  shared: S,
): Tagged<T, D, S> =>
  Object.fromEntries(
    Object.entries(declarations).map(([name, { fields }]) => [
      name,
      object(`${noun} ${name}`, { [tag]: literals([name]), ...shared, ...fields }),
    ]),
  ) as unknown as Tagged<T, D, S>;

/** Schema of a discriminated union: the string in the tag field selects the schema. */
export function taggedUnion<K extends { readonly [name: string]: Schema }>(
  tag: string,
  expected: string,
  schemas: K,
): Schema<Infer<K[keyof K]>> {
  return buildSchema(
    expected,
    (value) => {
      if (!isObject(value)) return mismatch(value, expected);
      const name = value[tag];
      if (typeof name === 'string' && Object.hasOwn(schemas, name)) return schemas[name]!.check(value);
      return prefixIssuePath(tag, mismatch(name, `the name of ${expected}`));
    },
    (definitions) => ({ anyOf: Object.values(schemas).map((schema) => schema.toJsonSchema(definitions)) }),
  );
}

/** Adds a condition to a schema. `keywords` express as much of the condition as JSON Schema can. */
export const refine = <T>(
  schema: Schema<T>,
  expected: string,
  condition: (value: T) => boolean,
  keywords: JsonSchema = {},
): Schema<T> =>
  buildSchema(
    expected,
    (value) => schema.check(value) ?? (condition(value as T) ? undefined : mismatch(value, expected)),
    (definitions) => ({ ...schema.toJsonSchema(definitions), ...keywords }),
  );

/** Schema of an object in which two fields are both present or both absent. */
export const requiredTogether = <T extends object>(
  schema: Schema<T>,
  expected: string,
  [one, other]: readonly [keyof T & string, keyof T & string],
): Schema<T> =>
  buildSchema(
    expected,
    (value) => {
      const issue = schema.check(value);
      if (issue) return issue;
      const [hasOne, hasOther] = [one, other].map((field) => (value as T)[field as keyof T] !== undefined);
      if (hasOne === hasOther) return undefined;
      const [given, missing] = hasOne ? [one, other] : [other, one];
      return {
        path: [missing],
        problem: 'is missing',
        remedy: `give it with ${quoteForMessage(given)}, or leave both out`,
      };
    },
    (definitions) => ({
      ...schema.toJsonSchema(definitions),
      dependentRequired: { [one]: [other], [other]: [one] },
    }),
  );

/** Gives a schema a name, so that JSON Schemas refer to it by `$ref`. */
export const named = <T>(name: string, schema: Schema<T>): Schema<T> => ({
  ...schema,
  toJsonSchema: (definitions) => {
    definitions[name] ??= schema.toJsonSchema(definitions);
    return { $ref: `#/$defs/${name}` };
  },
});
