// Tells the scans of a barcode scanner from typed keys: a scanner types faster. Keys are delayed briefly, so that the
// characters of a scan trigger no shortcut.

/** Longest pause between two keys of a scan without a prefix. */
export const maxScanGapMs = 30;
/** Longest pause between two keys of a scan that begins with the scanner's prefix. */
const maxPrefixedGapMs = 500;

export type KeyBurst = {
  /** Keys so far, delayed because they may be the beginning of a scan. */
  readonly keys: readonly string[];
  readonly at: number;
};
export type KeyOrScan = { readonly key: string } | { readonly scan: string };
type BurstStep = { readonly burst: KeyBurst; readonly inputs: readonly KeyOrScan[] };

export const emptyBurst: KeyBurst = { keys: [], at: 0 };

const keyInputs = ({ keys }: KeyBurst): readonly KeyOrScan[] => keys.map((key) => ({ key }));

const maxGapMs = ({ keys }: KeyBurst, prefix: string): number =>
  prefix !== '' && keys[0] === prefix ? maxPrefixedGapMs : maxScanGapMs;

/**
 * Adds a key to the burst. Two or more characters and Enter become a scan if they are typed faster than a person can
 * type.
 */
export function addKeyToBurst(burst: KeyBurst, key: string, at: number, prefix = ''): BurstStep {
  const isNew = burst.keys.length > 0 && at - burst.at > maxGapMs(burst, prefix);
  const earlier = isNew ? keyInputs(burst) : [];
  const keys = isNew ? [] : burst.keys;
  if (key === 'Enter') {
    const text = keys[0] === prefix && prefix !== '' ? keys.slice(1) : keys;
    if (text.length < 2) return { burst: emptyBurst, inputs: [...earlier, ...keyInputs({ keys, at }), { key }] };
    return { burst: emptyBurst, inputs: [...earlier, { scan: text.join('') }] };
  }
  // A key without a character, such as Tab, is never part of a scan. So it is reported without delay.
  if (key.length !== 1) return { burst: emptyBurst, inputs: [...earlier, ...keyInputs({ keys, at }), { key }] };
  return { burst: { keys: [...keys, key], at }, inputs: earlier };
}

/** Reports the delayed keys as typed by a person, once the pause after the last key is too long for a scan. */
export function flushBurst(burst: KeyBurst, at: number, prefix = ''): BurstStep {
  if (burst.keys.length === 0 || at - burst.at <= maxGapMs(burst, prefix)) return { burst, inputs: [] };
  return { burst: emptyBurst, inputs: keyInputs(burst) };
}

/** Delay in milliseconds until `flushBurst` releases the keys; null when no key is delayed. */
export const flushDelayMs = (burst: KeyBurst, prefix = ''): number | null =>
  burst.keys.length === 0 ? null : maxGapMs(burst, prefix) + 1;
