import { isObject } from '../base/schema.ts';

// What is shown changes a little at a time, and only that is sent. A change says which fields have another value, which
// parts (objects that keep their id) have other fields, and from which place on lists have other items.

type Shape = { readonly [field: string]: unknown };
type Tail = { readonly from: number; readonly items: readonly unknown[] };
export type ViewDelta = {
  readonly fields?: Shape;
  readonly parts?: { readonly [part: string]: Shape };
  readonly lists?: { readonly [list: string]: Tail };
};

/** What leads from one state to another; undefined where they are equal. */
export function diffView(before: Shape, after: Shape): ViewDelta | undefined {
  const fields: { [field: string]: unknown } = {};
  const parts: { [part: string]: Shape } = {};
  const lists: { [list: string]: Tail } = {};
  for (const [name, is] of Object.entries(after)) {
    const was = before[name];
    if (areEqual(was, is)) continue;
    if (Array.isArray(was) && Array.isArray(is)) lists[name] = tailFrom(was, is);
    else if (isObject(was) && isObject(is) && is['id'] !== undefined && was['id'] === is['id']) {
      parts[name] = Object.fromEntries(Object.entries(is).filter(([field, value]) => !areEqual(was[field], value)));
    } else fields[name] = is;
  }
  const change = {
    ...(hasAny(fields) && { fields }),
    ...(hasAny(parts) && { parts }),
    ...(hasAny(lists) && { lists }),
  };
  return hasAny(change) ? change : undefined;
}

/** The state after a change. */
export function applyDelta<V extends Shape>(before: V, { fields, parts = {}, lists = {} }: ViewDelta): V {
  const after: { [field: string]: unknown } = { ...before, ...fields };
  for (const [name, part] of Object.entries(parts)) after[name] = { ...(before[name] as Shape), ...part };
  for (const [name, { from, items }] of Object.entries(lists)) {
    after[name] = [...(before[name] as readonly unknown[]).slice(0, from), ...items];
  }
  return after as V;
}

const hasAny = (record: object): boolean => Object.keys(record).length > 0;

function tailFrom(was: readonly unknown[], is: readonly unknown[]): Tail {
  let from = 0;
  while (from < was.length && from < is.length && areEqual(was[from], is[from])) from++;
  return { from, items: is.slice(from) };
}

/** Whether two values of plain data are equal; what is the same object is not looked into. */
function areEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, n) => areEqual(item, other[n]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && areEqual(one[name], other[name]))
  );
}
