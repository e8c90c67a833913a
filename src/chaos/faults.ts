import { type Chance } from '../floor/chance.ts';
import { type Append, type Appended, ResultUnknown, type Store } from '../store/store.ts';

/** How often, in a thousand appends, the store fails before it writes, and after it has written. */
export type Faults = { readonly before: number; readonly after: number };

/** A store in front of another one that fails now and then, and can be unplugged for good. */
export function faultyStore(store: Store, chance: Chance, faults: Faults): Store & { unplug: () => void } {
  let unplugged = false;
  const append = async (batch: Append): Promise<Appended> => {
    if (unplugged) return new Promise(() => {});
    if (chance.below(1000) < faults.before) throw new Error('The disk failed before the write.');
    const appended = await store.append(batch);
    if (unplugged) return new Promise(() => {});
    if (chance.below(1000) < faults.after) throw new ResultUnknown('The answer of the disk was lost.');
    return appended;
  };
  return {
    ...store,
    append,
    unplug: () => {
      unplugged = true;
    },
  };
}
