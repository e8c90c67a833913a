import { type Refusal, quoted, refuse } from './refusal.ts';

// What a message may hold, declared once: each kind has words for people, a check that names the first thing wrong by its
// place, and a JSON Schema. Kinds are made from smaller kinds.

export type JsonSchema = { readonly [keyword: string]: unknown };
/** Schemas that others refer to by name. */
export type Definitions = { [name: string]: JsonSchema };

/** The first thing that does not fit: the way to it from the outside in, what it is, and what to give instead. */
export type SchemaIssue = {
  readonly path: readonly (string | number)[];
  readonly is: string;
  readonly instead: string;
  /** A field that nobody asked for. */
  readonly stray?: true;
};

/** What a value may be. */
export type Schema<T = unknown> = {
  readonly wanted: string;
  readonly check: (value: unknown) => SchemaIssue | undefined;
  readonly fits: (value: unknown) => value is T;
  /** Its JSON Schema; what it refers to by name is added to the definitions. */
  readonly schema: (definitions: Definitions) => JsonSchema;
};

/** A field that may be left out. */
export type Optional<T = unknown> = Schema<T> & { readonly always: Schema<T> };

export type Infer<K> = K extends Schema<infer T> ? T : never;

/** The fields of an object by their kinds. */
export type Shape = { readonly [field: string]: Schema };

type Simplified<T> = { readonly [N in keyof T]: T[N] };

/** An object with the fields of a form. */
export type InferShape<F> = Simplified<
  { readonly [N in keyof F as F[N] extends Optional ? never : N]: Infer<F[N]> } & {
    readonly [N in keyof F as F[N] extends Optional ? N : never]?: Infer<F[N]>;
  }
>;

export const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const misfit = (value: unknown, wanted: string): SchemaIssue => ({
  path: [],
  is: `is ${value === undefined ? 'missing' : quoted(value)}`,
  instead: `give ${wanted}`,
});

const inside = (place: string | number, problem: SchemaIssue): SchemaIssue => ({
  ...problem,
  path: [place, ...problem.path],
});

const kindOf = <T>(
  wanted: string,
  check: Schema<T>['check'],
  schema: (definitions: Definitions) => JsonSchema,
): Schema<T> => ({
  wanted,
  check,
  fits: (value): value is T => check(value) === undefined,
  schema,
});

/** A kind without parts. */
const plain = <T>(wanted: string, schema: JsonSchema, fits: (value: unknown) => boolean): Schema<T> => ({
  wanted,
  check: (value) => (fits(value) ? undefined : misfit(value, wanted)),
  fits: (value): value is T => fits(value),
  schema: () => schema,
});

/** A text that JSON can say: half of a surrogate pair is none. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

export const string: Schema<string> = plain('a text', { type: 'string' }, isText);
export const number: Schema<number> = plain('a number', { type: 'number' }, (value) => Number.isFinite(value));
export const boolean: Schema<boolean> = plain(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
);

/** A text, perhaps by a pattern, which is the same in a schema and here. */
export const stringMatching = (wanted: string, pattern?: RegExp): Schema<string> =>
  plain(
    wanted,
    { type: 'string', ...(pattern && { pattern: pattern.source }) },
    (value) => isText(value) && (pattern === undefined || pattern.test(value)),
  );

