import { type Refusal, quoted, refuse } from './refusal.ts';

/** What a field may hold: in words for people, and as a check. */
export type Kind<T = unknown> = { readonly wanted: string; readonly fits: (value: unknown) => value is T };
export type Kinds = { readonly [name: string]: Kind };

/** The fields of a message by their kinds; `?` at the end marks one that may be left out. */
export type Form<K extends Kinds> = {
  readonly [field: string]: (keyof K & string) | `${keyof K & string}?`;
};

type Value<K extends Kinds, N> = N extends keyof K ? (K[N] extends Kind<infer T> ? T : never) : never;

/** A message with the fields of a form. */
export type FieldsOf<F, K extends Kinds> = {
  readonly [N in keyof F as F[N] extends `${string}?` ? never : N]: Value<K, F[N]>;
} & {
  readonly [N in keyof F as F[N] extends `${string}?` ? N : never]?: F[N] extends `${infer B}?` ? Value<K, B> : never;
};

export const kind = <T>(wanted: string, fits: (value: unknown) => boolean): Kind<T> => ({
  wanted,
  fits: (value): value is T => fits(value),
});

export const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that JSON can say: half of a surrogate pair is none. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

/** Kinds that any message may need. */
export const plainKinds = {
  text: kind<string>('a text', isText),
  texts: kind<readonly string[]>('a list of texts', (value) => Array.isArray(value) && value.every(isText)),
  number: kind<number>('a number', Number.isFinite),
} as const;

/** The fields of a message by a form; refused if one is missing, unknown or of the wrong kind. */
export function readFields<K extends Kinds, F extends Form<K>>(
  message: { readonly [field: string]: unknown },
  form: F,
  kinds: K,
): FieldsOf<F, K> | Refusal {
  const stray = Object.keys(message).find((field) => !Object.hasOwn(form, field));
  if (stray !== undefined) {
    const known = Object.keys(form).join(', ');
    return refuse('unknown-field', `The field ${quoted(stray)} is not known here; use ${known}.`);
  }
  for (const [field, wanted] of Object.entries(form)) {
    const optional = wanted.endsWith('?');
    const value = Object.hasOwn(message, field) ? message[field] : undefined;
    if (optional && value === undefined) continue;
    const { fits, wanted: words } = kinds[optional ? wanted.slice(0, -1) : wanted]!;
    if (fits(value)) continue;
    const is = value === undefined ? 'missing' : quoted(value);
    return refuse('bad-request', `The field "${field}" is ${is}; give ${words}${optional ? ', or leave it out' : ''}.`);
  }
  return message as FieldsOf<F, K>;
}
