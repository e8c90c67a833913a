import { createHmac, timingSafeEqual } from 'node:crypto';
import { type StoreReader, type Store } from './store.ts';

// HMAC in front of values of the key-value table, which the hash chain does not cover. Write access to the data folder alone
// is not enough to forge them; that needs the key of the property.

/** Hashes of secrets, session tokens and console keys; names; console enrolment offers. */
export const authenticatedValueKinds = ['secret', 'session', 'console', 'name', 'offer'] as const;
export type AuthenticatedValueKind = (typeof authenticatedValueKinds)[number];

const macOf = (key: Buffer, kind: AuthenticatedValueKind, id: string, text: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([kind, id, text]))
    .digest('base64url');

const authenticate = (key: Buffer, kind: AuthenticatedValueKind, id: string, text: string): string =>
  `${macOf(key, kind, id, text)} ${text}`;

/** The text, or undefined when its MAC was not made with the key. */
export function verifiedValueText(
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

/** The values of a kind with a valid MAC, and the ids of all others. */
export async function readAuthenticatedValues(
  store: Pick<StoreReader, 'listValues'>,
  key: Buffer,
  kind: AuthenticatedValueKind,
): Promise<{ readonly values: ReadonlyMap<string, string>; readonly forged: readonly string[] }> {
  const values = new Map<string, string>();
  const forged: string[] = [];
  for (const [id, value] of await store.listValues(kind)) {
    const text = verifiedValueText(key, kind, id, value);
    if (text === undefined) forged.push(id);
    else values.set(id, text);
  }
  return { values, forged };
}

/** `undefined` deletes the value. */
export const writeAuthenticatedValue = (
  store: Pick<Store, 'putValue'>,
  key: Buffer,
  kind: AuthenticatedValueKind,
  id: string,
  text: string | undefined,
): Promise<void> => store.putValue(kind, id, text === undefined ? undefined : authenticate(key, kind, id, text));

/** Key rotation: writes every value with the next key and returns those that neither key authenticates. */
export async function reauthenticateValues(
  store: Pick<Store, 'listValues' | 'putValue'>,
  former: Buffer,
  next: Buffer,
): Promise<readonly string[]> {
  const forged: string[] = [];
  for (const kind of authenticatedValueKinds) {
    for (const [id, value] of await store.listValues(kind)) {
      const text = verifiedValueText(former, kind, id, value);
      if (text !== undefined) await writeAuthenticatedValue(store, next, kind, id, text);
      // An interrupted rotation leaves values that have the next key already.
      else if (verifiedValueText(next, kind, id, value) === undefined) forged.push(`${kind} ${id}`);
    }
  }
  return forged;
}