/** A whole number that is exact in every program. */
export const integer = (wanted: string, minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Schema<number> =>
  plain(
    wanted,
    { type: 'integer', minimum, maximum },
    (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
  );
export const nonNegativeInteger = integer('a whole number', 0);

export const literals = <const T extends string | number>(values: readonly T[]): Schema<T> =>
  plain(values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(', ')}`, { enum: values }, (value) =>
    (values as readonly unknown[]).includes(value),
  );

export function array<T>(
  one: Schema<T>,
  wanted: string,
  { least = 0, most = Infinity }: { readonly least?: number; readonly most?: number } = {},
): Schema<readonly T[]> {
  return kindOf(
    wanted,
    (value) => {
      if (!Array.isArray(value) || value.length < least || value.length > most) return misfit(value, wanted);
      for (let place = 0; place < value.length; place++) {
        const problem = one.check(value[place]);
        if (problem) return inside(place, problem);
      }
      return undefined;
    },
    (definitions) => ({
      type: 'array',
      items: one.schema(definitions),
      ...(least > 0 && { minItems: least }),
      ...(most < Infinity && { maxItems: most }),
    }),
  );
}

export const strings = array(string, 'a list of texts');

/** An object whose fields are looked at elsewhere. */
export const anyObject: Schema<{ readonly [field: string]: unknown }> = plain(
  'an object',
  { type: 'object' },
  isObject,
);

/** A list with a kind for each place. */
export function tuple<const K extends readonly Schema[]>(
  wanted: string,
  ...kinds: K
): Schema<{ readonly [N in keyof K]: Infer<K[N]> }> {
  return kindOf(
    wanted,
    (value) => {
      if (!Array.isArray(value) || value.length !== kinds.length) return misfit(value, wanted);
      for (const [place, kind] of kinds.entries()) {
        const problem = kind.check(value[place]);
        if (problem) return inside(place, problem);
      }
      return undefined;
    },
    (definitions) => ({
      type: 'array',
      prefixItems: kinds.map((kind) => kind.schema(definitions)),
      minItems: kinds.length,
      maxItems: kinds.length,
    }),
  );
}

/** Values by name. */
export function record<T>(
  name: Schema<string>,
  one: Schema<T>,
  wanted: string,
  most = Infinity,
): Schema<{ readonly [name: string]: T }> {
  const anyName = name === string;
  return kindOf(
    wanted,
    (value) => {
      if (!isObject(value)) return misfit(value, wanted);
      const names = Object.keys(value);
      if (names.length > most) return { path: [], is: `has ${names.length} entries`, instead: `give ${most} at most` };
      for (const each of names) {
        if (!name.fits(each))
          return { path: [], is: `has an entry ${quoted(each)}`, instead: `name it by ${name.wanted}` };
        const problem = one.check(value[each]);
        if (problem) return inside(each, problem);
      }
      return undefined;
    },
    (definitions) => ({
      type: 'object',
      ...(!anyName && { propertyNames: name.schema(definitions) }),
      additionalProperties: one.schema(definitions),
      ...(most < Infinity && { maxProperties: most }),
    }),
  );
}

export const isOptional = (kind: Schema): kind is Optional => 'always' in kind;

export const optional = <T>(kind: Schema<T>): Optional<T> => ({
  ...kind,
  always: kind,
  check: (value) => {
    const problem = value === undefined ? undefined : kind.check(value);
    return problem && problem.path.length === 0 && !problem.stray
      ? { ...problem, instead: `${problem.instead}, or leave it out` }
      : problem;
  },
  fits: (value): value is T => value === undefined || kind.fits(value),
});

/** The first thing wrong with the fields of an object: a stray one, or else one that does not fit. */
function problemIn(value: { readonly [field: string]: unknown }, form: Shape): SchemaIssue | undefined {
  const stray = Object.keys(value).find((field) => !Object.hasOwn(form, field));
  if (stray !== undefined) {
    const known = Object.keys(form).join(', ') || 'no field';
    return { path: [stray], is: 'is not known here', instead: `use ${known}`, stray: true };
  }
  for (const [field, kind] of Object.entries(form)) {
    const problem = kind.check(Object.hasOwn(value, field) ? value[field] : undefined);
    if (problem) return inside(field, problem);
  }
  return undefined;
}

/** An object with all fields of a form and no others. */
export function object<const F extends Shape>(wanted: string, form: F): Schema<InferShape<F>> {
  const names = Object.keys(form);
  const kinds = Object.values(form);
  return kindOf(
    wanted,
    (value) => {
      if (!isObject(value)) return misfit(value, wanted);
      // What fits has nothing but fields that fit; only for the rest is it worth asking what is wrong.
      let left = Object.keys(value).length;
      for (let n = 0; n < names.length; n++) {
        const one = value[names[n]!];
        if (kinds[n]!.check(one)) return problemIn(value, form);
        if (one !== undefined) left--;
      }
      return left === 0 ? undefined : problemIn(value, form);
    },
    (definitions) => ({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, form[name]!.schema(definitions)])),
      required: names.filter((name) => !isOptional(form[name]!)),
      additionalProperties: false,
    }),
  );
}

/** The same fields, each of which may be left out. */
export const partial = <F extends Shape>(form: F): { readonly [N in keyof F]: Optional<Infer<F[N]>> } =>
  Object.fromEntries(
    Object.entries(form).map(([field, kind]) => [field, isOptional(kind) ? kind : optional(kind)]),
  ) as {
    readonly [N in keyof F]: Optional<Infer<F[N]>>;
  };

/** The same fields, none of which may be left out. */
export const required = <F extends Shape>(form: F): { readonly [N in keyof F]: Schema<Infer<F[N]>> } =>
  Object.fromEntries(Object.entries(form).map(([field, kind]) => [field, isOptional(kind) ? kind.always : kind])) as {
    readonly [N in keyof F]: Schema<Infer<F[N]>>;
  };

export const nullable = <T>(kind: Schema<T>): Schema<T | null> =>
  kindOf(
    `${kind.wanted}, or null`,
    (value) => (value === null ? undefined : kind.check(value)),
    (definitions) => ({ anyOf: [kind.schema(definitions), { type: 'null' }] }),
  );

/** A field that nobody asked for, where without such the value would be of one of the kinds, and of no other. */
function strayIn(value: unknown, kinds: readonly Schema[]): SchemaIssue | undefined {
  if (!isObject(value)) return undefined;
  const strays = kinds.flatMap((kind) => {
    const rest = { ...value };
    const first = kind.check(rest);
    let problem = first;
    while (problem?.stray && problem.path.length === 1) {
      delete rest[problem.path[0]!];
      problem = kind.check(rest);
    }
    return first !== undefined && problem === undefined ? [first] : [];
  });
  return strays.length === 1 ? strays[0] : undefined;
}

/** One kind or another. Where only one of them has the fields that were given, the problem is told from its side. */
export function union<const K extends readonly Schema[]>(wanted: string, ...kinds: K): Schema<Infer<K[number]>> {
  return kindOf(
    wanted,
    (value) => {
      const near: SchemaIssue[] = [];
      for (const kind of kinds) {
        const problem = kind.check(value);
        if (problem === undefined) return undefined;
        if (problem.path.length > 0 && !problem.stray) near.push(problem);
      }
      const wrong = near.find(({ is }) => !is.endsWith('missing')) ?? strayIn(value, kinds);
      return wrong ?? (near.length === 1 ? near[0]! : misfit(value, wanted));
    },
    (definitions) => ({ anyOf: kinds.map((kind) => kind.schema(definitions)) }),
  );
}

type Tagged<T extends string, D extends { readonly [name: string]: { readonly fields: Shape } }, S extends Shape> = {
  readonly [N in keyof D & string]: Schema<InferShape<{ readonly [F in T]: Schema<N> } & S & D[N]['fields']>>;
};

/** A kind for each of several declared objects: its name in the field that tells them apart, what all have, and its own. */
export const variants = <
  T extends string,
  D extends { readonly [name: string]: { readonly fields: Shape } },
  S extends Shape,
>(
  tag: T,
  what: string,
  declared: D,
  shared: S,
): Tagged<T, D, S> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { fields }]) => [
      name,
      object(`${what} ${name}`, { [tag]: literals([name]), ...shared, ...fields }),
    ]),
  ) as unknown as Tagged<T, D, S>;

/** One of several kinds of objects, told apart by the text in one of their fields. */
export function taggedUnion<K extends { readonly [name: string]: Schema }>(
  tag: string,
  wanted: string,
  kinds: K,
): Schema<Infer<K[keyof K]>> {
  return kindOf(
    wanted,
    (value) => {
      if (!isObject(value)) return misfit(value, wanted);
      const name = value[tag];
      if (typeof name === 'string' && Object.hasOwn(kinds, name)) return kinds[name]!.check(value);
      return inside(tag, misfit(name, `the name of ${wanted}`));
    },
    (definitions) => ({ anyOf: Object.values(kinds).map((kind) => kind.schema(definitions)) }),
  );
}

/** A kind held to one thing more; the schema says as much of it as a schema can. */
export const refine = <T>(
  kind: Schema<T>,
  wanted: string,
  holds: (value: T) => boolean,
  also: JsonSchema = {},
): Schema<T> =>
  kindOf(
    wanted,
    (value) => kind.check(value) ?? (holds(value as T) ? undefined : misfit(value, wanted)),
    (definitions) => ({ ...kind.schema(definitions), ...also }),
  );

/** An object with two fields that are given together or not at all. */
export const requiredTogether = <T extends object>(
  kind: Schema<T>,
  wanted: string,
  [one, other]: readonly [keyof T & string, keyof T & string],
): Schema<T> =>
  kindOf(
    wanted,
    (value) => {
      const problem = kind.check(value);
      if (problem) return problem;
      const [hasOne, hasOther] = [one, other].map((field) => (value as T)[field as keyof T] !== undefined);
      if (hasOne === hasOther) return undefined;
      const [given, left] = hasOne ? [one, other] : [other, one];
      return { path: [left], is: 'is missing', instead: `give it with ${quoted(given)}, or leave both out` };
    },
    (definitions) => ({ ...kind.schema(definitions), dependentRequired: { [one]: [other], [other]: [one] } }),
  );

/** A kind that schemas refer to by its name. */
export const named = <T>(name: string, kind: Schema<T>): Schema<T> => ({
  ...kind,
  schema: (definitions) => {
    definitions[name] ??= kind.schema(definitions);
    return { $ref: `#/$defs/${name}` };
  },
});

export const formatPath = (path: SchemaIssue['path']): string =>
  path.map((part, n) => (typeof part === 'number' ? `[${part}]` : n === 0 ? part : `.${part}`)).join('');

/** A problem as a refusal; `within` is what the value itself is called. */
function refusalOf({ path, is, instead, stray }: SchemaIssue, within?: string): Refusal {
  const place = formatPath(within === undefined ? path : [within, ...path]);
  const what = place === '' ? 'The message' : `The field ${quoted(place)}`;
  return refuse(stray ? 'unknown-field' : 'bad-request', `${what} ${is}; ${instead}.`);
}

/** A message by its kind; refused if a field is missing, unknown or of the wrong kind, however deep it lies. */
export function parse<T>(message: unknown, kind: Schema<T>, within?: string): T | Refusal {
  const problem = kind.check(message);
  return problem ? refusalOf(problem, within) : (message as T);
}
