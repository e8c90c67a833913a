import { type Roads, roadsOf } from '../../../roads/roads.ts';
import { parseResultCode } from '../../../wire/resultCode.ts';

const made = new WeakMap<readonly string[], Roads>();

/** The roads of a shoe, cached by the identity of the list, which changes with each result. */
export function roadsFrom(results: readonly string[]): Roads {
  let roads = made.get(results);
  if (roads === undefined) made.set(results, (roads = roadsOf(results.map(parseResultCode))));
  return roads;
}
