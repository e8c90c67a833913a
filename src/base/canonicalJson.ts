import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { assert } from './assert.ts';

/**
 * Canonical JSON (RFC 8785): keys in order of their UTF-16 units, no spaces. A value without a JSON form is a defect;
 * nothing is left out silently.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number') {
    assert(Number.isFinite(value), 'a number in JSON is finite');
    return String(value);
  }
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  assert(typeof value === 'object', `JSON has a form for it, and none for ${typeof value}`);
  let text = '';
  if (Array.isArray(value)) {
    for (const entry of value) text += `${text && ','}${canonicalJson(entry)}`;
    return `[${text}]`;
  }
  assert(isPlainObject(value), 'an object in JSON is plain data');
  const fields = value as { readonly [key: string]: unknown };
  for (const key of sortedKeys(Object.keys(fields)))
    text += `${text && ','}${canonicalString(key)}:${canonicalJson(fields[key])}`;
  return `{${text}}`;
}

/** Sorts keys by their UTF-16 units; keys that are sorted already are not copied. */
function sortedKeys(keys: readonly string[]): readonly string[] {
  for (let index = 1; index < keys.length; index++) if (keys[index - 1]! > keys[index]!) return keys.toSorted();
  return keys;
}

/** ASCII characters that JSON does not escape: all printable ones but quote and backslash. */
const plainAscii = /^[ !#-[\]-~]*$/;

/** Fast path: most strings need no escape. */
function canonicalString(text: string): string {
  if (plainAscii.test(text)) return `"${text}"`;
  assert(text.isWellFormed(), 'a text in JSON has no half of a surrogate pair');
  return JSON.stringify(text);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Content hash: `sha256:<hex>` of the canonical JSON in UTF-8. */
export const hashOf = (value: unknown): string => `sha256:${bytesToHex(sha256(utf8ToBytes(canonicalJson(value))))}`;
