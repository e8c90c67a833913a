import { readFileSync } from 'node:fs';
import { isObject } from '../../src/base/schema.ts';

// Translates data of version 0.2 to the names of 0.3, by docs/migration-0.3.json alone.
//
// A path is matched against the fields from the outside in; lists are transparent, and an object with a `type` is
// preceded by that type. `**` stands for any number of fields, `*` for one. Where the last part of a path is `old`, the
// field is renamed; otherwise `old` is a value of that field.

type Row = { readonly surface: string; readonly path: string; readonly old: string; readonly new: string };

const rows = JSON.parse(readFileSync(new URL('../../docs/migration-0.3.json', import.meta.url), 'utf8')) as Row[];

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return matches(rest, path) || (path.length > 0 && matches(pattern, path.slice(1)));
  return path.length > 0 && (first === '*' || first === path[0]) && matches(rest, path.slice(1));
}

/** A message, line or entry of 0.2 in the names of 0.3. */
export function migrate(value: unknown, surface: string): unknown {
  const known = rows.filter((row) => row.surface === surface);
  const fields = known.filter(({ path, old }) => path.split('.').at(-1) === old);
  const values = known.filter((row) => !fields.includes(row));
  const pick = (among: readonly Row[], old: string, path: readonly string[]): string =>
    among.find((row) => row.old === old && matches(row.path.split('.'), path))?.new ?? old;
  const walk = (one: unknown, path: readonly string[]): unknown => {
    if (typeof one === 'string') return pick(values, one, path);
    if (Array.isArray(one)) return one.map((item) => walk(item, path));
    if (!isObject(one)) return one;
    const typed = typeof one['type'] === 'string' ? [...path, one['type']] : path;
    return Object.fromEntries(
      Object.entries(one).map(([field, inner]) => {
        const within = [...typed, field];
        return [pick(fields, field, within), walk(inner, within)];
      }),
    );
  };
  return walk(value, []);
}

export const migrationRows = rows;
