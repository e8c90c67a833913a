import { createHmac, timingSafeEqual } from 'node:crypto';
import { type StoreReader, type Store } from './store.ts';

// Some values of the key-value table have an HMAC before their text, because the hash chain does not cover the table.
// To forge a value, an attacker needs the data key, not only write access to the store.

/**
 * Kinds of values that have an HMAC, and the text of each kind. `secret`: the hash of a PIN or password. `session`: the
 * session and the person to whom a session token belongs. `console`: the console to which a console key belongs.
 * `name`: the name of a staff member. `offer`: the offer to enrol a console, with the time at which the offer expires.
 */
export const authenticatedValueKinds = ['secret', 'session', 'console', 'name', 'offer'] as const;
export type AuthenticatedValueKind = (typeof authenticatedValueKinds)[number];

const macOf = (key: Buffer, kind: AuthenticatedValueKind, id: string, text: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([kind, id, text]))
    .digest('base64url');

const authenticate = (key: Buffer, kind: AuthenticatedValueKind, id: string, text: string): string =>
  `${macOf(key, kind, id, text)} ${text}`;

/** The text of a value; undefined when its MAC was not made with this key, kind and id. */
export function textOfAuthenticValue(
  key: Buffer,
  kind: AuthenticatedValueKind,
  id: string,
  value: string,
): string | undefined {
  const end = value.indexOf(' ');
  const [mac, text] = [value.slice(0, Math.max(0, end)), value.slice(end + 1)];
  const expected = macOf(key, kind, id, text);
  return mac.length === expected.length && timingSafeEqual(Buffer.from(mac), Buffer.from(expected)) ? text : undefined;
}

/**
 * Reads all values of a kind. `values` maps the id of each value with a valid MAC to its text. `forged` lists the ids
 * of all other values.
 */
export async function readAuthenticatedValues(
  store: Pick<StoreReader, 'listValues'>,
  key: Buffer,
  kind: AuthenticatedValueKind,
): Promise<{ readonly values: ReadonlyMap<string, string>; readonly forged: readonly string[] }> {
  const values = new Map<string, string>();
  const forged: string[] = [];
  for (const [id, value] of await store.listValues(kind)) {
    const text = textOfAuthenticValue(key, kind, id, value);
    if (text === undefined) forged.push(id);
    else values.set(id, text);
  }
  return { values, forged };
}

/** Writes the text with its MAC; an `undefined` text deletes the value. */
export const writeAuthenticatedValue = (
  store: Pick<Store, 'putValue'>,
  key: Buffer,
  kind: AuthenticatedValueKind,
  id: string,
  text: string | undefined,
): Promise<void> => store.putValue(kind, id, text === undefined ? undefined : authenticate(key, kind, id, text));

/**
 * Key rotation: writes every value again with a MAC of the next key. Returns kind and id of each forged value, whose
 * MAC was made with neither the former nor the next key.
 */
export async function reauthenticateValues(
  store: Pick<Store, 'listValues' | 'putValue'>,
  former: Buffer,
  next: Buffer,
): Promise<readonly string[]> {
  const forged: string[] = [];
  for (const kind of authenticatedValueKinds) {
    for (const [id, value] of await store.listValues(kind)) {
      const text = textOfAuthenticValue(former, kind, id, value);
      if (text !== undefined) await writeAuthenticatedValue(store, next, kind, id, text);
      // An interrupted rotation leaves values that already have a MAC of the next key.
      else if (textOfAuthenticValue(next, kind, id, value) === undefined) forged.push(`${kind} ${id}`);
    }
  }
  return forged;
}
