import { type Roads, roadsOf } from '../../../roads/roads.ts';
import { parseResultCode } from '../../../wire/resultCode.ts';

const cache = new WeakMap<readonly string[], Roads>();

/** The roads of a shoe, cached by the identity of the list, which changes with each result. */
export function roadsFromResults(results: readonly string[]): Roads {
  let roads = cache.get(results);
  if (roads === undefined) cache.set(results, (roads = roadsOf(results.map(parseResultCode))));
  return roads;
}
