// A scanner types as a keyboard does, only faster. Keys wait for a moment, so that what turns out to be a scan does nothing
// else. No clock and no screen: a key with its time gives what is known by then.

/** Keys of a scan follow one another within so many milliseconds. */
export const quickest = 30;
/** What begins with the prefix of the scanner may take so long from key to key. */
const slowest = 500;

export type Burst = {
  /** Keys that may yet turn out to be a scan. */
  readonly keys: readonly string[];
  readonly at: number;
};
export type KeyInput = { readonly key: string } | { readonly scan: string };
type Step = { readonly burst: Burst; readonly heard: readonly KeyInput[] };

export const quiet: Burst = { keys: [], at: 0 };

const asKeys = ({ keys }: Burst): readonly KeyInput[] => keys.map((key) => ({ key }));

const gapOf = ({ keys }: Burst, prefix: string): number => (prefix !== '' && keys[0] === prefix ? slowest : quickest);

/** A key comes. A scan is two letters or more and their Enter, which nobody types so fast. */
export function pressed(burst: Burst, key: string, at: number, prefix = ''): Step {
  const isNew = burst.keys.length > 0 && at - burst.at > gapOf(burst, prefix);
  const before = isNew ? asKeys(burst) : [];
  const keys = isNew ? [] : burst.keys;
  if (key === 'Enter') {
    const text = keys[0] === prefix && prefix !== '' ? keys.slice(1) : keys;
    if (text.length < 2) return { burst: quiet, heard: [...before, ...asKeys({ keys, at }), { key }] };
    return { burst: quiet, heard: [...before, { scan: text.join('') }] };
  }
  // What is no letter is no part of a scan, and nothing is gained by waiting.
  if (key.length !== 1) return { burst: quiet, heard: [...before, ...asKeys({ keys, at }), { key }] };
  return { burst: { keys: [...keys, key], at }, heard: before };
}

/** Time passes: what waited was typed by hand. */
export function passed(burst: Burst, at: number, prefix = ''): Step {
  if (burst.keys.length === 0 || at - burst.at <= gapOf(burst, prefix)) return { burst, heard: [] };
  return { burst: quiet, heard: asKeys(burst) };
}

/** How long from now until what waits is known. */
export const waitFor = (burst: Burst, prefix = ''): number | null =>
  burst.keys.length === 0 ? null : gapOf(burst, prefix) + 1;
