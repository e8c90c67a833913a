// Tells a barcode scanner from a keyboard: a scanner types faster. Keys are held back briefly, so that a scan triggers
// nothing else. Pure: each key comes with its time.

/** Longest pause between two keys of a scan. */
export const quickest = 30;
/** Longest pause between two keys of a scan that begins with the scanner's prefix. */
const slowest = 500;

export type Burst = {
  /** Keys that may still become a scan. */
  readonly keys: readonly string[];
  readonly at: number;
};
export type KeyInput = { readonly key: string } | { readonly scan: string };
type Step = { readonly burst: Burst; readonly heard: readonly KeyInput[] };

export const quiet: Burst = { keys: [], at: 0 };

const asKeys = ({ keys }: Burst): readonly KeyInput[] => keys.map((key) => ({ key }));

const gapOf = ({ keys }: Burst, prefix: string): number => (prefix !== '' && keys[0] === prefix ? slowest : quickest);

/** A scan is two characters or more and Enter; no person types that fast. */
export function pressed(burst: Burst, key: string, at: number, prefix = ''): Step {
  const isNew = burst.keys.length > 0 && at - burst.at > gapOf(burst, prefix);
  const before = isNew ? asKeys(burst) : [];
  const keys = isNew ? [] : burst.keys;
  if (key === 'Enter') {
    const text = keys[0] === prefix && prefix !== '' ? keys.slice(1) : keys;
    if (text.length < 2) return { burst: quiet, heard: [...before, ...asKeys({ keys, at }), { key }] };
    return { burst: quiet, heard: [...before, { scan: text.join('') }] };
  }
  // A key without a character is never part of a scan, so it need not be held back.
  if (key.length !== 1) return { burst: quiet, heard: [...before, ...asKeys({ keys, at }), { key }] };
  return { burst: { keys: [...keys, key], at }, heard: before };
}

/** After the longest pause the keys held back count as typed by hand. */
export function passed(burst: Burst, at: number, prefix = ''): Step {
  if (burst.keys.length === 0 || at - burst.at <= gapOf(burst, prefix)) return { burst, heard: [] };
  return { burst: quiet, heard: asKeys(burst) };
}

/** Milliseconds until the keys held back can be told; null when there are none. */
export const waitFor = (burst: Burst, prefix = ''): number | null =>
  burst.keys.length === 0 ? null : gapOf(burst, prefix) + 1;
