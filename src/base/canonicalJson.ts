import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { assert } from './assert.ts';

/**
 * Canonical JSON (RFC 8785): keys sorted by UTF-16 code units, no spaces. Throws for a value that JSON cannot
 * represent, such as undefined. (`JSON.stringify` leaves out a field whose value is undefined.)
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number') {
    assert(Number.isFinite(value), 'a number in JSON is finite');
    return String(value);
  }
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  assert(typeof value === 'object', `JSON can hold a value of type ${typeof value}`);
  let text = '';
  if (Array.isArray(value)) {
    for (const entry of value) text += `${text && ','}${canonicalJson(entry)}`;
    return `[${text}]`;
  }
  assert(isPlainObject(value), 'an object in JSON is a plain object');
  const fields = value as { readonly [key: string]: unknown };
  for (const key of sortedKeys(Object.keys(fields)))
    text += `${text && ','}${canonicalString(key)}:${canonicalJson(fields[key])}`;
  return `{${text}}`;
}

/** The keys sorted by UTF-16 code units. An array that is already sorted is returned as it is. */
function sortedKeys(keys: readonly string[]): readonly string[] {
  for (let index = 1; index < keys.length; index++) if (keys[index - 1]! > keys[index]!) return keys.toSorted();
  return keys;
}

/** Matches texts of printable ASCII without quote and backslash. JSON writes such texts unescaped. */
const plainAscii = /^[ !#-[\]-~]*$/;

/** A string as JSON. Fast path: most strings have no character to escape. */
function canonicalString(text: string): string {
  if (plainAscii.test(text)) return `"${text}"`;
  assert(text.isWellFormed(), 'a string in JSON has no lone surrogate');
  return JSON.stringify(text);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Content hash: `sha256:<hex>` of the canonical JSON in UTF-8. */
export const hashOf = (value: unknown): string => `sha256:${bytesToHex(sha256(utf8ToBytes(canonicalJson(value))))}`;
