import { type Roads, roadsOf } from '../../../roads/roads.ts';
import { parseResultCode } from '../../../wire/resultCode.ts';

const cache = new WeakMap<readonly string[], Roads>();

/**
 * Roads of a shoe from its result codes. They are cached by the list object, since each new result comes in a new list.
 */
export function roadsFromResults(results: readonly string[]): Roads {
  let roads = cache.get(results);
  if (roads === undefined) cache.set(results, (roads = roadsOf(results.map(parseResultCode))));
  return roads;
}
