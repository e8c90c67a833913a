import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** JSON with sorted keys and no spaces: one text for one value. */
export function canonicalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalOf(entry)}`).join(',')}}`;
}

/** What a value is known by: sha256:<hex> of its canonical form in UTF-8. */
export const hashOf = (value: unknown): string => `sha256:${bytesToHex(sha256(utf8ToBytes(canonicalOf(value))))}`;
