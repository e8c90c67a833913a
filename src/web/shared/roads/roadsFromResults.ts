import { type Roads, roadsOf } from '../../../roads/roads.ts';
import { parseResultCode } from '../../../wire/resultCode.ts';

const made = new WeakMap<readonly string[], Roads>();

/** The roads of a shoe. They are made once for each list, which stays the same until another result comes. */
export function roadsFrom(results: readonly string[]): Roads {
  let roads = made.get(results);
  if (roads === undefined) made.set(results, (roads = roadsOf(results.map(parseResultCode))));
  return roads;
}
