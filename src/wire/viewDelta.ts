import { isObject } from '../base/schema.ts';

// Delta: the difference of two views. `fields` are the changed fields of the view. `parts` are objects in the view
// whose id is the same in both views, each with its changed fields only. `lists` are changed lists, each with its items
// from the first changed item on.

type Shape = { readonly [field: string]: unknown };
type Tail = { readonly from: number; readonly items: readonly unknown[] };
export type ViewDelta = {
  readonly fields?: Shape;
  readonly parts?: { readonly [part: string]: Shape };
  readonly lists?: { readonly [list: string]: Tail };
};

/** The delta from the view `before` to the view `after`; undefined if both views are equal. */
export function diffView(before: Shape, after: Shape): ViewDelta | undefined {
  const fields: { [field: string]: unknown } = {};
  const parts: { [part: string]: Shape } = {};
  const lists: { [list: string]: Tail } = {};
  for (const [name, newValue] of Object.entries(after)) {
    const oldValue = before[name];
    if (areEqual(oldValue, newValue)) continue;
    if (Array.isArray(oldValue) && Array.isArray(newValue)) lists[name] = tailFrom(oldValue, newValue);
    else if (
      isObject(oldValue) &&
      isObject(newValue) &&
      newValue['id'] !== undefined &&
      oldValue['id'] === newValue['id']
    ) {
      parts[name] = Object.fromEntries(
        Object.entries(newValue).filter(([field, value]) => !areEqual(oldValue[field], value)),
      );
    } else fields[name] = newValue;
  }
  const delta = {
    ...(hasAny(fields) && { fields }),
    ...(hasAny(parts) && { parts }),
    ...(hasAny(lists) && { lists }),
  };
  return hasAny(delta) ? delta : undefined;
}

export function applyDelta<V extends Shape>(before: V, { fields, parts = {}, lists = {} }: ViewDelta): V {
  const after: { [field: string]: unknown } = { ...before, ...fields };
  for (const [name, part] of Object.entries(parts)) after[name] = { ...(before[name] as Shape), ...part };
  for (const [name, { from, items }] of Object.entries(lists)) {
    after[name] = [...(before[name] as readonly unknown[]).slice(0, from), ...items];
  }
  return after as V;
}

const hasAny = (record: object): boolean => Object.keys(record).length > 0;

function tailFrom(oldValue: readonly unknown[], newValue: readonly unknown[]): Tail {
  let from = 0;
  while (from < oldValue.length && from < newValue.length && areEqual(oldValue[from], newValue[from])) from++;
  return { from, items: newValue.slice(from) };
}

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
