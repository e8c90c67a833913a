import { createHmac, timingSafeEqual } from 'node:crypto';
import { type StoreReader, type Store } from './store.ts';

// What lies beside the chain is signed by nobody. What must not be put there by whoever can write to the folder has a code in
// front of it that only the key of the record gives.

/** What is kept so of people: hashes of secrets, of the tokens of sessions and of the keys of consoles, names, and offers of consoles. */
export const boundKinds = ['secret', 'session', 'console', 'name', 'offer'] as const;
export type BoundKind = (typeof boundKinds)[number];

const codeOf = (key: Buffer, kind: BoundKind, id: string, text: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([kind, id, text]))
    .digest('base64url');

const bound = (key: Buffer, kind: BoundKind, id: string, text: string): string =>
  `${codeOf(key, kind, id, text)} ${text}`;

/** What was kept under an id, if it was written with the key. */
export function unbound(key: Buffer, kind: BoundKind, id: string, value: string): string | undefined {
  const end = value.indexOf(' ');
  const [code, text] = [value.slice(0, Math.max(0, end)), value.slice(end + 1)];
  const due = codeOf(key, kind, id, text);
  return code.length === due.length && timingSafeEqual(Buffer.from(code), Buffer.from(due)) ? text : undefined;
}

/** All of a kind that was written with the key, and the ids of what was not. */
export async function readAuthenticated(
  store: Pick<StoreReader, 'listValues'>,
  key: Buffer,
  kind: BoundKind,
): Promise<{ readonly kept: ReadonlyMap<string, string>; readonly forged: readonly string[] }> {
  const kept = new Map<string, string>();
  const forged: string[] = [];
  for (const [id, value] of await store.listValues(kind)) {
    const text = unbound(key, kind, id, value);
    if (text === undefined) forged.push(id);
    else kept.set(id, text);
  }
  return { kept, forged };
}

/** Keeps a text under an id; none: it is forgotten. */
export const writeAuthenticated = (
  store: Pick<Store, 'putValue'>,
  key: Buffer,
  kind: BoundKind,
  id: string,
  text: string | undefined,
): Promise<void> => store.putValue(kind, id, text === undefined ? undefined : bound(key, kind, id, text));

/** Writes all of it for another key, and gives what neither key has written. */
export async function keepAllWith(
  store: Pick<Store, 'listValues' | 'putValue'>,
  former: Buffer,
  next: Buffer,
): Promise<readonly string[]> {
  const strange: string[] = [];
  for (const kind of boundKinds) {
    for (const [id, value] of await store.listValues(kind)) {
      const text = unbound(former, kind, id, value);
      if (text !== undefined) await writeAuthenticated(store, next, kind, id, text);
      // Those of one that was interrupted may be bound with the next key already.
      else if (unbound(next, kind, id, value) === undefined) strange.push(`${kind} ${id}`);
    }
  }
  return strange;
}
