import { randomHex } from '../../../client/environment.ts';

const storageKey = 'punto.secret';
let secret: string | undefined;

/**
 * The secret that identifies this browser: the key of an enrolled terminal, or a random secret. The server stores only
 * its hash.
 */
export function browserSecret(): string {
  if (secret !== undefined) return secret;
  secret = keyFromAddress();
  try {
    if (secret !== undefined) localStorage.setItem(storageKey, secret);
    secret ??= localStorage.getItem(storageKey) ?? undefined;
    if (secret === undefined || !/^[0-9a-f]{64}$/.test(secret)) {
      secret = randomHex(32);
      localStorage.setItem(storageKey, secret);
    }
  } catch {
    // Without browser storage the secret and the seat are lost with the page.
    secret ??= randomHex(32);
  }
  return secret;
}

/** The key of an enrolled terminal, from the address of the page. The page removes it from the address at once. */
function keyFromAddress(): string | undefined {
  const [, key] = /^#key=([0-9a-f]{64})$/.exec(location.hash) ?? [];
  if (key !== undefined) history.replaceState(null, '', location.pathname);
  return key;
}

/**
 * Drops a revoked secret, so that the next page generates a new secret. A new secret that another page has stored since
 * is kept.
 */
export function forgetBrowserSecret(): void {
  try {
    if (localStorage.getItem(storageKey) === secret) localStorage.removeItem(storageKey);
  } catch {
    // Without browser storage nothing has to be removed.
  }
}
