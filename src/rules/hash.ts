import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** JSON with sorted keys and no spaces: one text for one value. */
export function canonicalOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const entry of value) text += `${text && ','}${canonicalOf(entry)}`;
    return `[${text}]`;
  }
  const fields = value as { readonly [key: string]: unknown };
  for (const key of Object.keys(fields).toSorted())
    text += `${text && ','}${JSON.stringify(key)}:${canonicalOf(fields[key])}`;
  return `{${text}}`;
}

/** What a value is known by: sha256:<hex> of its canonical form in UTF-8. */
export const hashOf = (value: unknown): string => `sha256:${bytesToHex(sha256(utf8ToBytes(canonicalOf(value))))}`;
