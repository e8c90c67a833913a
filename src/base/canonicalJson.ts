import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { assert } from './assert.ts';

/**
 * One text for one value: JSON as RFC 8785 has it, with keys in the order of their UTF-16 units and no spaces. What JSON
 * cannot say is a defect and never left out in silence: a field without a value is not there at all.
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

/** Keys in the order of their UTF-16 units; those that are in order already are not sorted again. */
function sortedKeys(keys: readonly string[]): readonly string[] {
  for (let index = 1; index < keys.length; index++) if (keys[index - 1]! > keys[index]!) return keys.toSorted();
  return keys;
}

/** Letters that stand in JSON as they are, as far as ASCII goes: no quote, no backslash. */
const plainAscii = /^[ !#-[\]-~]*$/;

/** Most texts are plain, and that is most of the speed. */
function canonicalString(text: string): string {
  if (plainAscii.test(text)) return `"${text}"`;
  assert(text.isWellFormed(), 'a text in JSON has no half of a surrogate pair');
  return JSON.stringify(text);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What a value is known by: sha256:<hex> of its canonical form in UTF-8. */
export const hashOf = (value: unknown): string => `sha256:${bytesToHex(sha256(utf8ToBytes(canonicalJson(value))))}`;
